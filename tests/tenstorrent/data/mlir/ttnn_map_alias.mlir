#map = affine_map<(d0, d1, d2) -> (d0 * 32 + d1, d2)>
#dram = #ttnn.buffer_type<dram>
#layout = #ttnn.ttnn_layout<#map, <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
%0 = "ttnn.empty"() : () -> tensor<2x20x32xbf16, #layout>
