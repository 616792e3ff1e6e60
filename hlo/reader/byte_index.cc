// Compiled once for every kind of vector that a processor may have.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hlo/reader/byte_index.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
//
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "hwy/highway.h"
#include "tessera/hlo/reader/byte_index.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace hlo_internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A kind of bytes: the upper half is in one set of digits, and the lower half
// is in another. Each set is a mask of 16 bits. A byte is of the kinds that
// both of its halves allow, so it takes two table look-ups.
struct Kind {
  uint16_t high;
  uint16_t low;
};
constexpr Kind kKinds[] = {
    {1 << 4 | 1 << 6, 0xFFFE},      // A to O, a to o
    {1 << 5 | 1 << 7, 0x07FF},      // P to Z, p to z
    {1 << 3, 0x03FF},               // 0 to 9
    {1 << 5, 1 << 0xF},             // _
    {1 << 2, 1 << 0xD | 1 << 0xE},  // - .
    {1 << 2, 1 << 8 | 1 << 9},      // ( )
    {1 << 5, 1 << 0xB | 1 << 0xD},  // [ ]
    {1 << 7, 1 << 0xB | 1 << 0xD},  // { }
};
constexpr uint8_t kNameKinds = 0x1F;
constexpr uint8_t kBracketKinds = 0xE0;
constexpr uint8_t kBraceKind = 0x80;

struct KindTable {
  alignas(16) uint8_t kinds[16];
};
constexpr KindTable MakeKindTable(uint16_t Kind::*half) {
  KindTable table = {};
  for (int digit = 0; digit < 16; ++digit) {
    for (int kind = 0; kind < 8; ++kind) {
      if (kKinds[kind].*half >> digit & 1) table.kinds[digit] |= 1 << kind;
    }
  }
  return table;
}
constexpr KindTable kKindsOfHigh = MakeKindTable(&Kind::high);
constexpr KindTable kKindsOfLow = MakeKindTable(&Kind::low);

// `bytes` holds `blocks` blocks of 64. Writes a word per class for each to
// `bits`.
void Classify(const uint8_t* bytes, size_t blocks, uint64_t* bits) {
  constexpr size_t kBlockSize = 64;
  constexpr int kClasses = ByteIndex::kClasses;
  const hn::CappedTag<uint8_t, kBlockSize> d;
  using Vector = hn::Vec<decltype(d)>;
  const size_t lanes = hn::Lanes(d);

  const Vector high_kinds = hn::LoadDup128(d, kKindsOfHigh.kinds);
  const Vector low_kinds = hn::LoadDup128(d, kKindsOfLow.kinds);
  const Vector name_kinds = hn::Set(d, kNameKinds);
  const Vector bracket_kinds = hn::Set(d, kBracketKinds);
  const Vector brace_kind = hn::Set(d, kBraceKind);
  const Vector low_half = hn::Set(d, 0xF);
  const Vector zero = hn::Zero(d);
  for (size_t block = 0; block < blocks; ++block) {
    uint8_t* const out = reinterpret_cast<uint8_t*>(bits + block * kClasses);
    for (size_t i = 0; i < kBlockSize; i += lanes) {
      const Vector v = hn::LoadU(d, bytes + block * kBlockSize + i);
      const Vector kinds =
          hn::And(hn::TableLookupBytes(high_kinds, hn::ShiftRight<4>(v)),
                  hn::TableLookupBytes(low_kinds, hn::And(v, low_half)));
      const auto is = [&](char c) {
        return hn::Eq(v, hn::Set(d, static_cast<uint8_t>(c)));
      };
      const auto is_of = [&](Vector mask) {
        return hn::Ne(hn::And(kinds, mask), zero);
      };
      const size_t at = i / 8;
      const auto store = [&](ByteIndex::Class c, hn::Mask<decltype(d)> mask) {
        hn::StoreMaskBits(d, mask, out + c * sizeof(uint64_t) + at);
      };
      store(ByteIndex::kNameEnd, hn::Eq(hn::And(kinds, name_kinds), zero));
      store(ByteIndex::kBracket, is_of(bracket_kinds));
      store(ByteIndex::kBrace, is_of(brace_kind));
      store(ByteIndex::kQuote, is('"'));
      store(ByteIndex::kApostropheOrSlash, hn::Or(is('\''), is('/')));
      store(ByteIndex::kSpace, is(' '));
      store(ByteIndex::kBackslashOrLineBreak, hn::Or(is('\\'), is('\n')));
    }
  }
}

int64_t CountLineBreaksIn(const uint8_t* bytes, size_t size) {
  const hn::ScalableTag<uint8_t> d;
  const size_t lanes = hn::Lanes(d);
  const auto line_break = hn::Set(d, '\n');
  int64_t count = 0;
  size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    count += hn::CountTrue(d, hn::Eq(hn::LoadU(d, bytes + i), line_break));
  }
  for (; i < size; ++i) count += bytes[i] == '\n';
  return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace hlo_internal
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera {
namespace hlo_internal {

HWY_EXPORT(Classify);
HWY_EXPORT(CountLineBreaksIn);

int64_t CountLineBreaks(std::string_view text) {
  return HWY_DYNAMIC_DISPATCH(CountLineBreaksIn)(
      reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

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

}  // namespace hlo_internal
}  // namespace tessera

#endif  // HWY_ONCE
