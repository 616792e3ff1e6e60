#dram = #ttnn.buffer_type<dram>
#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ints = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
%0 = "ttnn.empty"() : () -> tensor<0x64xbf16, #tiled>
%1 = "ttnn.empty"() : () -> tensor<0x64xsi32, #ints>
