#include "tessera/tenstorrent/to_index_map.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/relayout/relayout_plan.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tenstorrent/geometry.h"
#include "tessera/tenstorrent/internal/size_checks.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

// Where a scalar of a tile lies by faces, by hand.
InFace FaceOf(const InTile& in_tile, const TileShape& tile) {
  const TileShape face = FaceShape(tile);
  InFace place;
  place.face = in_tile.row / face.height * (tile.width / face.width) +
               in_tile.column / face.width;
  place.row = in_tile.row % face.height;
  place.column = in_tile.column % face.width;
  place.position =
      (place.face * face.height + place.row) * face.width + place.column;
  return place;
}

constexpr DivisionOrder kGridFirst = DivisionOrder::kGridFirst;
constexpr DivisionOrder kTileFirst = DivisionOrder::kTileFirst;

ElementType Tiles(int64_t height, int64_t width, DataType type) {
  return {type, TileShape{height, width}};
}

bool Advance(absl::Span<const int64_t> bounds, Dimensions* index) {
  for (size_t i = bounds.size(); i-- > 0;) {
    if (++(*index)[i] < bounds[i]) return true;
    (*index)[i] = 0;
  }
  return false;
}

// -- By hand -----------------------------------------------------------------

// Where an element lies, by the arithmetic of the rules alone.
struct ByHand {
  int64_t cell = 0;
  int64_t scalar = 0;    // in the shard, in the order of storage
  int64_t bit = 0;       // in the shard
  int64_t exponent = 0;  // in the shard, in bytes
};

// The number of the scalar (row, column) in a tile whose sizes are at most 16
// or multiples of it, or that has no faces.
int64_t InTileByHand(int64_t row, int64_t column, const TileShape& tile) {
  const int64_t height = std::min<int64_t>(16, tile.height);
  const int64_t width = std::min<int64_t>(16, tile.width);
  if (tile.height % height != 0 || tile.width % width != 0) {
    return row * tile.width + column;
  }
  const int64_t face = row / height * (tile.width / width) + column / width;
  return face * height * width + row % height * width + column % width;
}

ByHand LocateByHand(const Geometry& geometry, const Dimensions& index) {
  const AffineMap::Indices p = *geometry.linear.Evaluate(index);
  const int64_t rank = geometry.rank();
  const TileShape tile = geometry.element.tile_or_unit();
  ByHand by_hand;
  int64_t tile_number = 0;
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t shard = geometry.shard[i];
    by_hand.cell = by_hand.cell * geometry.grid[i] + p[i] / shard;
    const int64_t side = !geometry.element.is_tile() || i < rank - 2 ? 1
                         : i == rank - 1 ? tile.width
                                         : tile.height;
    tile_number = tile_number * geometry.memref[i] + p[i] % shard / side;
  }
  int64_t in_tile = 0;
  if (geometry.element.is_tile()) {
    in_tile =
        InTileByHand(p[rank - 2] % geometry.shard[rank - 2] % tile.height,
                     p[rank - 1] % geometry.shard[rank - 1] % tile.width, tile);
  }
  const int64_t scalars = tile.height * tile.width;
  by_hand.scalar = tile_number * scalars + in_tile;
  const int64_t bits = BitsOf(geometry.element.data_type);
  const int64_t exponents = IsBlockFloat(geometry.element.data_type)
                                ? (scalars / 16 + 15) / 16 * 16
                                : 0;
  const int64_t tile_begin = tile_number * (scalars * bits + exponents * 8);
  by_hand.bit = tile_begin + exponents * 8 + in_tile * bits;
  by_hand.exponent = tile_begin / 8 + in_tile / 16;
  return by_hand;
}

// Every element lies where it does by hand, in each unit, both ways, and where
// Placement::Locate says; nothing else is an element.
void ExpectByHand(const Placement& placement) {
  const Geometry& geometry = placement.geometry();
  const int64_t bits = BitsOf(geometry.element.data_type);
  const absl::StatusOr<IndexMap> scalars =
      ToIndexMap(placement, PositionUnit::kElements);
  const absl::StatusOr<IndexMap> in_bits =
      ToIndexMap(placement, PositionUnit::kBits);
  const absl::StatusOr<IndexMap> in_bytes =
      ToIndexMap(placement, PositionUnit::kBytes);
  ASSERT_THAT(scalars, IsOk());
  ASSERT_THAT(in_bits, IsOk());
  ASSERT_EQ(in_bytes.ok(), bits % 8 == 0) << in_bytes.status();
  ASSERT_NE(scalars->kind(), IndexMap::Kind::kGeneral);
  ASSERT_NE(in_bits->kind(), IndexMap::Kind::kGeneral);
  ASSERT_EQ(scalars->position_count(), placement.counts().all());
  ASSERT_EQ(in_bits->position_count(), geometry.bytes * 8);
  if (in_bytes.ok()) {
    ASSERT_EQ(in_bytes->position_count(), geometry.bytes);
  }

  const int64_t cells = geometry.bytes / geometry.bytes_per_shard;
  const int64_t scalars_per_shard = placement.counts().all() / cells;
  int64_t elements = 0;
  Dimensions index(geometry.shape.size(), 0), found(geometry.shape.size(), 0);
  do {
    ++elements;
    const ByHand by_hand = LocateByHand(geometry, index);
    const auto expect = [&](const IndexMap& map, int64_t position) {
      ASSERT_EQ(map.LinearIndexUnchecked(index), position);
      ASSERT_EQ(*map.MultidimensionalIndex(position, absl::MakeSpan(found)),
                PositionKind::kElement);
      ASSERT_EQ(found, index);
    };
    expect(*scalars, by_hand.cell * scalars_per_shard + by_hand.scalar);
    const int64_t bit =
        by_hand.cell * geometry.bytes_per_shard * 8 + by_hand.bit;
    expect(*in_bits, bit);
    if (in_bytes.ok()) expect(*in_bytes, bit / 8);

    const Location location = *placement.Locate(index);
    int64_t cell = 0;
    for (int64_t i = 0; i < geometry.rank(); ++i) {
      cell = cell * geometry.grid[i] + location.cell()[i];
    }
    ASSERT_EQ(cell, by_hand.cell);
    ASSERT_EQ(location.byte() * 8 + location.bit(), by_hand.bit);
    ASSERT_EQ(location.in_face(),
              FaceOf(location.in_tile(), geometry.element.tile_or_unit()));
    if (IsBlockFloat(geometry.element.data_type)) {
      ASSERT_EQ(location.exponent_byte(), by_hand.exponent);
    } else {
      ASSERT_FALSE(location.exponent_byte().has_value());
    }
    if (testing::Test::HasFatalFailure()) return;
  } while (Advance(geometry.shape, &index));

  int64_t found_elements = 0;
  for (int64_t p = 0; p < scalars->position_count(); ++p) {
    found_elements += *scalars->MultidimensionalIndex(
                          p, absl::MakeSpan(found)) == PositionKind::kElement;
  }
  ASSERT_EQ(found_elements, elements);
  found_elements = 0;
  for (int64_t p = 0; p < in_bits->position_count(); ++p) {
    found_elements += *in_bits->MultidimensionalIndex(
                          p, absl::MakeSpan(found)) == PositionKind::kElement;
  }
  ASSERT_EQ(found_elements, elements);
}

IndexMap RowMajorMap(absl::Span<const int64_t> bounds) {
  IndexMap::Builder builder(bounds);
  std::vector<IndexMap::Builder::Coordinate> axes;
  for (size_t i = 0; i < bounds.size(); ++i) {
    axes.push_back(builder.Dimension(static_cast<int64_t>(i)));
  }
  return *std::move(builder).BuildRowMajor(axes);
}

// A row-major array goes to where its elements lie by hand, and back.
void ExpectMovedByHand(const Placement& placement) {
  const Geometry& geometry = placement.geometry();
  const absl::StatusOr<int64_t> bits = StorageBits(placement);
  if (IsBlockFloat(geometry.element.data_type)) {
    ASSERT_THAT(bits, StatusIs(absl::StatusCode::kUnimplemented));
    return;
  }
  ASSERT_THAT(bits, IsOk());
  const IndexMap host = RowMajorMap(geometry.shape);
  const IndexMap tiles = *ToIndexMap(placement);
  const absl::StatusOr<RelayoutPlan> there =
      RelayoutPlan::Create(host, tiles, *bits);
  const absl::StatusOr<RelayoutPlan> back =
      RelayoutPlan::Create(tiles, host, *bits);
  ASSERT_THAT(there, IsOk());
  ASSERT_THAT(back, IsOk());
  ASSERT_EQ(there->to_bytes(), geometry.bytes);

  std::vector<uint8_t> from;
  for (int64_t i = 0; i < there->from_bytes(); ++i) {
    from.push_back(static_cast<uint8_t>(i * 37 + i / 251));
  }
  std::vector<uint8_t> expected(geometry.bytes, 0xee), moved = expected;
  const int64_t bytes = *bits / 8;
  Dimensions index(geometry.shape.size(), 0);
  auto element = from.begin();
  do {
    const ByHand by_hand = LocateByHand(geometry, index);
    std::copy_n(element, bytes,
                expected.begin() + by_hand.cell * geometry.bytes_per_shard +
                    by_hand.bit / 8);
    element += bytes;
  } while (Advance(geometry.shape, &index));
  ASSERT_THAT(there->Execute(from, absl::MakeSpan(moved)), IsOk());
  ASSERT_EQ(moved, expected);
  std::vector<uint8_t> again(from.size());
  ASSERT_THAT(back->Execute(moved, absl::MakeSpan(again)), IsOk());
  ASSERT_EQ(again, from);
}

absl::StatusOr<Placement> PlacementOf(
    const Dimensions& shape, const std::string& map, const Dimensions& grid,
    const ElementType& element, DivisionOrder order = kGridFirst,
    std::optional<absl::Span<const int64_t>> aligned = std::nullopt) {
  const absl::StatusOr<Geometry> geometry = Geometry::Create(
      shape, *ParseAffineMap(map), grid, element, order, aligned);
  if (!geometry.ok()) return geometry.status();
  return Placement::Create(*geometry);
}

// -- Tests -------------------------------------------------------------------

// 53x63 on 3x2, the example of the tensor-layout document.
TEST(ToIndexMap, TheDocumentsExampleIn16And8And4And2Bits) {
  for (const DataType type : {DataType::kBF16, DataType::kBfpBf8,
                              DataType::kBfpBf4, DataType::kBfpF2}) {
    SCOPED_TRACE(TileKeyword(type));
    for (const DivisionOrder order : {kGridFirst, kTileFirst}) {
      const absl::StatusOr<Placement> placement = PlacementOf(
          {53, 63}, "(d0, d1) -> (d0, d1)", {3, 2}, Tiles(32, 32, type), order);
      ASSERT_THAT(placement, IsOk());
      ExpectByHand(*placement);
      ExpectMovedByHand(*placement);
    }
  }
}

TEST(ToIndexMap, ExponentsStandBeforeTheElementsOfEachTile) {
  const Placement placement =
      *PlacementOf({64, 64}, "(d0, d1) -> (d0, d1)", {1, 1},
                   Tiles(32, 32, DataType::kBfpBf8));
  const IndexMap map = *ToIndexMap(placement, PositionUnit::kBytes);
  EXPECT_EQ(map.base(), 64);
  EXPECT_TRUE(map.is_separable());
  EXPECT_EQ(*map.LinearIndex({0, 0}), 64);
  EXPECT_EQ(*map.LinearIndex({0, 16}), 64 + 256);
  EXPECT_EQ(*map.LinearIndex({0, 32}), 1088 + 64);
  std::vector<int64_t> index(2);
  EXPECT_EQ(*map.MultidimensionalIndex(63, absl::MakeSpan(index)),
            PositionKind::kGap);
  EXPECT_EQ(*map.MultidimensionalIndex(1088 + 63, absl::MakeSpan(index)),
            PositionKind::kGap);
}

// Loops walk both, faces included.
TEST(ToIndexMap, RelayoutsHaveLoops) {
  const Placement placement =
      *PlacementOf({256, 512}, "(d0, d1) -> (d0, d1)", {2, 4},
                   Tiles(32, 32, DataType::kF32));
  const RelayoutPlan plan = *RelayoutPlan::Create(
      RowMajorMap({256, 512}), *ToIndexMap(placement), *StorageBits(placement));
  EXPECT_TRUE(plan.has_loops());
  EXPECT_EQ(plan.contiguous_bytes(), 64);
}

TEST(ToIndexMap, Errors) {
  const Placement nibbles =
      *PlacementOf({64, 64}, "(d0, d1) -> (d0, d1)", {1, 1},
                   Tiles(32, 32, DataType::kBfpBf4));
  const absl::Status status =
      ToIndexMap(nibbles, PositionUnit::kBytes).status();
  EXPECT_THAT(
      status,
      StatusIs(
          absl::StatusCode::kFailedPrecondition,
          "bfp_bf4 has elements of 4 bits, which do not begin on whole bytes"));
  // Its bytes can be counted, its bits can not.
  for (const DataType type : {DataType::kBF16, DataType::kBfpBf8}) {
    const Placement large =
        *PlacementOf({int64_t{1} << 40, int64_t{1} << 20},
                     "(d0, d1) -> (d0, d1)", {1, 1}, Tiles(32, 32, type));
    EXPECT_THAT(ToIndexMap(large, PositionUnit::kBytes), IsOk());
    EXPECT_THAT(ToIndexMap(large, PositionUnit::kBits),
                StatusIs(absl::StatusCode::kOutOfRange));
  }
  const Placement large_nibbles =
      *PlacementOf({int64_t{1} << 40, int64_t{1} << 22}, "(d0, d1) -> (d0, d1)",
                   {1, 1}, Tiles(32, 32, DataType::kBfpF4));
  EXPECT_THAT(ToIndexMap(large_nibbles, PositionUnit::kBits),
              StatusIs(absl::StatusCode::kOutOfRange));
}

// The three forms of the attribute, 2024, 2025 and TTNN.
TEST(ToIndexMap, AllForms) {
  for (const char* text : {
           "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
           "<3x2>, memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>",
           "tensor<2x3x40x70xbf16, #tt.metal_layout<(d0, d1, d2, d3) -> "
           "(d0 * 192 + d1 * 64 + d2, d3), undef, <2x3>, memref<6x1x!tt.tile<"
           "32x32, bf16>, #tt.memory_space<l1>>>>",
           "tensor<2x8x32xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 32 + d1, "
           "d2), undef, <1x2>, memref<2x1x!tt.tile<32x32, f32>, "
           "#tt.memory_space<l1>>>>",
           "tensor<1x2x2x1x!ttcore.tile<32x32, bf16>, #ttcore.metal_layout<"
           "logical_shape = 40x50, dim_alignments = 32x32, "
           "collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, "
           "l1, sharded>>",
           "tensor<64x128xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
           "memref<2x4x!ttcore.tile<32x32, bfp_bf8>, #ttnn.buffer_type<dram>>, "
           "<interleaved>>>",
       }) {
    SCOPED_TRACE(text);
    const absl::StatusOr<VerifiedTensor> tensor = ReadVerifiedTensor(text);
    ASSERT_THAT(tensor, IsOk());
    const absl::StatusOr<const Placement*> placement =
        tenstorrent::PlacementOf(*tensor);
    ASSERT_THAT(placement, IsOk());
    EXPECT_EQ(*ToIndexMap(*tensor, PositionUnit::kBits),
              *ToIndexMap(**placement, PositionUnit::kBits));
    ExpectByHand(**placement);
    ExpectMovedByHand(**placement);
  }
  const absl::StatusOr<VerifiedTensor> wrong = ReadVerifiedTensor(
      "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, "
      "memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>");
  ASSERT_THAT(wrong, IsOk());
  EXPECT_THAT(ToIndexMap(*wrong),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

// What lies at each position of memory: what Placement says of the scalars
// where they begin, by their Location, and gaps elsewhere.
void ExpectKindsByHand(const Placement& placement) {
  const Geometry& geometry = placement.geometry();
  const bool is_whole = BitsOf(geometry.element.data_type) % 8 == 0;
  const PositionUnit unit =
      is_whole ? PositionUnit::kBytes : PositionUnit::kBits;
  const int64_t units_of_byte = is_whole ? 1 : 8;
  std::vector<PositionKind> expected(geometry.bytes * units_of_byte,
                                     PositionKind::kGap);
  for (int64_t number = 0; number < placement.counts().all(); ++number) {
    const Location location = placement.LocationOf(number);
    const int64_t cell = RowMajorNumber(location.cell(), geometry.grid);
    const int64_t byte = cell * geometry.bytes_per_shard + location.byte();
    expected[byte * units_of_byte + location.bit()] = placement.At(number).kind;
  }
  for (size_t position = 0; position < expected.size(); ++position) {
    ASSERT_EQ(KindAt(placement, unit, position), expected[position])
        << position;
  }
}

struct Features {
  int64_t uneven = 0, faces = 0, no_faces = 0, block_floats = 0, scalars = 0;
  int64_t collapsed = 0, bumped = 0, tile_first = 0, aligned = 0, tiles = 0;
};

TEST(ToIndexMap, RandomLayoutsAreAsByHand) {
  constexpr TileShape kTiles[] = {{32, 32}, {16, 32}, {32, 16}, {20, 32},
                                  {4, 32},  {1, 32},  {3, 5},   {8, 40}};
  constexpr DataType kTypes[] = {DataType::kF32, DataType::kBF16,
                                 DataType::kU8};
  constexpr TileShape kHardwareTiles[] = {
      {32, 32}, {16, 32}, {32, 16}, {8, 16}, {1, 32}};
  constexpr DataType kBlockFloats[] = {DataType::kBfpBf8, DataType::kBfpF4,
                                       DataType::kBfpBf2};
  RandomBits random(TestSeed());
  Features features;
  for (int64_t n = 0; n < 120; ++n) {
    // (d0, d1 * step + d2, d3), with fewer in front.
    const int64_t results = Uniform(2, 3, &random);
    const bool is_collapsed = Uniform(0, 1, &random) == 0;
    Dimensions shape;
    if (results == 3) shape.push_back(Uniform(1, 3, &random));
    if (is_collapsed) shape.push_back(Uniform(1, 4, &random));
    shape.push_back(Uniform(1, is_collapsed ? 20 : 50, &random));
    shape.push_back(Uniform(1, 50, &random));
    const int64_t rank = static_cast<int64_t>(shape.size());
    std::string rows = absl::StrCat("d", rank - 2);
    if (is_collapsed) {
      ++features.collapsed;
      int64_t step = shape[rank - 2];
      if (Uniform(0, 1, &random) == 0) {
        step = (step + 31) / 32 * 32;
        ++features.bumped;
      }
      rows = absl::StrCat("d", rank - 3, " * ", step, " + ", rows);
    }
    std::vector<std::string> dims;
    for (int64_t i = 0; i < rank; ++i) dims.push_back(absl::StrCat("d", i));
    const std::string map =
        absl::StrCat("(", absl::StrJoin(dims, ", "), ") -> (",
                     results == 3 ? "d0, " : "", rows, ", ", dims.back(), ")");
    Dimensions grid;
    for (int64_t i = 0; i < results; ++i) {
      grid.push_back(Uniform(1, 3, &random));
    }
    ElementType element = {kTypes[Uniform(0, 2, &random)]};
    const int64_t kind = Uniform(0, 9, &random);
    if (kind < 3) {
      const TileShape tile = kHardwareTiles[Uniform(0, 4, &random)];
      element =
          Tiles(tile.height, tile.width, kBlockFloats[Uniform(0, 2, &random)]);
      ++features.block_floats;
    } else if (kind < 9) {
      element.tile = kTiles[Uniform(0, 7, &random)];
      const TileShape face = FaceShape(*element.tile);
      ++(face == *element.tile ? features.no_faces : features.faces);
    } else {
      ++features.scalars;
    }
    const DivisionOrder order =
        Uniform(0, 1, &random) == 0 ? kGridFirst : kTileFirst;
    features.tile_first += order == kTileFirst;
    absl::StatusOr<Geometry> geometry =
        Geometry::Create(shape, *ParseAffineMap(map), grid, element, order);
    ASSERT_THAT(geometry, IsOk());
    if (order == kTileFirst && Uniform(0, 1, &random) == 0) {
      Dimensions aligned = geometry->aligned_extent;
      for (int64_t i = 0; i < results; ++i) {
        aligned[i] += Uniform(0, 2, &random) * geometry->TileOf(i);
      }
      geometry = Geometry::Create(shape, *ParseAffineMap(map), grid, element,
                                  order, aligned);
      ASSERT_THAT(geometry, IsOk());
      ++features.aligned;
    }
    for (int64_t i = 0; i < results; ++i) {
      features.uneven += geometry->extent[i] % grid[i] != 0;
    }
    features.tiles += element.is_tile() && geometry->memref.back() > 1;
    SCOPED_TRACE(absl::StrCat("[", absl::StrJoin(shape, ","), "] ", map, " <",
                              absl::StrJoin(grid, "x"), "> ",
                              element.ToString(), " ", order == kTileFirst));
    const absl::StatusOr<Placement> placement = Placement::Create(*geometry);
    ASSERT_THAT(placement, IsOk());
    ExpectByHand(*placement);
    ExpectMovedByHand(*placement);
    if (n % 4 == 0) ExpectKindsByHand(*placement);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(features.uneven, 20);
  EXPECT_GT(features.faces, 10);
  EXPECT_GT(features.no_faces, 10);
  EXPECT_GT(features.block_floats, 10);
  EXPECT_GT(features.scalars, 3);
  EXPECT_GT(features.collapsed, 20);
  EXPECT_GT(features.bumped, 10);
  EXPECT_GT(features.tile_first, 20);
  EXPECT_GT(features.aligned, 10);
  EXPECT_GT(features.tiles, 5);
}

}  // namespace
}  // namespace tessera::tenstorrent
