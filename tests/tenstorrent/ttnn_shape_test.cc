#include "tessera/tenstorrent/derive/ttnn_shape.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

constexpr int64_t kLarge = int64_t{1} << 62;

TtnnTerms Terms(const Dimensions& shape, const Dimensions& strides,
                const Dimensions& shard_shape, const TileShape& tile_shape) {
  TtnnTerms terms;
  terms.shape = shape;
  terms.strides = strides;
  terms.shard_shape = shard_shape;
  terms.tile_shape = tile_shape;
  return terms;
}

TEST(TtnnShape, Table) {
  struct Case {
    const char* name;
    TtnnTerms terms;
    int64_t rows;
    int64_t width;
    Dimensions grid;
    Dimensions physical_shard;
    Dimensions physical;
    Dimensions allocated;
  };
  for (const Case& c : {
           Case{"tt-metal's picture",
                Terms({30, 30}, {}, {18, 20}, {16, 16}),
                30,
                30,
                {2, 2},
                {32, 32},
                {48, 48},
                {64, 64}},
           Case{"the visualiser's first page",
                Terms({4, 7, 2, 6, 433}, {}, {120, 109}, {32, 32}),
                336,
                433,
                {3, 4},
                {128, 128},
                {352, 512},
                {384, 512}},
           Case{"bumped strides",
                Terms({2, 8, 32}, {1024, 32, 1}, {32, 32}, {32, 32}),
                64,
                32,
                {2, 1},
                {32, 32},
                {64, 32},
                {64, 32}},
           Case{"padded width",
                Terms({3, 10}, {32, 1}, {3, 8}, {1, 8}),
                3,
                32,
                {1, 4},
                {3, 8},
                {3, 32},
                {3, 32}},
           Case{"rank 1",
                Terms({100}, {}, {1, 30}, {32, 32}),
                1,
                100,
                {1, 4},
                {32, 32},
                {32, 128},
                {32, 128}},
           Case{"rank 0",
                Terms({}, {}, {2, 2}, {32, 32}),
                1,
                1,
                {1, 1},
                {32, 32},
                {32, 32},
                {32, 32}},
           Case{"row-major",
                Terms({5, 7}, {}, {2, 7}, {1, 8}),
                5,
                7,
                {3, 1},
                {2, 8},
                {5, 8},
                {6, 8}},
       }) {
    const TtnnShape shape = *DeriveTtnnShape(c.terms);
    EXPECT_EQ(shape.rows, c.rows) << c.name;
    EXPECT_EQ(shape.width, c.width) << c.name;
    EXPECT_EQ(shape.grid_shape, c.grid) << c.name;
    EXPECT_EQ(shape.physical_shard_shape, c.physical_shard) << c.name;
    EXPECT_EQ(shape.physical_shape, c.physical) << c.name;
    EXPECT_EQ(shape.allocated_shape, c.allocated) << c.name;
    EXPECT_EQ(shape.is_row_major(), c.terms.tile_shape.height == 1) << c.name;
  }
}

TEST(TtnnShape, Strides) {
  EXPECT_THAT(*RowMajorStrides({12, 12, 16}), ElementsAre(192, 16, 1));
  EXPECT_THAT(*RowMajorStrides({5}), ElementsAre(1));
  EXPECT_THAT(*RowMajorStrides({}), ElementsAre());
  EXPECT_THAT(*TilePaddedStrides({2, 12, 33, 5}, {32, 32}),
              ElementsAre(12 * 64 * 5, 64 * 5, 5, 1));
  EXPECT_THAT(*TilePaddedStrides({5}, {32, 32}), ElementsAre(1));
  EXPECT_THAT(*TilePaddedStrides({12, 12, 16}, {1, 1024}),
              ElementsAre(192, 16, 1));
  EXPECT_EQ(RowMajorStrides({2, 0}).status(),
            absl::InvalidArgumentError("shape[1] = 0; expected at least 1"));
  EXPECT_EQ(RowMajorStrides({2, kLarge}).status(),
            absl::OutOfRangeError("the volume of the tensor exceeds 2^63-1"));
  EXPECT_THAT(TilePaddedStrides({INT64_MAX, 1}, {32, 32}),
              StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_EQ(TilePaddedStrides({2, 2}, {0, 32}).status(),
            absl::InvalidArgumentError("tile[0] = 0; expected at least 1"));
}

TEST(TtnnShape, RowsOfMatricesPaddedAndNot) {
  const Dimensions shape = {1, 48, 56, 32};
  const Dimensions strides = *TilePaddedStrides(shape, {32, 32});
  EXPECT_EQ(DeriveTtnnShape(Terms(shape, strides, {64, 32}, {32, 32}))->rows,
            3072);
  EXPECT_EQ(DeriveTtnnShape(Terms(shape, {}, {64, 32}, {32, 32}))->rows, 2688);
}

TEST(TtnnShape, RefusesTermsThatMakeNoStackOfRows) {
  struct Case {
    TtnnTerms terms;
    const char* message;
  };
  const Dimensions shape = {3, 4, 5};
  const Dimensions shard = {2, 5};
  const TileShape tile = {32, 32};
  for (const Case& c : {
           Case{Terms(shape, {20, 5}, shard, tile),
                "expected 3 strides, found 2"},
           Case{Terms(shape, {40, 10, 2}, shard, tile),
                "stride[2] = 2; expected 1 for the last dimension"},
           Case{Terms(shape, {20, 4, 1}, shard, tile),
                "stride[1] = 4 is less than 5 * 1, the extent of dimension 2"},
           Case{Terms(shape, {19, 5, 1}, shard, tile),
                "stride[0] = 19 is less than 4 * 5, the extent of dimension 1"},
           Case{Terms(shape, {21, 5, 1}, shard, tile),
                "stride[0] = 21 is not a multiple of stride[1] = 5, the width"},
           Case{Terms(shape, {20, 5, 0}, shard, tile),
                "stride[2] = 0; expected at least 1"},
           Case{Terms({3, 0, 5}, {}, shard, tile),
                "shape[1] = 0; expected at least 1"},
           Case{Terms(shape, {}, {2}, tile),
                "expected 2 dimensions of the shard, found 1"},
           Case{Terms(shape, {}, {2, 0}, tile),
                "shard[1] = 0; expected at least 1"},
           Case{Terms(shape, {}, shard, {32, -32}),
                "tile[1] = -32; expected at least 1"},
       }) {
    EXPECT_EQ(DeriveTtnnShape(c.terms).status(),
              absl::InvalidArgumentError(c.message));
  }
}

TEST(TtnnShape, RefusesNumbersPastTheirRange) {
  const TileShape tile = {32, 32};
  EXPECT_EQ(DeriveTtnnShape(Terms({kLarge, 1}, {4, 1}, {1, 1}, tile)).status(),
            absl::OutOfRangeError("shape[0] * stride[0] exceeds 2^63-1"));
  EXPECT_EQ(
      DeriveTtnnShape(Terms({kLarge, 1}, {}, {1, 1}, tile)).status(),
      absl::OutOfRangeError("the number of allocated rows exceeds 2^63-1"));
  EXPECT_EQ(
      DeriveTtnnShape(Terms({2, 2}, {}, {2, INT64_MAX}, tile)).status(),
      absl::OutOfRangeError("the number of allocated columns exceeds 2^63-1"));
}

TEST(TtnnShape, ShardsForAGrid) {
  EXPECT_THAT(*ShardShapeForGrid({53, 16}, {}, {2, 2}), ElementsAre(27, 8));
  EXPECT_THAT(*ShardShapeForGrid({53, 63}, {}, {3, 2}), ElementsAre(18, 32));
  EXPECT_THAT(*ShardShapeForGrid({12, 12, 16}, {512, 16, 1}, {4, 1}),
              ElementsAre(96, 16));
  EXPECT_EQ(
      ShardShapeForGrid({53, 63}, {}, {3}).status(),
      absl::InvalidArgumentError("expected 2 dimensions of the grid, found 1"));
  EXPECT_EQ(ShardShapeForGrid({53, 63}, {}, {3, 0}).status(),
            absl::InvalidArgumentError("grid[1] = 0; expected at least 1"));
  for (int64_t rows = 1; rows < 40; ++rows) {
    for (int64_t cores = 1; cores < 40; ++cores) {
      const int64_t height = (*ShardShapeForGrid({rows, 5}, {}, {cores, 1}))[0];
      EXPECT_GE(height * cores, rows);
      EXPECT_LT((height - 1) * cores, rows);
    }
  }
}

TEST(Locate, ShardsFirstThenTiles) {
  const TtnnShape shape =
      *DeriveTtnnShape(Terms({30, 30}, {}, {18, 20}, {16, 16}));
  const TtnnPosition position = *Locate(shape, {18, 0});
  EXPECT_THAT(position.cell, ElementsAre(1, 0));
  EXPECT_THAT(position.offset, ElementsAre(0, 0));
  EXPECT_THAT(position.physical, ElementsAre(32, 0));
  EXPECT_EQ(Locate(shape, {30, 0}).status(),
            absl::OutOfRangeError("index[0] = 30 is outside [0, 30)"));
  EXPECT_EQ(Locate(shape, {3}).status(),
            absl::InvalidArgumentError("index has 1 coordinates; expected 2"));
}

TEST(Locate, IsWhatCopyingRowByRowGives) {
  RandomBits random(TestSeed());
  for (int i = 0; i < 300; ++i) {
    Dimensions shape;
    for (int64_t rank = Uniform(2, 4, &random); rank > 0; --rank) {
      shape.push_back(Uniform(1, 4, &random));
    }
    const TileShape tile = {Uniform(1, 4, &random), Uniform(1, 4, &random)};
    const Dimensions strides = Uniform(0, 1, &random) == 0
                                   ? *RowMajorStrides(shape)
                                   : *TilePaddedStrides(shape, tile);
    const TtnnShape derived = *DeriveTtnnShape(
        Terms(shape, strides, {Uniform(1, 9, &random), Uniform(1, 5, &random)},
              tile));
    const Dimensions& shard = derived.terms.shard_shape;

    // The buffer that the strides describe, and where each row of it goes: a
    // new shard begins wherever the one before is full.
    std::vector<int64_t> physical_rows;
    int64_t in_shard = 0;
    int64_t next = 0;
    for (int64_t row = 0; row < derived.rows; ++row) {
      if (in_shard == shard[0]) {
        while (next % tile.height != 0) ++next;
        in_shard = 0;
      }
      physical_rows.push_back(next++);
      ++in_shard;
    }
    while (next % tile.height != 0) ++next;
    EXPECT_EQ(derived.physical_shape[0], next);

    std::set<std::pair<int64_t, int64_t>> places;
    int64_t volume = 1;
    for (int64_t size : shape) volume *= size;
    for (int64_t number = 0; number < volume; ++number) {
      Dimensions index(shape.size());
      int64_t rest = number;
      int64_t linear = 0;
      for (size_t dim = shape.size(); dim-- > 0; rest /= shape[dim]) {
        index[dim] = rest % shape[dim];
        linear += index[dim] * strides[dim];
      }
      const TtnnPosition position = *Locate(derived, index);
      EXPECT_EQ(position.physical[0], physical_rows[linear / derived.width]);
      EXPECT_EQ(position.cell[1] * shard[1] + position.offset[1],
                linear % derived.width);
      for (int j : {0, 1}) {
        EXPECT_LT(position.cell[j], derived.grid_shape[j]);
        EXPECT_LT(position.offset[j], shard[j]);
        EXPECT_LT(position.physical[j], derived.physical_shape[j]);
        EXPECT_EQ(position.physical[j] / derived.physical_shard_shape[j],
                  position.cell[j]);
      }
      places.emplace(position.physical[0], position.physical[1]);
    }
    EXPECT_EQ(static_cast<int64_t>(places.size()), volume);
  }
}

}  // namespace
}  // namespace tessera::tenstorrent
