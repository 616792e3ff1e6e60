#include "tessera/cute/algebra/thread_value.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/tests/cute/cute_values.h"

namespace tessera::cute {
namespace {

std::string TextOfThreadValue(const absl::StatusOr<ThreadValueLayout>& result) {
  if (!result.ok()) return absl::StrCat("error: ", result.status().message());
  return absl::StrCat(result->layout.ToString(), " in ",
                      result->tile.ToString());
}

TEST(ThreadValue, Copies) {
  const struct {
    std::string_view threads;
    std::string_view values;
    std::string expected;
  } kCases[] = {
      {"(4,8):(8,1)", "(2,2):(1,2)", "((8,4),(2,2)):((16,2),(1,8)) in (8,16)"},
      {"(4,8):(8,1)", "(1,8):(0,1)", "((8,4),8):((32,1),4) in (4,64)"},
      {"(32,8):(1,32)", "1:0", "(256,1):(1,0) in (32,8)"},
      {"(2,3):(3,1)", "(2,2):(2,1)", "((3,2),(2,2)):((8,2),(4,1)) in (4,6)"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOfThreadValue(MakeThreadValueLayout(LayoutOf(c.threads),
                                                      LayoutOf(c.values))),
              c.expected)
        << c.threads << " with " << c.values;
  }
}

// Each coordinate of the tile belongs to one value of one thread, which is the
// one that the two layouts number.
TEST(ThreadValue, CopiesNumberAsTheirLayouts) {
  const Layout threads = LayoutOf("(4,8):(8,1)");
  const Layout values = LayoutOf("(2,4):(4,1)");
  const ThreadValueLayout tv = *MakeThreadValueLayout(threads, values);
  ASSERT_EQ(tv.tile.ToString(), "(8,32)");
  for (int64_t row = 0; row < 8; ++row) {
    for (int64_t column = 0; column < 32; ++column) {
      // Values are neighbours, threads are blocks of them.
      const int64_t thread = threads.At({row / 2, column / 4});
      const int64_t value = values.At({row % 2, column % 4});
      EXPECT_EQ(tv.layout.At({thread, value}), row + 8 * column);
    }
  }
}

// The answers of CUTLASS 4.7.0 for SM80_16x8x16_F32F16F16F32_TN.
TEST(ThreadValue, TiledMma) {
  constexpr std::string_view kA = "((4,8),(2,2,2)):((32,1),(16,8,128))";
  constexpr std::string_view kB = "((4,8),(2,2)):((16,1),(8,64))";
  constexpr std::string_view kC = "((4,8),(2,2)):((32,1),(16,8))";
  const IntTuple shape = {16, 8, 16};
  const struct {
    std::string_view atoms;
    std::string_view permutation;
    std::string a;
    std::string b;
    std::string c;
  } kCases[] = {
      {"(2,2,1):(1,2,0)", "<_, _, _>",
       "((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0))) in "
       "(32,16)",
       "((4,8,2,2),((2,2),(1,1))):((32,1,0,8),((16,128),(0,0))) in (16,16)",
       "((4,8,2,2),((2,2),(1,1))):((64,1,16,256),((32,8),(0,0))) in (32,16)"},
      {"(2,2,1):(1,2,0)", "(32,32,16)",
       "((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0))) in "
       "(32,16)",
       "((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0))) in (32,16)",
       "((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512))) in "
       "(32,32)"},
      {"(2,1,2):(2,0,1)", "<32, (2,8):(8,1), _>",
       "(((4,8),2,2),((2,2,2),(1,1))):(((64,1),512,16),((32,8,256),(0,0))) in "
       "(32,32)",
       "(((4,2,4),2,2),((2,2),(2,1))):(((32,8,1),256,0),((16,128),(4,0))) in "
       "(16,32)",
       "(((4,8),2,2),((2,2),(1,2))):(((32,1),0,16),((256,8),(0,128))) in "
       "(32,16)"},
  };
  for (const auto& c : kCases) {
    const auto tiled = [&](std::string_view atom, TiledMmaOperand operand) {
      return TextOfThreadValue(TiledMmaLayout(LayoutOf(atom), operand, shape,
                                              LayoutOf(c.atoms),
                                              TilerOf(c.permutation)));
    };
    EXPECT_EQ(tiled(kA, TiledMmaOperand::kA), c.a) << c.permutation;
    EXPECT_EQ(tiled(kB, TiledMmaOperand::kB), c.b) << c.permutation;
    EXPECT_EQ(tiled(kC, TiledMmaOperand::kC), c.c) << c.permutation;
  }
}

TEST(ThreadValue, TiledMmaRefusals) {
  const auto tiled = [](std::string_view atom, std::string_view shape,
                        std::string_view atoms, std::string_view permutation) {
    return TextOfThreadValue(TiledMmaLayout(LayoutOf(atom), TiledMmaOperand::kC,
                                            TupleOf(shape), LayoutOf(atoms),
                                            TilerOf(permutation)));
  };
  constexpr std::string_view kC = "((4,8),(2,2)):((32,1),(16,8))";
  EXPECT_EQ(tiled(kC, "(16,8)", "(2,2,1):(1,2,0)", "<_, _, _>"),
            "error: the shape of the atom (16,8) does not have the three "
            "modes M, N, K");
  EXPECT_EQ(tiled(kC, "(16,8,16)", "(2,2,1,1):(1,2,0,0)", "<_, _, _>"),
            "error: (2,2,1,1):(1,2,0,0) has more modes than the rank 3");
  EXPECT_EQ(tiled(kC, "(16,8,16)", "(2,2,1):(1,2,0)", "<_, _, _, _>"),
            "error: the permutation (_,_,_,_) does not have a layout, a size "
            "or '_' for each of M, N and K");
  EXPECT_EQ(tiled(kC, "(16,8,16)", "(2,2,1):(1,2,0)", "32:1"),
            "error: the permutation 32:1 does not have a layout, a size or '_' "
            "for each of M, N and K");
  // What lacks modes has them.
  EXPECT_EQ(tiled(kC, "(16,8,16)", "(2,2):(1,2)", "<_>"),
            tiled(kC, "(16,8,16)", "(2,2,1):(1,2,0)", "<_, _, _>"));
  EXPECT_EQ(tiled("32:1", "(16,8,16)", "(2,2,1):(1,2,0)", "<_, _, _>"),
            "error: 32:1 does not have the modes thread and value");
}

}  // namespace
}  // namespace tessera::cute
