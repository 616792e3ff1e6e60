// The element type of a tensor, or of the memory that holds it, and its size in
// bytes.
//
//   const ElementType scalar{DataType::kBF16};
//   scalar.ToString();                       // "bf16"
//   scalar.bytes();                          // 2
//
//   const ElementType tile{DataType::kBfpBf8, TileShape{32, 32}};
//   tile.ToString();                         // "!tt.tile<32x32, bfp_bf8>"
//   tile.ToString("ttcore");                 // "!ttcore.tile<32x32, bfp_bf8>"
//   tile.bytes();                            // 1088: 1024 of mantissas and
//                                            // signs, 64 of shared exponents
//   tile.bytes_without_exponents();          // 1024
//
// The keywords are those of MLIR (mlir/lib/AsmParser/TypeParser.cpp) for
// scalars, and of tt-mlir's DataType (TTCoreOpsEnums.td) inside of a tile.
// Block-float types (bfp_*) exist only inside tiles: 16 adjacent elements in a
// row of a face share one exponent byte. The exponents of a tile take a
// multiple of 16 bytes.

#ifndef TESSERA_TENSTORRENT_ELEMENT_TYPE_H_
#define TESSERA_TENSTORRENT_ELEMENT_TYPE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tessera/base/text/text_writer.h"
#include "tessera/base/text/value_type.h"

namespace tessera::tenstorrent {

enum class DataType : uint8_t {
  kF64,
  kF32,
  kF16,
  kBF16,
  // Block floats: kBfpF share a 5-bit exponent, like that of f16; kBfpBf an
  // 8-bit exponent, like that of bf16. The number counts the bits of an
  // element's sign and mantissa.
  kBfpF8,
  kBfpBf8,
  kBfpF4,
  kBfpBf4,
  kBfpF2,
  kBfpBf2,
  kI64,
  kI32,
  kI16,
  kI8,
  kI1,
  kSI64,
  kSI32,
  kSI16,
  kSI8,
  kU64,
  kU32,
  kU16,
  kU8,
};

inline constexpr DataType kDataTypes[] = {
    DataType::kF64,   DataType::kF32,    DataType::kF16,   DataType::kBF16,
    DataType::kBfpF8, DataType::kBfpBf8, DataType::kBfpF4, DataType::kBfpBf4,
    DataType::kBfpF2, DataType::kBfpBf2, DataType::kI64,   DataType::kI32,
    DataType::kI16,   DataType::kI8,     DataType::kI1,    DataType::kSI64,
    DataType::kSI32,  DataType::kSI16,   DataType::kSI8,   DataType::kU64,
    DataType::kU32,   DataType::kU16,    DataType::kU8,
};

// The keyword of a scalar, "ui16"; "" for a block float.
std::string_view ScalarKeyword(DataType type);
// The keyword inside a tile, "u16"; "" for a type that does not occur in tiles.
std::string_view TileKeyword(DataType type);
// The type with that keyword, or nullopt.
std::optional<DataType> ScalarTypeOf(std::string_view keyword);
std::optional<DataType> TileTypeOf(std::string_view keyword);

bool IsBlockFloat(DataType type);

// The bits of one element: 32 for f32, 4 for bfp_bf4, without the shared
// exponent; 8 for i1, which takes a byte. (tt-mlir divides the width of 1 by 8
// and gets 0.)
int64_t BitsOf(DataType type);

// The sizes are in elements.
struct TileShape {
  int64_t height = 32;
  int64_t width = 32;

  TESSERA_VALUE_BY(TileShape, height, width)
};

// Whether the hardware has tiles of that shape, which can hold block floats: 16
// or 32 wide, and 1, 2, 4, 8, 16 or 32 high. tt-mlir's TileType accepts only
// 32x32.
bool HoldsBlockFloats(const TileShape& tile);

// A scalar, or a tile of scalars.
struct ElementType {
  DataType data_type = DataType::kF32;
  std::optional<TileShape> tile = std::nullopt;

  bool is_tile() const { return tile.has_value(); }
  // The tile, or 1 x 1 for a scalar.
  TileShape tile_or_unit() const { return tile.value_or(TileShape{1, 1}); }

  // The bytes of one element, including a tile's shared exponents: one byte for
  // every 16 elements or part of 16, rounded up to 16 bytes; nullopt past
  // 2^63-1. Precondition: no size of the tile is negative.
  //
  // Source: the sizes that Tenstorrent's runtime, ttnn 0.81.1, reports for the
  // twelve tiles of HoldsBlockFloats: 24 for 1x16 of bfp_bf4.
  std::optional<int64_t> bytes() const;
  // Like bytes(), but without shared exponents, as tt-mlir counted until
  // 2025-11 (235dce4dd0): 1024 for the tile above.
  std::optional<int64_t> bytes_without_exponents() const;

  // "f32" or "!tt.tile<32x32, bf16>". The dialect was called tt until 2025-06
  // (820a520791), and is now called ttcore.
  std::string ToString(std::string_view dialect = "tt") const;
  void AppendTo(TextWriter* writer, std::string_view dialect = "tt") const;

  TESSERA_VALUE_BY(ElementType, data_type, tile)
};

}  // namespace tessera::tenstorrent

TESSERA_DECLARE_VALUE(tessera::tenstorrent, ElementType);

#endif  // TESSERA_TENSTORRENT_ELEMENT_TYPE_H_
