%0 = "ttnn.empty"() : () -> tensor<2x32x32xbf16, #ttnn.ttnn_nd_layout<<2x1>, memref<1x1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <block_sharded>, <round_robin_1d>>>
