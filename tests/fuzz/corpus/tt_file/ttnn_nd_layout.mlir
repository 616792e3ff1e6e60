#l1 = #ttnn.buffer_type<l1>
#layout = #ttnn.ttnn_nd_layout<<1x1>, memref<1x1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, <row_major>, <grid_2d>>
#nd_shard_spec = #ttnn.nd_shard_spec<<[#ttnn.core_range<(0,0), (0,0)>]>, <1x32x32>, <row_major>, <grid_2d>>
func.func @f(%arg0: tensor<1x32x32xbf16, #layout>) -> tensor<1x32x32xbf16, #layout>
