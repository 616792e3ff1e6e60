#l1 = #ttnn.buffer_type<l1>
#scalar = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x4>, memref<64x32xbf16, #l1>, <width_sharded>>
#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x4>, memref<2x1x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>>
