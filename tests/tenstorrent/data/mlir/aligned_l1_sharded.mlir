#layout = #ttcore.metal_layout<logical_shape = 64x128, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
%0 = d2m.empty() : tensor<2x4x1x1x!ttcore.tile<32x32, f32>, #layout>
%1 = d2m.view_layout %0 : tensor<2x4x1x1x!ttcore.tile<32x32, f32>, #layout>
