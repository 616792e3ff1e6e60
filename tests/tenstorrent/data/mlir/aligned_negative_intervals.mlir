#layout = #ttcore.metal_layout<logical_shape = 2x64x64, dim_alignments = 1x32x32, collapsed_intervals = dense<[[0, -1]]> : tensor<1x2xi64>, l1, sharded>
%0 = d2m.empty() : tensor<1x1x4x2x!ttcore.tile<32x32, f32>, #layout>
