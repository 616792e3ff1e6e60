#include "tessera/cute/calculator/calculator.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/calculator/calculator_functions.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

using ::testing::HasSubstr;

std::string TextOf(const absl::StatusOr<CalculatorResult>& result) {
  return result.ok() ? ToString(result->value)
                     : std::string(result.status().message());
}

std::string ValueOf(std::string_view line,
                    const CalculatorOptions& options = {}) {
  return TextOf(Calculator(options).Evaluate(line));
}

struct Case {
  std::string line;
  std::string text;
};

// One or more of each function, which AllFunctionsAreTried counts on.
const std::vector<Case>& Functions() {
  static const auto* const kCases = new std::vector<Case>{
      {"coalesce((2,(1,6)):(1,(6,2)))", "12:1"},
      {"coalesce((2,(1,6)):(1,(6,2)), (1,1))", "(2,6):(1,2)"},
      {"coalesce((2,(1,6)))", "12"},
      {"composition(20:2, (5,4):(4,1))", "(5,4):(8,2)"},
      {"composition((12,(4,8)):(59,(13,1)), <3:4, 8:2>)",
       "(3,(2,4)):(236,(26,1))"},
      {"composition((12,(4,8)):(59,(13,1)), (3,8))", "(3,(4,2)):(59,(13,1))"},
      {"composition((8,8):(8,1), (_, 2))", "(8,2):(8,1)"},
      {"composition(20:2, 5)", "5:2"},
      {"composition(Sw<2,0,3>, (8,8):(8,1))", "Sw<2,0,3> o 0 o (8,8):(8,1)"},
      {"composition(Sw<2,0,3>, 4, (8,8):(8,1))", "Sw<2,0,3> o 4 o (8,8):(8,1)"},
      {"composition(64:1, 3, 4:2)", "64:1 o 3 o 4:2"},
      {"composition(Sw<2,0,3> o 0 o (8,8):(8,1), (2,4))",
       "Sw<2,0,3> o 0 o (2,4):(8,1)"},
      {"complement(4:2, 24)", "(2,3):(1,8)"},
      {"complement(4:2, (2,12))", "(2,3):(1,8)"},
      {"complement((2,2):(4,1))", "2:2"},
      {"logical_divide((4,2,3):(2,1,8), 4:2)", "((2,2),(2,3)):((4,1),(2,8))"},
      {"logical_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)",
       "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"},
      {"zipped_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)",
       "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))"},
      {"tiled_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)",
       "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))"},
      {"flat_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)",
       "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))"},
      {"logical_product((2,2):(4,1), 6:1)", "((2,2),(2,3)):((4,1),(2,8))"},
      {"logical_product((2,5):(5,1), <3:5, 4:6>)",
       "((2,3),(5,4)):((5,10),(1,30))"},
      {"zipped_product((2,5):(5,1), <3:5, 4:6>)",
       "((2,5),(3,4)):((5,1),(10,30))"},
      {"tiled_product((2,5):(5,1), <3:5, 4:6>)", "((2,5),3,4):((5,1),10,30)"},
      {"flat_product((2,5):(5,1), <3:5, 4:6>)", "(2,5,3,4):(5,1,10,30)"},
      {"blocked_product((2,5):(5,1), (3,4):(1,3))",
       "((2,3),(5,4)):((5,10),(1,30))"},
      {"raked_product((2,5):(5,1), (3,4):(1,3))",
       "((3,2),(4,5)):((10,5),(30,1))"},
      {"right_inverse((4,8):(8,1))", "(8,4):(4,1)"},
      // The swizzle does not move an offset below 64.
      {"left_inverse(Sw<3,3,3> o 0 o (8,4):(4,1))", "(4,8):(8,1)"},
      {"right_inverse(Sw<3,3,3> o 0 o (8,4):(4,1))", "(4,8):(8,1)"},
      {"left_inverse(4:2)", "(2,4):(0,1)"},
      {"nullspace((2,4,3):(1,0,2))", "4:2"},
      {"filter((2,4,8):(1,0,2))", "16:1"},
      {"filter((2,4,8):(1,0,2), (1,1))", "(2,1,8):(1,0,2)"},
      {"filter_zeros((2,4,8):(1,0,4))", "(2,1,8):(1,0,4)"},
      {"filter_zeros((2,(4,8)):(1,(2,8)), (1,0))", "(2,(1,1)):(1,(2,8))"},
      {"max_common_layout((4,8):(1,4), (4,8):(1,8))", "4:1"},
      {"max_common_vector((4,8):(1,4), (4,8):(1,8))", "4"},
      {"max_alignment((10,4):(4,1))", "40"},
      {"upcast((4,8):(1,4), 2)", "(2,8):(1,2)"},
      {"upcast<2>((4,8):(1,4))", "(2,8):(1,2)"},
      {"downcast((4,8):(1,4), 2)", "(8,8):(1,8)"},
      {"recast((4,8):(1,4), 16, 32)", "(2,8):(1,2)"},
      {"recast_layout<16, 32>((4,8):(1,4))", "(2,8):(1,2)"},
      {"domain_distribute((6,2), 4)", "(2,2):(1,6)"},
      {"ceil_div((10,7), (4,2))", "(3,4)"},
      {"ceil_div((16,8), 4:2)", "(2,16)"},
      {"round_up((10,7), (4,2))", "(12,8)"},
      {"evenly_divides((12,8), (4,2))", "true"},
      {"evenly_divides((12,8), 5)", "false"},
      {"shape_div((3,6,2,8), 9)", "(1,2,2,8)"},
      {"shape_mod((3,6,2,8), 9)", "(3,3,1,1)"},
      {"shape_div((12,4), (1,4))", "(12,1)"},
      {"shape_mod((12,4), (1,4))", "(1,4)"},
      {"shape_div((12,4):(4,1), (1,4):(0,1))", "(12,1)"},
      {"shape_div(12, (3,2))", "2"},
      {"Int<4>{}", "4"},
      {"Swizzle<2,0,3>{}", "Sw<2,0,3>"},
      {"make_swizzle(2, 0, 3)", "Sw<2,0,3>"},
      {"make_composed_layout(make_swizzle(2,0,3), 4, (8,8):(8,1))",
       "Sw<2,0,3> o 4 o (8,8):(8,1)"},
      {"make_composed_layout(64:1, 3, 4:2)", "64:1 o 3 o 4:2"},
      {"make_layout((2,3))", "(2,3):(1,2)"},
      {"make_layout(make_shape(Int<2>{}, _3{}), make_stride(3, 1))",
       "(2,3):(3,1)"},
      {"make_layout((2,(3,4)), LayoutRight{})", "(2,(3,4)):(12,(4,1))"},
      {"make_layout((2,(3,4)), LayoutLeft)", "(2,(3,4)):(1,(2,6))"},
      {"make_layout(2:1, 3:2)", "(2,3):(1,2)"},
      {"make_layout(2:1)", "(2):(1)"},
      {"make_ordered_layout((3,5), (1,0))", "(3,5):(5,1)"},
      {"make_ordered_layout((3,5), GenRowMajor)", "(3,5):(5,1)"},
      {"make_layout_like((2,4,3):(12,0,1))", "(2,4,3):(3,0,1)"},
      {"make_identity_layout((8,(4,2)))", "(8,(4,2)):(1@0,(1@0@1,1@1@1))"},
      {"compact_col_major((2,3))", "(1,2)"},
      {"compact_row_major((2,3))", "(3,1)"},
      {"compact_order((2,3,4), (2,0,1))", "(12,1,3)"},
      {"compact_col_major((2,3), 5)", "(5,10)"},
      {"compact_row_major((2,(3,1)), (4,7))", "(4,(7,0))"},
      {"tile_to_shape((2,2):(2,1), (4,6), (0,1))",
       "((2,2),(2,3)):((2,4),(1,8))"},
      {"tile_to_shape((2,2):(2,1), (4,6))", "((2,2),(2,3)):((2,4),(1,8))"},
      {"tile_to_shape(Sw<2,0,3> o 0 o (8,8):(8,1), (16,16), LayoutRight)",
       "Sw<2,0,3> o 0 o ((8,2),(8,2)):((8,128),(1,64))"},
      {"make_shape(2, (3,4))", "(2,(3,4))"},
      {"make_stride(2)", "(2)"},
      {"make_coord(2, _)", "(2,_)"},
      {"make_step(_1{}, _0{})", "(1,0)"},
      {"make_tuple()", "()"},
      {"make_tile(4:1, _, 8)", "(4:1,_,8:1)"},
      {"make_tiler(4:1)", "(4:1)"},
      {"size((2,3):(3,1))", "6"},
      {"size<1>((2,3):(3,1))", "3"},
      {"size((2,3))", "6"},
      {"size<0,1>(((2,5),3))", "5"},
      {"cosize((2,3):(3,1))", "6"},
      {"cosize<0>((2,3):(3,1))", "4"},
      {"cosize((2,3):(1@0,1@1))", "6"},
      {"cosize<1>(Sw<2,0,3> o 4 o (8,4):(4,1))", "4"},
      {"coshape((2,(3,4)):(1@1,(2@0,1@1)))", "(5,5)"},
      {"coshape((2,3):(3,1))", "6"},
      {"rank((2,3):(3,1))", "2"},
      {"rank(4)", "1"},
      {"depth(((2,5),3):((1,2),10))", "2"},
      {"shape((2,3):(3,1))", "(2,3)"},
      {"shape((2,(3,4)):(3,(1,6)), 1)", "(3,4)"},
      {"stride((2,(3,4)):(3,(1,6)))", "(3,(1,6))"},
      {"layout((2,(3,4)):(3,(1,6)), 1, 0)", "3:1"},
      {"layout<1>((2,(3,4)):(3,(1,6)))", "(3,4):(1,6)"},
      {"get<1>((2,(3,4)))", "(3,4)"},
      {"get((4:1, _), 0)", "4:1"},
      {"flatten((2,(3,4)):(3,(1,6)))", "(2,3,4):(3,1,6)"},
      {"flatten((2,(3,4)))", "(2,3,4)"},
      {"unflatten((2,3,4):(3,1,6), (1,(1,1)))", "(2,(3,4)):(3,(1,6))"},
      {"unflatten((2,3,4), (_,(_,_)))", "(2,(3,4))"},
      {"group((2,3,4):(1,2,6), 0, 2)", "((2,3),4):((1,2),6)"},
      {"group<0,2>((2,3,4))", "((2,3),4)"},
      {"group_modes<1,3>((2,3,4):(1,2,6))", "(2,(3,4)):(1,(2,6))"},
      {"select((2,3,4):(1,2,6), 2, 0)", "(4,2):(6,1)"},
      {"select<1>((2,3))", "(3)"},
      {"take<0,2>((2,3,4):(1,2,6))", "(2,3):(1,2)"},
      {"append((2,3):(1,2), 4:6)", "(2,3,4):(1,2,6)"},
      {"append((2,3), 4)", "(2,3,4)"},
      {"append<4>((2,3):(1,2))", "(2,3,1,1):(1,2,0,0)"},
      {"append<4>((2,3):(1,2), 5:0)", "(2,3,5,5):(1,2,0,0)"},
      {"append((2,3):(1,2), 5:0, 3)", "(2,3,5):(1,2,0)"},
      {"prepend((2,3):(1,2), 4:6)", "(4,2,3):(6,1,2)"},
      {"prepend<3>((2,3):(1,2))", "(1,2,3):(0,1,2)"},
      {"replace((2,3):(1,2), 1, 7:2)", "(2,7):(1,2)"},
      {"replace<0>((2,3), (1,1))", "((1,1),3)"},
      {"congruent((2,(3,4)), (1,(1,1)):(0,(0,0)))", "true"},
      {"weakly_congruent((2,3), (2,(3,4)))", "true"},
      {"compatible(24, (4,6):(1,4))", "true"},
      {"compatible((4,6), 24)", "false"},
      {"product((2,(3,4)))", "24"},
      {"product_each((2,(3,4)))", "(2,12)"},
      {"product_each(7)", "7"},
      {"crd2idx((3,1), ((2,2),3):((24,2),8))", "34"},
      {"crd2idx((3,1), (4,3))", "7"},
      {"crd2idx((3,1), (4,3), (3,1))", "10"},
      {"crd2idx(9, Sw<2,0,3> o 0 o (8,8):(8,1))", "8"},
      {"idx2crd(7, ((2,2),3))", "((1,1),1)"},
      {"idx2crd(7, ((2,2),3):((24,2),8))", "((1,1),1)"},
      {"idx2crd((3,1), ((2,2),3))", "((1,1),1)"},
      {"idx2crd(34, ((2,2),3), ((24,2),8))", "((1,1),1)"},
      {"elem_less((1,(2,3)), (2,(3,4)))", "true"},
      {"elem_less((1,2), (2,2,9))", "false"},
      {"crd2crd((3,1), (4,3), ((2,2),3))", "((1,1),1)"},
      {"slice(((1,_),_), ((2,2),3):((24,2),8))", "(2,3):(2,8)"},
      {"slice((_,1), Sw<2,0,3> o 0 o (8,8):(8,1))", "Sw<2,0,3> o 1 o (8):(8)"},
      {"slice((1,_), (2,(3,4)))", "((3,4))"},
      {"slice_and_offset((3,_), Sw<3,3,3> o 0 o (8,64):(64,1))",
       "((8,4,2)):((1,-8,32))"},
      {"slice_and_offset((_,_), Sw<3,3,3> o 0 o (8,64):(64,1))",
       "Sw<3,3,3> o 0 o (8,64):(64,1)"},
      {"slice_and_offset((1,_), (2,3):(3,1))", "(3):(1)"},
      {"dice(((1,_),_), ((2,2),3):((24,2),8))", "(2):(24)"},
      {"dice((1,_), (2,(3,4)))", "(2)"},
      // Parts of blocks and threads.
      {"local_tile((8,4):(4,1), (2,4), (1,_))", "(2,4,1):(4,1,0)"},
      {"local_tile(Sw<2,0,3> o 4 o (8,8):(8,1), (2,8), (1,0))",
       "Sw<2,0,3> o 20 o (2,8):(8,1)"},
      {"local_tile((8,4):(1,8), (2,9,4), (1,7,0), (1,_,1))", "(2,4):(1,8)"},
      {"local_partition((8,4):(4,1), (4,2):(2,1), 5)", "(2,2):(16,2)"},
      {"local_partition((8,4):(4,1), (4,9,2):(2,8,1), 5, (1,_,1))",
       "(2,2):(16,2)"},
      {"make_layout_tv((2,3):(3,1), (2,2):(2,1))",
       "((3,2),(2,2)):((8,2),(4,1))"},
      {"make_tiled_copy(32:1)", "(32,1):(1,0)"},
      {"make_tiled_copy(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, "
       "(16,2):(1,16), (1,8):(0,1))",
       "((16,2),8):((1,128),16)"},
      {"make_tiled_copy_tv(UniversalCopy<half_t>{}, 32:1, 4:1)",
       "(32,4):(4,1)"},
      // As in the DSL.
      {"make_tiled_copy(UniversalCopy<half_t>, (32,4):(4,1), (128,))",
       "(32,4):(4,1)"},
      {"make_tiled_mma(((4,8),(2,2)):((32,1),(16,8)), (16,8,16), 2:1)",
       "((4,8,2),((2,2),(1,1))):((64,1,16),((32,8),(0,0)))"},
      {"make_tiled_mma_A(((4,8),(2,2,2)):((32,1),(16,8,128)), (16,8,16), 2:1)",
       "((4,8,2),((2,2,2),(1,1))):((64,1,16),((32,8,256),(0,0)))"},
      {"make_tiled_mma_B(((4,8),(2,2)):((16,1),(8,64)), (16,8,16), 2:1, "
       "(32,8,16))",
       "((4,8,2),((2,2),(1,1))):((16,1,0),((8,64),(0,0)))"},
      // The layouts of get_layoutC_TV() and its like in C++.
      {"make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN)",
       "((4,8),((2,2),(1,1))):((32,1),((16,8),(0,0)))"},
      {"make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, "
       "Layout<Shape<_2,_2>>{}, Tile<_32,_32,_16>{})",
       "((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))"},
      {"make_tiled_mma_A(SM80_16x8x16_F32F16F16F32_TN{}, "
       "Layout<Shape<_2,_2>>{}, Tile<_32,_32,_16>{})",
       "((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))"},
      {"make_tiled_mma_B(SM80_16x8x16_F32F16F16F32_TN{}, "
       "Layout<Shape<_2,_2>>{}, Tile<_32,_32,_16>{})",
       "((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))"},
      // A quad pair of Volta is threads 0 to 3 and 16 to 19.
      {"make_tiled_mma(SM70_8x8x4_F32F16F16F32_TN, (2,2):(4,8))",
       "(((2,2),4,(4,2)),((2,2,2),(1,1))):(((1,32),0,(4,128)),((16,2,64),(0,0)"
       "))"},
      {"make_tiled_mma_A(SM70_8x8x4_F32F16F16F32_TN, (2,2):(4,8))",
       "((4,4,(4,2)),(4,(1,1))):((1,0,(4,0)),(16,(0,0)))"},
      {"make_tiled_mma_B(SM70_8x8x4_F32F16F16F32_TN, (2,2):(4,8))",
       "((4,4,(2,2,2)),(4,(1,1))):((1,0,(4,0,8)),(16,(0,0)))"},
      // Accesses to memory.
      {"bank_conflicts(Sw<3,3,3> o 0 o (8,64):(64,1), (8,8):(1,8), 2)",
       "no conflict: 1 wavefront (16 bytes per thread, 8 threads per phase)"},
      {"bank_conflicts((32,32):(32,1), 2, 4)",
       "2-way conflict: 2 wavefronts instead of 1 (4 bytes per thread, 32 "
       "threads per phase); in phase 0 bank 0 has word 0 of T0, word 32 of "
       "T1"},
      {"bank_conflicts(GMMA::Layout_K_SW128_Atom<half_t>{}, (8,8):(1,8))",
       "no conflict: 1 wavefront (16 bytes per thread, 8 threads per phase)"},
      // A fragment of 8 values has many swizzles.
      {"find_swizzle((16,8):(8,1), SM80_16x8x16_F32F16F16F32_TN.C, 4)",
       "Sw<0,0,0>, Sw<1,0,7>, Sw<1,0,8>, Sw<1,0,9>, Sw<1,0,10>, Sw<1,0,11>, "
       "Sw<1,1,1>, Sw<1,1,2>, Sw<1,1,3>, Sw<1,1,4>, Sw<1,1,5>, Sw<1,1,6>, "
       "Sw<1,1,7>, Sw<1,1,8>, Sw<1,1,9>, Sw<1,1,10>, and 125 more"},
      {"coalescing(64:2, 32:1, 4)",
       "8 sectors of 32 bytes in 2 lines of 128 bytes, at best 4 sectors for "
       "128 bytes (4 per thread, 1 request of 8 sectors)"},
      {"find_swizzle((8,64):(64,1), (8,8):(1,8), 2)", "Sw<3,3,3>"},
      {"find_swizzle((2,4096):(4096,1), 2, 4)",
       "none: each Sw<B,M,S> with B <= S and B + M + S <= 12 leaves a "
       "conflict"},
      // Of swizzles and swizzled layouts.
      {"upcast<2>(Sw<3,4,3>)", "Sw<3,3,3>"},
      {"downcast(Sw<3,3,3> o 4 o (8,64):(64,1), 2)",
       "Sw<3,4,3> o 8 o (8,128):(128,1)"},
      {"recast(Sw<3,4,3>, 8, 32)", "Sw<3,2,3>"},
      {"recast_layout(16, 8, Sw<3,4,3> o 0 o (8,128):(128,1))",
       "Sw<3,3,3> o 0 o (8,64):(64,1)"},
      {"recast_layout(32, 16, (4,8):(1,4))", "(2,8):(1,2)"},
      {"right_inverse(Sw<2,0,3>)", "Sw<2,0,3>"},
      {"left_inverse(Sw<2,0,3> o 0 o (8,8):(1,8))", "Sw<2,0,3> o 0 o 64:1"},
      {"max_alignment(Sw<3,4,3>)", "16"},
      {"max_common_vector(Sw<3,3,3> o 0 o (8,64):(64,1), (8,64):(64,1))", "8"},
      {"composition(Sw<2,0,3>, Sw<1,2,3> o 4 o (8,8):(8,1))",
       "Sw<3,0,3> o 4 o (8,8):(8,1)"},
      {"composition(64:1, Sw<0,0,0>)", "64:1"},
      // Of the inner layout.
      {"size(Sw<2,0,3> o 0 o (8,4):(8,1))", "32"},
      {"rank(Sw<2,0,3> o 0 o (8,4):(8,1))", "2"},
      {"logical_divide(Sw<2,0,3> o 7 o (8,4):(8,1), (2,2))",
       "Sw<2,0,3> o 7 o ((2,4),(2,2)):((8,16),(1,2))"},
  };
  return *kCases;
}

TEST(Calculator, EveryFunction) {
  for (const Case& test : Functions()) {
    EXPECT_EQ(ValueOf(test.line), test.text) << test.line;
  }
}

TEST(Calculator, AllFunctionsAreTried) {
  for (const std::string_view name : FunctionNames()) {
    bool is_tried = false;
    for (const Case& test : Functions()) {
      is_tried |=
          tessera::StartsWith(test.line, absl::StrCat(AbslView(name), "(")) ||
          tessera::StartsWith(test.line, absl::StrCat(AbslView(name), "<"));
    }
    EXPECT_TRUE(is_tried) << name;
  }
}

TEST(Calculator, Grammar) {
  const Case kCases[] = {
      {"((2,2),3):((24,2),8)", "((2,2),3):((24,2),8)"},
      {" ( _3 , (2,4,) ) : (236,(26,1)) // as in C++",
       "(3,(2,4)):(236,(26,1))"},
      {"[3:4;8:2]", "(3:4,8:2)"},
      {"<3:4, _>", "(3:4,_)"},
      {"S<2,0,3>", "Sw<2,0,3>"},
      {"SW_2_0_3", "Sw<2,0,3>"},
      {"(8,4):(1@0,1@1)", "(8,4):(1@0,1@1)"},
      {"_", "_"},
      {"()", "()"},
      {"-4", "-4"},
      {"LayoutRight", "LayoutRight"},
      // Names, and statements.
      {"A = 4:2", "4:2"},
      {"A = 4:2; B = A; A = 8:1; B", "4:2"},
      {"A = 4:2;", "4:2"},
      {"M = 8; N = 4; (M,N):(N,1)", "(8,4):(4,1)"},
      {"N = 4; (8,4):(N,1)", "(8,4):(4,1)"},
      {"N = 4; 8:N", "8:4"},
      {"A = (6,2):(8,2); shape(A):stride(A)", "(6,2):(8,2)"},
      {"S = (2,3); D = (3,1); S:D", "(2,3):(3,1)"},
      {"A = (6,2):(8,2); (2, size(A))", "(2,12)"},
      {"A = (6,2):(8,2); (A, 2)", "((6,2):(8,2),2:1)"},
      {"A = (6,2):(8,2); <A, _>", "((6,2):(8,2),_)"},
      {"A = (6,2):(8,2); [A; _]", "((6,2):(8,2),_)"},
      {"N = 4; <N>", "(4:1)"},
      {"N = 4; (N,)", "(4)"},
      {"N = 4; (N)", "4"},
      // Arithmetic, also without spaces.
      {"8-4", "4"},
      {"8 - 4", "4"},
      {"8*2-1", "15"},
      {"_8-_4", "4"},
      {"_8{}-_4{}", "4"},
      {"(8-4,2):(1,8)", "(4,2):(1,8)"},
      {"(4,2):(1,8-4)", "(4,2):(1,4)"},
      {"Layout<Shape<Int<128-64>,_8>>", "(64,8):(1,64)"},
      {"make_layout(make_shape(8-4, 2))", "(4,2):(1,4)"},
      // Multiples of basis elements.
      {"2@0", "2@0"},
      {"_1@1@0", "1@1@0"},
      {"(2@0,(3@1,1@2))", "(2@0,(3@1,1@2))"},
      {"(E<0>{},E<1>{})", "(1@0,1@1)"},
      {"((1@0,1@1),E<2>{})", "((1@0,1@1),1@2)"},
      {"E<0,1>{}", "1@1@0"},
      {"ScaledBasis<_2,0>{}", "2@0"},
      {"E<0>{}*_2{}*_3{}", "6@0"},
      {"1*cute.E(0)", "1@0"},
      {"make_stride(E<0>{}*_2{}, E<1>{}*3)", "(2@0,3@1)"},
      {"make_stride(E<0>{}, 0)", "(1@0,0)"},
      {"make_layout(make_shape(_4{},_8{}), make_stride(E<0>{}*_2{}, "
       "_3{}*E<1>{}))",
       "(4,8):(2@0,3@1)"},
      {"(4,8):(2*E<0>{},E<1>{}*3)", "(4,8):(2@0,3@1)"},
      {"4:E<0>{}", "4:1@0"},
      {"S = (2@0,3@1); (4,8):S", "(4,8):(2@0,3@1)"},
      {"cute.make_layout((4,8), stride=(1*cute.E(0), 2*cute.E([1,0])))",
       "(4,8):(1@0,2@0@1)"},
      // Types of elements.
      {"half_t", "half_t"},
      {"recast_layout<half_t,float>(Layout<Shape<_8,_8>,Stride<_8,_1>>{})",
       "(8,4):(4,1)"},
      {"recast_layout<float,half_t>(Layout<Shape<_8,_8>,Stride<_8,_1>>{})",
       "(8,16):(16,1)"},
      {"recast(8:1, uint8_t, float)", "2:1"},
      // Composition.
      {"20:2 o (5,4):(4,1)", "(5,4):(8,2)"},
      {"64:1 o 16:2 o 4:2", "4:4"},
      {"64:1 o (16:2 o 4:2)", "4:4"},
      {"(64:1 o 16:2) o 4:2", "4:4"},
      {"(64:1) o 4:2", "4:2"},
      {"Sw<2,0,3> o (8,8):(8,1)", "Sw<2,0,3> o 0 o (8,8):(8,1)"},
      {"Sw<2,0,3> o 16 o (8,8):(8,1)", "Sw<2,0,3> o 16 o (8,8):(8,1)"},
      {"64:1 o 3 o 4:2", "64:1 o 3 o 4:2"},
      {"64:1 o 4", "4:1"},
      {"Sw<2,0,3> o 0 o (8,8):(8,1) o (2,4)", "Sw<2,0,3> o 0 o (2,4):(8,1)"},
      // At coordinates.
      {"((2,2),3):((24,2),8)(7)", "34"},
      {"((2,2),3):((24,2),8)(3,1)", "34"},
      {"((2,2),3):((24,2),8)((1,1),1)", "34"},
      {"((2,2),3):((24,2),8)((3,1))", "34"},
      {"A = ((2,2),3):((24,2),8); i = 7; A(i)", "34"},
      {"A = ((2,2),3):((24,2),8); A(idx2crd(7, shape(A)))", "34"},
      {"((2,2),3):((24,2),8)((1,_),_)", "(2,3):(2,8)"},
      {"((2,2),3):((24,2),8)(_)", "((2,2),3):((24,2),8)"},
      {"((2,2),3):((24,2),8)(_,1)(1)", "24"},
      {"(4:2 o 2:2)(1)", "4"},
      {"(4:2)(1)", "2"},
      {"(4,8):(1@1,1@0)(3,5)", "(5,3)"},
      {"Sw<2,0,3>(13)", "12"},
      {"(Sw<2,0,3> o 0 o (8,8):(8,1))(9)", "8"},
      {"(Sw<2,0,3> o 0 o (8,8):(8,1))(_,1)", "Sw<2,0,3> o 1 o (8):(8)"},
      {"(64:1 o 3 o 4:2)(3)", "9"},
      // Nesting.
      {"size(coalesce(composition((6,2):(8,2), (4,3):(3,1))))", "12"},
      {"logical_divide((4,2,3):(2,1,8), complement(4:2, 8))(1)", "2"},
  };
  for (const Case& test : kCases) {
    EXPECT_EQ(ValueOf(test.line), test.text) << test.line;
  }
}

TEST(Calculator, NamesStayBoundFromLineToLine) {
  Calculator calculator;
  EXPECT_THAT(calculator.Evaluate("A = 4:2; B = 8:1"), IsOk());
  // What came before the refusal is done.
  EXPECT_FALSE(calculator.Evaluate("C = A o B(; D = A").ok());
  EXPECT_FALSE(calculator.Evaluate("A = 2:7; foo").ok());
  EXPECT_EQ(TextOf(calculator.Evaluate("A")), "2:7");
  EXPECT_EQ(TextOf(calculator.Evaluate("B")), "8:1");
  EXPECT_FALSE(calculator.Evaluate("C").ok());
}

TEST(Calculator, BareShapes) {
  CalculatorOptions options;
  options.bare_shape_is_column_major = true;
  EXPECT_EQ(ValueOf("coalesce((2,3))", options), "6:1");
  EXPECT_EQ(ValueOf("complement((2,3), 24)", options), "4:6");
  EXPECT_EQ(ValueOf("(2,3)(1,2)", options), "5");
  EXPECT_THAT(ValueOf("complement((2,3), 24)"),
              HasSubstr("1:12: expected a layout, found the int tuple (2,3); "
                        "write make_layout(...) for the column-major layout"));
}

struct Refusal {
  std::string line;
  int64_t column;
  absl::StatusCode code;
  std::string message;
};

TEST(Calculator, Refusals) {
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  constexpr auto kOutOfRange = absl::StatusCode::kOutOfRange;
  const Refusal kRefusals[] = {
      // Reading.
      {"", 1, kInvalid, "expected an expression, found end of text"},
      {"  // nothing", 13, kInvalid, "expected an expression, found end of"},
      {"A = ", 5, kInvalid, "expected an expression, found end of text"},
      {"4:2 o", 6, kInvalid, "expected an expression, found end of text"},
      {"4:2;;4:1", 5, kInvalid, "expected an expression, found ';'"},
      {"4:2 4:1", 5, kInvalid, "expected the end of the expression, found '4'"},
      {"4:2)", 4, kInvalid, "expected the end of the expression, found ')'"},
      {std::string("4:2\0 4:1", 8), 4, kInvalid,
       "expected the end of the expression, found byte 0x00"},
      {"size(4:2", 9, kInvalid, "expected ',' or ')', found end of text"},
      {"size(4:2]", 9, kInvalid, "expected ',' or ')', found ']'"},
      {"size<0, 1(4:2)", 11, kInvalid, "expected an int tuple, found the"},
      {"size<0>", 8, kInvalid, "expected '(', found end of text"},
      {"[size(4:2); 3", 14, kInvalid, "expected ',' or ']', found end of text"},
      {"Int<4>{", 8, kInvalid, "expected '}', found end of text"},
      {"/* no end", 1, kInvalid,
       "expected an expression, found a comment without an end"},
      {"4:2()", 4, kInvalid, "expected a coordinate in ()"},
      {"4:2:1", 4, kInvalid, "the part before ':' already has a stride"},
      {"8:4-2", 1, kInvalid, "expected an integer, found the layout 8:4"},
      {"1e-3", 1, kInvalid, "expected an integer, '_' or '(', found '1e'"},
      // Multiples of basis elements, and types.
      {"E<0>{}*E<1>{}", 8, kInvalid,
       "expected an integer, found the stride 1@1"},
      {"E<0>{}*(1,2)", 8, kInvalid, "expected an integer, found the int tuple"},
      {"(1@0,1@1)*2", 1, kInvalid,
       "expected a multiple of one basis element, found the stride (1@0,1@1)"},
      {"E<0>{}+1", 1, kInvalid, "expected an integer, found the stride 1@0"},
      {"4611686018427387904*E<0>{}*2", 27, kOutOfRange,
       "the result exceeds int64_t"},
      {"(4,8):(E<0>{}*2,(1,2))", 6, kInvalid,
       "the stride (2@0,(1,2)) is not nested like the shape (4,8)"},
      {"(4,8):(E<0>{}*2,1)", 6, kInvalid, "cannot be added"},
      {"E<255>{}", 1, kInvalid, "a basis element names modes 0 to 254"},
      {"1@", 3, kInvalid, "expected a mode after '@', found end of text"},
      {"f32[3]", 1, kInvalid, "unknown name 'f32'"},
      {"s8:1", 1, kInvalid, "unknown name 's8'"},
      {"coalesce(2@0)", 10, kInvalid,
       "expected a layout, found the stride 2@0"},
      {"size(half_t)", 6, kInvalid, "found the type half_t"},
      // Tiled copies and MMAs.
      {"make_tiled_mma(4:1)", 16, kInvalid,
       "expected make_tiled_mma(atom[, atoms[, permutation]]), with an atom "
       "such as SM80_16x8x16_F32F16F16F32_TN, or its layout, its shape and the "
       "layout of the atoms"},
      {"make_tiled_mma()", 1, kInvalid, "expected 1 to 4 arguments"},
      {"make_tiled_mma(UniversalCopy<half_t>, 2:1)", 16, kInvalid,
       "expected an MMA atom, found the atom UniversalCopy<half_t>"},
      {"make_tiled_copy(SM80_16x8x16_F32F16F16F32_TN, 32:1)", 17, kInvalid,
       "expected a copy atom, found the atom SM80_16x8x16_F32F16F16F32_TN"},
      {"make_tiled_copy(32:1, 4:1, 2:1)", 17, kInvalid,
       "expected a copy atom, found the layout 32:1"},
      {"make_tiled_copy(UniversalCopy<half_t>)", 1, kInvalid,
       "expected the layouts of threads and values after the atom"},
      {"make_tiled_copy(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, 32:1, 4:1)", 17,
       kInvalid, "needs a multiple of 8 values per thread; the copy has 4"},
      {"make_tiled_copy(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, 16:1, 8:1)", 17,
       kInvalid, "needs a multiple of 32 threads; the copy has 16"},
      // Accesses to memory.
      {"bank_conflicts((8,8):(8,1), 8:1)", 1, kInvalid,
       "the layout does not have the size of an element; give its bytes as "
       "argument 3"},
      {"bank_conflicts(smem_ptr[4b](unset) o 8:1, 8:1)", 1, kInvalid,
       "an element of 4 bits is not a number of bytes"},
      {"bank_conflicts((8,8):(8,1), (8,8), 4)", 29, kInvalid,
       "expected a layout, found the int tuple (8,8)"},
      {"bank_conflicts((8,8):(8,1), 0, 4)", 29, kInvalid,
       "the size 0 in 0 is less than 1"},
      {"find_swizzle(4, 8:1, 4)", 14, kInvalid,
       "expected a layout, found the integer 4"},
      {"coalescing(8:1, 9:1, 4)", 1, kOutOfRange,
       "coordinate 8 of 9:1 is outside [0, 8), the coordinates of 8:1"},
      {"coalesce(coalescing(8:1, 8:1, 4))", 10, kInvalid,
       "expected a layout, found the report 1 sector of 32 bytes"},
      // Literals.
      {"(4,2):(2", 9, kInvalid, "expected ',' as in the shape"},
      {"size((4,2):(2,1,3))", 17, kInvalid, "expected ')' as in the shape"},
      {"(4,0):(2,1)", 4, kInvalid, "the size 0 is less than 1"},
      {"size((4,,2))", 9, kInvalid, "expected an integer, '_' or '('"},
      {"A = 1; (4,,2):(1,A)", 11, kInvalid, "expected an integer, '_' or '('"},
      {"A = 1; (4,2):(1,A,3)", 13, kInvalid, "is not nested like the shape"},
      {"Sw<9,0,3>", 1, kInvalid, "the fields overlap"},
      {"Sw<2,0", 7, kInvalid, "expected ','"},
      {"12x", 1, kInvalid, "found '12x'"},
      // Names.
      {"size(B)", 6, kInvalid, "unknown name 'B'"},
      {"coalese(4:2)", 1, kInvalid, "; did you mean coalesce"},
      {"size", 1, kInvalid,
       "'size' is a function and takes at least 1 argument, size(A[, mode"},
      {"size = 4", 1, kInvalid, "'size' means something else"},
      {"o = 4", 1, kInvalid, "'o' means something else"},
      {"LayoutLeft = 4", 1, kInvalid, "means something else"},
      // Arguments.
      {"coalesce()", 1, kInvalid,
       "expected 1 or 2 arguments, coalesce(A[, profile]), found 0"},
      {"1; upcast(4:1)", 4, kInvalid,
       "expected 2 arguments, upcast(A, n), found 1"},
      {"nullspace<1>(4:1)", 1, kInvalid,
       "expected 1 argument, nullspace(A), found 2"},
      {"make_layout()", 1, kInvalid, "expected at least 1 argument"},
      {"complement(Sw<2,0,3>, 4)", 12, kInvalid,
       "expected a layout, found the swizzle Sw<2,0,3>"},
      {"nullspace((4,2))", 11, kInvalid,
       "expected a layout, found the int tuple (4,2); write make_layout(...)"},
      {"nullspace((4,0))", 11, kInvalid,
       "expected a layout, found the int tuple (4,0)"},
      {"upcast(4:1, 2:1)", 13, kInvalid,
       "expected an integer, found the layout 2:1"},
      {"upcast(4:1, _)", 13, kInvalid, "expected an integer, found _"},
      {"composition(4:1, congruent(1,2))", 18, kInvalid,
       "expected a layout, a tiler or a shape, found the truth true"},
      {"composition(4:1, (2,-1))", 18, kInvalid, "the size -1 in the tiler"},
      {"composition(congruent(1,2), 1)", 13, kInvalid,
       "expected a layout, found the truth true"},
      {"coalesce(4:1, 4:1)", 15, kInvalid,
       "expected an int tuple, found the layout 4:1"},
      {"compatible(4, Sw<2,0,3>)", 15, kInvalid,
       "expected a shape or a layout, found the swizzle"},
      {"compatible(4, _)", 15, kInvalid,
       "expected a shape or a layout, found _"},
      {"idx2crd(3, (2,0))", 1, kInvalid, "is less than 1"},
      {"complement(4:1, (2,0))", 17, kInvalid, "the size 0 in (2,0)"},
      {"make_layout(4:1, 3)", 18, kInvalid,
       "expected a layout, found the integer 3"},
      {"make_layout(4, 3:1)", 16, kInvalid, "expected a stride or LayoutRight"},
      {"make_layout(4, 3, 2)", 19, kInvalid, "takes a shape and a stride"},
      {"make_shape(4, 3:1)", 15, kInvalid, "expected an int tuple"},
      {"(4:1, congruent(1,2))", 7, kInvalid, "found the truth true"},
      {"flatten(LayoutLeft)", 9, kInvalid,
       "expected a layout or an int tuple, found the order LayoutLeft"},
      {"get(Sw<2,0,3>, 0)", 5, kInvalid, "expected a layout or an int tuple"},
      {"stride((2,3))", 8, kInvalid, "expected a layout"},
      {"stride((2,3):(1@0,1@1))", 8, kInvalid, "multiples of basis elements"},
      {"A = 4:2; A(1)(2)", 10, kInvalid,
       "expected a layout or a swizzle before '(', found the integer 2"},
      {"make_identity_layout((((((((((2,3),1),1),1),1),1),1),1),1))", 1,
       kInvalid, "nested at most 8 deep"},
      // Modes and coordinates.
      {"get((6,2):(8,2), 2)", 18, kOutOfRange,
       "mode 2 is outside [0, 2), the rank of the layout (6,2):(8,2)"},
      {"size<0,1>((6,2):(8,2))", 8, kOutOfRange,
       "mode 1 is outside [0, 1), the rank of the layout 6:8"},
      {"layout((6,2):(8,2), -1)", 21, kOutOfRange, "mode -1 is outside [0, 2)"},
      {"take((6,2):(8,2), 1, 3)", 1, kOutOfRange, "modes [1, 3)"},
      {"A = 4:2; A(1,2)", 12, kInvalid, "the coordinate (1,2) is not nested"},
      {"A = 4:2; A(-1)", 12, kOutOfRange, "the coordinate -1 is negative"},
      {"A = 4:2; A(4:2)", 12, kInvalid, "expected an int tuple, found the"},
      {"A = 4:2; A(1, 4:2)", 15, kInvalid, "expected an int tuple, found the"},
      {"Sw<2,0,3>(-1)", 11, kOutOfRange, "the offset -1 is negative"},
      {"(Sw<2,0,3> o -2 o 4:1)(0)", 24, kOutOfRange, "is negative"},
      {"crd2idx((1,2,3), (2,3):(1,2))", 9, kInvalid,
       "is not nested like (2,3)"},
      // What C++'s rule gives is wrong.
      {"left_inverse(Sw<3,3,3> o 0 o (8,8,4):(4,32,1))", 1, kInvalid,
       "C++'s rule gives Sw<3,1,3> o 0 o (4,64):(64,1), which is not a left "
       "inverse of Sw<3,3,3> o 0 o (8,8,4):(4,32,1): the offset 1 of "
       "coordinate 64 leads to coordinate 72, whose offset is 33"},
      // Operations.
      {"(3,5):(7,100) o 4:2", 15, kInvalid, "no layout equals A o B"},
      {"Sw<2,0,3> o 0 o 4:1 o 1 o 2:1", 1, kInvalid,
       "expected a swizzle or a layout, found the composed layout"},
      {"size(complement((2,2):(2,3), 19))", 6, kInvalid, "lies within"},
  };
  for (const Refusal& test : kRefusals) {
    Calculator calculator;
    const absl::StatusOr<CalculatorResult> result =
        calculator.Evaluate(test.line);
    ASSERT_FALSE(result.ok()) << test.line << ToString(result->value);
    const std::optional<Diagnostic> diagnostic = DiagnosticOf(result.status());
    ASSERT_TRUE(diagnostic.has_value()) << test.line;
    EXPECT_EQ(diagnostic->column, test.column)
        << test.line << ": " << diagnostic->message;
    EXPECT_THAT(result, StatusIs(test.code)) << test.line;
    EXPECT_THAT(diagnostic->message, HasSubstr(test.message)) << test.line;
  }
}

std::vector<std::string> NotesOn(std::string_view line) {
  std::vector<std::string> notes;
  const absl::StatusOr<CalculatorResult> result = Calculator().Evaluate(line);
  if (!result.ok()) return {std::string(result.status().message())};
  for (const Diagnostic& note : result->notes) {
    notes.push_back(absl::StrCat(note.column, ": ", note.message));
  }
  return notes;
}

TEST(Calculator, SaysHowElseATilerMayBeRead) {
  // CUTLASS issue 2545: 11 tiles in place of 12.
  EXPECT_THAT(
      NotesOn("logical_divide((12,28):(1,12), (4,8):(1,4))"),
      ::testing::ElementsAre(
          "32: (4,8):(1,4) is taken as a layout, over all of (12,28):(1,12) as "
          "one dimension, and gives ((4,8),11):((1,4),32); by mode, <4:1, "
          "8:1>, gives ((4,3),(8,4)):((1,4),(12,96))",
          "32: tiles reach past the end; there are elements only where "
          "((4,8),11):((1,4),32) at (in tile, tile) < 336"));
}

TEST(Calculator, NotesOnTilers) {
  EXPECT_THAT(
      NotesOn("zipped_divide((8,16):(1,8), (4,8):(8,1))"),
      ::testing::ElementsAre(
          "29: (4,8):(8,1) is taken as a layout, over all of (8,16):(1,8) as "
          "one dimension, and gives ((4,8),4):((8,1),32); by mode, <4:1, 8:1>, "
          "gives ((4,8),(2,2)):((1,8),(4,64))"));
  EXPECT_THAT(
      NotesOn("composition((4,6):(1,4), (6,4))"),
      ::testing::ElementsAre(
          "26: (6,4) is taken by mode, and gives (6,4):(1,4); as a layout over "
          "all of (4,6):(1,4) as one dimension, (6,4):(1,6), gives "
          "(6,4):(1,6)",
          "26: 6:1 reaches coordinate 5, past the size 4 of 4:1, whose last "
          "mode goes on"));
  // A refusal says what the other reading gives.
  EXPECT_THAT(NotesOn("composition(20:2, (5,4))")[0],
              HasSubstr("2 modes are asked of a layout with 1; as a layout "
                        "over all of 20:2 as one dimension, (5,4):(1,5), gives "
                        "(5,4):(2,10)"));
  EXPECT_THAT(NotesOn("logical_product((2,5):(5,1), (3,4):(1,3))"),
              ::testing::ElementsAre(HasSubstr("by mode, <3:1, 4:1>, gives")));
  // Where nothing else can have been meant, or it gives the same.
  for (const char* line : {
           "composition((6,2):(8,2), (4,3):(3,1))",
           "composition((4,8):(1,4), (4,8):(1,4))",
           "logical_divide((4,2,3):(2,1,8), 4:2)",
           "zipped_divide((8,16):(1,8), <4, 8>)",
           "zipped_divide((8,16):(1,8), (4,8))",
           "logical_divide((8,16):(1,8), (4,8):(2,16))",
           "logical_divide(128:1, (4,8):(1,4))",
       }) {
    EXPECT_THAT(NotesOn(line), ::testing::IsEmpty()) << line;
  }
}

TEST(Calculator, NotesOnWhatReachesPastTheEnd) {
  EXPECT_THAT(NotesOn("logical_divide(48:1, 32:1)"),
              ::testing::ElementsAre(
                  "22: tiles reach past the end; there are elements only where "
                  "(32,2):(1,32) at (in tile, tile) < 48"));
  EXPECT_THAT(NotesOn("tiled_divide((10,6):(1,10), (4,3))"),
              ::testing::ElementsAre(
                  "29: tiles reach past the end; there are elements only where "
                  "mode 0: (4,3):(1,4) at (in tile, tile) < 10"));
  EXPECT_THAT(NotesOn("(4,3):(3,1) o 24:1"),
              ::testing::ElementsAre(
                  "15: 24:1 reaches coordinate 23, past the size 12 of "
                  "(4,3):(3,1), whose last mode goes on"));
  // Tiles and threads outside, and tiles that are partly outside.
  const std::pair<const char*, std::vector<std::string>> kParts[] = {
      {"local_tile((60,64):(64,1), (16,16), (40,0))",
       {"37: the coordinate (40,0) is outside the tiles (4,4), past which the "
        "last mode of each part goes on",
        "12: the part begins at offset 40960"}},
      {"local_tile((60,64):(64,1), (16,16), (3,0))",
       {"28: tiles reach past the end; there are elements only where mode 0: "
        "(16,4):(1,16) at (in tile, tile) < 60",
        "12: the part begins at offset 3072"}},
      {"local_tile((60,64):(64,1), (16,16), (_,0))",
       {"28: tiles reach past the end; there are elements only where mode 0: "
        "(16,4):(1,16) at (in tile, tile) < 60"}},
      {"local_tile((60,64):(64,1), (16,16), (0,0))", {}},
      {"local_tile((60,64):(64,1), (16,16), (0,9))",
       {"37: the coordinate (0,9) is outside the tiles (4,4), past which the "
        "last mode of each part goes on",
        "12: the part begins at offset 144"}},
      {"local_tile(10:1, 4:1, 1)", {"12: the part begins at offset 4"}},
      {"local_tile(10:1, 4:1, 2)",
       {"18: tiles reach past the end; there are elements only where "
        "(4,3):(1,4) at (in tile, tile) < 10",
        "12: the part begins at offset 8"}},
      {"local_partition((8,8):(8,1), (4,4):(4,1), 99)",
       {"43: 99 is not a value of (4,4):(4,1); the part is that of thread 3",
        "17: the part begins at offset 3"}},
      {"local_partition((8,8):(8,1), (4,4):(4,1), 0)", {}},
      {"slice((9,_), (8,8):(8,1))",
       {"7: the coordinate (9,_) is outside the shape (8,8), past which the "
        "last mode of each part goes on",
        "7: the slice begins at offset 72"}},
      {"slice((9,_), Sw<3,3,3> o 0 o (8,64):(64,1))",
       {"7: the coordinate (9,_) is outside the shape (8,64), past which the "
        "last mode of each part goes on",
        "7: as a plain layout the slice is ((8,2,4)):((1,-8,16)) at offset "
        "584"}},
      {"slice((7,_), (8,8):(8,1))", {"7: the slice begins at offset 56"}},
  };
  for (const auto& [line, notes] : kParts) {
    EXPECT_EQ(NotesOn(line), notes) << line;
  }
  EXPECT_THAT(
      NotesOn("find_swizzle(Sw<3,3,3> o 0 o (8,64):(64,1), (8,8):(1,8), 2)"),
      ::testing::ElementsAre(
          "14: each swizzle replaces Sw<3,3,3>, the swizzle of the layout"));
  EXPECT_THAT(NotesOn("find_swizzle((8,64):(64,1), (8,8):(1,8), 2)"),
              ::testing::IsEmpty());
  EXPECT_THAT(NotesOn("(6,2):(8,2)(3,_)"),
              ::testing::ElementsAre("13: the slice begins at offset 24"));
}

TEST(Calculator, MemoryIsBounded) {
  Calculator calculator;
  ASSERT_THAT(calculator.Evaluate("A = 1:0; T = ()"), IsOk());
  const auto grow = [&](std::string_view line) {
    absl::Status status;
    for (int i = 0; i < 100 && status.ok(); ++i) {
      status = calculator.Evaluate(line).status();
    }
    return status;
  };
  EXPECT_THAT(grow("A = make_layout(A, A)"),
              StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(grow("T = (T, T)"),
              StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(calculator.Evaluate("append<1000000>(4:1)"),
              StatusIs(absl::StatusCode::kResourceExhausted));
  // Names.
  absl::Status status;
  for (int i = 0; i < 1000 && status.ok(); ++i) {
    status = calculator.Evaluate(absl::StrCat("B", i, " = A")).status();
  }
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(Calculator, DeepNestingIsRefusedOrRead) {
  const auto nested = [](int depth, std::string_view core) {
    return absl::StrCat(std::string(depth, '('), AbslView(core),
                        std::string(depth, ')'));
  };
  EXPECT_THAT(ValueOf(nested(Calculator::kMaxDepth, "size(4:1)")),
              HasSubstr("1:261: brackets are nested more than 256 deep"));
  EXPECT_EQ(ValueOf(nested(Calculator::kMaxDepth - 1, "size(4:1)")), "4");
  EXPECT_FALSE(Calculator().Evaluate(nested(100000, "size(4:1)")).ok());
  EXPECT_FALSE(Calculator().Evaluate(nested(100000, "4")).ok());
  EXPECT_FALSE(Calculator().Evaluate(std::string(100000, '<')).ok());
}

}  // namespace
}  // namespace tessera::cute
