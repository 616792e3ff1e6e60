#include "tessera/tenstorrent/derive/ttnn_derivation.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tenstorrent/rule.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kLarge = int64_t{1} << 62;
constexpr TileShape kTile = {32, 32};

constexpr auto kInterleaved = TensorMemoryLayout::kInterleaved;
constexpr auto kHeight = TensorMemoryLayout::kHeightSharded;
constexpr auto kWidth = TensorMemoryLayout::kWidthSharded;
constexpr auto kBlock = TensorMemoryLayout::kBlockSharded;

TtnnRequest Request(const Dimensions& shape, std::optional<TileShape> tile,
                    BufferType buffer_type,
                    std::optional<TensorMemoryLayout> memory_layout,
                    const Dimensions& grid) {
  TtnnRequest request;
  request.shape = shape;
  request.tile = tile;
  request.buffer_type = buffer_type;
  request.memory_layout = memory_layout;
  request.grid = grid;
  return request;
}

TEST(TtnnDerivation, Table) {
  struct Case {
    TtnnRequest request;
    const char* map;
    Dimensions physical;
    Dimensions grid;
    Dimensions memref;
  };
  const auto dram = BufferType::kDram;
  const auto l1 = BufferType::kL1;
  const auto system = BufferType::kSystemMemory;
  const char* const identity = "(d0, d1) -> (d0, d1)";
  for (const Case& c : {
           // The grid is forced to 1x1.
           Case{Request({65, 65}, kTile, dram, kInterleaved, {8, 8}),
                identity,
                {96, 96},
                {1, 1},
                {3, 3}},
           Case{Request({65, 65}, {}, system, {}, {8, 8}),
                identity,
                {65, 65},
                {1, 1},
                {65, 65}},
           Case{Request({2, 3, 33, 5}, kTile, system, {}, {1, 1}),
                "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)",
                {384, 32},
                {1, 1},
                {12, 1}},
           Case{Request({6, 15, 10}, {}, dram, kInterleaved, {1, 1}),
                "(d0, d1, d2) -> (d0 * 15 + d1, d2)",
                {90, 10},
                {1, 1},
                {90, 10}},
           Case{Request({100}, kTile, dram, kInterleaved, {1, 1}),
                "(d0) -> (0, d0)",
                {1, 128},
                {1, 1},
                {1, 4}},
           Case{Request({}, kTile, dram, kInterleaved, {1, 1}),
                "() -> (0, 0)",
                {1, 1},
                {1, 1},
                {1, 1}},
           // 32x128 elements each.
           Case{Request({512, 512}, kTile, l1, kInterleaved, {8, 8}),
                identity,
                {512, 512},
                {8, 8},
                {1, 4}},
           Case{Request({32, 2049}, {}, l1, kInterleaved, {8, 8}),
                identity,
                {32, 2049},
                {8, 8},
                {1, 1025}},
           Case{Request({65, 65}, {}, l1, kBlock, {8, 8}),
                identity,
                {65, 65},
                {8, 8},
                {9, 9}},
           Case{Request({65, 65}, kTile, l1, kBlock, {2, 3}),
                identity,
                {96, 96},
                {2, 3},
                {2, 1}},
           Case{Request({12, 12, 16}, kTile, l1, kHeight, {4, 1}),
                "(d0, d1, d2) -> (d0 * 32 + d1, d2)",
                {384, 32},
                {4, 1},
                {3, 1}},
           Case{Request({32, 1000}, kTile, l1, kWidth, {1, 10}),
                identity,
                {32, 1024},
                {1, 10},
                {1, 4}},
           Case{Request({32, 1000}, kTile, dram, kWidth, {1, 12}),
                identity,
                {32, 1024},
                {1, 12},
                {1, 3}},
       }) {
    const absl::StatusOr<TtnnDerivation> derivation =
        DeriveTtnnLayout(c.request);
    ASSERT_THAT(derivation, IsOk());
    EXPECT_EQ(derivation->linear.ToString(), c.map);
    EXPECT_EQ(derivation->physical_shape, c.physical) << c.map;
    EXPECT_EQ(derivation->grid, c.grid) << c.map;
    EXPECT_EQ(derivation->memref_shape, c.memref) << c.map;
  }
}

TEST(TtnnDerivation, CoresInTheOrderOfShards) {
  const auto ranges = [](BufferType buffer_type, TensorMemoryLayout layout,
                         const Dimensions& grid) {
    return DeriveTtnnLayout(
               Request({4096, 4096}, kTile, buffer_type, layout, grid))
        ->core_ranges;
  };
  const auto l1 = BufferType::kL1;
  const auto dram = BufferType::kDram;
  EXPECT_THAT(ranges(l1, kInterleaved, {8, 8}), IsEmpty());
  EXPECT_THAT(ranges(dram, kInterleaved, {8, 8}), IsEmpty());
  EXPECT_THAT(ranges(l1, kHeight, {5, 1}),
              ElementsAre(CoreRange{{0, 0}, {4, 0}}));
  EXPECT_THAT(ranges(l1, kHeight, {16, 1}),
              ElementsAre(CoreRange{{0, 0}, {7, 1}}));
  EXPECT_THAT(
      ranges(l1, kWidth, {1, 19}),
      ElementsAre(CoreRange{{0, 0}, {7, 1}}, CoreRange{{0, 2}, {2, 2}}));
  EXPECT_THAT(ranges(l1, kWidth, {1, 64}),
              ElementsAre(CoreRange{{0, 0}, {7, 7}}));
  EXPECT_THAT(ranges(l1, kBlock, {3, 5}),
              ElementsAre(CoreRange{{0, 0}, {4, 2}}));
  EXPECT_THAT(ranges(dram, kWidth, {1, 12}),
              ElementsAre(CoreRange{{0, 0}, {11, 0}}));
  EXPECT_THAT(ranges(dram, kHeight, {9, 1}),
              ElementsAre(CoreRange{{0, 0}, {8, 0}}));
}

TEST(TtnnDerivation, RefusesWhatDoesNotSuit) {
  struct Case {
    TtnnRequest request;
    const char* message;
  };
  const auto dram = BufferType::kDram;
  const auto l1 = BufferType::kL1;
  const auto system = BufferType::kSystemMemory;
  const Dimensions shape = {64, 64};
  int rules = 0;
  for (const Case& c : {
           Case{Request(shape, kTile, system, kInterleaved, {1, 1}),
                "Memory layout is not allowed for SystemMemory buffer type."},
           Case{Request(shape, kTile, l1, {}, {1, 1}),
                "Memory layout is required for non-SystemMemory buffer type."},
           Case{Request(shape, kTile, dram, kBlock, {2, 2}),
                "BlockSharded layout is not supported for DRAM buffer type; "
                "use WidthSharded, HeightSharded or Interleaved"},
           Case{Request(shape, kTile, l1, TensorMemoryLayout::kSingleBank,
                        {1, 1}),
                "expected an interleaved, height, width or block sharded "
                "memory layout for TTNN"},
           Case{Request(shape, kTile, l1, kHeight, {8, 8}),
                "a height sharded layout has a grid of one column, not 8x8"},
           Case{Request(shape, kTile, l1, kWidth, {8, 1}),
                "a width sharded layout has a grid of one row, not 8x1"},
           Case{Request(shape, kTile, l1, kHeight, {65, 1}),
                "a grid of 65x1 takes 65 of 8x8 cores"},
           Case{Request(shape, kTile, dram, kWidth, {1, 13}),
                "a grid of 1x13 takes 13 of 12 DRAM banks"},
           Case{Request(shape, kTile, l1, kBlock, {9, 1}),
                "a grid of 9x1 does not fit onto 8x8 cores"},
           Case{Request(shape, kTile, l1, kInterleaved, {1, 9}),
                "a grid of 1x9 does not fit onto 8x8 cores"},
           Case{Request(shape, kTile, l1, kBlock, {1, 1, 1}),
                "expected 2 dimensions of the grid, found 3"},
           Case{Request(shape, kTile, l1, kBlock, {1, 0}),
                "grid[1] = 0; expected at least 1"},
           Case{Request({-1, 1}, kTile, l1, kBlock, {1, 1}),
                "shape[0] = -1; expected at least 0"},
           Case{Request(shape, TileShape{32, 0}, l1, kBlock, {1, 1}),
                "tile[1] = 0; expected at least 1"},
       }) {
    const absl::Status status = DeriveTtnnLayout(c.request).status();
    EXPECT_THAT(status,
                StatusIs(absl::StatusCode::kInvalidArgument, c.message));
    rules += RuleOf(status) == Rule::kMemoryLayout;
  }
  EXPECT_EQ(rules, 6);
  ChipDescription chip;
  chip.grid_columns = 0;
  EXPECT_EQ(DeriveTtnnLayout(TtnnRequest(), chip).status(),
            absl::InvalidArgumentError(
                "the number of columns of the chip is 0; expected at least 1"));
}

TEST(TtnnDerivation, RefusesNumbersPastTheirRange) {
  const auto l1 = BufferType::kL1;
  EXPECT_EQ(DeriveTtnnLayout(Request({1, INT64_MAX}, kTile, l1, kBlock, {1, 1}))
                .status(),
            absl::OutOfRangeError("shape[1] = 9223372036854775807, rounded up "
                                  "to tiles of 32, exceeds 2^63-1"));
  EXPECT_EQ(
      DeriveTtnnLayout(Request({4, kLarge, 2}, {}, l1, kBlock, {1, 1}))
          .status(),
      absl::OutOfRangeError("the number of rows, 4 * 4611686018427387904, "
                            "exceeds 2^63-1"));
  EXPECT_EQ(DeriveTtnnLayout(Request({4, kLarge}, {}, l1, kInterleaved, {1, 1}))
                .status(),
            absl::OutOfRangeError("the number of tiles or elements, 4 * "
                                  "4611686018427387904, exceeds 2^63-1"));
  EXPECT_THAT(DeriveTtnnLayout(Request({4, 4}, {}, l1, kBlock, {4, kLarge})),
              StatusIs(absl::StatusCode::kOutOfRange));
  // The number of the chip's cores need not fit.
  ChipDescription chip;
  chip.grid_rows = INT64_MAX;
  chip.grid_columns = INT64_MAX;
  EXPECT_THAT(DeriveTtnnLayout(Request({4, 4}, {}, l1, kHeight, {4, 1}), chip),
              IsOk());
}

TEST(TtnnDerivation, EveryTileFindsRoomAndNoCoreTooMuch) {
  RandomBits random(TestSeed());
  for (int i = 0; i < 500; ++i) {
    Dimensions shape;
    for (int64_t rank = Uniform(1, 4, &random); rank > 0; --rank) {
      shape.push_back(Uniform(1, 9, &random));
    }
    const TileShape tile = {Uniform(1, 4, &random), Uniform(1, 4, &random)};
    const Dimensions grid = {Uniform(1, 8, &random), Uniform(1, 8, &random)};
    const auto derive = [&](TensorMemoryLayout layout) {
      return *DeriveTtnnLayout(
          Request(shape, tile, BufferType::kL1, layout, grid));
    };
    // The tiles of each matrix apart.
    int64_t tile_rows = 1;
    for (size_t dim = 0; dim + 1 < shape.size(); ++dim) {
      const int64_t size = shape[dim];
      tile_rows *= dim + 2 == shape.size()
                       ? (size + tile.height - 1) / tile.height
                       : size;
    }
    const int64_t tile_columns = (shape.back() + tile.width - 1) / tile.width;

    const TtnnDerivation block = derive(kBlock);
    const int64_t sizes[] = {tile_rows, tile_columns};
    for (int j : {0, 1}) {
      EXPECT_GE(block.memref_shape[j] * grid[j], sizes[j]);
      EXPECT_LT((block.memref_shape[j] - 1) * grid[j], sizes[j]);
    }
    const TtnnDerivation interleaved = derive(kInterleaved);
    const int64_t num_cores = grid[0] * grid[1];
    EXPECT_EQ(interleaved.memref_shape[0], 1);
    EXPECT_GE(interleaved.memref_shape[1] * num_cores,
              tile_rows * tile_columns);
    EXPECT_LT((interleaved.memref_shape[1] - 1) * num_cores,
              tile_rows * tile_columns);
    // The map numbers the rows of tiles as they are counted here.
    Dimensions last = shape;
    for (int64_t& index : last) --index;
    const AffineMap::Indices end = *block.linear.Evaluate(last);
    EXPECT_EQ(end[0] / tile.height, shape.size() == 1 ? 0 : tile_rows - 1);
    EXPECT_EQ(end[1] / tile.width, tile_columns - 1);
  }
}

}  // namespace
}  // namespace tessera::tenstorrent
