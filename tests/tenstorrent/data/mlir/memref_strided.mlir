#l1 = #ttcore.memory_space<l1>
%subview = memref.subview %0[0, 0] [1, 1] [1, 1] : memref<1x1x!ttcore.tile<32x32, f32>, strided<[4, 1], offset: ?>, #l1>
%plain = memref.alloc() : memref<4x4xf32>
%strided = memref.cast %plain : memref<4x4xf32, strided<[4, 1], offset: ?>>
