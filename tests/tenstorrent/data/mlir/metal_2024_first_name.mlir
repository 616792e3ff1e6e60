#layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<system>>>
%0 = tensor.empty() : tensor<64x128xf32, #layout>
