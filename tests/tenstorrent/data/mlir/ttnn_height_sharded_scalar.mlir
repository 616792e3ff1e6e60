#l1 = #ttnn.buffer_type<l1>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4x1>, memref<8x64xbf16, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,0)>]>>
#layout1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4x1>, memref<8x64xbf16, #l1>, <height_sharded>, core_ranges = #ttnn.core_range_set<[#ttnn.core_range<(1,1), (4,1)>]>>
%0 = "ttnn.empty"() : () -> tensor<32x64xbf16, #layout>
%1 = "ttnn.empty"() : () -> tensor<32x64xbf16, #layout1>
