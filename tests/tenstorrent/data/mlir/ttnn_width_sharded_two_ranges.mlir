#l1 = #ttnn.buffer_type<l1>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x5>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>, core_ranges = #ttnn.core_range_set<[#ttnn.core_range<(0,0), (3,0)>, #ttnn.core_range<(0,1), (0,1)>]>>
%0 = "ttnn.empty"() : () -> tensor<32x160xbf16, #layout>
