#dram = #ttnn.buffer_type<dram>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x64xf32, #dram>, <interleaved>>
func.func @f(%arg0: tensor<32x64xf32, #layout>) {
  return %arg0 : tensor<32x64xf32, #layout>
}
