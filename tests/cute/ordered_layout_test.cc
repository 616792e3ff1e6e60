#include "tessera/cute/algebra/ordered_layout.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/random_cute_layouts.h"

namespace tessera {
namespace cute {
namespace {

// The integers 0 ... n-1.
std::vector<int64_t> Range(int64_t n) {
  std::vector<int64_t> range(n);
  std::iota(range.begin(), range.end(), 0);
  return range;
}

// Whether strides that are not 0 grow as the order does; among equals to the
// right.
void ExpectInOrder(const Layout& layout, absl::Span<const int64_t> order) {
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t k = i + 1; k < order.size(); ++k) {
      const int64_t left = layout.leaves()[i].stride;
      const int64_t right = layout.leaves()[k].stride;
      if (left == 0 || right == 0) continue;
      ASSERT_EQ(left < right, order[i] <= order[k]) << TextOf(layout);
    }
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

// The order of each leaf.
void AppendOrder(const IntTuple& shape, const IntTuple& order,
                 std::vector<int64_t>* of_leaf) {
  if (order.is_integer()) {
    of_leaf->insert(of_leaf->end(), shape.values().size(), order.value());
    return;
  }
  for (int64_t i = 0; i < order.rank(); ++i) {
    AppendOrder(shape.Mode(i), order.Mode(i), of_leaf);
  }
}

TEST(MakeOrderedLayout, IsCompactAndInOrder) {
  ForEachRandomLayout(SmallLayouts(),
                      [](const Layout& layout, RandomBits* random) {
                        const IntTuple shape = layout.shape();
                        const IntTuple order = RandomOrder(shape, random);
                        SCOPED_TRACE(order.ToString());
                        const Layout result = *MakeOrderedLayout(shape, order);
                        ASSERT_EQ(result.shape(), shape);
                        ASSERT_EQ(OffsetsOf(result), Range(result.size()));
                        std::vector<int64_t> of_leaf;
                        AppendOrder(shape, order, &of_leaf);
                        ExpectInOrder(result, of_leaf);
                      });
}

TEST(MakeLayoutLike, KeepsTheOrderOfStrides) {
  RandomCuteOptions options = SmallLayouts();
  options.negative_strides = true;
  ForEachRandomLayout(options, [](const Layout& layout, RandomBits*) {
    const Layout result = *MakeLayoutLike(layout);
    ASSERT_EQ(result.shape(), layout.shape());
    int64_t moving = 1;
    std::vector<int64_t> order;
    for (const Layout::Leaf& leaf : layout.leaves()) {
      if (leaf.stride != 0) moving *= leaf.size;
      order.push_back(std::abs(leaf.stride));
    }
    ASSERT_EQ(OffsetsOf(result), Range(moving));
    for (size_t i = 0; i < order.size(); ++i) {
      ASSERT_TRUE(order[i] != 0 || result.leaves()[i].stride == 0);
    }
    ExpectInOrder(result, order);
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
        std::vector<IntTuple> shape;
        std::vector<IntTuple> repetitions;
        std::vector<IntTuple> order;
        int64_t size = block.size();
        for (int64_t i = 0; i < block.rank(); ++i) {
          const int64_t count = Uniform(1, 3, random);
          repetitions.push_back(count);
          shape.push_back(count * block.Mode(i).size());
          order.push_back(Uniform(0, 3, random));
          size *= count;
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
      {"2:1", "8", "0", "8:1"},
      {"2:1", "(8)", "(0)", "(8):(1)"},
      {"2:1", "(8,3)", "(0,1)", "(8,3):(1,8)"},
      {"2:1", "(8,3)", "(1,0)", "((2,4),3):((1,6),2)"},
      {"(2,2):(1,4)", "(4,4)", "(0,1)", "(4,4):(1,4)"},
      {"(2,2):(1,2)", "(4,(2,2))", "(0,1)", "((2,2),(2,2)):((1,4),(2,8))"},
      {"(2,3):(1,2)", "(4,4)", "(0,1)",
       "error: mode 1 of the block, 3:2, has size 3, which does not divide 4"},
      {"(2,3):(1,2)", "4", "0",
       "error: (2,3):(1,2) has more modes than the rank 1"},
      {"(2,3):(1,2)", "(0,3)", "(0,1)",
       "error: the size 0 in 0 is less than 1"},
      {"(2,3):(1,2)", "(4,6)", "(0,1,2)",
       "error: the order (0,1,2) is not nested as the shape (2,2)"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(TileToShape(LayoutOf(c.block), TupleOf(c.shape),
                                 TupleOf(c.order))),
              c.expected)
        << c.block << " to " << c.shape << " in order " << c.order;
  }
  EXPECT_EQ(TextOf(TileToShape(LayoutOf("(2,2):(2,1)"), {4, 6})),
            "(4,(2,3)):(2,(1,8))");
  EXPECT_EQ(TextOf(TileToShape(LayoutOf("2:1"), {8})), "(8):(1)");
}

TEST(MakeOrderedLayout, Table) {
  const struct {
    std::string_view shape;
    std::string_view order;
    std::string expected;
  } kCases[] = {
      {"(3,5)", "(0,1)", "(3,5):(1,3)"},
      {"(3,5)", "7", "(3,5):(1,3)"},
      {"(3,5)", "(7,7)", "(3,5):(1,3)"},
      {"(3,(5,2))", "(1,0)", "(3,(5,2)):(10,(1,5))"},
      {"(3,(5,2))", "(1,(2,0))", "(3,(5,2)):(2,(6,1))"},
      {"(3,1,5)", "(2,1,0)", "(3,1,5):(5,0,1)"},
      {"3", "(0)", "error: the order (0) is not nested as the shape 3"},
      {"(3,5)", "(0,1,2)",
       "error: the order (0,1,2) is not nested as the shape (3,5)"},
      {"(3,0)", "(0,1)", "error: the size 0 in (3,0) is less than 1"},
      {"(4294967296,4294967296)", "(0,1)",
       "error: the size of (4294967296,4294967296) exceeds 2^63-1"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(MakeOrderedLayout(TupleOf(c.shape), TupleOf(c.order))),
              c.expected)
        << c.shape << " in order " << c.order;
  }
  EXPECT_EQ(TextOf(MakeLayoutLike(LayoutOf("4:1@0"))),
            "error: the values of 4:1@0 are coordinates, which have no order");
}

}  // namespace
}  // namespace cute
}  // namespace tessera
