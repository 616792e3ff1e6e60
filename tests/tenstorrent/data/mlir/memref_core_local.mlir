#l1 = #ttcore.memory_space<l1>
%0 = memref.alloc() : memref<2x4x!ttcore.tile<32x32, f32>, #l1>
%1 = memref.alloc() : memref<32x32xf32, #l1>
%2 = memref.alloc() : memref<2x4x!ttcore.tile<32x32, bf16>, #ttcore.memory_space<l1>>
%3 = d2m.acquire_dst() : memref<8x!ttcore.tile<32x32, f32>, #ttcore.memory_space<dst>>
