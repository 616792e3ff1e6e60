#l1 = #ttnn.buffer_type<l1>
#core_range = #ttnn.core_range<(0,0), (0,0)>
#config = #ttnn.memory_config<#l1, <interleaved>>
#config1 = #ttnn.memory_config<#l1, <block_sharded>, #ttnn.shard_spec<<[#core_range]>, <32x32>, <row_major>>>
#config2 = #ttnn.memory_config<#l1, <height_sharded>, #ttnn.shard_spec<#ttnn.core_range_set<[#ttnn.core_range<(0,0), (7,0)>]>, <32x32>, <row_major>>>
#config3 = #ttnn.memory_config<#l1, <block_sharded>>
#conv = #ttnn.conv2d_config<core_grid = #ttnn.core_range_set<>>
