#include "tessera/cute/algebra/ordered_layout.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/random_cute_layouts.h"

namespace tessera::cute {
namespace {

// The integers 0 ... n-1.
std::vector<int64_t> Range(int64_t n) {
  std::vector<int64_t> range(n);
  std::iota(range.begin(), range.end(), 0);
  return range;
}

// A leaf of a shape, and the integer of the order that is for it.
struct OrderedLeaf {
  int64_t size;
  int64_t order;
  size_t part;  // which integer of the order
};

// C++'s definition: a stride is the product of all parts of lesser order, and
// of the leaves to the left in the same part.
int64_t StrideOfLeaf(const std::vector<OrderedLeaf>& leaves, size_t i) {
  if (leaves[i].size == 1) return 0;
  int64_t stride = 1;
  for (size_t k = 0; k < leaves.size(); ++k) {
    const bool is_before = leaves[k].part == leaves[i].part
                               ? k < i
                               : leaves[k].order < leaves[i].order;
    if (is_before) stride *= leaves[k].size;
  }
  return stride;
}

void ExpectStrides(const Layout& layout,
                   const std::vector<OrderedLeaf>& leaves) {
  for (size_t i = 0; i < leaves.size(); ++i) {
    ASSERT_EQ(layout.leaves()[i].stride, StrideOfLeaf(leaves, i))
        << TextOf(layout) << " at leaf " << i;
  }
}

// Random numbers, nested as the shape; where it is pruned, for all that the
// shape has there.
IntTuple RandomOrder(const IntTuple& shape, RandomBits* random) {
  if (shape.is_integer() || Uniform(0, 4, random) == 0) {
    return Uniform(-3, 5, random);
  }
  std::vector<IntTuple> modes;
  for (const IntTuple& mode : shape.Modes()) {
    modes.push_back(RandomOrder(mode, random));
  }
  return IntTuple::Tuple(modes);
}

void AppendOrder(const IntTuple& shape, const IntTuple& order, size_t* part,
                 std::vector<OrderedLeaf>* leaves) {
  if (order.is_integer()) {
    for (const int64_t size : shape.values()) {
      leaves->push_back({size, order.value(), *part});
    }
    ++*part;
    return;
  }
  for (int64_t i = 0; i < order.rank(); ++i) {
    AppendOrder(shape.Mode(i), order.Mode(i), part, leaves);
  }
}

TEST(MakeOrderedLayout, IsCompactAndInOrder) {
  int64_t injective = 0;
  ForEachRandomLayout(SmallLayouts(),
                      [&](const Layout& layout, RandomBits* random) {
                        const IntTuple shape = layout.shape();
                        const IntTuple order = RandomOrder(shape, random);
                        SCOPED_TRACE(order.ToString());
                        const Layout result = *MakeOrderedLayout(shape, order);
                        ASSERT_EQ(result.shape(), shape);
                        size_t part = 0;
                        std::vector<OrderedLeaf> leaves;
                        AppendOrder(shape, order, &part, &leaves);
                        ExpectStrides(result, leaves);
                        const std::set<int64_t> orders(order.values().begin(),
                                                       order.values().end());
                        if (orders.size() < order.values().size()) return;
                        ++injective;
                        ASSERT_EQ(OffsetsOf(result), Range(result.size()));
                      });
  EXPECT_GT(injective, Samples(10000) / 10);
}

TEST(MakeLayoutLike, KeepsTheOrderOfStrides) {
  RandomCuteOptions options = SmallLayouts();
  options.negative_strides = true;
  ForEachRandomLayout(options, [](const Layout& layout, RandomBits*) {
    const Layout result = *MakeLayoutLike(layout);
    ASSERT_EQ(result.shape(), layout.shape());
    int64_t moving = 1;
    std::vector<OrderedLeaf> leaves;
    std::multiset<int64_t> orders;
    for (const Layout::Leaf& leaf : layout.leaves()) {
      const int64_t size = leaf.stride == 0 ? 1 : leaf.size;
      moving *= size;
      leaves.push_back({size, leaf.stride, leaves.size()});
      if (size > 1) orders.insert(leaf.stride);
    }
    ExpectStrides(result, leaves);
    const bool is_injective =
        std::set<int64_t>(orders.begin(), orders.end()).size() == orders.size();
    if (!is_injective) return;
    ASSERT_EQ(OffsetsOf(result), Range(moving));
    ASSERT_EQ(TextOf(MakeLayoutLike(result)), TextOf(result));
  });
}

// Every element of the shape is that of the block at the remainders, moved by
// whole blocks in the order of MakeOrderedLayout.
TEST(TileToShape, RepeatsTheBlock) {
  ForEachRandomLayout(
      SmallLayouts(), [](const Layout& like, RandomBits* random) {
        // A compact block, so that the tiles stand size(block) apart.
        const Layout block =
            *MakeOrderedLayout(like.shape(), RandomOrder(like.shape(), random));
        if (block.rank() > 4 || block.size() > 60) return;
        // Equal orders give equal strides, as in C++.
        if (OffsetsOf(block) != Range(block.size())) return;
        std::vector<IntTuple> shape;
        std::vector<IntTuple> repetitions;
        std::vector<IntTuple> order;
        int64_t size = block.size();
        for (int64_t i = 0; i < block.rank(); ++i) {
          const int64_t count = Uniform(1, 3, random);
          repetitions.push_back(count);
          shape.push_back(count * block.Mode(i).size());
          size *= count;
        }
        // No two alike, so that no two tiles are in one place.
        for (const int64_t i : Range(block.rank())) order.push_back(i);
        for (size_t i = order.size(); i > 1; --i) {
          std::swap(order[i - 1], order[Uniform(0, i - 1, random)]);
        }
        const bool is_integer = like.profile().is_leaf();
        const IntTuple target = is_integer ? shape[0] : IntTuple::Tuple(shape);
        const Layout result = *TileToShape(
            block, target, is_integer ? order[0] : IntTuple::Tuple(order));
        ASSERT_TRUE(Compatible(target, result.shape())) << TextOf(result);
        ASSERT_EQ(OffsetsOf(result), Range(size));
        const Layout tiles = *MakeOrderedLayout(IntTuple::Tuple(repetitions),
                                                IntTuple::Tuple(order));
        std::vector<int64_t> coordinate(shape.size(), 0);
        for (int64_t i = 0; i < size; ++i) {
          std::vector<int64_t> in_block;
          std::vector<int64_t> of_tile;
          int64_t rest = i;
          for (size_t k = 0; k < shape.size(); ++k) {
            coordinate[k] = rest % shape[k].value();
            rest /= shape[k].value();
            const int64_t mode_size = block.Mode(k).size();
            in_block.push_back(coordinate[k] % mode_size);
            of_tile.push_back(coordinate[k] / mode_size);
          }
          ASSERT_EQ(result.At(coordinate),
                    block.At(in_block) + block.size() * tiles.At(of_tile))
              << TextOf(result) << " at " << i;
        }
      });
}

TEST(TileToShape, Table) {
  const struct {
    std::string_view block;
    std::string_view shape;
    std::string_view order;
    std::string expected;
  } kCases[] = {
      {"(2,2):(2,1)", "(4,6)", "(1,0)", "((2,2),(2,3)):((2,12),(1,4))"},
      {"2:1", "8", "0", "((2,4)):((1,2))"},
      {"2:1", "(8)", "(0)", "((2,(4))):((1,(2)))"},
      {"2:1", "(8,3)", "(0,1)", "((2,4),(1,3)):((1,2),(0,8))"},
      {"2:1", "(8,3)", "(1,0)", "((2,4),(1,3)):((1,6),(0,2))"},
      {"(2,2):(1,4)", "(4,4)", "(0,1)", "((2,2),(2,2)):((1,2),(4,8))"},
      // Tiles of one order are in one place.
      {"(2,2):(1,2)", "(4,4)", "(0,0)", "((2,2),(2,2)):((1,4),(2,4))"},
      {"(2,2):(1,2)", "(4,(2,2))", "(0,1)", "((2,2),(2,2)):((1,4),(2,8))"},
      {"(2,3):(1,2)", "(4,4)", "(0,1)",
       "error: mode 1 of the block, 3:2, has size 3, which does not divide 4"},
      {"(2,3):(1,2)", "4", "0",
       "error: (2,3):(1,2) has more modes than the rank 1"},
      {"(2,3):(1,2)", "(0,3)", "(0,1)",
       "error: the size 0 in 0 is less than 1"},
      {"(2,3):(1,2)", "(4,6)", "(0,1,2)",
       "error: the order (0,1,2) is not nested like the shape (2,2)"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(TileToShape(LayoutOf(c.block), TupleOf(c.shape),
                                 TupleOf(c.order))),
              c.expected)
        << c.block << " to " << c.shape << " in order " << c.order;
  }
  EXPECT_EQ(TextOf(TileToShape(LayoutOf("(2,2):(2,1)"), {4, 6})),
            "((2,2),(2,3)):((2,4),(1,8))");
  EXPECT_EQ(TextOf(TileToShape(LayoutOf("(8,64):(64,1)"), {128, 64})),
            "((8,16),(64,1)):((64,512),(1,0))");
}

TEST(MakeOrderedLayout, Table) {
  const struct {
    std::string_view shape;
    std::string_view order;
    std::string expected;
  } kCases[] = {
      {"(3,5)", "(0,1)", "(3,5):(1,3)"},
      {"(3,5)", "7", "(3,5):(1,3)"},
      {"(3,5)", "(7,7)", "(3,5):(1,1)"},
      {"(2,2,2)", "(0,0,1)", "(2,2,2):(1,1,4)"},
      {"(3,(5,2))", "(1,0)", "(3,(5,2)):(10,(1,5))"},
      {"(3,(5,2))", "(1,(2,0))", "(3,(5,2)):(2,(6,1))"},
      {"(3,1,5)", "(2,1,0)", "(3,1,5):(5,0,1)"},
      {"3", "(0)", "error: the order (0) is not nested like the shape 3"},
      {"(3,5)", "(0,1,2)",
       "error: the order (0,1,2) is not nested like the shape (3,5)"},
      {"(3,0)", "(0,1)", "error: the size 0 in (3,0) is less than 1"},
      {"(4294967296,4294967296)", "(0,1)",
       "error: the size of (4294967296,4294967296) exceeds 2^63-1"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(MakeOrderedLayout(TupleOf(c.shape), TupleOf(c.order))),
              c.expected)
        << c.shape << " in order " << c.order;
  }
  EXPECT_EQ(TextOf(MakeLayoutLike(LayoutOf("(2,2,3):(4,-4,1)"))),
            "(2,2,3):(6,1,2)");
  EXPECT_EQ(TextOf(MakeLayoutLike(LayoutOf("4:1@0"))),
            "error: the values of 4:1@0 are coordinates, which have no order");
}

TEST(CompactStrides, Table) {
  const struct {
    std::string_view shape;
    std::string_view first;
    std::string columns;
    std::string rows;
  } kCases[] = {
      {"(2,3,4)", "1", "(1,2,6)", "(12,4,1)"},
      {"(2,3,4)", "5", "(5,10,30)", "(60,20,5)"},
      {"(2,1,4)", "5", "(5,0,10)", "(20,0,5)"},
      {"(2,(3,4))", "(7,(1,2))", "(7,(1,2))", "(7,(1,2))"},
      {"(2,(3,4))", "(7,2)", "(7,(2,6))", "(7,(8,2))"},
      {"6", "3", "3", "3"},
      {"(2,3)", "(1,2,3)",
       "error: the first stride (1,2,3) is not nested like the shape (2,3)",
       "error: the first stride (1,2,3) is not nested like the shape (2,3)"},
      {"(2,0)", "1", "error: the size 0 in (2,0) is less than 1",
       "error: the size 0 in (2,0) is less than 1"},
      {"(2,4)", "4611686018427387904",
       "error: a stride of (2,4) exceeds int64_t",
       "error: a stride of (2,4) exceeds int64_t"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(CompactColumnMajor(TupleOf(c.shape), TupleOf(c.first))),
              c.columns)
        << c.shape << " from " << c.first;
    EXPECT_EQ(TextOf(CompactRowMajor(TupleOf(c.shape), TupleOf(c.first))),
              c.rows)
        << c.shape << " from " << c.first;
  }
}

}  // namespace
}  // namespace tessera::cute
