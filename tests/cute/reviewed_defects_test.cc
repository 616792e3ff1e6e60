// Every numbered defect that reviews against CuTe's C++ headers and its Python
// package found in the operations, with the smallest input that showed it.

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

using ::testing::HasSubstr;

struct ReviewedDefect {
  std::string_view name;
  std::string_view expression;
  std::string_view answer;
  std::string_view note;  // a part of the first note; "" for no note
};

void CheckDefects(const std::vector<ReviewedDefect>& defects) {
  for (const ReviewedDefect& defect : defects) {
    const absl::StatusOr<CalculatorResult> result =
        Calculator().Evaluate(defect.expression);
    ASSERT_THAT(result, IsOk()) << defect.name << ": " << defect.expression;
    EXPECT_EQ(ToString(result->value), defect.answer)
        << defect.name << ": " << defect.expression;
    if (defect.note.empty()) {
      EXPECT_TRUE(result->notes.empty())
          << defect.name << ": " << result->notes[0].message;
    } else {
      ASSERT_FALSE(result->notes.empty()) << defect.name;
      EXPECT_THAT(result->notes[0].message, HasSubstr(std::string(defect.note)))
          << defect.name;
    }
  }
}

TEST(ReviewedDefects, OfTheThirdReview) {
  CheckDefects({
      {"D1", "shape_div((12,4),(1,4))", "(12,1)", ""},
      {"D2", "tile_to_shape((8,64):(64,1), (128,64))",
       "((8,16),(64,1)):((64,512),(1,0))", ""},
      {"D2",
       "tile_to_shape(Sw<3,3,3> o 0 o (64,8):(1,64), (256,64,3), (2,1,3))",
       "Sw<3,3,3> o 0 o ((64,4),(8,8),(1,3)):((1,4096),(64,512),(0,16384))",
       ""},
      {"D3", "zipped_divide((16,8):(8,1), (1,4))",
       "((1,4),(16,2)):((0,1),(8,4))", ""},
      {"D3", "zipped_divide((16,8):(8,1), <1, 4>)",
       "((1,4),(16,2)):((0,1),(8,4))", ""},
      {"D4", "compact_order((2,2,2), (0,0,1))", "(1,1,4)",
       "the layout is not injective, as in C++: (2,2,2):(1,1,4) is 1 at the "
       "coordinates 1 and 2"},
      {"D4", "make_ordered_layout((2,2,2), (0,0,1))", "(2,2,2):(1,1,4)",
       "is not injective"},
      {"D4", "make_layout_like((2,2,3):(4,4,0))", "(2,2,3):(1,1,0)",
       "is not injective"},
      {"D4", "make_layout_like((2,2,3):(4,-4,1))", "(2,2,3):(6,1,2)", ""},
      {"D4", "tile_to_shape((2,2):(1,2), (4,4), (0,0))",
       "((2,2),(2,2)):((1,4),(2,4))", "is not injective"},
      {"D5", "logical_product(2:1, (4,5):(7,14))", "(2,(4,5)):(1,(14,28))",
       "tiles overlap: (4,5):(7,14) is 14 at the coordinates 2 and 4"},
      {"D5", "blocked_product((2,1):(1,0), (4,5):(7,14))",
       "((2,4),(1,5)):((1,14),(0,28))", "tiles overlap"},
      // Modes of stride 0 ask for overlapping tiles.
      {"D5", "logical_product(2:1, (4,5):(1,0))", "(2,(4,5)):(1,(2,0))", ""},
      {"D6", "idx2crd((1,5), (3,(2,3)))", "(1,(1,2))", ""},
      {"D6", "round_up((5,7), (2,4))", "(6,8)", ""},
      {"D6", "local_tile((512,1024):(1,512), (128,8), (1,_))",
       "(128,8,128):(1,512,4096)", "the part begins at offset 128"},
      {"D6", "local_partition((128,8):(1,128), (32,8):(1,32), 5)",
       "(4,1):(32,0)", "the part begins at offset 5"},
      {"D6", "make_layout_tv((4,8):(8,1), (2,2):(1,2))",
       "((8,4),(2,2)):((16,2),(1,8))", "the coordinate in a tile (8,16)"},
      {"D6", "recast(Sw<2,0,3> o 0 o (8,8):(8,1), 16, 32)",
       "Sw<1,0,3> o 0 o (8,4):(4,1)", ""},
      {"D6", "right_inverse(Sw<2,0,3> o 0 o (8,8):(8,1))",
       "Sw<2,0,-3> o 0 o (8,8):(8,1)", ""},
      {"D7", "composition((1,(2,4)):(0,(-1,512)), 2:-1)", "2:1", ""},
      {"D7", "composition((1,(2,4)):(0,(-1,512)), 4:-1)", "(2,2):(1,-512)", ""},
  });
}

TEST(ReviewedDefects, OfTheSecondReview) {
  CheckDefects({
      {"2", "recast(Sw<3,4,3> o 0 o (8,128):(128,1), 8, 16)",
       "Sw<3,3,3> o 0 o (8,64):(64,1)", ""},
      {"2", "upcast<2>(Sw<3,4,3>)", "Sw<3,3,3>", ""},
      {"2", "cosize(Sw<3,4,3> o 0 o (8,128):(128,1))", "1024", ""},
      {"2", "max_alignment(Sw<3,4,3> o 0 o (8,128):(128,1))", "16", ""},
      {"2", "complement(Sw<3,3,3> o 0 o 64:1, 512)", "8:64", ""},
      {"2", "nullspace(Sw<3,3,3> o 0 o (8,4):(1,0))", "1:0", ""},
      {"2", "(8,8):(1,8) o Sw<2,0,3>", "Sw<2,0,3> o 0 o (8,8):(1,8)", ""},
      {"2", "Sw<2,0,3> o Sw<1,2,3>", "Sw<3,0,3>", ""},
      {"2", "(64:1) o (Sw<2,0,3> o 0 o (8,8):(8,1))",
       "Sw<2,0,3> o 0 o (8,8):(8,1)", ""},
      {"3", "logical_divide(make_layout((1000,1)), 128:1)", "(128,8):(1,128)",
       "reach past the end"},
      {"7", "evenly_divides(16, 12)", "false", ""},
      {"7", "slice((_,1), (3,5))", "(3)", ""},
      {"7", "dice((_,1), (3,5))", "(5)", ""},
      {"7", "filter_zeros((2,4):(1,2), (1,0))", "(2,1):(1,2)", ""},
      {"7", "compact_col_major((2,3), 4)", "(4,8)", ""},
      {"7", "elem_less((1,2), (3,5))", "true", ""},
      {"7", "coshape((4,8):(1@0,1@1))", "(4,8)", ""},
      {"7", "make_composed_layout(make_swizzle(3,3,3), 0, (8,64):(64,1))",
       "Sw<3,3,3> o 0 o (8,64):(64,1)", ""},
      {"8", "left_inverse((2,2):(4,5))", "(4,3):(1,1)", ""},
      {"8", "left_inverse(4:-1)", "4:-1", ""},
      {"9", "composition((1,(2,4)):(0,(-1,512)), 2:-1)", "2:1", ""},
      {"10", "right_inverse((4,8):(1@0,1@1))", "(4,8):(1,4)", ""},
      {"10", "left_inverse((4,8):(1@1,1@0))", "(8,4):(4,1)", ""},
      {"13", "((4,4):(4,1))(5,1)", "21",
       "the coordinate (5,1) is outside the shape (4,4)"},
      {"13", "(4:1)(9)", "9", "the coordinate 9 is outside the shape 4"},
      {"13", "((4,4):(4,1))(3,3)", "15", ""},
      {"14", "composition((12,(4,8)):(59,(13,1)), <3:4>)", "(3):(236)",
       "from mode 1 on are dropped, as in C++: the tiler has 1 mode"},
  });
}

TEST(ReviewedDefects, EmptyTakesAreRefused) {
  EXPECT_THAT(Calculator().Evaluate("take<1,1>((2,3,5,7):(1,2,6,30))"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("begin = 1 is not less than end = 1")));
  EXPECT_THAT(Calculator().Evaluate("take<1,1>((2,3,5,7))"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("begin = 1 is not less than end = 1")));
}

}  // namespace
}  // namespace tessera::cute
