#l1 = #ttnn.buffer_type<l1>
#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>
#b = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(1,0), (1,0)>]>>
#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#e = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x64xbf16, #system_memory>>
func.func @main(%arg0: tensor<32x32xbf16, #a>) -> tensor<32x64xbf16, #b> {
  %0 = "ttnn.relu"(%arg0) : (tensor<32x32xbf16, #a>) -> tensor<32x32xbf16, #a>
  %1 = call @inner(%0) : (tensor<32x32xbf16, #a>) -> tensor<32x64xbf16, #b>
  %2 = "ttnn.relu"(%1) : (tensor<32x64xbf16, #b>) -> tensor<32x64xbf16, #b>
  return %2 : tensor<32x64xbf16, #b>
}
func.func private @inner(%arg0: tensor<32x32xbf16, #a>) -> tensor<32x64xbf16, #b> {
  %0 = "ttnn.add"(%arg0, %arg0) : (tensor<32x32xbf16, #a>, tensor<32x32xbf16, #a>) -> tensor<32x64xbf16, #b>
  %1 = "ttnn.relu"(%0) : (tensor<32x64xbf16, #b>) -> tensor<32x64xbf16, #b>
  return %1 : tensor<32x64xbf16, #b>
}
