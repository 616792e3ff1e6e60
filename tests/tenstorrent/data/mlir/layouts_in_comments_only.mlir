// RUN: ttmlir-opt %s | FileCheck %s
// CHECK: #[[LAYOUT:.*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @f(%arg0: tensor<32x64xbf16>) -> tensor<32x64xbf16> {
  // CHECK: "ttnn.relu"(%arg0) : (tensor<32x64xbf16, #layout>) -> tensor<32x64xbf16, #layout>
  return %arg0 : tensor<32x64xbf16>  // tensor<1x1xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1xf32, #ttnn.buffer_type<l1>>, <interleaved>>>
}
