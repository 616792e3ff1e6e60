#map = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3, d2)>
%0 = d2m.view_layout %a : memref<1x1x2x4x!ttcore.tile<32x32, f32>, #ttcore.view<map(4)>, #ttcore.memory_space<l1>>
