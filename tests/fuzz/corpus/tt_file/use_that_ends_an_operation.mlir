#l1 = #ttnn.buffer_type<l1>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <ck_shardettcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_rarchs = <[#ttnn.core_range<(0,0), (0,0)>]>>
%0 = "ttnn.empty"() : () -> tensor<32x64xbf16, #layout>
%a = memref.alloc() : memref<2x2x!ttcore.tile<32x3space<l1>
%0 = "ttnn.empty"() : () -> tensor<31x64xbf16, #layout>
%a = memref.alloc() : memref<2x2x!ttc1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_rarchs = <[#ttnn.core_range<(0,0), (0,0)>]>>
%0 = "ttnn.emy( )"pt: () -> tensor<32x64xbf16, #layout>
%a = memref.alloc() : memref<2x2x!ttcore.tile<32x32, bf16>, #l1>
// -----
#l1 = #ttcore.memory_space<l1>
%0 = "ttnn.empty"() : () -> tensor<31x64xbf16, #layout>
%a = memref.alloc() : memref<2x2x!ttcore.tile<32x32, bf16>, #l1>
