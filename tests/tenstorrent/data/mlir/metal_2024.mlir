#l1_ = #ttcore.memory_space<l1>
#layout = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
#layout1 = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<1x1x!ttcore.tile<32x32, f32>, #l1_>>
%0 = "ttir.empty"() : () -> tensor<64x128xf32, #layout>
%1 = "ttir.to_layout"(%0) : (tensor<64x128xf32>) -> tensor<64x128xf32, #layout1>
