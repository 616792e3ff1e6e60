#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x64xsi32, #ttnn.buffer_type<dram>>, <interleaved>>
