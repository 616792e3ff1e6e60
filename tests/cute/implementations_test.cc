// Where CuTe's own implementations (C++ with compile-time and with run-time
// sizes, pycute, cutegen) differ or are wrong: the cases measured on CUTLASS
// 4.7.0, with our answer and theirs beside it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/common_layout.h"
#include "tessera/cute/algebra/complement.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/algebra/divide.h"
#include "tessera/cute/algebra/inverse.h"
#include "tessera/cute/algebra/product.h"
#include "tessera/cute/coordinates.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"

namespace tessera::cute {
namespace {

struct Case {
  std::string actual;
  std::string expected;
};

// Fails at the first difference of each case, by its number.
void Check(const std::vector<Case>& cases) {
  for (size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(cases[i].actual, cases[i].expected) << "case " << i;
  }
}

std::string Composed(std::string_view a, std::string_view tiler) {
  return TextOf(Composition(LayoutOf(a), TilerOf(tiler)));
}

TEST(Implementations, Objects) {
  // (4):(2) and 4:2 differ in profile.
  EXPECT_NE(LayoutOf("(4):(2)"), LayoutOf("4:2"));
  EXPECT_EQ(IntTuple(4).rank(), 1);
  EXPECT_EQ(IntTuple(4).depth(), 0);
  // 7 in C++ and cutegen, -5 in pycute.
  EXPECT_EQ(LayoutOf("4:-2").cosize(), 7);
  // 24 is compatible with (24), not the reverse.
  EXPECT_TRUE(Compatible(24, {24}));
  EXPECT_FALSE(Compatible({24}, 24));
  Check({
      // pycute wraps the last coordinate, and has 2 as the stride of the 1.
      {TextOf(Idx2Crd(14, {4, 3})), "(2,3)"},
      {TextOf(Layout::ColumnMajor({2, 1, 3})), "(2,1,3):(1,0,2)"},
  });
}

TEST(Implementations, Coalesce) {
  Check({
      {TextOf(Coalesce(LayoutOf("(2,3):(0,0)"))), "6:0"},
      {TextOf(Coalesce(LayoutOf("(4,1):(1,0)"))), "4:1"},
      {TextOf(CoalesceExtended(LayoutOf("(4,1):(1,0)"))), "(4,1):(1,0)"},
      // 1:12 in cutegen.
      {TextOf(Coalesce(LayoutOf("1:12"))), "1:0"},
      {TextOf(Coalesce(LayoutOf("(1,1):(7,12)"))), "1:0"},
  });
}

TEST(Implementations, Composition) {
  Check({
      // Truncation, which pycute refuses.
      {Composed("(8,8):(8,1)", "3:3"), "3:24"},
      {Composed("(4,6,8,10):(2,3,5,7)", "6:12"), "(2,3):(9,5)"},
      {Composed("(8,8):(8,1)", "4:3"),
       "error: no layout equals A o B: in B, 4:3, A(B) is 9 at coordinate 3, "
       "not 72, which ends a run of 3 equal steps; 3 does not divide 4"},
      // The last mode goes on, unless something stands behind it.
      {Composed("(4,3):(3,1)", "8:1"), "(4,2):(3,1)"},
      {Composed("(4,3):(3,1)", "24:1"), "(4,6):(3,1)"},
      {Composed("(4,3,1):(3,1,0)", "24:1"), "(4,3,2):(3,1,0)"},
      // A leaf of one element, which C++ refuses for its stride, and one that
      // has C++'s stride.
      {Composed("(4,8):(1,5)", "(1,2):(1,4)"), "(1,2):(5,5)"},
      {Composed("(8,8):(16,12)", "(1,8):(12,8)"), "(1,8):(0,12)"},
      // (4,1):(1,4), of size 4, in C++ with run-time sizes.
      {Composed("(4,3):(1,4)", "6:1"), "6:1"},
      // A tiler of fewer modes drops the others, as in C++; pycute keeps them.
      {Composed("(4,6,8):(1,4,24)", "<2, 3>"), "(2,3):(1,4)"},
      {Composed("(4,6,8):(1,4,24)", "<2, _>"), "(2,6):(1,4)"},
      {Composed("(4,6):(1,4)", "<2, 3, 2>"),
       "error: 3 modes are asked of a layout with 2"},
  });
}

// What all of C++, cutegen and pycute, or some of them, answer wrongly.
TEST(Implementations, HolesOfComposition) {
  Check({
      // The weak stride rule: (2,2):(14,100) in C++ and cutegen.
      {Composed("(3,5):(7,100)", "4:2"),
       "error: no layout equals A o B: in B, 4:2, A(B) is 200 at coordinate 3, "
       "where (2,2):(14,107), the only layout with the earlier values, gives "
       "121"},
      // The carry: (3,2):(4,6) in all four.
      {Composed("(12,2):(1,100)", "(3,2):(4,6)"),
       "error: no layout equals A o B: at coordinate (2,1) A(B) is "
       "A(14) = 102, but its values in each mode alone add up to 14; the "
       "leaves of B carry out of mode 0 of the coalesced A, 12:1"},
      // The shape: 6:8, of the wrong size, in pycute.
      {Composed("(6,2):(8,2)", "9:1"),
       "error: no layout equals A o B: in B, 9:1, A(B) is 2 at coordinate 6, "
       "not 48, which ends a run of 6 equal steps; 6 does not divide 9"},
  });
}

TEST(Implementations, Complement) {
  Check({
      {TextOf(Complement(LayoutOf("2:5"), 12)), "(5,2):(1,10)"},
      {TextOf(Complement(LayoutOf("(2,2):(5,2)"), 40)), "(2,4):(1,10)"},
      // Injective, but interleaved: (2,0,4):(1,4,6) in pycute and cutegen.
      {TextOf(Complement(LayoutOf("(2,2):(2,3)"), 19)),
       "error: the stride of mode 1 of A, 2:3, is less than the extent 4 that "
       "mode 0 of A, 2:2, reaches: the value 3 at coordinate (0,1) lies "
       "within"},
      {TextOf(Complement(LayoutOf("4:0"), 8)), "8:1"},
      // 1:24 in cutegen.
      {TextOf(Complement(LayoutOf("(4,6):(1,4)"), 24)), "1:0"},
      // One argument, as in C++; cutegen's form goes on behind the holes.
      {TextOf(Complement(LayoutOf("(2,2):(4,1)"))), "2:2"},
      {TextOf(UnboundedComplement(LayoutOf("(2,2):(4,1)"))), "(2,1):(2,8)"},
  });
}

TEST(Implementations, Divide) {
  Check({
      {TextOf(LogicalDivide(LayoutOf("48:1"), LayoutOf("32:1"))),
       "(32,2):(1,32)"},
      // (2,(2,5)):(7,(14,100)) in C++, which pads; pycute refuses as well.
      {TextOf(LogicalDivide(LayoutOf("(3,5):(7,100)"), LayoutOf("2:1"))),
       "error: A = (3,5):(7,100) by B = (2,8):(1,2), (tile, tiles): no layout "
       "equals A o B: in mode 1 of B, 8:2, A(B) is 400 at coordinate (0,6), "
       "not "
       "321, which ends a run of 3 equal steps; 3 does not divide 4"},
      // A layout as tiler takes A as one mode.
      {TextOf(ZippedDivide(LayoutOf("(4,2,3):(2,1,8)"), LayoutOf("4:2"))),
       "((2,2),(2,3)):((4,1),(2,8))"},
      // `_` does not compile in C++.
      {TextOf(ZippedDivide(LayoutOf("(4,6):(1,4)"), TilerOf("<_, 3>"))),
       "((1,3),(4,2)):((0,4),(1,12))"},
      // ((2,2),(2,2)) in pycute and cutegen, which unwrap a tuple of one.
      {TextOf(FlatDivide(LayoutOf("((4,4)):((1,4))"), TilerOf("<(2,2)>"))),
       "(((2,2)),((2,2))):(((1,4)),((2,8)))"},
  });
}

TEST(Implementations, Product) {
  Check({
      {TextOf(LogicalProduct(LayoutOf("4:2"), LayoutOf("3:1"))),
       "error: the tiles B = 3:1 cannot be placed on the repetitions A = "
       "(2,1):(1,8) of the block: no layout equals A o B: in B, 3:1, A(B) is 8 "
       "at coordinate 2, not 2, which ends a run of 2 equal steps; 2 does not "
       "divide 3"},
      {TextOf(LogicalProduct(LayoutOf("3:2"), LayoutOf("4:1"))),
       "(3,(2,2)):(2,(1,6))"},
      // (5,(2,2)):(3,(1,2)) in C++ and cutegen: the fourth tile begins at 3,
      // which is in the first.
      {TextOf(LogicalProduct(LayoutOf("5:3"), LayoutOf("(2,2):(1,2)"))),
       "error: the tiles B = (2,2):(1,2) cannot be placed on the repetitions "
       "A = (3,1):(1,15) of the block: no layout equals A o B: at coordinate "
       "(1,1) A(B) is A(3) = 15, but its values in each mode alone add up to "
       "3; the leaves of B carry out of mode 0 of the coalesced A, 3:1"},
      {TextOf(BlockedProduct(LayoutOf("4:1"), LayoutOf("3:1"))),
       "((4,3)):((1,4))"},
      // pycute divides by an integer tiler.
      {TextOf(LogicalProduct(LayoutOf("(4,2):(1,1)"), TilerOf("<3, 5>"))),
       "((4,3),(2,5)):((1,4),(1,2))"},
  });
}

TEST(Implementations, Inverses) {
  Check({
      // 1:0 and 4:1 in pycute, which stops at the first that does not chain.
      {TextOf(RightInverse(LayoutOf("(2,4):(0,1)"))), "4:2"},
      {TextOf(RightInverse(LayoutOf("(4,2,2):(1,3,4)"))), "(4,2):(1,8)"},
      // 2:1 in pycute, which is wrong; C++ and cutegen refuse it.
      {TextOf(LeftInverse(LayoutOf("(2,3):(1,3)"))), "(3,3):(1,2)"},
      // (2,4):(4,1) in pycute.
      {TextOf(LeftInverse(LayoutOf("4:2"))), "(2,4):(0,1)"},
      // 4 in cutegen.
      {TextOf(MaxAlignment(LayoutOf("(10,4):(4,1)"))), "40"},
  });
}

}  // namespace
}  // namespace tessera::cute
