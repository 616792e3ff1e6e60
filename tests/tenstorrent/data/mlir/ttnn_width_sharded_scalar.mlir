#dram = #ttnn.buffer_type<dram>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x2>, memref<32x32xbf16, #dram>, <width_sharded>, core_ranges = #ttnn.core_range_set<[#ttnn.core_range<(0,0), (1,0)>]>>
%0 = "ttnn.empty"() : () -> tensor<32x64xbf16, #layout>
