#dram = #ttnn.buffer_type<dram>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,0)>]>>
%0 = "ttnn.empty"() : () -> tensor<64x64xbf16, #layout>
