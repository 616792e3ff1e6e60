#l1 = #ttnn.buffer_type<l1>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x4>, memref<2x1x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>, core_ranges = #ttnn.core_range_set<[#ttnn.core_range<(0,0), (3,0)>]>>
#layout1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x4>, memref<2x1x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,1), (3,1)>]>>
%0 = "ttnn.empty"() : () -> tensor<64x128xbf16, #layout>
%1 = "ttnn.empty"() : () -> tensor<64x128xbf16, #layout1>
