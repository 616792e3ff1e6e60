#l1 = #ttcore.memory_space<l1>
%alloc = memref.alloc() : memref<1x1x4x4xf32, #ttcore.shard<16x4, 1>, #l1>
%alloc_0 = memref.alloc() : memref<1x1x4x4xf32, #ttcore.shard<16x4, 1>, #ttcore.memory_space<dram>>
