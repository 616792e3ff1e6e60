%0 = "ttir.empty"() : () -> tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>, memref<8x150xf32, #tt.memory_space<l1>>>>
