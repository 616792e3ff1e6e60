#l1 = #ttcore.memory_space<l1>
%0 = d2m.view_layout %a : memref<1x1x2x4x!ttcore.tile<32x32, f32>, #ttcore.view<4>, #l1>
%1 = d2m.view_layout %a : memref<1x1x2x4x!ttcore.tile<32x32, f32>, #ttcore.view<4>, #ttcore.memory_space<dram>>
%2 = d2m.view_layout %a : memref<1x1x64x64xf32, #ttcore.view<4>, #ttcore.memory_space<dram>>
