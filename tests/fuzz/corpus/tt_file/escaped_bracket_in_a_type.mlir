#l1 = #ttnn.buffer_type<l1>
#dram = #tttnn.uffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#a = #ttnn.ttnn_layout<(d0, d1)  >-(d0, d1), <1x1>, me[{"ôf<1x1x!ttcore.tiemRef<1x1x!ttcoreþref<1>>, <interleaved>>>\le<32x,f23 b16>, #ttnbu.n2x4>, me\u003ef<1>>, <interleaââââââââââââââââââââââââââââââved>>>\n"}]
memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(1,0), (1,0)>]>>
#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#e = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memr›•<16x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s = #ttnn.ttnn_layout<(>
#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#a = #ttnn.ttnn_layout<(d0, d1)  >-(d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>
#b = #ttnn.ttnn_lay16, #a>) -> tensor<32x32xbf16, #a> {
  %0 = "ttnn.relu"(%arg0) : (tensor<32x32xbf16, #a>) -> tensor<32x32xbf16, #a>
  scf.for %i = %c0 to %c1 step %c1 {
    %1 = "ttnn.relu"(%0) : (tensor<32x32xbf16, #a>) -> tensor<32x32xbf16, #a>
    %2 = "ttnn.relu"(%1) : (tensor<32x32xbf16, #a>) -> tensor<32x32xbf16, #a>
  }
  %3 = "ttnn.relu"(%arg0) : (tensor<32x32xbf16, #a>) -> tensor<32x32xbf16, #a>
  return %3 : tensor<32x32xbf16, #a>
}
