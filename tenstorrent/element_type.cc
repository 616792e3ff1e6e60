#include "tessera/tenstorrent/element_type.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "absl/hash/hash.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/value_type.h"
#include "tessera/tenstorrent/text/layout_printing.h"

namespace tessera::tenstorrent {
namespace {

struct DataTypeFacts {
  DataType type;
  std::string_view scalar_keyword;
  std::string_view tile_keyword;
  int64_t bits;
};

// In the order of the enumeration.
constexpr DataTypeFacts kFacts[] = {
    {DataType::kF64, "f64", "", 64},
    {DataType::kF32, "f32", "f32", 32},
    {DataType::kF16, "f16", "f16", 16},
    {DataType::kBF16, "bf16", "bf16", 16},
    {DataType::kBfpF8, "", "bfp_f8", 8},
    {DataType::kBfpBf8, "", "bfp_bf8", 8},
    {DataType::kBfpF4, "", "bfp_f4", 4},
    {DataType::kBfpBf4, "", "bfp_bf4", 4},
    {DataType::kBfpF2, "", "bfp_f2", 2},
    {DataType::kBfpBf2, "", "bfp_bf2", 2},
    {DataType::kI64, "i64", "", 64},
    {DataType::kI32, "i32", "", 32},
    {DataType::kI16, "i16", "", 16},
    {DataType::kI8, "i8", "", 8},
    {DataType::kI1, "i1", "i1", 8},
    {DataType::kSI64, "si64", "", 64},
    {DataType::kSI32, "si32", "si32", 32},
    {DataType::kSI16, "si16", "", 16},
    {DataType::kSI8, "si8", "", 8},
    {DataType::kU64, "ui64", "", 64},
    {DataType::kU32, "ui32", "u32", 32},
    {DataType::kU16, "ui16", "u16", 16},
    {DataType::kU8, "ui8", "u8", 8},
};

constexpr bool FactsAreInOrder() {
  for (size_t i = 0; i < sizeof(kFacts) / sizeof(kFacts[0]); ++i) {
    if (kFacts[i].type != kDataTypes[i] ||
        static_cast<size_t>(kFacts[i].type) != i) {
      return false;
    }
  }
  return sizeof(kFacts) / sizeof(kFacts[0]) ==
         sizeof(kDataTypes) / sizeof(kDataTypes[0]);
}
static_assert(FactsAreInOrder());

const DataTypeFacts& FactsOf(DataType type) {
  return kFacts[static_cast<size_t>(type)];
}

}  // namespace

std::string_view ScalarKeyword(DataType type) {
  return FactsOf(type).scalar_keyword;
}

std::string_view TileKeyword(DataType type) {
  return FactsOf(type).tile_keyword;
}

std::optional<DataType> ScalarTypeOf(std::string_view keyword) {
  if (keyword.empty()) return std::nullopt;
  for (const DataTypeFacts& facts : kFacts) {
    if (facts.scalar_keyword == keyword) return facts.type;
  }
  return std::nullopt;
}

std::optional<DataType> TileTypeOf(std::string_view keyword) {
  if (keyword.empty()) return std::nullopt;
  for (const DataTypeFacts& facts : kFacts) {
    if (facts.tile_keyword == keyword) return facts.type;
  }
  return std::nullopt;
}

bool IsBlockFloat(DataType type) {
  return DataType::kBfpF8 <= type && type <= DataType::kBfpBf2;
}

bool HoldsBlockFloats(const TileShape& tile) {
  const auto is_one_of = [](int64_t side, std::initializer_list<int64_t> of) {
    return std::find(of.begin(), of.end(), side) != of.end();
  };
  return is_one_of(tile.width, {16, 32}) &&
         is_one_of(tile.height, {1, 2, 4, 8, 16, 32});
}

int64_t BitsOf(DataType type) { return FactsOf(type).bits; }

std::optional<int64_t> ElementType::bytes() const {
  const std::optional<int64_t> bytes = bytes_without_exponents();
  if (!bytes.has_value() || !IsBlockFloat(data_type)) return bytes;
  constexpr int64_t kSharers = 16, kExponentAlignment = 16;
  const TileShape shape = tile_or_unit();
  const int64_t exponents = CeilOfRatio(shape.height * shape.width, kSharers);
  return CheckedAdd(
      *bytes, CeilOfRatio(exponents, kExponentAlignment) * kExponentAlignment);
}

std::optional<int64_t> ElementType::bytes_without_exponents() const {
  const TileShape shape = tile_or_unit();
  const std::optional<int64_t> elements =
      CheckedMultiply(shape.height, shape.width);
  if (!elements.has_value()) return std::nullopt;
  const int64_t bits = BitsOf(data_type);
  return bits < 8 ? CeilOfRatio(*elements, 8 / bits)
                  : CheckedMultiply(*elements, bits / 8);
}

std::string ElementType::ToString(std::string_view dialect) const {
  std::string text;
  {
    TextWriter writer(&text);
    AppendTo(&writer, dialect);
  }
  return text;
}

void ElementType::AppendTo(TextWriter* writer, std::string_view dialect) const {
  if (!is_tile()) {
    writer->Text(ScalarKeyword(data_type));
    return;
  }
  Append(writer, '!', dialect, ".tile<", tile->height, 'x', tile->width, ", ",
         TileKeyword(data_type), '>');
}

}  // namespace tessera::tenstorrent

TESSERA_DEFINE_VALUE(tessera::tenstorrent, ElementType)
