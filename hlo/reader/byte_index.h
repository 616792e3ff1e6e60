// Finds the next byte that matters. For hlo/reader/hlo_scanner.h.
//
// Tokens of HLO are short, so a loop over bytes spends its time on mispredicted
// branches at their ends. A ByteIndex classifies a stretch of text at once,
// with the widest vectors of the processor, into one bit per byte and class.
// Finding the next byte of a class then means counting zeros.
//
//   ByteIndex index("name = f32[2]");
//   index.Find<ByteIndex::kNameEnd>(0);                     // 4: the blank
//   index.Find<ByteIndex::kBracket, ByteIndex::kQuote>(4);  // 10: the bracket
//   index.Find<ByteIndex::kQuote>(0);                       // 13: the end
//
// Only a window of the text is classified at a time, on demand. Moving forward
// classifies each byte once, and the memory does not grow with the text.

#ifndef TESSERA_HLO_READER_BYTE_INDEX_H_
#define TESSERA_HLO_READER_BYTE_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/base/optimization.h"
#include "absl/numeric/bits.h"

namespace tessera {
namespace hlo_internal {

class ByteIndex {
 public:
  enum Class {
    // Everything but the bytes of identifiers: letters, digits, '_', '.', '-'.
    kNameEnd,
    kBracket,  // ( ) [ ] { }
    kBrace,    // { }
    kQuote,    // "
    // '\'' begins a string as well, and '/' may begin a comment.
    kApostropheOrSlash,
    // Bytes that make a string more than the text between two quotes.
    kBackslashOrLineBreak,
    kSpace,  // ' ' alone
  };
  static constexpr int kClasses = 7;
  static constexpr size_t kBlockSize = 64;

  // The bytes of a block in each class: bit i is byte i.
  using Block = uint64_t[kClasses];

  // `text` must outlive the index.
  explicit ByteIndex(std::string_view text) : text_(text) {}

  // Returns the first byte of any of these classes from `offset` on, or the
  // size of the text. Ignores blocks that begin at `limit` or later.
  // Precondition: offset <= size of the text.
  template <Class... kSet>
  size_t Find(size_t offset, size_t limit = std::string_view::npos) {
    size_t block = offset / kBlockSize;
    uint64_t after = ~uint64_t{0} << (offset % kBlockSize);
    while (const Block* const bits = BlockAt(block)) {
      const uint64_t found = ((*bits)[kSet] | ...) & after;
      if (found != 0) return block * kBlockSize + absl::countr_zero(found);
      ++block;
      if (block * kBlockSize >= limit) break;
      after = ~uint64_t{0};
    }
    return text_.size();
  }

  // Returns the classes of the bytes from `block * kBlockSize` on; bytes past
  // the end of the text have none. Null if the block is past the end;
  // overwritten by later calls.
  const Block* BlockAt(size_t block) {
    if (ABSL_PREDICT_FALSE(block - first_block_ >= block_count_)) {
      if (block * kBlockSize >= text_.size()) return nullptr;
      Load(block);
    }
    return &bits_[block - first_block_];
  }

 private:
  static constexpr size_t kWindowBlocks = 32;

  // Classifies the window that begins with `block`, which is in the text.
  void Load(size_t block);

  std::string_view text_;
  size_t first_block_ = 0;
  size_t block_count_ = 0;
  Block bits_[kWindowBlocks];
};

// Returns the number of line breaks in `text`.
int64_t CountLineBreaks(std::string_view text);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_READER_BYTE_INDEX_H_
