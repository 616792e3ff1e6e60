#a = #ttnn.ttnn_layout<(d0,d1)->(d0,d1),<1x1>,memref<1x2x!ttcore.tile<32x32,bf16>,#ttnn.buffer_type<dram>>,<interleaved>>
#b = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
%0 = "ttnn.empty"() : () -> tensor<32x64xbf16,#a>
%1 = "ttnn.empty"() : () -> tensor<32x64xbf16, #b>
%2 = "ttnn.empty"() : () -> tensor<32x64xbf16,
    #b>
