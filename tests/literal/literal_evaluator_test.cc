#include "tessera/tests/literal/literal_evaluator.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using Kind = LiteralCell::Kind;

constexpr int64_t kCombine = LiteralLayout::kCombine;

TEST(LiteralEvaluator, Example) {
  LiteralLayout layout;
  layout.bounds = {3, 5};
  layout.minor_to_major = {1, 0};
  layout.tiles = {{2, 2}};
  EXPECT_EQ(layout.ToString(), "s8[3,5]{1,0:T(2,2)}");

  const LiteralArray array = EvaluateLiterally(layout);
  EXPECT_EQ(array.cells.size(), 24);
  EXPECT_THAT(array.expanded_bounds.back(), ElementsAre(2, 3, 2, 2));
  EXPECT_EQ(array.PositionOf({2, 3}), 17);
  EXPECT_EQ(array.cells[17].element, 13);
  EXPECT_EQ(array.cells[9].kind, Kind::kTilePadding);
  EXPECT_EQ(array.cells[9].exceeded, 0b10);
}

TEST(LiteralEvaluator, TextIsXlas) {
  LiteralLayout layout;
  EXPECT_EQ(layout.ToString(), "s8[]");
  layout.tiles = {{128}};
  EXPECT_EQ(layout.ToString(), "s8[]{:T(128)}");
  layout.bounds = {4, 33};
  layout.minor_to_major = {1, 0};
  layout.tiles = {{kCombine, 8}, {4, 1}};
  layout.tail_padding_alignment = 1024;
  EXPECT_EQ(layout.ToString(), "s8[4,33]{1,0:T(*,8)(4,1)L(1024)}");
}

struct WorkedExample {
  std::string text;
  LiteralLayout layout;
  std::vector<int64_t> expanded_bounds;
  // Positions before and with the tail padding, and up to the last element.
  int64_t tiled_positions;
  int64_t positions;
  int64_t data_end;
  std::vector<std::pair<std::vector<int64_t>, int64_t>> index_to_position;
};

void PrintTo(const WorkedExample& example, std::ostream* os) {
  *os << example.text;
}

// Numbers computed by hand, by XLA's own tests and documentation, or by an
// evaluator that was written apart from this one. Two of the well-known shapes
// are missing because they have 168 million and 4 billion positions.
const WorkedExample kWorkedExamples[] = {
    {"s8[2,3]{0,1}",
     {{2, 3}, {0, 1}, {}},
     {3, 2},
     6,
     6,
     6,
     {{{1, 2}, 5}, {{0, 1}, 2}}},
    {"s8[3,5]{1,0:T(2,2)}",
     {{3, 5}, {1, 0}, {{2, 2}}},
     {2, 3, 2, 2},
     24,
     24,
     21,
     {{{2, 3}, 17}, {{0, 4}, 8}, {{2, 4}, 20}}},
    {"s8[4,8]{1,0:T(2,4)(2,1)}",
     {{4, 8}, {1, 0}, {{2, 4}, {2, 1}}},
     {2, 2, 1, 4, 2, 1},
     32,
     32,
     32,
     {{{1, 2}, 5}, {{3, 7}, 31}}},
    {"s8[10,20]{0,1:T(8,128)}",
     {{10, 20}, {0, 1}, {{8, 128}}},
     {3, 1, 8, 128},
     3072,
     3072,
     2442,
     {{{9, 19}, 2441}}},
    {"s8[300,200]{1,0:T(8,128)}",
     {{300, 200}, {1, 0}, {{8, 128}}},
     {38, 2, 8, 128},
     77824,
     77824,
     77256,
     {{{10, 130}, 3330}, {{299, 199}, 77255}}},
    {"s8[16,256]{1,0:T(8,128)(2,1)}",
     {{16, 256}, {1, 0}, {{8, 128}, {2, 1}}},
     {2, 2, 4, 128, 2, 1},
     4096,
     4096,
     4096,
     {{{3, 5}, 267}, {{9, 200}, 3217}}},
    {"s8[2048]{0:T(1024)(128)(2,1)}",
     {{2048}, {0}, {{1024}, {128}, {2, 1}}},
     {2, 4, 128, 2, 1},
     2048,
     2048,
     2048,
     {{{128}, 1}, {{1}, 2}, {{129}, 3}, {{1025}, 1026}}},
    {"s8[100]{0:T(256)(128)(2,1)}",
     {{100}, {0}, {{256}, {128}, {2, 1}}},
     {1, 1, 128, 2, 1},
     256,
     256,
     199,
     {{{1}, 2}, {{99}, 198}}},
    // The last element in logical order is not the last in memory.
    {"s8[200]{0:T(256)(128)(2,1)}",
     {{200}, {0}, {{256}, {128}, {2, 1}}},
     {1, 1, 128, 2, 1},
     256,
     256,
     255,
     {{{127}, 254}, {{128}, 1}, {{199}, 143}}},
    {"s8[100]{0:T(1024)}",
     {{100}, {0}, {{1024}}},
     {1, 1024},
     1024,
     1024,
     100,
     {{{99}, 99}}},
    {"s8[40,200]{1,0:T(8,128)(4,1)}",
     {{40, 200}, {1, 0}, {{8, 128}, {4, 1}}},
     {5, 2, 2, 128, 4, 1},
     10240,
     10240,
     10016,
     {{{6, 130}, 1546}, {{39, 199}, 10015}}},
    {"s8[100,300]{1,0:T(64,128)(8,1)}",
     {{100, 300}, {1, 0}, {{64, 128}, {8, 1}}},
     {2, 3, 8, 128, 8, 1},
     49152,
     49152,
     45404,
     {{{13, 257}, 17421}, {{99, 299}, 45403}}},
    {"s8[3,3]{1,0}", {{3, 3}, {1, 0}, {}}, {3, 3}, 9, 9, 9, {{{2, 2}, 8}}},
    {"s8[100,300]{1,0:T(32,128)(32,1)}",
     {{100, 300}, {1, 0}, {{32, 128}, {32, 1}}},
     {4, 3, 1, 128, 32, 1},
     49152,
     49152,
     46436,
     {{{40, 299}, 21864}, {{99, 299}, 46435}}},
    {"s8[8,8,8]{0,2,1:T(8,128)}",
     {{8, 8, 8}, {0, 2, 1}, {{8, 128}}},
     {8, 1, 1, 8, 128},
     8192,
     8192,
     8072,
     {{{1, 2, 3}, 2433}}},
    {"s8[]{:T(128)}", {{}, {}, {{128}}}, {1, 128}, 128, 128, 1, {{{}, 0}}},
    {"s8[3]{0:T(8,128)}",
     {{3}, {0}, {{8, 128}}},
     {1, 1, 8, 128},
     1024,
     1024,
     3,
     {{{2}, 2}}},
    {"s8[8]{0:T(2,2)}",
     {{8}, {0}, {{2, 2}}},
     {1, 4, 2, 2},
     16,
     16,
     14,
     {{{5}, 9}, {{2}, 4}, {{7}, 13}}},
    {"s8[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}",
     {{2, 7, 8, 11, 10},
      {4, 3, 2, 1, 0},
      {{kCombine, kCombine, 2, kCombine, 3}}},
     {56, 37, 2, 3},
     12432,
     12432,
     12431,
     {{{0, 1, 2, 3, 4}, 1177}, {{1, 6, 7, 10, 9}, 12430}}},
    {"s8[2,3,1004]{2,1,0:T(2,*,128)}",
     {{2, 3, 1004}, {2, 1, 0}, {{2, kCombine, 128}}},
     {1, 24, 2, 128},
     6144,
     6144,
     6084,
     {{{1, 1, 500}, 3040}, {{1, 2, 1003}, 6083}}},
    {"s8[4,33]{1,0:T(8)L(1024)}",
     {{4, 33}, {1, 0}, {{8}}, 1024},
     {4, 5, 8},
     160,
     1024,
     153,
     {{{3, 32}, 152}}},
    {"s8[7]{0:L(100)}", {{7}, {0}, {}, 100}, {7}, 7, 100, 7, {{{6}, 6}}},
    {"s8[150,200,100]{0,1,2:T(8,128)}",
     {{150, 200, 100}, {0, 1, 2}, {{8, 128}}},
     {100, 25, 2, 8, 128},
     5120000,
     5120000,
     5119894,
     {{{149, 199, 99}, 5119893}}},
    {"s8[100,8]{1,0:T(8,128)}",
     {{100, 8}, {1, 0}, {{8, 128}}},
     {13, 1, 8, 128},
     13312,
     13312,
     12680,
     {{{99, 7}, 12679}}},
    {"s8[10,200]{1,0:T(8,128)(3,1)}",
     {{10, 200}, {1, 0}, {{8, 128}, {3, 1}}},
     {2, 2, 3, 128, 3, 1},
     4608,
     4608,
     3671,
     {{{9, 199}, 3670}}},
    {"s8[5,3]{0,1:T(2,128)}",
     {{5, 3}, {0, 1}, {{2, 128}}},
     {2, 1, 2, 128},
     512,
     512,
     261,
     {{{4, 2}, 260}}},
    {"s8[9,130]{1,0:T(8,128)(2,1)}",
     {{9, 130}, {1, 0}, {{8, 128}, {2, 1}}},
     {2, 2, 4, 128, 2, 1},
     4096,
     4096,
     3075,
     {{{8, 129}, 3074}}},
    {"s8[0,5]{1,0:T(8,128)}",
     {{0, 5}, {1, 0}, {{8, 128}}},
     {0, 1, 8, 128},
     0,
     0,
     0,
     {}},
    {"s8[28,1,1]{2,1,0:T(2,128)}",
     {{28, 1, 1}, {2, 1, 0}, {{2, 128}}},
     {28, 1, 1, 2, 128},
     7168,
     7168,
     6913,
     {{{27, 0, 0}, 6912}}},
    // Asserted by XLA's layout tests.
    {"s8[2,8,128]{2,1,0:T(8,128)(2,1)}",
     {{2, 8, 128}, {2, 1, 0}, {{8, 128}, {2, 1}}},
     {2, 1, 1, 4, 128, 2, 1},
     2048,
     2048,
     2048,
     {{{0, 2, 0}, 256}}},
    {"s8[8,4]{1,0:T(2,2)}",
     {{8, 4}, {1, 0}, {{2, 2}}},
     {4, 2, 2, 2},
     32,
     32,
     32,
     {{{3, 1}, 11}}},
};

class WorkedExamples : public ::testing::TestWithParam<WorkedExample> {};

TEST_P(WorkedExamples, Agree) {
  const WorkedExample& example = GetParam();
  EXPECT_EQ(example.layout.ToString(), example.text);

  const LiteralArray array = EvaluateLiterally(example.layout);
  EXPECT_EQ(array.expanded_bounds.back(), example.expanded_bounds);
  EXPECT_EQ(array.cells.size(), example.positions);
  EXPECT_EQ(std::count_if(array.cells.begin(), array.cells.end(),
                          [](const LiteralCell& cell) {
                            return cell.kind != Kind::kTailPadding;
                          }),
            example.tiled_positions);
  const auto last_element = std::find_if(
      array.cells.rbegin(), array.cells.rend(),
      [](const LiteralCell& cell) { return cell.kind == Kind::kElement; });
  EXPECT_EQ(array.cells.rend() - last_element, example.data_end);
  for (const auto& [index, position] : example.index_to_position) {
    EXPECT_EQ(array.PositionOf(index), position)
        << ::testing::PrintToString(index);
  }
}

INSTANTIATE_TEST_SUITE_P(Xla, WorkedExamples,
                         ::testing::ValuesIn(kWorkedExamples));

TEST(LiteralEvaluator, MapOfTheDocumentsFirstFigure) {
  EXPECT_THAT(EvaluateLiterally({{3, 5}, {1, 0}, {{2, 2}}}).positions,
              ElementsAre(0, 1, 4, 5, 8,   //
                          2, 3, 6, 7, 10,  //
                          12, 13, 16, 17, 20));
}

TEST(LiteralEvaluator, MapOfTheDocumentsSecondFigure) {
  EXPECT_THAT(EvaluateLiterally({{4, 8}, {1, 0}, {{2, 4}, {2, 1}}}).positions,
              ElementsAre(0, 2, 4, 6, 8, 10, 12, 14,       //
                          1, 3, 5, 7, 9, 11, 13, 15,       //
                          16, 18, 20, 22, 24, 26, 28, 30,  //
                          17, 19, 21, 23, 25, 27, 29, 31));
}

TEST(LiteralEvaluator, CombinedDimensionsLieAsOneDimensionWould) {
  EXPECT_EQ(EvaluateLiterally({{2, 7, 8, 11, 10},
                               {4, 3, 2, 1, 0},
                               {{kCombine, kCombine, 2, kCombine, 3}}})
                .positions,
            EvaluateLiterally({{112, 110}, {1, 0}, {{2, 3}}}).positions);
}

// Cells as text: an element's place in row-major order, "p" and the exceeded
// dimensions, or "tail".
std::vector<std::string> Picture(const LiteralLayout& layout) {
  std::vector<std::string> picture;
  for (const LiteralCell& cell : EvaluateLiterally(layout).cells) {
    switch (cell.kind) {
      case Kind::kElement:
        picture.push_back(std::to_string(cell.element));
        break;
      case Kind::kTilePadding: {
        std::string text = "p";
        for (int64_t d = 0; d < layout.rank(); ++d) {
          if ((cell.exceeded >> d) & 1) text += std::to_string(d);
        }
        picture.push_back(text);
        break;
      }
      case Kind::kTailPadding:
        picture.push_back("tail");
    }
  }
  return picture;
}

TEST(LiteralEvaluator, PaddingNamesEveryDimensionThatIsExceeded) {
  EXPECT_THAT(Picture({{3, 3}, {1, 0}, {{2, 2}}, 5}),
              ElementsAre("0", "1", "3", "4",      //
                          "2", "p1", "5", "p1",    //
                          "6", "7", "p0", "p0",    //
                          "8", "p1", "p0", "p01",  //
                          "tail", "tail", "tail", "tail"));
}

TEST(LiteralEvaluator, PaddingOfTheTransposedArrayNamesLogicalDimensions) {
  EXPECT_THAT(Picture({{1, 3}, {0, 1}, {{2, 2}}}),
              ElementsAre("0", "p0", "1", "p0", "2", "p0", "p1", "p01"));
}

TEST(LiteralEvaluator, PaddingOfALaterTileKeepsWhatTheEarlierOneSaid) {
  // The rows 0 and 1 of a tile become rows 0, 1 and 2 of a tile of the second
  // level; what is beyond the bound of dimension 1 is so in all of them.
  EXPECT_THAT(Picture({{2, 1}, {1, 0}, {{2, 2}, {3, 1}}}),
              ElementsAre("0", "1", "p0", "p1", "p1", "p01"));
}

TEST(LiteralEvaluator, PaddingOfJoinedDimensionsNamesThoseThatCount) {
  EXPECT_THAT(Picture({{2, 2}, {1, 0}, {{kCombine, 3}}}),
              ElementsAre("0", "1", "2", "3", "p01", "p01"));
  EXPECT_THAT(Picture({{3, 1}, {1, 0}, {{kCombine, 2}}}),
              ElementsAre("0", "1", "2", "p0"));
  EXPECT_THAT(Picture({{1, 3}, {1, 0}, {{kCombine, 2}}}),
              ElementsAre("0", "1", "2", "p1"));
  EXPECT_THAT(Picture({{1, 1}, {1, 0}, {{kCombine, 2}}}),
              ElementsAre("0", "p1"));
  EXPECT_THAT(Picture({{1}, {0}, {{kCombine, 2}}}), ElementsAre("0", "p0"));
  EXPECT_THAT(Picture({{1}, {0}, {{1}, {kCombine, 1, 2}}}),
              ElementsAre("0", "p0"));
}

TEST(LiteralEvaluator, PaddingOfInsertedDimensionsNamesNone) {
  EXPECT_THAT(Picture({{3}, {0}, {{2, 2}}}),
              ElementsAre("0", "1", "p", "p", "2", "p0", "p", "p0"));
}

TEST(LiteralEvaluator, NoElementsTakeNoPositionsAndNoTail) {
  const LiteralArray array =
      EvaluateLiterally({{3, 0}, {1, 0}, {{8, 128}, {3, 1}}, 64});
  EXPECT_THAT(array.cells, ElementsAre());
  EXPECT_THAT(array.expanded_bounds,
              ElementsAre(ElementsAre(3, 0), ElementsAre(1, 0, 8, 128),
                          ElementsAre(1, 0, 3, 128, 3, 1)));
}

TEST(LiteralEvaluator, NextIndexCountsInRowMajorOrderAndWraps) {
  std::vector<int64_t> index = {0, 0};
  std::vector<std::vector<int64_t>> visited;
  do {
    visited.push_back(index);
  } while (NextIndex({2, 2}, &index));
  EXPECT_THAT(visited, ElementsAre(ElementsAre(0, 0), ElementsAre(0, 1),
                                   ElementsAre(1, 0), ElementsAre(1, 1)));
  EXPECT_THAT(index, ElementsAre(0, 0));

  std::vector<int64_t> of_a_scalar;
  EXPECT_FALSE(NextIndex({}, &of_a_scalar));
}

}  // namespace
}  // namespace tessera
