// The notations that kernel authors have, each read to the layout that it
// denotes: C++ source, types and compiler messages, prints of C++ and of the
// CuTe DSL, Python source, Triton's layouts of registers.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/cute/calculator/calculator_value.h"
#include "tessera/cute/calculator/pointer.h"
#include "tessera/cute/calculator/printed_block.h"
#include "tessera/cute/calculator/shared_memory_atom.h"
#include "tessera/cute/calculator/triton_encoding.h"
#include "tessera/cute/calculator/typed_text.h"
#include "tessera/cute/calculator/unknown_sizes.h"
#include "tessera/cute/element_type.h"
#include "tessera/cute/parse.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The value, with the size of an element behind it where there is one.
std::string Read(std::string_view text) {
  Calculator calculator;
  const absl::StatusOr<CalculatorResult> result = calculator.Evaluate(text);
  if (!result.ok()) {
    const auto diagnostic = DiagnosticOf(result.status());
    if (!diagnostic.has_value()) return std::string(result.status().message());
    return absl::StrCat(diagnostic->column, ": ", diagnostic->message);
  }
  const std::string value = ToString(result->value);
  return result->element_bits == 0
             ? value
             : absl::StrCat(value, " [", result->element_bits, "b]");
}

struct Case {
  std::string_view text;
  std::string_view value;
};

TEST(Notation, CppTypesAndMessages) {
  const Case kCases[] = {
      {"Layout<Shape<_4,_2>,Stride<_1,_16>>{}", "(4,2):(1,16)"},
      {"Layout<Shape <_4,_8>, Stride<_8,_1> >", "(4,8):(8,1)"},
      {"Layout<Shape<Shape<_4,_8>,Shape<_2,_2>>,Stride<Stride<_32,_1>,Stride<"
       "_16,_8>>>",
       "((4,8),(2,2)):((32,1),(16,8))"},
      {"Layout<_8,_1>{}", "8:1"},
      {"Layout<Shape<>,Stride<>>{}", "():()"},
      // Column-major, with C++'s 0 for modes of size 1.
      {"Layout<Shape<_2,_2,_1>>{}", "(2,2,1):(1,2,0)"},
      {"Layout<Shape<_4>,Stride<_m1>>", "(4):(-1)"},
      {"Layout<Shape<Int<4>,C<8>>,Stride<Int<8>{},_1{}>>", "(4,8):(8,1)"},
      {"Layout<Shape<_4,_8>,Stride<E<0>,E<1>>>", "(4,8):(1@0,1@1)"},
      {"Layout<Shape<_4,_8>,Stride<E<1,0>,E<1,1>>>", "(4,8):(1@0@1,1@1@1)"},
      {"cute::Layout<cute::tuple<cute::C<64>, cute::C<8>>, "
       "cute::tuple<cute::C<8>, cute::C<1>>>",
       "(64,8):(8,1)"},
      {"cute::Layout<cute::tuple<cute::tuple<cute::_128, cute::_2>, "
       "cute::_256>, cute::tuple<cute::tuple<cute::ScaledBasis<cute::C<1>, 1>, "
       "cute::ScaledBasis<cute::C<1>, 1>>, cute::ScaledBasis<cute::C<2>, 0>>>",
       "((128,2),256):((1@1,1@1),2@0)"},
      {"cute::Layout<cute::tuple<cute::integral_constant<int, (int)64>, "
       "cute::C<8u>>, cute::tuple<cute::C<(int)8>, cute::C<1>>>",
       "(64,8):(8,1)"},
      {"const cute::Layout<cute::tuple<cute::_4>, cute::tuple<cute::_1>> &",
       "(4):(1)"},
      {"type = cute::Layout<cute::tuple<cute::C<4> >, cute::tuple<cute::C<1> "
       "> >",
       "(4):(1)"},
      {"'cute::Layout<cute::tuple<cute::_4>, cute::tuple<cute::_1>>'",
       "(4):(1)"},
      {"ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<16>, "
       "Layout<Shape<_8,_64>,Stride<_64,_1>>>",
       "Sw<3,3,3> o 0 o (8,64):(64,1) [16b]"},
      {"cute::ComposedLayout<cute::Swizzle<3, 3, 3>, cute::C<0>, "
       "cute::Layout<cute::tuple<cute::C<8>, cute::C<64>>, "
       "cute::tuple<cute::C<64>, cute::C<1>>>>",
       "Sw<3,3,3> o 0 o (8,64):(64,1)"},
      {"ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag, "
       "Layout<Shape<_8,_1024>,Stride<_1024,_1>>>{}",
       "Sw<3,7,3> o 0 o (8,1024):(1024,1) [1b]"},
      {"cute::Tensor<cute::ViewEngine<cute::gmem_ptr<float*>>, "
       "cute::Layout<cute::tuple<cute::C<8>>, cute::tuple<cute::C<1>>>>",
       "(8):(1) [32b]"},
      {"cute::Tensor<cute::ViewEngine<cute::smem_ptr<cute::swizzle_ptr<"
       "cute::Swizzle<3, 4, 3>, cutlass::half_t *>>>, "
       "cute::Layout<cute::tuple<cute::C<8>, cute::C<64>>, "
       "cute::tuple<cute::C<64>, cute::C<1>>>>",
       "Sw<3,3,3> o 0 o (8,64):(64,1) [16b]"},
      {"cute::Tensor<cute::ArrayEngine<float, 8>, "
       "cute::Layout<cute::tuple<cute::_4, cute::_2>>>",
       "(4,2):(1,4) [32b]"},
      {"Tile<Layout<Shape<_8,_2>,Stride<_1,_16>>, _32, _16>",
       "((8,2):(1,16),32:1,16:1)"},
      {"Swizzle<3,4,3>{}", "Sw<3,4,3>"},
      {"Step<_1, X, _1>{}", "(1,_,1)"},
      {"cute::C<(int)64>", "64"},
      {"_m4", "-4"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Read(c.text), c.value) << c.text;
}

TEST(Notation, CppSource) {
  const Case kCases[] = {
      {"auto sA = make_layout(make_shape(Int<128>{}, Int<8>{}), "
       "LayoutRight{});",
       "(128,8):(8,1)"},
      {"using LayoutA = Layout<Shape<Int<128>, Int<32>>, Stride<Int<32>, "
       "Int<1>>>;",
       "(128,32):(32,1)"},
      {"using B = decltype(composition(Swizzle<3, 3, 4>{}, "
       "Layout<Shape<Int<128>, Int<32>>, Stride<Int<1>, Int<128>>>{}));",
       "Sw<3,3,4> o 0 o (128,32):(1,128)"},
      {"static constexpr auto x = make_layout(make_shape(_4{}, _8{}), "
       "LayoutLeft{});",
       "(4,8):(1,4)"},
      {"auto const& x = Layout<_8,_1>{};", "8:1"},
      {"using A = Layout<Shape<_8,_8>>; A{}", "(8,8):(1,8)"},
      {"using T = half_t; GMMA::Layout_K_SW128_Atom<T>{}",
       "Sw<3,3,3> o 0 o (8,64):(64,1) [16b]"},
      {"using T = cutlass::half_t; Copy_Atom<SM75_U32x4_LDSM_N, T>{}.Ref",
       "(32,(2,4)):(2,(1,64)) [16b]"},
      {"using T = float; make_tensor(make_smem_ptr<T>(p), (4,8):(1,4))",
       "(4,8):(1,4) [32b]"},
      {"T = cutlass.Float16\ncute.nvgpu.warpgroup.make_smem_layout_atom(cute."
       "nvgpu.warpgroup.SmemLayoutAtomKind.K_SW128, T)",
       "Sw<3,3,3> o 0 o (8,64):(64,1) [16b]"},
      {"recast_layout<half_t,float>(8:1)", "4:1 [32b]"},
      {"using A = Layout<Shape<_8,_8>>; A{}(3,2)", "19"},
      {"using A = Layout<Shape<_8,_64>,Stride<_64,_1>>; using B = "
       "decltype(tile_to_shape(A{}, Shape<_128,_64>{}));",
       "((8,16),(64,1)):((64,512),(1,0))"},
      {"Layout<Shape<_4,_2>> layout{};", "(4,2):(1,4)"},
      {"typedef Layout<Shape<_4,_2>> X;", "(4,2):(1,4)"},
      {"Layout tA = make_layout(make_shape(Int<32>{}, Int<8>{}), "
       "GenRowMajor{}); tA",
       "(32,8):(8,1)"},
      {"auto bM = Int<128>{}; auto bK = Int<8>{};\n"
       "auto sA = make_layout(make_shape (bM, bK), make_stride(Int<1>{}, "
       "bM+Int<1>{}));",
       "(128,8):(1,129)"},
      {"make_layout(make_shape(4,8), make_stride(E<0>{}, E<1>{}))",
       "(4,8):(1@0,1@1)"},
      {"(4,8):(E<0>{},E<1>{})", "(4,8):(1@0,1@1)"},
      {"(4,8):(E<0>,cute::E<1>)", "(4,8):(1@0,1@1)"},
      {"((4,2),8):((E<1,0>{},E<1,1>{}),E<0>{})",
       "((4,2),8):((1@0@1,1@1@1),1@0)"},
      {"make_layout(Layout<_4,_1>{}, Layout<_8,_4>{})", "(4,8):(1,4)"},
      {"composition(Swizzle<3,3,3>{}, "
       "Layout<Shape<_8,Shape<_8,_8>>,Stride<_8,Stride<_1,_64>>>{})",
       "Sw<3,3,3> o 0 o (8,(8,8)):(8,(1,64))"},
      {"cute::composition(cute::Swizzle<3, 3, 3>{}, "
       "cute::make_layout(cute::make_shape(2, 64, 64), cute::LayoutRight{}))",
       "Sw<3,3,3> o 0 o (2,64,64):(4096,64,1)"},
      {"blocked_product(Layout<Shape<_2,_5>,Stride<_5,_1>>{}, "
       "Layout<Shape<_3,_4>>{})",
       "((2,3),(5,4)):((5,10),(1,30))"},
      {"zipped_divide(make_layout(make_shape(16,8)), Shape<_4,_2>{})",
       "((4,2),(4,4)):((1,16),(4,32))"},
      {"make_tensor(make_gmem_ptr(A), make_shape(512,256), "
       "make_stride(256,1))",
       "(512,256):(256,1)"},
      {"Tensor gA = make_tensor(make_gmem_ptr<half_t>(ptr), "
       "make_layout(make_shape(512,256), LayoutRight{}));",
       "(512,256):(256,1) [16b]"},
      {"make_tensor<float>(Shape<_4,_8>{})", "(4,8):(1,4) [32b]"},
      {"Layout<Shape<_4, _8>, Stride<_8, _1>>{}(2, 3)", "19"},
      {"recast(gmem_ptr[16b](0x0) o (8,64):(64,1), 16, 32)",
       "(8,32):(32,1) [32b]"},
      {"upcast(gmem_ptr[16b](0x0) o 8:1, 4)", "2:1 [64b]"},
      {"downcast(gmem_ptr[16b](0x0) o 8:1, 2)", "16:1 [8b]"},
      {"Layout<Shape<Int<4*2>, Int<(9+7)/2>>>{}", "(8,8):(1,8)"},
      {"Int<128>{} * Int<8>{} - 1", "1023"},
      {"7 % 4", "3"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Read(c.text), c.value) << c.text;
}

TEST(Notation, Prints) {
  const Case kCases[] = {
      {"gmem_ptr[32b](0x1000) o (_4,_8):(_8,_1)", "(4,8):(8,1) [32b]"},
      // Right of the pointer: elements.
      {"smem_ptr[16b](0x7f8f00000c00) o Sw<3,3,3> o _0 o "
       "(((_64,_256),_2)):(((_1,_64),_16384))",
       "Sw<3,3,3> o 0 o (((64,256),2)):(((1,64),16384)) [16b]"},
      // Left of it: bytes.
      {"Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
       "Sw<3,3,3> o 0 o (8,64):(64,1) [16b]"},
      {"Sw<3,4,3>_smem_ptr[16b](0x7f8f00000c00) o (_8,_64):(_64,_1)",
       "Sw<3,3,3> o 0 o (8,64):(64,1) [16b]"},
      {"Sw<2,4,3>_smem_ptr[32b](0x400) o (_8,_16):(_16,_1)",
       "Sw<2,2,3> o 0 o (8,16):(16,1) [32b]"},
      {"Sw<3,4,3> o smem_ptr[8b](unset) o (_8,_128):(_128,_1)",
       "Sw<3,4,3> o 0 o (8,128):(128,1) [8b]"},
      {"Sw<3,4,3> o smem_ptr[4b](unset) o (_8,_256):(_256,_1)",
       "Sw<3,5,3> o 0 o (8,256):(256,1) [4b]"},
      // Below an element: C++'s rule.
      {"Sw<2,1,3> o smem_ptr[32b](unset) o (_8,_64):(_64,_1)",
       "Sw<1,0,3> o 0 o (8,64):(64,1) [32b]"},
      {"ptr[32b](0x7ffd5f6a2c40) o ((_2,_2),_2):((_1,_2),_4)",
       "((2,2),2):((1,2),4) [32b]"},
      {"tmem_[32b](0x0000.0000) o ((_128,_64),_1):((_65536,_1),_0)",
       "((128,64),1):((65536,1),0) [32b]"},
      {"ptr[16b]((nil)) o (_4):(_1)", "(4):(1) [16b]"},
      {"subptr[4b](0x7ffd5f6a2c40.1) o (_4):(_1)", "(4):(1) [4b]"},
      {"counting_iter(0) o (_4,_8):(_1,_4)", "(4,8):(1,4)"},
      {"ArithTuple(_0,_0,_0) o (_128,_64,16,32,1):(_1@1,_1@0,_128@1,_64@0,"
       "_1@2)",
       "(128,64,16,32,1):(1@1,1@0,128@1,64@0,1@2)"},
      {"tensor<ptr<f16, gmem, align<16>> o (512,256):(256,1)>",
       "(512,256):(256,1) [16b]"},
      {"tensor<ptr<f32, smem, align<1024>, S<3,4,3>> o (8,32):(32,1)>",
       "Sw<3,2,3> o 0 o (8,32):(32,1) [32b]"},
      {"tensor<(0,0) o (4,8):(1@0,1@1)>", "(4,8):(1@0,1@1)"},
      {"tensor(raw_ptr(0x0000000000000400: f16, smem, align<1024>) o "
       "(8,8):(8,1), data=\n  [[ 0.1, ",
       "(8,8):(8,1) [16b]"},
      {"!cute.layout<\"(2,3):(4,1)\">", "(2,3):(4,1)"},
      {"!cute.composed_layout<\"S<3,3,3> o 0 o (8,64):(64,1)\">",
       "Sw<3,3,3> o 0 o (8,64):(64,1)"},
      {"!cute.memref<f16, smem, align<1024>, S<3,4,3>, \"(64,64):(1,64)\">",
       "Sw<3,3,3> o 0 o (64,64):(1,64) [16b]"},
      {"!cute.memref<f16, gmem, \"(512,256):(256,1)\">",
       "(512,256):(256,1) [16b]"},
      {"!cute.coord_tensor<\"(0,0)\", \"(4,8):(1@0,1@1)\">", "(4,8):(1@0,1@1)"},
      {"!cute.tile<\"[32:1;16:1]\">", "(32:1,16:1)"},
      {"LayoutA_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))",
       "((4,8),(2,2)):((32,1),(16,8))"},
      {"TV Layout C:     ((4,8,4),(2,2,8)):((128,1,16),(64,8,512))",
       "((4,8,4),(2,2,8)):((128,1,16),(64,8,512))"},
      {"Tiler_MN:       (_128,_8)", "(128,8)"},
      {"layout_tv : (_4,_2):(_1,_4)", "(4,2):(1,4)"},
      {"(tma_a) slayout:      Sw<3,4,3> o smem_ptr[16b](unset) o "
       "(_8,_64):(_64,_1)",
       "Sw<3,3,3> o 0 o (8,64):(64,1) [16b]"},
      // print_layout and print_tensor, with their tables.
      {"(_4,_2):(_1,_4)\n       0   1 \n    +---+---+\n 0  | 0 | 4 |\n"
       "    +---+---+\n",
       "(4,2):(1,4)"},
      {"ptr[32b](0x7ffd) o (_2,_2):(_1,_2):\n  1.00e+00  2.00e+00\n",
       "(2,2):(1,2) [32b]"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Read(c.text), c.value) << c.text;
}

TEST(Notation, PythonAndTriton) {
  const Case kCases[] = {
      {"cute.make_layout((4, 2), stride=(1, 4))", "(4,2):(1,4)"},
      {"cute.make_layout(shape=(4, 2), stride=(4, 2))", "(4,2):(4,2)"},
      {"cute.make_layout((4, (2, 2)))", "(4,(2,2)):(1,(4,8))"},
      {"cute.make_ordered_layout((128, 64), order=(1, 0))", "(128,64):(64,1)"},
      {"cute.make_ordered_layout(order=(1, 0), shape=(4, 8))", "(4,8):(8,1)"},
      {"cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, "
       "cute.make_layout((8, 64), stride=(64, 1)))",
       "Sw<3,3,3> o 0 o (8,64):(64,1)"},
      {"layout = cute.make_layout((4, 2), stride=(1, 4))  # column-major",
       "(4,2):(1,4)"},
      {"a = cute.make_layout((4, 2))\nb = cute.make_layout(4)  # all\n"
       "cute.composition(a, b)",
       "4:1"},
      {"cute.make_identity_tensor((4, 8))", "(4,8):(1@0,1@1)"},
      {"cute.make_layout((4,), stride=(cute.ScaledBasis(2, [1, 0]),))",
       "(4):(2@0@1)"},
      {"cute.zipped_divide(cute.make_layout((16,8)), tiler=(4, 2))",
       "((4,2),(4,4)):((1,16),(4,32))"},
      {"cute.size(cute.make_layout((4, 8)), mode=[0])", "4"},
      {"cute.slice_(cute.make_layout((4, 8), stride=(8, 1)), (None, 0))",
       "(4):(8)"},
      {"cute.recast_layout(16, 8, cute.make_layout((4, 8), stride=(8, 1)))",
       "(4,4):(4,1) [16b]"},
      {"cute.local_tile(make_layout((64,64)), tiler=(8,8), coord=(None,2))",
       "(8,8,8):(1,64,8)"},
      {"cute.local_tile(coord=(0, 2, None), proj=(1, None, 1), tiler=(8, 8, "
       "4), input=cute.make_layout((64, 64, 8)))",
       "(8,4,16,8):(1,64,256,4096)"},
      {"cute.local_partition(make_layout((8,8)), make_layout((2,2)), index=3)",
       "(4,4):(2,16)"},
      {"cute.crd2idx((1, 2), layout=cute.make_layout((4, 4)))", "9"},
      {"cute.idx2crd(idx=5, shape=(4, 4))", "(1,1)"},
      {"cute.make_composed_layout(inner=cute.make_swizzle(3, 3, 3), offset=0, "
       "outer=cute.make_layout((8, 64), stride=(64, 1)))",
       "Sw<3,3,3> o 0 o (8,64):(64,1)"},
      {"cute.recast_layout(new_type_bits=16, old_type_bits=8, "
       "src_layout=cute.make_layout((4, 8), stride=(8, 1)))",
       "(4,4):(4,1) [16b]"},
      {"cute.recast_layout(16, 8, src_layout=cute.make_layout((4, 8), "
       "stride=(8, 1)))",
       "(4,4):(4,1) [16b]"},
      {"cute.logical_product(block=make_layout(4), tiler=make_layout(3))",
       "(4,3):(1,4)"},
      {"cute.slice_(src=(1, 2), coord=(None, 0))", "(1)"},
      {"cute.dice(dicer=(None, 0), src=make_layout((4, 8)))", "(8):(4)"},
      {"cute.group_modes(make_layout((2, 3, 4)), 0, end=2)",
       "((2,3),4):((1,2),6)"},
      {"cute.make_tiled_mma(warp.MmaF16BF16Op(Float16,Float32,(16,8,16)), "
       "atom_layout_mnk=(2,2,1), permutation_mnk=(32,32,16))",
       "((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))"},
      {"cute.nvgpu.warpgroup.make_smem_layout_atom(cute.nvgpu.warpgroup."
       "SmemLayoutAtomKind.K_SW128, cutlass.Float16)",
       "Sw<3,3,3> o 0 o (8,64):(64,1) [16b]"},
      {"pycute.Layout((4,(2,2)),(1,(4,8)))", "(4,(2,2)):(1,(4,8))"},
      {"((4, 8), 8) : ((32, 1), 8)", "((4,8),8):((32,1),8)"},
      {"compose(Swizzle(3, 0, 3), Layout((8, 8), (8, 1)))",
       "Sw<3,0,3> o 0 o (8,8):(8,1)"},
      {"#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
       "warpsPerCTA = [4, 1], order = [1, 0]}>",
       "((8,4,4),8):((128,1,4),16)"},
      {"#blocked = #triton_gpu.blocked<{sizePerThread = [4], threadsPerWarp = "
       "[32], warpsPerCTA = [4], order = [0], CTAsPerCGA = [1]}>",
       "((32,4),4):((4,128),1)"},
      {"gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])",
       "((8,4,4),8):((128,1,4),16)"},
      {"ttgl.BlockedLayout(size_per_thread=[1, 8], threads_per_warp=[4, 8], "
       "warps_per_cta=[4, 1], order=[1, 0])",
       "((8,4,4),8):((128,1,4),16)"},
      {"#ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], "
       "[1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], block = []}>",
       "((4,32),4):((128,1),32)"},
      // C of SM80_16x8x16_F32F16F16F32_TN.
      {"#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
       "[1, 1], instrShape = [16, 8]}>",
       "((4,8),(2,2)):((32,1),(16,8))"},
      {"#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
       "[2, 4], CTAsPerCGA = [1, 1], instrShape = [16, 8]}>",
       "((4,8,4,2),(2,2)):((64,1,256,16),(32,8))"},
      {"ttgl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], "
       "instr_shape=[16, 64, 16])",
       "((4,8,4),(2,2,8)):((128,1,16),(64,8,512))"},
      {"#mma = #triton_gpu.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
       "warpsPerCTA = [2, 1, 1], instrShape = [1, 16, 8]}>",
       "((4,8,2),(2,2)):((64,2,1),(32,16))"},
      {"#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = "
       "[1, 0]}>",
       "Sw<3,3,3> o 0 o (8,64):(64,1)"},
      {"ttgl.SwizzledSharedLayout(8, 2, 4, [0, 1])",
       "Sw<2,3,3> o 0 o (32,8):(1,32)"},
      {"#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = "
       "[0]}>",
       "Sw<0,0,0> o 0 o 1:0"},
      {"!ttg.memdesc<2x128x32xf16, #ttg.swizzled_shared<{vec = 8, perPhase = "
       "2, maxPhase = 4, order = [1, 0]}>, #ttg.shared_memory, mutable>",
       "Sw<2,3,3> o 0 o (2,128,32):(4096,32,1) [16b]"},
      // A row has room for two phases only.
      {"!ttg.memdesc<64x16xbf16, #triton_gpu.shared<{vec = 8, perPhase = 4, "
       "maxPhase = 4, order = [1, 0], hasLeadingOffset = false}>>",
       "Sw<1,3,3> o 0 o (64,16):(16,1) [16b]"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Read(c.text), c.value) << c.text;
}

// From (lane, warp, value) to the row and column, as the PTX ISA has them.
TEST(Notation, EncodingsOfTensorCoresByTheirFormula) {
  struct Encoding {
    int64_t version, warps_down, warps_across, columns;
  };
  for (const Encoding& e :
       {Encoding{2, 1, 1, 8}, Encoding{2, 4, 1, 8}, Encoding{2, 2, 4, 16},
        Encoding{3, 4, 1, 24}, Encoding{3, 4, 2, 128}}) {
    const std::string text =
        absl::StrCat("#ttg.nvidia_mma<{versionMajor = ", e.version,
                     ", versionMinor = 0, warpsPerCTA = [", e.warps_down, ", ",
                     e.warps_across, "], instrShape = [16, ", e.columns,
                     e.version == 3 ? ", 16]}>" : "]}>");
    SCOPED_TRACE(text);
    Calculator calculator;
    const absl::StatusOr<CalculatorResult> result = calculator.Evaluate(text);
    ASSERT_THAT(result, IsOk());
    const Layout& layout = std::get<Layout>(result->value);
    const int64_t threads = 32 * e.warps_down * e.warps_across;
    ASSERT_EQ(layout.size(), threads * e.columns / 2);
    for (int64_t i = 0; i < layout.size(); ++i) {
      const int64_t lane = i % 32, warp = i % threads / 32, v = i / threads;
      const bool is_row_major = e.version == 2;
      const int64_t down =
          is_row_major ? warp / e.warps_across : warp % e.warps_down;
      const int64_t across =
          is_row_major ? warp % e.warps_across : warp / e.warps_down;
      const int64_t row = 16 * down + lane / 4 + v / 2 % 2 * 8;
      const int64_t column =
          e.columns * across + lane % 4 * 2 + v % 2 + v / 4 * 8;
      EXPECT_EQ(layout(i), row + 16 * e.warps_down * column) << i;
    }
  }
}

// Triton's own words: groups of `vec` elements, of which phase p has its rows
// exchanged by p; a phase has perPhase rows.
TEST(Notation, EncodingsOfSharedMemoryByTheirFormula) {
  int64_t tried = 0;
  for (const int64_t vec : {1, 4, 8}) {
    for (const int64_t per_phase : {1, 2, 4}) {
      for (const int64_t max_phase : {1, 2, 8}) {
        for (const bool is_row_major : {true, false}) {
          const std::string text = absl::StrCat(
              "!ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{vec = ", vec,
              ", perPhase = ", per_phase, ", maxPhase = ", max_phase,
              ", order = ", is_row_major ? "[1, 0]" : "[0, 1]",
              "}>, #ttg.shared_memory>");
          SCOPED_TRACE(text);
          Calculator calculator;
          const absl::StatusOr<CalculatorResult> result =
              calculator.Evaluate(text);
          ASSERT_THAT(result, IsOk());
          const auto& layout = std::get<ComposedLayout>(result->value);
          for (int64_t i = 0; i < 64 * 64; ++i) {
            const int64_t r = is_row_major ? i % 64 : i / 64;
            const int64_t c = is_row_major ? i / 64 : i % 64;
            const int64_t phase = r / per_phase % max_phase;
            EXPECT_EQ(layout(i), 64 * r + (c ^ vec * phase)) << i;
          }
          ++tried;
        }
      }
    }
  }
  EXPECT_EQ(tried, 54);
}

TEST(Notation, Atoms) {
  const Case kCases[] = {
      {"SM80_16x8x16_F32F16F16F32_TN",
       "Thr: 32:1\nShape: (16,8,16)\n"
       "A: ((4,8),(2,2,2)):((32,1),(16,8,128))\n"
       "B: ((4,8),(2,2)):((16,1),(8,64))\n"
       "C: ((4,8),(2,2)):((32,1),(16,8))"},
      {"SM80_16x8x16_F32F16F16F32_TN.Thr", "32:1"},
      {"typename MMA_Traits<SM80_16x8x16_F32F16F16F32_TN>::Shape_MNK{}",
       "(16,8,16)"},
      {"using Op = SM80_16x8x16_F32F16F16F32_TN; coalesce(Op.C)",
       "(4,8,2,2):(32,1,16,8)"},
      {"using Op = SM61_DP4A; auto t = Op::ThrID{}; size(Op::ALayout{})", "4"},
      {"mma = cute.make_mma_atom(warp.MmaTF32Op((16, 8, 8)))\n"
       "mma.tv_layout_B",
       "((4,8),2):((8,1),32)"},
      {"SM80_16x8x16_F32F16F16F32_TN.C(5,3)", "57"},
      {"SM75_U32x4_LDSM_N.Src", "(32,128):(128,1) [1b]"},
      {"Copy_Atom<SM75_U32x4_LDSM_N, half_t>.Src", "(32,8):(8,1) [16b]"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Read(c.text), c.value) << c.text;
}

TEST(Notation, WhatIsRefusedAndWhy) {
  const Case kCases[] = {
      {"SM80_16x8x16_F32F16F16F33_TN.C",
       "1: no atom 'SM80_16x8x16_F32F16F16F33_TN' is in the table; did you "
       "mean SM80_16x8x16_F32F16F16F32_TN, SM80_16x8x16_F32BF16BF16F32_TN, "
       "SM80_16x8x8_F32F16F16F32_TN"},
      {"SM80_16x8x16_F32F16F16F32_TN.Dst",
       "30: 'Dst' is not a layout of SM80_16x8x16_F32F16F16F32_TN, which has "
       "Thr, A, B, C"},
      {"coalesce(SM80_16x8x16_F32F16F16F32_TN)",
       "10: expected a layout, found the atom SM80_16x8x16_F32F16F16F32_TN"},
      {"(?,8):(1,?)",
       "2: 2 numbers are known at run time only, at bytes 2, 10; write "
       "numbers, or give them in order with --let ?=N,N"},
      {"cute::Layout<cute::tuple<int, cute::C<8>>, cute::tuple<cute::C<1>, "
       "cute::C<0>>>",
       "26: 'int' is known at run time only; write a number, or give it with "
       "--let ?=N"},
      {"Sw<3,4,3> o smem_ptr[6b](unset) o (_8,_64):(_64,_1)",
       "1: a swizzle of bytes, Sw<3,4,3>, is not one of elements of 6 bits, "
       "which are not a power of two"},
      {"Sw<3,4,3> o smem_ptr[16b](unset) o Sw<3,3,3> o 0 o 8:1",
       "36: one swizzle left of the pointer and one right of it are not read "
       "together"},
      {"GMMA::Layout_K_SW128_Atom<T>{}",
       "27: the size of the type 'T' is not known; write one such as half_t"},
      {"GMMA::Layout_K_SW128_Atom",
       "1: 'Layout_K_SW128_Atom' needs the type of its elements: "
       "Layout_K_SW128_Atom<half_t>"},
      {"Layout<Shape<_4,_2>,Stride<_1>>",
       "30: expected ',' as in the shape, found '>'"},
      {"Layout<Shape<Int<kM>>>", "18: unknown name 'kM'"},
      {"cute.make_layout((4,8), strid=(8,1))",
       "25: 'strid' is not an argument of make_layout(shape[, stride])"},
      {"cute.local_tile(make_layout((8,8)), coord=(None,2))",
       "37: 'coord' is argument 3 of local_tile(A, tiler, coordinate[, "
       "projection]), whose argument 2 is missing"},
      {"cute.local_tile(make_layout((8,8)), input=make_layout(8))",
       "37: 'input' is given twice as an argument of local_tile(A, tiler, "
       "coordinate[, projection])"},
      {"cute.zipped_divide(4:1, tiler=2, tiler=2)",
       "34: 'tiler' is given twice as an argument of zipped_divide(A, tiler)"},
      {"#ttg.swizzled_shared<{vec = 8}>", "32: expected perPhase = [...]"},
      {"#ttg.swizzled_shared<{vec = 3, perPhase = 1, maxPhase = 1, order = "
       "[0]}>",
       "73: vec, perPhase and maxPhase are powers of two, not 3"},
      {"!ttg.memdesc<8x24xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, "
       "maxPhase = 2, order = [1, 0]}>>",
       "99: a row of 24 elements is swizzled only if that is a power of two"},
      {"!ttg.memdesc<8xTxf16, #ttg.swizzled_shared<{vec = 8}>>",
       "14: expected a shape and a type such as 64x64xf16"},
      {"#ttg.nvmma_shared<{swizzlingByteWidth = 128}>",
       "18: 'nvmma_shared' is not an encoding that is read; these are blocked, "
       "linear, nvidia_mma and swizzled_shared"},
      {"#ttg.nvidia_mma<{versionMajor = 1, versionMinor = 3, warpsPerCTA = [2, "
       "2], instrShape = [16, 16]}>",
       "99: nvidia_mma of version 1 is not read; these are 2 and 3"},
      {"#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, "
       "1], instrShape = [16, 12]}>",
       "99: a size is not that of an instruction"},
      {"#ttg.linear<{register = [[1]], lane = [[1]], warp = [], block = []}>",
       "69: two bases share a bit, so that their exclusive or differs from the "
       "sum that a CuTe layout computes"},
      {"4:1:2", "4: the part before ':' already has a stride"},
      {"take<1,1>((2,3):(1,2))", "6: begin = 1 is not less than end = 1"},
      {"8 / 0", "5: the divisor is 0"},
      {"9223372036854775807 + 1", "21: the result exceeds int64_t"},
      {"Tiled MMA\n  ThrID: 32:1\n  Shape MNK: (16,8,16)\n",
       "10: the text has 2 layouts, ThrID, Shape MNK; give one of them"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Read(c.text), c.value) << c.text;
}

TEST(Notation, NotesSayWhatASwizzleActsOn) {
  const struct {
    std::string_view text;
    std::vector<std::string> notes;
  } kCases[] = {
      {"Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)",
       {"Sw<3,4,3> is left of the pointer and acts on byte addresses; on "
        "elements of 16 bits it is Sw<3,3,3>"}},
      {"smem_ptr[16b](0x400) o Sw<3,3,3> o 0 o (8,64):(64,1)",
       {"Sw<3,3,3> is right of the pointer and acts on elements of 16 bits"}},
      {"Sw<3,4,3>_smem_ptr[16b](0x420) o (8,64):(64,1)",
       {"Sw<3,4,3> is left of the pointer and acts on byte addresses; on "
        "elements of 16 bits it is Sw<3,3,3>",
        "the address of the pointer is 16 elements past a multiple of 512; for "
        "its addresses, write Sw<3,3,3> o 16 o ..."}},
      {"S<3,4,3> o 0 o (8,64):(64,1)",
       {"the swizzle acts on elements here; as an atom of shared memory it "
        "acts on bytes, which is Sw<3,3,3> on elements of 16 bits"}},
      {"GMMA::Layout_K_SW128_Atom<half_t>",
       {"the swizzle of Layout_K_SW128_Atom acts on bytes; on elements of 16 "
        "bits it is Sw<3,3,3>"}},
      {"ArithTuple(0,_128) o (_4,_2):(_1@1,_1@0)",
       {"the tensor begins at the coordinates (0,128), which are left out"}},
      {"gmem_ptr[16b](0x1000) o (8,64):(64,1)", {}},
      {"Sw<3,3,3> o 0 o (8,64):(64,1)", {}},
  };
  for (const auto& c : kCases) {
    Calculator calculator;
    const absl::StatusOr<CalculatorResult> result = calculator.Evaluate(c.text);
    ASSERT_THAT(result, IsOk()) << c.text;
    std::vector<std::string> notes;
    for (const Diagnostic& note : result->notes) notes.push_back(note.message);
    EXPECT_EQ(notes, c.notes) << c.text;
  }
}

TEST(Notation, NumbersThatTextsLeaveOpen) {
  const struct {
    std::vector<std::string> bindings;
    std::string_view text;
    std::string_view value;
  } kCases[] = {
      {{"?=16,8"}, "(?,8):(1,?)", "(16,8):(1,8)"},
      {{"16,8"}, "(?,8):(1,?)", "(16,8):(1,8)"},
      {{"?=16", "?=8"}, "(?,8):(1,?)", "(16,8):(1,8)"},
      {{"16"}, "(?,8):(1,?)", "(16,8):(1,16)"},
      {{"16,64"}, "(?{div=8},4):(1,?{i64 div=16})", "(16,4):(1,64)"},
      {{"M=512"}, "(M,8):(1,M)", "(512,8):(1,512)"},
      {{"M=512"}, "Layout<Shape<Int<M>,_8>>{}", "(512,8):(1,512)"},
      {{"4,9"},
       "cute::Layout<cute::tuple<int, cute::C<8>>, cute::tuple<cute::C<1>, "
       "int64_t>>",
       "(4,8):(1,9)"},
      {{}, "?=16,8; (?,8):(1,?)", "(16,8):(1,8)"},
  };
  for (const auto& c : kCases) {
    Calculator calculator;
    for (const std::string& binding : c.bindings) {
      ASSERT_THAT(calculator.Let(binding), IsOk());
    }
    const absl::StatusOr<CalculatorResult> result = calculator.Evaluate(c.text);
    ASSERT_THAT(result, IsOk()) << c.text;
    EXPECT_EQ(ToString(result->value), c.value) << c.text;
  }
  Calculator calculator;
  EXPECT_THAT(
      calculator.Let("?=x"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("found x")));
  EXPECT_THAT(BindUnknownSizes("(?{div=8},1)", {12}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("'?{div=8}' is a multiple of 8, which 12 is "
                                 "not")));
  EXPECT_THAT(
      BindUnknownSizes("(?,?,?)", {1, 2}),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("2 are given")));
  EXPECT_EQ(*BindUnknownSizes("int", {}), "int");
  // Places are those of the text that was typed.
  EXPECT_EQ(Read("?=1024,9; (?,?):(1)"),
            "19: expected ',' as in the shape, found ')'");
  EXPECT_EQ(Read("?=x; (?,8):(1,8)"),
            "3: expected NAME=NUMBER or ?=NUMBER,NUMBER,..., found x");
  EXPECT_EQ(Read("?=12; ?{div=8}:1"),
            "7: '?{div=8}' is a multiple of 8, which 12 is not");
}

// A type, its bits, and for each kind the swizzle that C++ prints in elements
// by as_position_independent_swizzle_layout.
TEST(SharedMemoryAtom, EveryKindAndWidthByBytes) {
  const struct {
    std::string_view name;
    int bits, base, shift;  // of the swizzle of bytes
    int64_t row_bytes;
    bool is_k_major;
    int64_t rows;
  } kKinds[] = {
      {"Layout_MN_INTER_Atom", 0, 4, 3, 16, false, 8},
      {"Layout_MN_SW32_Atom", 1, 4, 3, 32, false, 8},
      {"Layout_MN_SW64_Atom", 2, 4, 3, 64, false, 8},
      {"Layout_MN_SW128_Atom", 3, 4, 3, 128, false, 8},
      {"Layout_K_INTER_Atom", 0, 4, 3, 16, true, 8},
      {"Layout_K_SW32_Atom", 1, 4, 3, 32, true, 8},
      {"Layout_K_SW64_Atom", 2, 4, 3, 64, true, 8},
      {"Layout_K_SW128_Atom", 3, 4, 3, 128, true, 8},
      {"Layout_MN_SW128_32B_Atom", 2, 5, 2, 128, false, 4},
  };
  for (const auto& kind : kKinds) {
    ASSERT_TRUE(IsSharedMemoryAtom(kind.name));
    for (const int64_t element_bytes : {1, 2, 4}) {
      const absl::StatusOr<ComposedLayout> atom =
          SharedMemoryAtom(kind.name, 8 * element_bytes);
      ASSERT_THAT(atom, IsOk());
      const int64_t row = kind.row_bytes / element_bytes;
      for (int64_t i = 0; i < kind.rows; ++i) {
        for (int64_t j = 0; j < row; ++j) {
          // A row lies in row_bytes bytes, which the swizzle moves in pieces.
          uint64_t byte = i * kind.row_bytes + j * element_bytes;
          const uint64_t read =
              byte >> (kind.base + kind.shift) & ((1 << kind.bits) - 1);
          byte ^= read << kind.base;
          const int64_t coordinate =
              kind.is_k_major ? i + kind.rows * j : j + row * i;
          ASSERT_EQ((*atom)(coordinate),
                    static_cast<int64_t>(byte) / element_bytes)
              << atom->ToString();
        }
      }
    }
  }
  EXPECT_FALSE(IsSharedMemoryAtom("Layout_K_SW128_32B_Atom"));
  EXPECT_FALSE(IsSharedMemoryAtom("Layout_K_SW256_Atom"));
  EXPECT_FALSE(IsSharedMemoryAtom("Layout_K_SW128"));
  EXPECT_THAT(SharedMemoryAtom("Layout_K_SW128_Atom", 6),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("rows of 128 bytes")));
}

TEST(ElementType, NamesOfCppPythonAndMlir) {
  const struct {
    std::string_view name;
    int64_t bits;
  } kCases[] = {
      {"half_t", 16},      {"bfloat16_t", 16},  {"float", 32},
      {"double", 64},      {"tfloat32_t", 32},  {"int8_t", 8},
      {"uint8_t", 8},      {"int4b_t", 4},      {"uint1b_t", 1},
      {"float_e4m3_t", 8}, {"float_e2m1_t", 4}, {"__nv_bfloat16", 16},
      {"uint128_t", 128},  {"Float16", 16},     {"BFloat16", 16},
      {"Float8E4M3FN", 8}, {"TFloat32", 32},    {"Int32", 32},
      {"f16", 16},         {"bf16", 16},        {"tf32", 32},
      {"f8E4M3FN", 8},     {"f4E2M1FN", 4},     {"i8", 8},
      {"ui8", 8},
  };
  for (const auto& c : kCases) EXPECT_EQ(ElementTypeBits(c.name), c.bits);
  for (const std::string_view name :
       {"T", "", "f", "smem", "align", "S", "float_", "i0", "f16x", "int_t"}) {
    EXPECT_FALSE(ElementTypeBits(name).has_value()) << name;
  }
}

TEST(Pointer, ListsOfTypes) {
  const struct {
    std::string_view list;
    std::string_view text;
  } kCases[] = {
      {"f16, smem, align<1024>, S<3,4,3>", "Sw<3,4,3>_smem_ptr[16b](unset)"},
      {"0x1000: f32, generic, align<4>", "ptr[32b](unset)"},
      {"cute::smem_ptr<cutlass::half_t *>", "smem_ptr[16b](unset)"},
      {"cute::Swizzle<2, 4, 3>, float *", "Sw<2,4,3>_ptr[32b](unset)"},
      {"T *", "ptr<>"},
      {"xS<3,4,3>, f16", "ptr[16b](unset)"},
      {"S<3,4,9999>", "ptr<>"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(PointerOfList(c.list).ToString(), c.text) << c.list;
  }
  Pointer pointer;
  size_t end;
  for (const std::string_view text :
       {"", "ptr", "ptr[", "ptr[16b]", "ptr[16b](", "ptr[0b](0x1)",
        "ptr[-8b](0x1)", "other[16b](0x1)", "ptr [16b](0x1)"}) {
    EXPECT_FALSE(ReadPrintedPointer(text, 0, &pointer, &end)) << text;
  }
  ASSERT_TRUE(
      ReadPrintedPointer("x smem_ptr[16b](0x7f80) o", 2, &pointer, &end));
  EXPECT_EQ(pointer.address, 0x7f80);
  EXPECT_EQ(end, 23);
}

TEST(PrintedBlock, OneTextPerLabelledLine) {
  const std::string_view kBlock =
      "TiledMMA\n"
      "  ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0)\n"
      "  PermutationMNK: (_32,_32,_16)\n"
      "MMA_Atom\n"
      "  LayoutA_TV: ((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))\n"
      "  ValueType:    16b\n";
  std::vector<std::string> labels, texts;
  for (const LabelledText& line : LabelledTexts(kBlock)) {
    labels.emplace_back(line.label);
    texts.emplace_back(line.text);
  }
  EXPECT_THAT(labels,
              ElementsAre("ThrLayoutVMNK", "PermutationMNK", "LayoutA_TV"));
  EXPECT_THAT(texts,
              ElementsAre("(_32,_2,_2,_1):(_1,_32,_64,_0)", "(_32,_32,_16)",
                          "((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))"));
  // nvcc and gcc.
  const std::vector<LabelledText> arguments = LabelledTexts(
      "error: ... instantiation of \"auto cute::composition(const LShape &) "
      "[with LShape=cute::tuple<cute::_4, cute::_2>, "
      "LStride=cute::tuple<cute::_2, cute::_1>, T=float]\" at line 3");
  ASSERT_EQ(arguments.size(), 1);
  EXPECT_EQ(arguments[0].label, "LShape");
  EXPECT_EQ(Read(arguments[0].text), "(4,2):(2,1)");
  EXPECT_EQ(Read("required from here [with A = cute::Layout<cute::_8, "
                 "cute::_2>; int N = 4]"),
            "8:2");
  EXPECT_EQ(Read("error: no matching function for call to "
                 "'f(cute::Layout<cute::tuple<cute::C<4>, cute::C<2>>, "
                 "cute::tuple<cute::C<1>, cute::C<4>>>&)'"),
            "(4,2):(1,4)");
  EXPECT_EQ(Read("x.cu:9: error: static assertion failed: "
                 "cute::ComposedLayout<cute::Swizzle<3,3,3>, cute::C<0>, "
                 "cute::Layout<cute::_8>>, again cute::Layout<cute::_8>"),
            "41: the text has 2 layouts, that at byte 41, that at byte 127; "
            "give one of them");
  EXPECT_THAT(LabelledTexts("error: cute::Layout<cute::tuple<"), IsEmpty());
  EXPECT_THAT(LabelledTexts("A: 4:1"), IsEmpty());
  EXPECT_THAT(LabelledTexts("auto a = 4:1;\nauto b = a;"), IsEmpty());
  EXPECT_THAT(LabelledTexts("(4,\n2):(1,4)"), IsEmpty());
  EXPECT_EQ(LabelLength("A:B"), 0);
  EXPECT_EQ(LabelLength("cute::Layout<"), 0);
  EXPECT_EQ(LabelLength("LayoutA_TV: 4:1"), 11);
  EXPECT_TRUE(IsLineWithoutValue("  MMA Atom"));
  EXPECT_TRUE(IsLineWithoutValue("  Value type:    f16"));
  EXPECT_FALSE(IsLineWithoutValue("A"));
  EXPECT_FALSE(IsLineWithoutValue("ThrID: 32:1"));
}

TEST(TypedText, MarksAsTyped) {
  const struct {
    std::string_view typed;
    std::string_view text;
  } kCases[] = {
      {"(_4,8):(8,_1)", "(_4,8):(8,_1)"},
      {" ( _4 , 8 ) : ( 8 , _1 ) ", "(_4,8):(8,_1)"},
      {"_4:_-1", "_4:_-1"},
      {"(4,8):(8,1)", "(4,8):(8,1)"},
      {"Sw<3,3,3> o _0 o (_8,64):(64,_1)", "Sw<3,3,3> o _0 o (_8,64):(64,_1)"},
      {"(_4,(_2,_3)):(_1@0,(_1@0@1,1@1@1))",
       "(_4,(_2,_3)):(_1@0,(_1@0@1,1@1@1))"},
      {"(_,_2)", "(_,_2)"},
      // What is computed has no marks.
      {"coalesce((_4,_2):(_1,_4))", "8:1"},
      {"(_4,_2):(_1,_4) o 4:_1", "4:1"},
      {"Layout<Shape<_4,_2>>{}", "(4,2):(1,4)"},
      {"S<2,0,3> o _0 o 8:_1", "Sw<2,0,3> o 0 o 8:1"},
  };
  for (const auto& c : kCases) {
    Calculator calculator;
    const absl::StatusOr<CalculatorResult> result =
        calculator.Evaluate(c.typed);
    ASSERT_THAT(result, IsOk()) << c.typed;
    EXPECT_EQ(TextAsTyped(c.typed, result->value), c.text) << c.typed;
  }
}

TEST(Notation, CoordinatesAndOperationsInFront) {
  EXPECT_EQ(Read("(_0,_0) o ((_128,_16),_1,_4):((_1@0,_1@1),_0,_16@1)"),
            "((128,16),1,4):((1@0,1@1),0,16@1)");
  EXPECT_EQ(Read("%0 = cute.static : !cute.layout<\"(2,3):(4,1)\">"),
            "(2,3):(4,1)");
  EXPECT_EQ(Read("%lay = cute.make_layout(%shape) : (!cute.shape<\"(2,3)\">) "
                 "-> !cute.layout<\"(2,3):(1,2)\">"),
            "(2,3):(1,2)");
  Calculator calculator;
  EXPECT_FALSE(calculator.Evaluate("(0,0) o (2,3):(4,1)").ok());
  EXPECT_FALSE(calculator.Evaluate("% 4:1").ok());
}

// Source of C++ and of Python that the calculator writes is read as the same.
TEST(Notation, SourceReadsBack) {
  for (const std::string_view text :
       {"(4,2):(1,16)", "((2,2),3):((24,2),8)", "8:1", "():()", "(4):(-1)",
        "(4,8):(1@0,2@0@1)", "Sw<2,0,3>", "Sw<2,0,3> o 0 o (8,8):(8,1)",
        "(4,2):(1,8) o 3 o 8:1", "(4,_,(2,))", "<3:4, 8:2>", "<(2,2):(2,1)>",
        "_", "5000", "-7", "2@0", "(2@0,(1@1,1@2@3))"}) {
    Calculator calculator;
    const absl::StatusOr<CalculatorResult> result = calculator.Evaluate(text);
    ASSERT_THAT(result, IsOk()) << text;
    for (const Style style : {Style::kCpp, Style::kPython}) {
      TextForm form;
      form.style = style;
      const std::string source = ToString(result->value, form);
      const absl::StatusOr<CalculatorResult> again =
          calculator.Evaluate(source);
      ASSERT_THAT(again, IsOk()) << source;
      EXPECT_EQ(ToString(again->value), ToString(result->value)) << source;
    }
  }
}

TEST(Notation, WithoutFunctions) {
  CalculatorOptions options;
  options.functions = false;
  const struct {
    std::string_view text;
    std::string_view value;
  } kCases[] = {
      {"auto x = Layout<Shape<_4,_2>>{};", "(4,2):(1,4)"},
      {"gmem_ptr[32b](0x1000) o (_4,_8):(_8,_1)", "(4,8):(8,1)"},
      {"cute.make_layout((4, 2), stride=(1, 4))", "(4,2):(1,4)"},
      {"coalesce((4,2):(1,4))",
       "'coalesce' is a function; the text of a layout does not call "
       "functions here"},
  };
  for (const auto& c : kCases) {
    Calculator calculator(options);
    const absl::StatusOr<CalculatorResult> result = calculator.Evaluate(c.text);
    EXPECT_EQ(result.ok() ? ToString(result->value)
                          : DiagnosticOf(result.status())->message,
              c.value)
        << c.text;
  }
}

}  // namespace
}  // namespace tessera::cute
