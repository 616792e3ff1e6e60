#dram = #ttcore.memory_space<dram>
%0 = ttir.cast %a : memref<1x1x2x4x!ttcore.tile<32x32, f32>, #ttcore.interleaved<16384x4096>, #dram>
%1 = ttir.cast %a : memref<1x1x2x4x!ttcore.tile<32x32, f32>, #ttcore.interleaved<16384x4096>, #ttcore.memory_space<dram>>
