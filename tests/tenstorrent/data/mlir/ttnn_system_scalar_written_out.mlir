%0 = "ttnn.constant"() : () -> tensor<2x2xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2xf32, #ttnn.buffer_type<system_memory>>>>
