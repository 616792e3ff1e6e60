%0 = ttnn.to_memref %a : memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>
