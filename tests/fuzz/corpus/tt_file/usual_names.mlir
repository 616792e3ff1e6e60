%0 = "ttnn.empty"() : () -> tensor<32x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>
%1 = "ttnn.from_device"(%0) : () -> tensor<32x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x64xbf16, #system_memory>>>
%2 = memref.alloc() : memref<2x2x!ttcore.tile<32x32, bf16>, #l1>
