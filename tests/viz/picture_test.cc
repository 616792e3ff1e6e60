#include "tessera/viz/picture.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tessera/tests/status_matchers.h"
#include "tests/viz/random_maps.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Tiles = std::vector<std::vector<int64_t>>;
using CellKind = Picture::CellKind;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

IndexMap MapOf(const std::string& shape) {
  return *ToIndexMap(*ParseShape(shape));
}

Picture Draw(const std::string& shape, const PictureOptions& options = {}) {
  return *MakePicture(MapOf(shape), options);
}

// Positions row by row, those of padding with a minus sign in front, 1000 more
// for those of nothing.
std::vector<int64_t> Positions(const Picture& picture) {
  std::vector<int64_t> positions;
  for (const Picture::Cell& cell : picture.cells) {
    positions.push_back(cell.kind == CellKind::kElement   ? cell.position
                        : cell.kind == CellKind::kPadding ? -cell.position
                                                          : 1000);
  }
  return positions;
}

TEST(Picture, TheFirstFigureOfTheDocument) {
  const Picture picture = Draw("f32[3,5]{1,0:T(2,2)}");
  EXPECT_THAT(Positions(picture), ElementsAre(0, 1, 4, 5, 8, -9,        //
                                              2, 3, 6, 7, 10, -11,      //
                                              12, 13, 16, 17, 20, -21,  //
                                              -14, -15, -18, -19, -22, -23));
  EXPECT_THAT(picture.levels, ElementsAre(TileLevel{2, 2}));
  EXPECT_THAT(picture.rows.coordinates, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(picture.rows.bound, 3);
  EXPECT_EQ(picture.At(2, 3).tiles[0], 4);
  EXPECT_EQ(picture.position_count, 24);
}

TEST(Picture, TheSecondFigureOfTheDocument) {
  PictureOptions options;
  options.tiles = Tiles{{2, 4}, {2, 1}};
  const Picture picture = Draw("bf16[4,8]{1,0:T(2,4)(2,1)}", options);
  EXPECT_THAT(Positions(picture),
              ElementsAre(0, 2, 4, 6, 8, 10, 12, 14,       //
                          1, 3, 5, 7, 9, 11, 13, 15,       //
                          16, 18, 20, 22, 24, 26, 28, 30,  //
                          17, 19, 21, 23, 25, 27, 29, 31));
  EXPECT_THAT(picture.levels, ElementsAre(TileLevel{2, 4}, TileLevel{2, 1}));
  EXPECT_THAT(picture.At(3, 5).tiles, ElementsAre(3, 13));
  // Pairs of rows follow one another: the order of memory knows no 2 x 4.
  EXPECT_THAT(Draw("bf16[4,8]{1,0:T(2,4)(2,1)}").levels,
              ElementsAre(TileLevel{2, 1}));
  EXPECT_THAT(Draw("bf16[8,8]{1,0:T(4,4)(2,1)}").levels,
              ElementsAre(TileLevel{4, 4}, TileLevel{2, 1}));
}

TEST(Picture, PaddingBetweenCoordinates) {
  // 8 in tiles of 3: the ninth position of every 9 is of no coordinate.
  const Picture picture = Draw("s8[20]{0:T(8)(3)}");
  EXPECT_EQ(picture.columns.count, 27);
  EXPECT_FALSE(picture.rows.dimension.has_value());
  EXPECT_EQ(picture.columns.coordinates[8], -1);
  EXPECT_EQ(picture.columns.coordinates[9], 8);
  EXPECT_EQ(picture.At(0, 8).kind, CellKind::kPadding);
  EXPECT_EQ(picture.At(0, 8).position, 8);
  EXPECT_EQ(picture.At(0, 22).position, 22);
  EXPECT_EQ(picture.columns.coordinates[22], 20);
}

TEST(Picture, JoinedDimensionsBeginWithinATile) {
  PictureOptions options;
  options.index = std::vector<int64_t>{0, 1, 0, 0};
  const Picture picture = Draw("f32[2,7,3,5]{3,2,1,0:T(*,2,2)}", options);
  EXPECT_EQ(picture.rows.phase, 3);
  EXPECT_EQ(picture.rows.count, 3);
  EXPECT_THAT(picture.levels, ElementsAre(TileLevel{2, 2}));
  EXPECT_FALSE(picture.rows.BeginsTile(0, 2));
  EXPECT_TRUE(picture.rows.BeginsTile(1, 2));
}

TEST(Picture, AnyTwoDimensions) {
  PictureOptions options;
  options.rows = 2;
  options.columns = 0;
  options.index = std::vector<int64_t>{-7, 4, 99};
  const Picture picture = Draw("f32[3,5,2]", options);
  EXPECT_THAT(Positions(picture), ElementsAre(8, 18, 28, 9, 19, 29));
  EXPECT_THAT(picture.index, ElementsAre(0, 4, 0));
  EXPECT_THAT(picture.IndexAt(1, 2), ElementsAre(2, 4, 1));
  // What is not said is the last that is left.
  options.columns = std::nullopt;
  options.index = std::nullopt;
  EXPECT_EQ(Draw("f32[3,5,2]", options).columns.dimension, 1);
}

TEST(Picture, Windows) {
  PictureOptions options;
  options.row_window = PictureRange{2, 2};
  options.column_window = PictureRange{4, 2};
  const Picture picture = Draw("f32[3,5]{1,0:T(2,2)}", options);
  EXPECT_THAT(Positions(picture), ElementsAre(20, -21, -22, -23));
  EXPECT_FALSE(picture.is_whole());
  EXPECT_EQ(picture.legend.back().text,
            "A window: rows 2 to 3 of 4, columns 4 to 5 of 6.");
  // By default the first cells, as many as are allowed.
  options = PictureOptions();
  options.max_rows = 1;
  options.max_columns = 3;
  EXPECT_THAT(Positions(Draw("f32[3,5]{1,0:T(2,2)}", options)),
              ElementsAre(0, 1, 4));
}

TEST(Picture, PathAndMemory) {
  PictureOptions options;
  options.row_window = PictureRange{0, 2};
  options.memory = PictureRange{8, 100};
  const Picture picture = Draw("f32[3,5]{1,0:T(2,2)}", options);
  ASSERT_EQ(picture.path.size(), 12);
  EXPECT_EQ(picture.path[0].cell, 0);
  EXPECT_FALSE(picture.path[0].follows);
  EXPECT_EQ(picture.path[2].cell, 6);
  EXPECT_TRUE(picture.path[2].follows);
  ASSERT_EQ(picture.memory.size(), 16);
  EXPECT_EQ(picture.memory[0].position, 8);
  EXPECT_THAT(picture.memory[0].index, ElementsAre(0, 4));
  EXPECT_EQ(picture.memory[0].cell, 4);
  EXPECT_EQ(picture.memory[1].kind, PositionKind::kPadding);
  EXPECT_EQ(picture.memory[1].cell, 5);
  ASSERT_EQ(picture.memory[1].failed_bounds.size(), 1);
  EXPECT_THAT(picture.memory[1].failed_bounds[0].dimensions, ElementsAre(1));
  EXPECT_EQ(picture.memory[1].failed_bounds[0].value, 5);
  EXPECT_THAT(picture.memory[4].index, ElementsAre(2, 0));
  EXPECT_EQ(picture.memory[4].cell, -1);
}

TEST(Picture, TilesThatAreGiven) {
  PictureOptions options;
  options.tiles =
      Tiles{{1, 4, 8}, {1, 2, 8}, {1, 2, 8}, {1, 1, 1}, {9, 99, 99}};
  const Picture picture = Draw("f32[2,6,16]", options);
  EXPECT_THAT(picture.levels, ElementsAre(TileLevel{4, 8}, TileLevel{2, 8}));
  // In coordinates: 8 of them take 9 cells.
  options.tiles = Tiles{{8}};
  EXPECT_THAT(Draw("s8[20]{0:T(8)(3)}", options).levels,
              ElementsAre(TileLevel{1, 9}));
}

TEST(Picture, Marks) {
  PictureOptions options;
  options.marks = MapOf("f32[2,2]{0,1}");
  options.marks_name = "the first four";
  const Picture picture = Draw("f32[3,5]{1,0:T(2,2)}", options);
  EXPECT_TRUE(picture.At(1, 1).is_marked);
  EXPECT_FALSE(picture.At(0, 2).is_marked);
  EXPECT_EQ(picture.legend[3].text,
            "Marked cells are those of the first four.");
  // 0, 0, 1, 1: which of the two is at 0 is not to be told.
  IndexMap::Builder builder({2, 2});
  options.marks = *std::move(builder).BuildStrided(
      {{builder.Dimension(0), 0}, {builder.Dimension(1), 1}});
  EXPECT_EQ(MakePicture(MapOf("f32[3,5]"), options).status(),
            absl::InvalidArgumentError("elements of the layout that is marked "
                                       "may share a position: it has no "
                                       "inverse"));
}

TEST(Picture, NeighboursDifferInColour) {
  for (const int64_t across : {1, 2, 3, 4, 5, 6, 7, 12}) {
    IndexMap::Builder builder({12, 2 * across});
    const IndexMap map = *std::move(builder).BuildRowMajor(
        {builder.Dimension(0), builder.Dimension(1)});
    PictureOptions options;
    options.tiles = Tiles{{2, 2}};
    const Picture picture = *MakePicture(map, options);
    for (int64_t i = 0; i < 12; ++i) {
      for (int64_t j = 0; j < 2 * across; ++j) {
        for (const auto& [down, right] :
             {std::make_pair(2, 0), std::make_pair(0, 2), std::make_pair(2, 2),
              std::make_pair(2, -2)}) {
          if (i + down >= 12 || j + right < 0 || j + right >= 2 * across) {
            continue;
          }
          EXPECT_NE(picture.At(i, j).color,
                    picture.At(i + down, j + right).color)
              << across << " across, at " << i << "," << j;
        }
      }
    }
  }
}

TEST(Picture, NoElementsAndNoDimensions) {
  const Picture none = Draw("f32[0,4]{1,0:T(8,128)}");
  EXPECT_THAT(none.path, IsEmpty());
  EXPECT_EQ(none.legend.back().text, "The array has no elements.");
  const Picture scalar = Draw("f32[]");
  EXPECT_THAT(Positions(scalar), ElementsAre(0));
  EXPECT_EQ(scalar.legend[0].text, "The array has a single element.");
}

TEST(Picture, OneDimensionDownwards) {
  IndexMap::Builder builder({5});
  const IndexMap::Builder::Coordinate whole = builder.Dimension(0);
  const IndexMap map = *std::move(builder).BuildRowMajor({whole});
  PictureOptions options;
  options.rows = 0;
  const absl::StatusOr<Picture> picture = MakePicture(map, options);
  ASSERT_THAT(picture, IsOk());
  EXPECT_EQ(picture->rows.count, 5);
  EXPECT_EQ(picture->columns.count, 1);
  EXPECT_EQ(picture->columns.dimension, std::nullopt);
  EXPECT_EQ(picture->At(3, 0).position, 3);
  EXPECT_EQ(picture->legend[0].text, "Dimension 0 runs down.");
}

TEST(Picture, LegendInWords) {
  PictureOptions options;
  options.index = std::vector<int64_t>{3, 0, 0};
  const Picture picture = Draw("f32[7,3,5]{2,1,0:T(2,2)}", options);
  std::vector<std::string> legend;
  for (const Picture::Note& note : picture.legend) legend.push_back(note.text);
  EXPECT_THAT(
      legend,
      ElementsAre("Dimension 1 runs down, dimension 2 across; dimension 0 is "
                  "at 3.",
                  "A number is a position in memory, counted in elements.",
                  "Thick lines go around tiles of 2 x 2.",
                  "Hatched cells are padding: they take memory and hold no "
                  "element. In all of memory, 63 of 168 positions hold no "
                  "element."));
}

TEST(Picture, Errors) {
  const IndexMap map = MapOf("f32[3,5]{1,0:T(2,2)}");
  auto refusal = [&map](const PictureOptions& options) {
    return MakePicture(map, options).status();
  };
  PictureOptions options;
  options.rows = 2;
  EXPECT_EQ(refusal(options),
            absl::InvalidArgumentError(
                "rows = 2 is not a dimension of an array of rank 2"));
  options = PictureOptions();
  options.columns = -1;
  EXPECT_THAT(refusal(options).message(), HasSubstr("columns = -1 is no"));
  options.rows = options.columns = 1;
  EXPECT_EQ(refusal(options),
            absl::InvalidArgumentError("dimension 1 cannot be both rows and "
                                       "columns"));
  options = PictureOptions();
  options.index = std::vector<int64_t>{1};
  EXPECT_EQ(refusal(options),
            absl::InvalidArgumentError(
                "the index has 1 entry, but the array has 2 dimensions"));
  options = PictureOptions();
  options.row_window = PictureRange{3, 2};
  EXPECT_EQ(refusal(options),
            absl::OutOfRangeError("the window of the rows, 2 cells from 3 on, "
                                  "is outside [0, 4)"));
  options.row_window = PictureRange{kMax, kMax};
  EXPECT_EQ(refusal(options).code(), absl::StatusCode::kOutOfRange);
  options.row_window = PictureRange{-1, 2};
  EXPECT_EQ(refusal(options).code(), absl::StatusCode::kInvalidArgument);
  options = PictureOptions();
  options.tiles = Tiles{{2, 0}};
  EXPECT_EQ(refusal(options),
            absl::InvalidArgumentError("a tile of 2x0 is not one positive "
                                       "extent for each of 2 dimensions"));
  options.tiles = Tiles{{2}};
  EXPECT_EQ(refusal(options).code(), absl::StatusCode::kInvalidArgument);
  options = PictureOptions();
  options.memory = PictureRange{0, kMaxPictureCells + 1};
  EXPECT_EQ(refusal(options),
            absl::ResourceExhaustedError(
                "a picture has at most 65536 positions of memory, and this "
                "has 65537"));
  options.memory = PictureRange{-1, 1};
  EXPECT_EQ(refusal(options).code(), absl::StatusCode::kInvalidArgument);

  options = PictureOptions();
  options.index = std::vector<int64_t>{7, 0, 0};
  EXPECT_EQ(MakePicture(MapOf("f32[7,3,5]"), options).status(),
            absl::OutOfRangeError("index[0] = 7 is outside [0, 7)"));
  options = PictureOptions();
  options.row_window = options.column_window = PictureRange{0, 1 << 20};
  EXPECT_EQ(MakePicture(MapOf("f32[1048576,1048576]"), options).status(),
            absl::ResourceExhaustedError("a window has at most 65536 cells, "
                                         "and this has 1048576 x 1048576"));
  options.row_window = PictureRange{0, 0};
  EXPECT_THAT(MakePicture(MapOf("f32[1048576,1048576]"), options),
              StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(Picture, TheEndOfALargeArray) {
  constexpr int64_t kSide = int64_t{1} << 29;
  PictureOptions options;
  options.row_window = options.column_window = PictureRange{kSide - 2, 2};
  const Picture picture =
      Draw("s8[536870911,536870911]{1,0:T(8,128)}", options);
  EXPECT_EQ(picture.At(kSide - 1, kSide - 1).position, kSide * kSide - 1);
  EXPECT_EQ(picture.At(kSide - 1, kSide - 1).kind, CellKind::kPadding);
  EXPECT_EQ(picture.At(kSide - 2, kSide - 2).kind, CellKind::kElement);
}

// Of every layout: cells of elements have their positions and each index has
// its cell; padding is what the inverse calls so, each position in one cell;
// and where no dimensions are joined and none is out of sight, all of it.
TEST(Picture, LawsOfRandomLayouts) {
  RandomBits random(TestSeed());
  int64_t whole = 0;
  for (int i = 0; i < 3000; ++i) {
    const IndexMap map = RandomMap(&random);
    PictureOptions options;
    options.max_rows = options.max_columns = 4096;
    options.memory = PictureRange{0, map.position_count()};
    if (map.position_count() > kMaxPictureCells) continue;
    if (map.element_count() > 0) {
      options.index.emplace();
      for (const int64_t bound : map.bounds()) {
        options.index->push_back(Uniform(0, bound - 1, &random));
      }
    }
    const absl::StatusOr<Picture> drawn = MakePicture(map, options);
    ASSERT_THAT(drawn, IsOk()) << map.ToString();
    const Picture& picture = *drawn;
    int64_t elements = 0;
    std::set<int64_t> padding;
    std::vector<int64_t> scratch(map.rank());
    for (int64_t row = 0; row < picture.rows.count; ++row) {
      for (int64_t column = 0; column < picture.columns.count; ++column) {
        const Picture::Cell& cell = picture.At(row, column);
        if (cell.kind == CellKind::kElement) {
          ++elements;
          EXPECT_EQ(*map.LinearIndex(picture.IndexAt(row, column)),
                    cell.position)
              << map.ToString();
        } else if (cell.kind == CellKind::kPadding) {
          EXPECT_EQ(*map.MultidimensionalIndex(cell.position,
                                               absl::MakeSpan(scratch)),
                    PositionKind::kPadding)
              << map.ToString();
          EXPECT_TRUE(padding.insert(cell.position).second) << map.ToString();
          EXPECT_FALSE(map.LinearIndex(picture.IndexAt(row, column)).ok());
        }
      }
    }
    if (map.element_count() > 0) {
      EXPECT_EQ(elements, picture.rows.bound * picture.columns.bound)
          << map.ToString();
    }
    const bool is_simple =
        map.kind() == IndexMap::Kind::kMixedRadix && map.rank() <= 2 &&
        map.element_count() > 0 &&
        picture.rows.count * picture.columns.count == map.tail_begin();
    if (is_simple) {
      ++whole;
      EXPECT_EQ(static_cast<int64_t>(padding.size()),
                map.tail_begin() - map.element_count())
          << map.ToString();
    }
    for (const Picture::Place& place : picture.memory) {
      if (place.cell < 0) continue;
      EXPECT_EQ(picture.cells[place.cell].position, place.position);
      EXPECT_EQ(picture.cells[place.cell].kind == CellKind::kElement,
                place.kind == PositionKind::kElement);
    }
    // Each step leads to the next position of the window.
    for (size_t k = 1; k < picture.path.size(); ++k) {
      EXPECT_LE(picture.cells[picture.path[k - 1].cell].position,
                picture.cells[picture.path[k].cell].position);
    }
  }
  EXPECT_GT(whole, 300);
}

}  // namespace
}  // namespace tessera
