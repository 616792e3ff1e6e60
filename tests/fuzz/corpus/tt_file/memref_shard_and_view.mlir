#l1_ = #ttcore.memory_space<l1>
func.func @f(%arg0: memref<1x1x2x4x!ttcore.tile<32x32, f32>, #ttcore.shard<16384x4096, 1>, #ttcore.view<4>, #l1_>) {
  "d2m.use"(%arg0) : (memref<1x1x2x4x!ttcore.tile<32x32, f32>, #ttcore.shard<16384x4096, 1>, #ttcore.view<4>, #l1_>) -> ()
}
