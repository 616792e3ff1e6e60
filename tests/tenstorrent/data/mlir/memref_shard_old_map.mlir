%alloc = memref.alloc() : memref<1x1x2x4x!tt.tile<32x32, f32>, #tt.shard<16384x4096, 1, (d0, d1, d2, d3) -> (d0, d1, d2, d3)>, #tt.memory_space<l1>>
