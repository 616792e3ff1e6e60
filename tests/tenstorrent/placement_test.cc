#include "tessera/tenstorrent/placement.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tenstorrent/rule.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

constexpr DivisionOrder kGridFirst = DivisionOrder::kGridFirst;
constexpr DivisionOrder kTileFirst = DivisionOrder::kTileFirst;

ElementType Tiles(int64_t height, int64_t width,
                  DataType type = DataType::kBF16) {
  return {type, TileShape{height, width}};
}

absl::StatusOr<Placement> PlacementOf(const std::vector<int64_t>& shape,
                                      const std::string& map,
                                      const std::vector<int64_t>& grid,
                                      const ElementType& element = {},
                                      DivisionOrder order = kGridFirst) {
  const absl::StatusOr<AffineMap> linear = ParseAffineMap(map);
  if (!linear.ok()) return linear.status();
  const absl::StatusOr<Geometry> geometry =
      Geometry::Create(shape, *linear, grid, element, order);
  if (!geometry.ok()) return geometry.status();
  return Placement::Create(*geometry);
}

std::string ErrorOf(const std::vector<int64_t>& shape, const std::string& map,
                    const std::vector<int64_t>& grid) {
  const absl::StatusOr<Placement> placement = PlacementOf(shape, map, grid);
  if (placement.ok()) return "no error";
  const std::optional<Rule> rule = RuleOf(placement.status());
  return absl::StrCat(AbslView(rule.has_value() ? NameOf(*rule) : "no rule"),
                      ": ", placement.status().message());
}

TEST(Placement, RepeatedDimsAreRealOnTheDiagonal) {
  const absl::StatusOr<Placement> placement = PlacementOf(
      {8, 96, 32}, "(d0, d1, d2) -> (d0 * 96 + d1, d1, d2)", {2, 1, 2});
  ASSERT_THAT(placement, IsOk());
  EXPECT_EQ(placement->counts().elements, 8 * 96 * 32);
  EXPECT_EQ(placement->counts().gap, 8 * 96 * 32 * 95);
  EXPECT_EQ(placement->At({0, 0, 0}, {5, 5, 0})->index, (Dimensions{0, 5, 0}));
  EXPECT_EQ(placement->At({0, 0, 0}, {5, 6, 0})->kind, PositionKind::kGap);
}

// Dims in several results, and a remainder with room for more.
TEST(Placement, EveryMapThatWasInvertibleStaysSo) {
  const struct {
    std::vector<int64_t> shape;
    const char* map;
    std::vector<int64_t> grid;
    ElementType element;
    Dimensions aligned;
  } kCases[] = {
      {{3, 5, 1},
       "(d0, d1, d2) -> (d0, d0, d1 + d2)",
       {1, 2, 3},
       Tiles(2, 5),
       {3, 10, 20}},
      {{2, 2, 5},
       "(d0, d1, d2) -> ((d0 floordiv 2) * 3 + d0 mod 2, d2, d1 * 6 + d2)",
       {3, 2, 3},
       Tiles(3, 5),
       {2, 15, 25}},
      {{4}, "(d0) -> ((d0 floordiv 2) * 3 + d0 mod 2)", {2}, {}, {5}},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.map);
    const absl::StatusOr<Placement> placement = Placement::Create(
        *Geometry::Create(c.shape, *ParseAffineMap(c.map), c.grid, c.element,
                          kTileFirst, c.aligned));
    ASSERT_THAT(placement, IsOk());
    int64_t elements = 0;
    for (int64_t p = 0; p < placement->counts().all(); ++p) {
      const Place place = placement->At(p);
      if (place.kind != PositionKind::kElement) continue;
      ++elements;
      EXPECT_EQ(*placement->map().LinearIndex(place.index), p);
      EXPECT_EQ(placement->Locate(place.index)->physical(),
                placement->LocationOf(p).physical());
    }
    EXPECT_EQ(elements, placement->counts().elements);
  }
}

TEST(Placement, AlignmentsAllocateTilePadding) {
  // 3 rows of 8 in tiles of 4x4, aligned to 16 rows: 4 tiles for 2 cells.
  const absl::StatusOr<Geometry> geometry =
      Geometry::Create({3, 8}, AffineMap::Identity(2), {2, 1}, Tiles(4, 4),
                       kTileFirst, Dimensions{16, 8});
  ASSERT_THAT(geometry, IsOk());
  EXPECT_EQ(geometry->aligned_extent, (Dimensions{16, 8}));
  EXPECT_EQ(geometry->shard, (Dimensions{8, 8}));
  EXPECT_EQ(geometry->memref, (Dimensions{2, 2}));
  const absl::StatusOr<Placement> placement = Placement::Create(*geometry);
  ASSERT_THAT(placement, IsOk());
  EXPECT_EQ(placement->counts().elements, 24);
  EXPECT_EQ(placement->counts().tile, 104);
  EXPECT_EQ(placement->counts().grid, 0);
  EXPECT_EQ(placement->At({0, 0}, {3, 0})->kind, PositionKind::kPadding);
  EXPECT_EQ(placement->At({1, 0}, {0, 0})->kind, PositionKind::kPadding);
  EXPECT_EQ(placement->empty_cells(), 1);
}

TEST(Placement, AlignmentsHoldTheExtentInWholeTiles) {
  const auto error = [](const Dimensions& aligned, DivisionOrder order) {
    const absl::StatusOr<Geometry> geometry = Geometry::Create(
        {3, 8}, AffineMap::Identity(2), {2, 1}, Tiles(4, 4), order, aligned);
    const std::optional<Rule> rule = RuleOf(geometry.status());
    return absl::StrCat(AbslView(rule.has_value() ? NameOf(*rule) : "no rule"),
                        ": ", geometry.status().message());
  };
  EXPECT_EQ(error({4, 4}, kTileFirst),
            "dim-alignments: physical dimension 1 is aligned to 4, which is "
            "less than its extent, 8");
  EXPECT_EQ(
      error({6, 8}, kTileFirst),
      "dim-alignments: physical dimension 0 is aligned to 6, which is not a "
      "multiple of the tile's 4");
  EXPECT_EQ(error({8}, kTileFirst),
            "dim-alignments: there are 1 aligned sizes, but the grid has rank "
            "2");
  EXPECT_EQ(error({8, 8}, kGridFirst),
            "no rule: an aligned extent requires that tiles come first");
}

TEST(Placement, TilesHaveSizes) {
  const absl::StatusOr<Placement> placement =
      PlacementOf({8, 8}, "(d0, d1) -> (d0, d1)", {1, 1}, Tiles(0, 32));
  EXPECT_EQ(RuleOf(placement.status()), Rule::kTileRank);
  EXPECT_EQ(placement.status().message(),
            "the tile is 0x32; sizes are at least 1");
}

TEST(Placement, FacesOfATile) {
  EXPECT_EQ(FaceShape({32, 32}), (TileShape{16, 16}));
  EXPECT_EQ(FaceShape({8, 32}), (TileShape{8, 16}));
  EXPECT_EQ(FaceShape({20, 32}), (TileShape{20, 32}));
  const auto face_of = [](const std::vector<int64_t>& in_tile,
                          const TileShape& tile) {
    const absl::StatusOr<Placement> placement =
        PlacementOf({tile.height, tile.width}, "(d0, d1) -> (d0, d1)", {1, 1},
                    Tiles(tile.height, tile.width));
    return placement->Locate(in_tile)->in_face();
  };
  EXPECT_EQ(face_of({0, 0}, {32, 32}), (InFace{0, 0, 0, 0}));
  EXPECT_EQ(face_of({0, 16}, {32, 32}), (InFace{1, 0, 0, 256}));
  EXPECT_EQ(face_of({17, 5}, {32, 32}), (InFace{2, 1, 5, 512 + 16 + 5}));
  EXPECT_EQ(face_of({31, 31}, {32, 32}), (InFace{3, 15, 15, 1023}));
  EXPECT_EQ(face_of({3, 17}, {4, 32}), (InFace{1, 3, 1, 64 + 48 + 1}));
  // No whole faces: row-major.
  EXPECT_EQ(face_of({3, 19}, {32, 20}), (InFace{0, 3, 19, 79}));
}

TEST(Placement, BytesAreThoseOfTheFacesAfterTheExponents) {
  const absl::StatusOr<Placement> placement =
      PlacementOf({64, 64}, "(d0, d1) -> (d0, d1)", {1, 1},
                  Tiles(32, 32, DataType::kBfpBf8));
  ASSERT_THAT(placement, IsOk());
  const Location location = *placement->Locate({0, 49});
  EXPECT_EQ(location.tile(), (Dimensions{0, 1}));
  EXPECT_EQ(location.linear_in_shard(), 1024 + 17);
  EXPECT_EQ(location.in_face(), (InFace{1, 0, 1, 257}));
  EXPECT_EQ(location.byte(), 1088 + 64 + 257);
  EXPECT_EQ(location.exponent_byte(), 1088 + 16);

  const absl::StatusOr<Placement> nibbles =
      PlacementOf({64, 64}, "(d0, d1) -> (d0, d1)", {1, 1},
                  Tiles(32, 32, DataType::kBfpF4));
  EXPECT_EQ(nibbles->Locate({0, 49})->byte(), 576 + 64 + 128);
  EXPECT_EQ(nibbles->Locate({0, 49})->bit(), 4);

  const absl::StatusOr<Placement> scalars =
      PlacementOf({3, 5}, "(d0, d1) -> (d0, d1)", {1, 1}, {DataType::kF32});
  EXPECT_EQ(scalars->Locate({2, 1})->byte(), 44);
  EXPECT_EQ(scalars->Locate({2, 1})->linear_in_shard(), 11);
}

TEST(Location, SurvivesTheMoveOfItsPlacement) {
  Placement placement = *PlacementOf({64, 64}, "(d0, d1) -> (d0, d1)", {1, 1},
                                     Tiles(32, 32, DataType::kBfpBf8));
  const Location location = *placement.Locate({0, 49});
  const Placement moved = std::move(placement);
  EXPECT_EQ(location.number(), moved.map().LinearIndexUnchecked({0, 49}));
  EXPECT_EQ(location.byte(), 1088 + 64 + 257);
  EXPECT_EQ(location.physical(), (Dimensions{0, 49}));
}

TEST(Placement, Errors) {
  EXPECT_EQ(ErrorOf({6}, "(d0) -> (5 - d0)", {1}),
            "position-past: index [0] is at 5 in result 0, past the last index "
            "at 0; the extent is the position of the last index plus 1");
  EXPECT_EQ(ErrorOf({5, 6}, "(d0, d1) -> (d0 floordiv 2, (d0 mod 2) * 6 + d1)",
                    {1, 1}),
            "position-past: index [1,0] is at 6 in result 1, past the last "
            "index at 5; the extent is the position of the last index plus 1");
  EXPECT_EQ(ErrorOf({3, 9}, "(d0, d1) -> (d0 * 8 + d1)", {1}),
            "position-twice: the indices [0,8] and [1,0] share the position "
            "(8)");
  EXPECT_EQ(ErrorOf({3, 2}, "(d0, d1) -> (d0)", {1}),
            "position-twice: the indices [0,0] and [0,1] share the position "
            "(0)");
  EXPECT_EQ(ErrorOf({4}, "(d0) -> (d0 - 2)", {1}),
            "position-below: index [0] is at -2 in result 0; positions are not "
            "negative");
  EXPECT_EQ(ErrorOf({int64_t{1} << 30, int64_t{1} << 30},
                    "(d0, d1) -> (d0 * 1000 + d1)", {1}),
            "position-twice: the indices [0,1000] and [1,0] share the position "
            "(1000)");
  EXPECT_EQ(ErrorOf({2, 3}, "(d0, d1) -> (d0 * 3 + d1 * 2)", {1}),
            "no rule: no two indices share a position, but that does not "
            "follow from the coefficients of the map, and its inverse is not "
            "computed");

  const absl::StatusOr<Placement> placement =
      PlacementOf({5, 7}, "(d0, d1) -> (d0, d1)", {2, 2});
  EXPECT_EQ(placement->Locate({5, 0}).status().message(),
            "index[0] = 5 is outside [0, 5)");
  EXPECT_EQ(placement->At({2, 0}, {0, 0}).status().message(),
            "cell[0] = 2 is outside [0, 2)");
  EXPECT_EQ(placement->At({0, 0}, {0, 4}).status().message(),
            "offset[1] = 4 is outside [0, 4)");
  EXPECT_EQ(placement->At({0}, {0, 4}).status().message(),
            "cell has 1 coordinates; expected 2");
  EXPECT_EQ(placement->AtTile({0, 0}, {0, 0}, {1, 0}).status().message(),
            "in_tile[0] = 1 is outside [0, 1)");
}

TEST(Placement, NoPaddingIsFoundAtOnce) {
  const absl::StatusOr<Placement> placement =
      PlacementOf({int64_t{1} << 40, 3}, "(d0, d1) -> (d0, d1)", {1, 3});
  ASSERT_THAT(placement, IsOk());
  PositionRange range;
  for (const PositionKind kind :
       {PositionKind::kPadding, PositionKind::kGridPadding,
        PositionKind::kGap}) {
    EXPECT_FALSE(placement->Padding(kind).Next(&range));
  }
}

// The tries that tell whether positions are shared stay within their budget,
// however many dimensions there are.
TEST(Placement, ManyDimensionsDoNotTakeMuchMemory) {
  std::vector<int64_t> shape = {2, 3};
  std::vector<std::string> terms = {"d0 * 3145728", "d1 * 2097152"};
  std::vector<std::string> dims = {"d0", "d1"};
  for (int64_t i = 0; i < 20; ++i) {
    terms.push_back(
        absl::StrCat("d", shape.size(), " * ", int64_t{1} << (19 - i)));
    shape.push_back(2);
  }
  while (shape.size() < 1024) shape.push_back(1);
  for (size_t i = 2; i < shape.size(); ++i) {
    dims.push_back(absl::StrCat("d", i));
  }
  const absl::StatusOr<Placement> placement =
      PlacementOf(shape,
                  absl::StrCat("(", absl::StrJoin(dims, ", "), ") -> (",
                               absl::StrJoin(terms, " + "), ")"),
                  {1});
  EXPECT_THAT(placement, StatusIs(absl::StatusCode::kUnimplemented));
}

TEST(Placement, ValidBoxesAndEmptyCells) {
  const absl::StatusOr<Placement> placement =
      PlacementOf({5, 7}, "(d0, d1) -> (d0, d1)", {8, 8});
  EXPECT_EQ(placement->empty_cells(), 29);
  EXPECT_EQ(*placement->ValidBox({4, 6}), (Dimensions{1, 1}));
  EXPECT_EQ(*placement->ValidBox({4, 7}), (Dimensions{0, 0}));
  const absl::StatusOr<Placement> nine = PlacementOf({9}, "(d0) -> (d0)", {4});
  EXPECT_EQ(nine->empty_cells(), 1);
  EXPECT_EQ(*nine->ValidBox({2}), (Dimensions{3}));
  EXPECT_EQ(*nine->ValidBox({3}), (Dimensions{0}));
}

// -- Against the definition --------------------------------------------------

struct Case {
  std::vector<int64_t> shape;
  AffineMap linear;
  std::vector<int64_t> grid;
  ElementType element;
  DivisionOrder order;
  // By how many tiles each result is aligned past those of its extent; empty:
  // it is not aligned.
  std::vector<int64_t> tiles_past = {};

  std::string ToString() const {
    return absl::StrCat(
        "[", absl::StrJoin(shape, ","), "] ", linear.ToString(), " <",
        absl::StrJoin(grid, "x"), "> ", element.ToString(),
        order == kTileFirst ? " tile first" : "",
        tiles_past.empty()
            ? ""
            : absl::StrCat(" aligned by ", absl::StrJoin(tiles_past, ",")));
  }
};

struct Features {
  int64_t uneven = 0, tilized = 0, collapsed = 0, bumped = 0, devices = 0;
  int64_t tile_first = 0, aligned = 0, repeated = 0, divided = 0, faces = 0;
  std::map<size_t, int64_t> ranks;
  std::map<PositionKind, int64_t> kinds;
};

// A layout as its constructors make them: dimensions collapsed into results,
// perhaps with strides bumped past the extent, perhaps repeated or divided.
Case RandomCase(RandomBits* random, Features* features) {
  Case c;
  const int64_t rank = Uniform(1, 5, random);
  ++features->ranks[rank];
  const int64_t largest = rank <= 2 ? 11 : rank == 3 ? 6 : 4;
  for (int64_t i = 0; i < rank; ++i) {
    c.shape.push_back(Uniform(1, largest, random));
  }
  const int64_t results = Uniform(1, std::min<int64_t>(rank + 1, 3), random);
  std::vector<std::string> texts(results);
  // Dimensions go to results in order, from the last.
  int64_t dim = rank - 1;
  for (int64_t i = results; i-- > 0;) {
    const int64_t left = i;  // results before this one
    int64_t take =
        i == 0 ? dim + 1
               : std::min<int64_t>(dim + 1,
                                   Uniform(dim + 1 > left ? 1 : 0, 2, random));
    int64_t step = 1;
    std::vector<std::string> terms;
    for (int64_t j = 0; j < take; ++j, --dim) {
      if (j > 0) {
        ++features->collapsed;
        if (Uniform(0, 2, random) == 0) {
          step += Uniform(1, 5, random);
          ++features->bumped;
        }
      }
      terms.push_back(absl::StrCat("d", dim, " * ", step));
      step *= c.shape[dim];
    }
    if (terms.empty()) terms.push_back("0");
    std::reverse(terms.begin(), terms.end());
    texts[i] = absl::StrJoin(terms, " + ");
    const int64_t choice = Uniform(0, 19, random);
    if (choice < 10 && take == 0) {
      texts[i] = absl::StrCat("d", Uniform(0, rank - 1, random));
      ++features->repeated;
    } else if (choice < 10 && take == 1 && c.shape[dim + 1] % 2 == 0) {
      texts[i] = absl::StrCat("(d", dim + 1, " floordiv 2) * 3 + d", dim + 1,
                              " mod 2");
      ++features->divided;
    } else if (choice == 12) {
      absl::StrAppend(&texts[i], " + 1");
    }
  }
  std::vector<std::string> dims;
  for (int64_t i = 0; i < rank; ++i) dims.push_back(absl::StrCat("d", i));
  const absl::StatusOr<AffineMap> linear =
      ParseAffineMap(absl::StrCat("(", absl::StrJoin(dims, ", "), ") -> (",
                                  absl::StrJoin(texts, ", "), ")"));
  EXPECT_THAT(linear, IsOk());
  c.linear = *linear;
  for (int64_t i = 0; i < results; ++i) {
    c.grid.push_back(Uniform(1, results == 3 ? 3 : 4, random));
  }
  features->devices += results == 3 && c.grid[0] > 1;
  if (results >= 2 && Uniform(0, 1, random) == 0) {
    c.element = Tiles(Uniform(1, 5, random), Uniform(1, 5, random));
    if (Uniform(0, 9, random) == 0) {
      c.element = Tiles(16, 32);
      ++features->faces;
    }
    ++features->tilized;
  }
  c.order = Uniform(0, 2, random) == 0 ? kTileFirst : kGridFirst;
  features->tile_first += c.order == kTileFirst && c.element.is_tile();
  if (c.order == kTileFirst && Uniform(0, 1, random) == 0) {
    for (int64_t i = 0; i < results; ++i) {
      c.tiles_past.push_back(std::max<int64_t>(Uniform(-2, 3, random), 0));
    }
    ++features->aligned;
  }
  return c;
}

int64_t Ceil(int64_t a, int64_t b) { return (a + b - 1) / b; }

bool Advance(const std::vector<int64_t>& bounds, std::vector<int64_t>* index) {
  for (size_t i = bounds.size(); i-- > 0;) {
    if (++(*index)[i] < bounds[i]) return true;
    (*index)[i] = 0;
  }
  return false;
}

TEST(Placement, BothWaysAgainstTheDefinition) {
  RandomBits random(TestSeed());
  Features features;
  int64_t placed = 0;
  for (int64_t n = 0; n < 1500; ++n) {
    const Case c = RandomCase(&random, &features);
    SCOPED_TRACE(c.ToString());
    const int64_t rank = c.grid.size();

    // Rules 1 to 3.
    std::vector<int64_t> last;
    for (const int64_t size : c.shape) last.push_back(size - 1);
    std::vector<int64_t> extent, tile(rank, 1), aligned, shard, memref;
    std::vector<int64_t> allocated;
    if (c.element.is_tile()) {
      tile[rank - 2] = c.element.tile->height;
      tile[rank - 1] = c.element.tile->width;
    }
    for (int64_t i = 0; i < rank; ++i) {
      extent.push_back((*c.linear.Evaluate(last))[i] + 1);
      int64_t tiles = Ceil(extent[i], tile[i]);
      if (!c.tiles_past.empty()) tiles += c.tiles_past[i];
      aligned.push_back(tiles * tile[i]);
      if (c.order == kGridFirst) {
        aligned[i] = extent[i];
        shard.push_back(Ceil(extent[i], c.grid[i]));
        memref.push_back(Ceil(shard[i], tile[i]));
      } else {
        memref.push_back(Ceil(tiles, c.grid[i]));
        shard.push_back(memref[i] * tile[i]);
      }
      allocated.push_back(memref[i] * tile[i]);
      features.uneven += extent[i] % c.grid[i] != 0;
    }
    std::optional<absl::Span<const int64_t>> aligned_extent;
    if (!c.tiles_past.empty()) aligned_extent = aligned;
    const absl::StatusOr<Geometry> geometry = Geometry::Create(
        c.shape, c.linear, c.grid, c.element, c.order, aligned_extent);
    ASSERT_THAT(geometry, IsOk());
    const absl::StatusOr<Placement> placement = Placement::Create(*geometry);
    ASSERT_THAT(placement, IsOk());
    ++placed;
    ASSERT_EQ(geometry->aligned_extent,
              Dimensions(aligned.begin(), aligned.end()));
    ASSERT_EQ(geometry->extent, Dimensions(extent.begin(), extent.end()));
    ASSERT_EQ(geometry->shard, Dimensions(shard.begin(), shard.end()));
    ASSERT_EQ(geometry->memref, Dimensions(memref.begin(), memref.end()));

    // Rules 4 and 5, for every index.
    std::map<std::vector<int64_t>, std::vector<int64_t>> elements;
    std::vector<int64_t> index(c.shape.size(), 0);
    do {
      const AffineMap::Indices p = *c.linear.Evaluate(index);
      const Location location = *placement->Locate(index);
      ASSERT_EQ(location.physical(), Dimensions(p.begin(), p.end()));
      int64_t tile_number = 0;
      std::vector<int64_t> place;
      for (int64_t i = 0; i < rank; ++i) {
        place.push_back(p[i] / shard[i]);
        ASSERT_EQ(location.cell()[i], p[i] / shard[i]);
      }
      for (int64_t i = 0; i < rank; ++i) {
        const int64_t offset = p[i] % shard[i];
        place.push_back(offset);
        ASSERT_EQ(location.offset()[i], offset);
        ASSERT_EQ(location.tile()[i], offset / tile[i]);
        tile_number = tile_number * memref[i] + offset / tile[i];
      }
      int64_t in_tile = 0;
      if (c.element.is_tile()) {
        ASSERT_EQ(location.in_tile().row,
                  p[rank - 2] % shard[rank - 2] % tile[rank - 2]);
        ASSERT_EQ(location.in_tile().column,
                  p[rank - 1] % shard[rank - 1] % tile[rank - 1]);
        in_tile =
            location.in_tile().row * tile[rank - 1] + location.in_tile().column;
      }
      const int64_t scalars =
          c.element.tile_or_unit().height * c.element.tile_or_unit().width;
      ASSERT_EQ(location.linear_in_shard(), tile_number * scalars + in_tile);
      if (tile[rank - 1] == 32) {
        // Two faces, of 16x16, beside one another.
        in_tile =
            (location.in_tile().column / 16 * 16 + location.in_tile().row) *
                16 +
            location.in_tile().column % 16;
      }
      const int64_t in_memory = tile_number * scalars + in_tile;
      ASSERT_EQ(location.byte(), in_memory * (c.element.is_tile() ? 2 : 4));
      int64_t cell_number = 0;
      for (int64_t i = 0; i < rank; ++i) {
        cell_number = cell_number * c.grid[i] + location.cell()[i];
      }
      int64_t scalars_per_shard = 1;
      for (const int64_t size : allocated) scalars_per_shard *= size;
      ASSERT_EQ(*placement->map().LinearIndex(index),
                cell_number * scalars_per_shard + in_memory);
      ASSERT_TRUE(elements.emplace(place, index).second);
    } while (Advance(c.shape, &index));

    // Rules 7 and 8, for every place that is allocated.
    std::vector<int64_t> bounds = c.grid;
    bounds.insert(bounds.end(), allocated.begin(), allocated.end());
    std::vector<int64_t> place(bounds.size(), 0);
    PlaceCounts counts;
    std::map<int64_t, PositionKind> padding;
    std::map<std::vector<int64_t>, std::vector<int64_t>> boxes;
    do {
      const Dimensions cell(place.begin(), place.begin() + rank);
      const Dimensions offset(place.begin() + rank, place.end());
      bool in_tile = false, in_grid = false;
      Dimensions tile_index;
      for (int64_t i = 0; i < rank; ++i) {
        const int64_t p = cell[i] * shard[i] + offset[i];
        tile_index.push_back(offset[i] / tile[i]);
        if (c.order == kGridFirst) {
          in_tile = in_tile || offset[i] >= shard[i];
          in_grid = in_grid || p >= extent[i];
        } else {
          in_tile = in_tile || p >= extent[i];
          in_grid = in_grid || p >= aligned[i];
        }
      }
      const absl::StatusOr<Place> found = placement->At(cell, offset);
      ASSERT_THAT(found, IsOk());
      const auto element = elements.find(place);
      const bool tile_wins =
          c.order == kGridFirst ? in_tile : in_tile && !in_grid;
      const PositionKind expected = element != elements.end()
                                        ? PositionKind::kElement
                                    : tile_wins ? PositionKind::kPadding
                                    : in_grid   ? PositionKind::kGridPadding
                                                : PositionKind::kGap;
      ASSERT_EQ(NameOf(found->kind), NameOf(expected))
          << absl::StrJoin(place, ",");
      InTile within;
      if (c.element.is_tile()) {
        within = {offset[rank - 2] % tile[rank - 2],
                  offset[rank - 1] % tile[rank - 1]};
      }
      ASSERT_EQ(placement->AtTile(cell, tile_index, within)->kind, expected);
      ++features.kinds[expected];
      if (expected == PositionKind::kElement) {
        ASSERT_EQ(found->index,
                  Dimensions(element->second.begin(), element->second.end()));
        ++counts.elements;
      } else if (expected == PositionKind::kPadding) {
        ++counts.tile;
      } else if (expected == PositionKind::kGridPadding) {
        ++counts.grid;
      } else {
        ++counts.gap;
      }
    } while (Advance(bounds, &place));
    ASSERT_EQ(placement->counts().elements, counts.elements);
    ASSERT_EQ(placement->counts().tile, counts.tile);
    ASSERT_EQ(placement->counts().grid, counts.grid);
    ASSERT_EQ(placement->counts().gap, counts.gap);

    // The same by number, and as ranges.
    std::vector<PositionKind> by_number;
    for (int64_t p = 0; p < counts.all(); ++p) {
      const Place at = placement->At(p);
      by_number.push_back(at.kind);
      const Location location = placement->LocationOf(p);
      ASSERT_EQ(placement->At(location.cell(), location.offset())->kind,
                at.kind);
    }
    for (const PositionKind kind :
         {PositionKind::kPadding, PositionKind::kGridPadding,
          PositionKind::kGap}) {
      PaddingOfKind ranges = placement->Padding(kind);
      PositionRange range;
      std::vector<bool> covered(by_number.size());
      int64_t end = -1;
      while (ranges.Next(&range)) {
        ASSERT_GT(range.begin, end) << "ranges that touch";
        ASSERT_LT(range.begin, range.end);
        end = range.end;
        std::fill(covered.begin() + range.begin, covered.begin() + range.end,
                  true);
      }
      for (size_t p = 0; p < by_number.size(); ++p) {
        ASSERT_EQ(covered[p], by_number[p] == kind) << p << NameOf(kind);
      }
    }

    // Valid boxes.
    std::vector<int64_t> cell(rank, 0);
    int64_t empty = 0;
    do {
      const Dimensions box = *placement->ValidBox(cell);
      int64_t volume = 1;
      for (int64_t i = 0; i < rank; ++i) {
        volume *=
            std::clamp<int64_t>(extent[i] - cell[i] * shard[i], 0, shard[i]);
      }
      int64_t got = 1;
      for (const int64_t side : box) got *= side;
      ASSERT_EQ(got, volume);
      empty += volume == 0;
    } while (Advance(c.grid, &cell));
    ASSERT_EQ(placement->empty_cells(), empty);
  }
  EXPECT_GE(placed, 200);
  EXPECT_GT(features.uneven, 100);
  EXPECT_GT(features.tilized, 100);
  EXPECT_GT(features.collapsed, 100);
  EXPECT_GT(features.bumped, 100);
  EXPECT_GT(features.devices, 50);
  EXPECT_GT(features.tile_first, 50);
  EXPECT_GT(features.aligned, 50);
  EXPECT_GT(features.repeated, 50);
  EXPECT_GT(features.divided, 50);
  EXPECT_GT(features.faces, 20);
  for (size_t rank = 1; rank <= 5; ++rank) EXPECT_GT(features.ranks[rank], 50);
  for (const PositionKind kind :
       {PositionKind::kElement, PositionKind::kPadding,
        PositionKind::kGridPadding, PositionKind::kGap}) {
    EXPECT_GT(features.kinds[kind], 100) << NameOf(kind);
  }
}

}  // namespace
}  // namespace tessera::tenstorrent
