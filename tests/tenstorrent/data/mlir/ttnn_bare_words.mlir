// The form of 2024-11.
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x8>, memref<32x32xf32, #ttnn.buffer_type<l1>>, width_sharded>
%0 = "ttnn.empty"() : () -> tensor<32x256xf32, #layout>
