#l1 = #ttnn.buffer_type<l1>
#core_range = #ttnn.core_range<(0,0), (7,7)>
#core_ranges = #ttnn.core_range_set<[#core_range]>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = #core_ranges>
%0 = "ttnn.empty"() : () -> tensor<256x256xbf16, #layout>
