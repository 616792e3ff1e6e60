#l1 = #ttcore.memory_space<l1>
!tile = !ttcore.tile<32x32, bf16>
!shard = memref<1x1x2x2x!tile, #ttcore.shard<4096x2048, 1>, #l1>
!buffer = memref<2x2x!tile, #l1>
func.func @f(%arg0: !shard) {
  %0 = memref.alloc() : !buffer
  return
}
