// File: hlo/byte_index.h
//
// Where is the next byte that matters? For hlo/hlo_scanner.h.
//
// Tokens of HLO are short, so a loop over bytes spends its time on
// mispredicted branches at their ends. A ByteIndex classifies a stretch of text
// at once, with the widest vectors that the processor has, into one bit a byte
// and class; to find the next byte of a class is then to count zeros.
//
//   ByteIndex index("name = f32[2]");
//   index.Find(ByteIndex::kNameEnd, 0);      // 4: the blank
//   index.Find(ByteIndex::kBracketStop, 4);  // 10: the bracket
//   index.Find(ByteIndex::kQuote, 0);        // 13: there is none
//
// Only a window of the text is classified at a time, on demand: going forward
// costs each byte once, and no memory grows with the text.

#ifndef TESSERA_HLO_BYTE_INDEX_H_
#define TESSERA_HLO_BYTE_INDEX_H_

#include <cstddef>
#include <cstdint>

#include "absl/base/optimization.h"
#include "absl/strings/string_view.h"

namespace tessera {

class ByteIndex {
 public:
  enum Class {
    // Everything but the bytes of identifiers: letters, digits, '_', '.', '-'.
    kNameEnd,
    // What matters between brackets: brackets, quotes, '/', which may begin a
    // comment, and the line break.
    kBracketStop,
    // What matters in a dictionary of another language: braces, '"' and the
    // line break.
    kDictionaryStop,
    // '"'.
    kQuote,
  };
  static constexpr int kClasses = 4;

  // `text` must outlive the index.
  explicit ByteIndex(absl::string_view text) : text_(text) {}

  // The first byte of class `c` from `offset` on, or the size of the text.
  // Precondition: offset <= size of the text.
  size_t Find(Class c, size_t offset) {
    size_t block = offset / kBlockSize;
    uint64_t after = ~uint64_t{0} << (offset % kBlockSize);
    while (true) {
      if (ABSL_PREDICT_FALSE(block - first_block_ >= block_count_)) {
        if (block * kBlockSize >= text_.size()) return text_.size();
        Load(block);
      }
      const uint64_t found = bits_[block - first_block_][c] & after;
      if (found != 0) return block * kBlockSize + __builtin_ctzll(found);
      ++block;
      after = ~uint64_t{0};
    }
  }

 private:
  static constexpr size_t kBlockSize = 64;
  static constexpr size_t kWindowBlocks = 32;

  // Classifies the window that begins with `block`, which lies in the text.
  // Bits past the end are of no class.
  void Load(size_t block);

  absl::string_view text_;
  size_t first_block_ = 0;
  size_t block_count_ = 0;
  uint64_t bits_[kWindowBlocks][kClasses];
};

}  // namespace tessera

#endif  // TESSERA_HLO_BYTE_INDEX_H_
