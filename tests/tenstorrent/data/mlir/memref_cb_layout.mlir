#l1 = #ttcore.memory_space<l1>
%0 = memref.alloc() : memref<2x4x!ttcore.tile<32x32, f32>, #ttcore.cb_layout<16384x4096, 2>, #l1>
%1 = memref.alloc() : memref<2x4x!ttcore.tile<32x32, f32>, #ttcore.cb_layout<16384x4096, 1>, #ttcore.memory_space<l1>>
%2 = memref.alloc() : memref<32x32xf32, #ttcore.cb_layout<128x4, 1>, #l1>
