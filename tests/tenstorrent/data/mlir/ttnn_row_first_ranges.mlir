#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x4>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <block_sharded>, core_ranges = <[#ttcore.core_range<(0,0), (1,3)>]>>
%0 = "ttnn.empty"() : () -> tensor<64x128xbf16, #layout>
