// Compiled once for every kind of vector that a processor may have.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hlo/byte_index.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
//
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "tessera/hlo/byte_index.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// `bytes` holds `blocks` blocks of 64; `bits` gets a word a class for each.
void Classify(const uint8_t* bytes, size_t blocks, uint64_t* bits) {
  constexpr size_t kBlockSize = 64;
  constexpr int kClasses = ByteIndex::kClasses;
  const hn::CappedTag<uint8_t, kBlockSize> d;
  using Vector = hn::Vec<decltype(d)>;
  const size_t lanes = hn::Lanes(d);

  const auto set = [d](char c) { return hn::Set(d, static_cast<uint8_t>(c)); };
  // first <= v <= first + size, in one subtraction.
  const auto in_range = [d](Vector v, char first, int size) {
    const Vector offset = hn::Sub(v, hn::Set(d, static_cast<uint8_t>(first)));
    return hn::Eq(hn::Min(offset, hn::Set(d, static_cast<uint8_t>(size))),
                  offset);
  };
  for (size_t block = 0; block < blocks; ++block) {
    uint8_t* const out = reinterpret_cast<uint8_t*>(bits + block * kClasses);
    for (size_t i = 0; i < kBlockSize; i += lanes) {
      const Vector v = hn::LoadU(d, bytes + block * kBlockSize + i);
      const Vector lower = hn::Or(v, set(0x20));
      const auto is_line_break = hn::Eq(v, set('\n'));
      const auto is_quote = hn::Eq(v, set('"'));
      // '[' and '{', ']' and '}' differ by the bit that `lower` sets.
      const auto is_open = hn::Eq(lower, set('{'));
      const auto is_close = hn::Eq(lower, set('}'));
      const auto is_brace = hn::And(hn::Or(is_open, is_close),
                                    hn::Eq(hn::And(v, set(0x20)), set(0x20)));
      const auto is_name =
          hn::Or(hn::Or(in_range(lower, 'a', 25), in_range(v, '0', 9)),
                 hn::Or(in_range(v, '-', 1), hn::Eq(v, set('_'))));
      const auto is_stop = hn::Or(
          hn::Or(hn::Or(is_open, is_close), hn::Or(is_line_break, is_quote)),
          // "'()" stand together.
          hn::Or(in_range(v, '\'', 2), hn::Eq(v, set('/'))));
      const auto is_dictionary_stop =
          hn::Or(is_brace, hn::Or(is_line_break, is_quote));
      const size_t at = i / 8;
      const auto store = [&](ByteIndex::Class c, hn::Mask<decltype(d)> mask) {
        hn::StoreMaskBits(d, mask, out + c * sizeof(uint64_t) + at);
      };
      store(ByteIndex::kNameEnd, hn::Not(is_name));
      store(ByteIndex::kBracketStop, is_stop);
      store(ByteIndex::kDictionaryStop, is_dictionary_stop);
      store(ByteIndex::kQuote, is_quote);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera {

HWY_EXPORT(Classify);

void ByteIndex::Load(size_t block) {
  const size_t begin = block * kBlockSize;
  const size_t size =
      std::min(text_.size() - begin, kWindowBlocks * kBlockSize);
  const size_t whole_blocks = size / kBlockSize;
  const uint8_t* const bytes =
      reinterpret_cast<const uint8_t*>(text_.data()) + begin;
  const auto classify = HWY_DYNAMIC_DISPATCH(Classify);
  classify(bytes, whole_blocks, bits_[0]);
  first_block_ = block;
  block_count_ = whole_blocks;
  const size_t rest = size % kBlockSize;
  if (rest > 0) {
    uint8_t last[kBlockSize] = {};
    std::memcpy(last, bytes + whole_blocks * kBlockSize, rest);
    classify(last, 1, bits_[whole_blocks]);
    for (uint64_t& word : bits_[whole_blocks]) {
      word &= (uint64_t{1} << rest) - 1;
    }
    ++block_count_;
  }
}

}  // namespace tessera

#endif  // HWY_ONCE
