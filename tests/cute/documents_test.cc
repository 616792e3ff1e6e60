// The results that CUTLASS's documents on CuTe print, 01_layout.md to
// 0z_tma_tensors.md, as the calculator computes them. (02_layout_algebra.md is
// in document_test.cc.) The run-time sizes of the tutorials are numbers here.

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

struct PrintedResult {
  std::string_view expression;
  std::string_view printed;
};

void CheckPrinted(const std::vector<PrintedResult>& results) {
  for (const PrintedResult& result : results) {
    const absl::StatusOr<CalculatorResult> value =
        Calculator().Evaluate(result.expression);
    EXPECT_EQ(value.ok() ? ToString(value->value)
                         : std::string(value.status().message()),
              result.printed)
        << result.expression;
  }
}

TEST(Documents, Layouts) {
  CheckPrinted({
      {"make_layout(Int<8>{})", "8:1"},
      {"make_layout(8)", "8:1"},
      {"make_layout(make_shape(Int<2>{},Int<4>{}))", "(2,4):(1,2)"},
      {"make_layout(make_shape(Int<2>{},4), make_stride(Int<12>{},Int<1>{}))",
       "(2,4):(12,1)"},
      {"make_layout(make_shape(Int<2>{},4), LayoutLeft{})", "(2,4):(1,2)"},
      {"make_layout(make_shape(Int<2>{},4), LayoutRight{})", "(2,4):(4,1)"},
      {"make_layout(make_shape(2,make_shape(2,2)), "
       "make_stride(4,make_stride(2,1)))",
       "(2,(2,2)):(4,(2,1))"},
      {"make_layout((2,(2,2)), LayoutLeft{})", "(2,(2,2)):(1,(2,4))"},
      {"idx2crd(16, (3,(2,3)))", "(1,(1,2))"},
      {"idx2crd(_16{}, (3,(2,3)))", "(1,(1,2))"},
      {"idx2crd(make_coord(1,5), (3,(2,3)))", "(1,(1,2))"},
      {"idx2crd(make_coord(_1{},5), (3,(2,3)))", "(1,(1,2))"},
      {"idx2crd(make_coord(1,make_coord(1,2)), (3,(2,3)))", "(1,(1,2))"},
      {"idx2crd(make_coord(_1{},make_coord(1,_2{})), (3,(2,3)))", "(1,(1,2))"},
      {"crd2idx(16, (3,(2,3)), (3,(12,1)))", "17"},
      {"crd2idx(make_coord(1,5), (3,(2,3)), (3,(12,1)))", "17"},
      {"crd2idx(make_coord(1,make_coord(1,2)), (3,(2,3)), (3,(12,1)))", "17"},
      {"layout<0>(make_layout((4,(3,6))))", "4:1"},
      {"layout<1>(make_layout((4,(3,6))))", "(3,6):(4,12)"},
      {"layout<1,0>(make_layout((4,(3,6))))", "3:4"},
      {"layout<1,1>(make_layout((4,(3,6))))", "6:12"},
      {"select<1,3>(make_layout((2,3,5,7)))", "(3,7):(2,30)"},
      {"select<0,1,3>(make_layout((2,3,5,7)))", "(2,3,7):(1,2,30)"},
      {"select<2>(make_layout((2,3,5,7)))", "(5):(6)"},
      {"take<1,3>(make_layout((2,3,5,7)))", "(3,5):(2,6)"},
      {"take<1,4>(make_layout((2,3,5,7)))", "(3,5,7):(2,6,30)"},
      {"make_layout(3:1, 4:3)", "(3,4):(1,3)"},
      {"make_layout(4:3, 3:1)", "(4,3):(3,1)"},
      {"make_layout((3,4):(1,3), (4,3):(3,1))", "((3,4),(4,3)):((1,3),(3,1))"},
      {"make_layout(3:1)", "(3):(1)"},
      {"make_layout(make_layout(3:1))", "((3)):((1))"},
      {"make_layout(3:1, make_layout(3:1), 3:1)", "(3,(3),3):(1,(1),1)"},
      {"append(3:1, 4:3)", "(3,4):(1,3)"},
      {"prepend(3:1, 4:3)", "(4,3):(3,1)"},
      {"append((3,4):(1,3), (3,4):(1,3))", "(3,4,(3,4)):(1,3,(1,3))"},
      {"replace<2>((3,4,(3,4)):(1,3,(1,3)), 4:3)", "(3,4,4):(1,3,3)"},
      {"group<0,2>(make_layout((2,3,5,7)))", "((2,3),5,7):((1,2),6,30)"},
      {"group<1,3>(((2,3),5,7):((1,2),6,30))", "((2,3),(5,7)):((1,2),(6,30))"},
      {"flatten(((2,3),(5,7)):((1,2),(6,30)))", "(2,3,5,7):(1,2,6,30)"},
  });
}

TEST(Documents, EmptyTakesAreNotAllowed) {
  const absl::StatusOr<CalculatorResult> value =
      Calculator().Evaluate("take<1,1>((2,3,5,7):(1,2,6,30))");
  EXPECT_THAT(value,
              StatusIs(absl::StatusCode::kInvalidArgument,
                       ::testing::HasSubstr("begin = 1 is not less than end")));
}

TEST(Documents, Tensors) {
  CheckPrinted({
      {"make_layout_like((4,8):(32,2))", "(4,8):(8,1)"},
      {"((3,2),(2,5,2)):((4,1),(2,13,100))(2,_)", "((2,5,2)):((2,13,100))"},
      {"((3,2),(2,5,2)):((4,1),(2,13,100))(_,5)", "((3,2)):((4,1))"},
      {"((3,2),(2,5,2)):((4,1),(2,13,100))((_,_),5)", "(3,2):(4,1)"},
      {"((3,2),(2,5,2)):((4,1),(2,13,100))((_,1),(0,_,1))", "(3,5):(4,13)"},
      {"((3,2),(2,5,2)):((4,1),(2,13,100))((2,_),(_,3,_))",
       "(2,2,2):(1,2,100)"},
      {"shape(zipped_divide(make_layout((8,24)), (4,8)))", "((4,8),(2,3))"},
      {"shape(zipped_divide(make_layout((8,24)), (4,8))((_,_),(1,2)))",
       "(4,8)"},
      {"shape(zipped_divide(make_layout((8,24)), (4,8))(5,(_,_)))", "(2,3)"},
      {"shape(composition(make_layout((4,8), LayoutRight), "
       "((2,4),(2,2)):((8,1),(4,16))))",
       "((2,4),(2,2))"},
      {"shape(zipped_divide(make_layout((24,16)), (8,4)))", "((8,4),(3,4))"},
  });
}

// What print and print_tensor show, word for word.
TEST(Documents, Prints) {
  CheckPrinted({
      {"tensor_8     : ptr[32b](0x7f42efc00000) o _8:_1", "8:1"},
      {"tensor_8d2   : ptr[32b](0x7f42efc00000) o 8:2", "8:2"},
      {"gmem_8s      : gmem_ptr[32b](0x7f42efc00000) o _8:_1", "8:1"},
      {"gmem_8sx16d  : gmem_ptr[32b](0x7f42efc00000) o (_8,16):(_1,_8)",
       "(8,16):(1,8)"},
      {"gmem_8dx16s  : gmem_ptr[32b](0x7f42efc00000) o (8,_16):(_16,_1)",
       "(8,16):(16,1)"},
      {"smem_4x8_col : smem_ptr[32b](0x7f4316000000) o (_4,_8):(_1,_4)",
       "(4,8):(1,4)"},
      {"rmem_4x8_pad  : ptr[32b](0x7fff489295e0) o (_4,_8):(_32,_2)",
       "(4,8):(32,2)"},
      {"ArithTuple(0,_0,_0,_0) o "
       "((_128,_64),2,3,1):((_1@0,_1@1),_64@1,_1@2,_1@3)",
       "((128,64),2,3,1):((1@0,1@1),64@1,1@2,1@3)"},
      {"counting_iter(42) o (4,5):(_1,4):", "(4,5):(1,4)"},
      {"ArithTuple(0,0) o (4,5):(_1@0,_1@1):", "(4,5):(1@0,1@1)"},
      {"ArithTuple(0,0) o (4,5):(_1@1,_1@0):\n"
       "  (0,0)  (1,0)  (2,0)  (3,0)  (4,0)\n",
       "(4,5):(1@1,1@0)"},
  });
}

// The tutorial on GEMM, with M, N, K = 512, 256, 64 and tiles of 128, 128, 8.
TEST(Documents, Gemm) {
  CheckPrinted({
      {"shape(zipped_divide(make_layout((512,64)), (128,8)))",
       "((128,8),(4,8))"},
      {"local_tile(make_layout((512,64)), (128,128,8), (1,1,_), (1,_,1))",
       "(128,8,8):(1,512,4096)"},
      {"local_tile(make_layout((256,64)), (128,128,8), (1,1,_), (_,1,1))",
       "(128,8,8):(1,256,2048)"},
      {"local_tile(make_layout((512,256)), (128,128,8), (1,1,_), (1,1,_))",
       "(128,128):(1,512)"},
      {"local_tile(make_layout((512,64)), select<0,2>((128,128,8)), "
       "select<0,2>((1,1,_)))",
       "(128,8,8):(1,512,4096)"},
      {"local_partition((128,8,8):(1,512,4096), make_layout((32,8)), 5)",
       "(4,1,8):(32,0,4096)"},
      {"local_partition(make_layout((128,8)), make_layout((32,8)), 5)",
       "(4,1):(32,0)"},
      {"local_partition(make_layout((128,8)), make_layout((16,16)), 5, (1,_))",
       "(8,8):(16,128)"},
      {"local_partition(make_layout((128,8)), make_layout((16,16)), 37, (_,1))",
       "(8,8):(16,128)"},
      {"local_partition(make_layout((128,128)), make_layout((16,16)), 5, "
       "(1,1))",
       "(8,8):(16,2048)"},
      {"make_tiled_copy(make_layout((32,8)), make_layout((4,1)))",
       "(256,4):(4,1)"},
  });
}

TEST(Documents, Predication) {
  CheckPrinted({
      {"logical_divide(make_layout(1000), 128)", "(128,8):(1,128)"},
      {"logical_divide((1000,1):(1,1000), 128:1)", "(128,8):(1,128)"},
      {"local_tile(make_identity_layout((512,64)), (128,128,8), (1,1,_), "
       "(1,_,1))",
       "(128,8,8):(1@0,1@1,8@1)"},
      {"elem_less((511,63), (512,64))", "true"},
      {"elem_less((511,64), (512,64))", "false"},
  });
}

TEST(Documents, TmaTensors) {
  CheckPrinted({
      {"make_identity_layout((4,5))(2,3)", "(2,3)"},
      {"make_layout((4,5))(3,4)", "19"},
      {"(4,5):(1@1,1@0)(2,3)", "(3,2)"},
      {"((128,64),2,3,1):((1@0,1@1),64@1,1@2,1@3)((127,63),1,2,0)",
       "(127,127,2,0)"},
  });
}

}  // namespace
}  // namespace tessera::cute
