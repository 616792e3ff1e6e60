#l1 = #ttcore.memory_space<l1>
#shard = #ttcore.shard<16384x4096, 1>
%alloc = memref.alloc() : memref<1x1x2x4x!ttcore.tile<32x32, f32>, #shard, #l1>
