#include "tessera/tenstorrent/mlir_file/expanded_tensors.h"

#include <string>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tenstorrent/tensor.h"

namespace tessera::tenstorrent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kFile[] = R"(// tensor<1xf32, #layout>
#loc = loc("a.mlir":0:0)
#dram = #ttnn.buffer_type<dram>
!tile = !ttcore.tile<32x32, bf16>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>,
    memref<1x2x!tile, #dram>, <interleaved>>
func.func @f(%0: tensor<32x64xbf16, #layout>) {
  %1 = "ttnn.add"(%0, %0) : (tensor<32x64xbf16, #layout>, tensor<
      16x64xbf16, #layout>) -> tensor<32x64xbf16, #layout> loc(#loc)
}
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3x64xf32, #dram>, <interleaved>>
func.func @g(%0: tensor<3x64xf32, #layout>)
)";
constexpr char kFirst[] =
    "tensor<32x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
    "memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, "
    "<interleaved>>>";

std::string Canonical(const std::string& text) {
  const absl::StatusOr<TensorText> tensor = ReadTensorText(text);
  return tensor.ok() ? ToString(*tensor)
                     : std::string(tensor.status().message());
}

TEST(ExpandedTensors, OfALine) {
  ASSERT_EQ(TensorsOfLine(kFile, 7).size(), 1);
  EXPECT_EQ(Canonical(TensorsOfLine(kFile, 7)[0]), kFirst);
  // Distinct ones, and one that goes on in the next line.
  ASSERT_EQ(TensorsOfLine(kFile, 8).size(), 2);
  EXPECT_THAT(TensorsOfLine(kFile, 8)[1], HasSubstr("16x64xbf16"));
  // The definition above counts, not the first one.
  EXPECT_THAT(TensorsOfLine(kFile, 12), ElementsAre(HasSubstr("memref<3x64")));
  EXPECT_THAT(TensorsOfLine(kFile, 1), IsEmpty());
  EXPECT_THAT(TensorsOfLine(kFile, 4), IsEmpty());
  EXPECT_THAT(TensorsOfLine(kFile, 99), IsEmpty());
  EXPECT_THAT(TensorsOfLine("", 1), IsEmpty());
}

TEST(ExpandedTensors, OfAText) {
  EXPECT_THAT(ExpandedTensors(kFile, "tensor<9x64xf32, #layout>"),
              ElementsAre(HasSubstr("tensor<9x64xf32, #ttnn.ttnn_layout<")));
  EXPECT_THAT(ExpandedTensors(kFile, "tensor<9x64xf32>"), IsEmpty());
  ASSERT_EQ(ExpandedTensors("", kFirst).size(), 1);
  EXPECT_EQ(Canonical(ExpandedTensors("", kFirst)[0]), kFirst);
}

}  // namespace
}  // namespace tessera::tenstorrent
