#layout = #ttcore.metal_layout<logical_shape = 32x32, dim_alignments = 32x32, collapsed_intervals = dense<[0, 1]> : tensor<2xi64>, l1, sharded>
%0 = d2m.empty() : tensor<1x1x32x32xf32, #layout>
