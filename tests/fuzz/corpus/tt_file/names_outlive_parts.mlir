#dram = #ttnn.buffer_type<dram>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
%0 = "ttnn.empty"() : () -> tensor<32x64xbf16, #layout>
// -----
%0 = "ttnn.empty"() : () -> tensor<32x64xbf16, #layout>
// -----
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x64xbf16, #dram>, <interleaved>>
%0 = "ttnn.empty"() : () -> tensor<32x64xbf16, #layout>
