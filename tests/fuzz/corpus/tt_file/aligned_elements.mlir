#layout = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!ttype_f32 = !ttcore.tile<32x32, f32>
%0 = d2m.empty() : tensor<1x1x64x64xf32, #layout>
%1 = d2m.empty() : tensor<1x1x64x64xbf16, #layout>
%2 = d2m.empty() : tensor<1x1x64x64xi32, #layout>
%3 = d2m.empty() : tensor<1x1x64x64xui32, #layout>
%4 = d2m.empty() : tensor<1x1x2x2x!ttype_f32, #layout>
