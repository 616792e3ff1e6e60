#layout = #ttnn.ttnn_layout<
    (d0, d1) -> (d0, d1),  // rows > columns
    <1x1>,
    memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>,
    <interleaved>>
%0 = "ttnn.empty"() : () ->
    tensor<32x64xbf16,
           #layout>  // tensor<1x1xf32, #layout>
