#dram = #ttnn.buffer_type<dram>
#bfp8 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#small = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x16, bfp_bf8>, #dram>, <interleaved>>
%0 = "ttnn.typecast"(%a) : (tensor<32x32xbf16>) -> tensor<32x32x!ttcore.tile<32x32, bfp_bf8>, #bfp8>
%1 = "ttnn.typecast"(%a) : (tensor<32x32xbf16>) -> tensor<32x32xbf16, #small>
