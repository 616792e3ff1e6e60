#l1 = #ttcore.memory_space<l1>
!tile = !ttcore.tile<32x32, bf16>
!cb = !d2m.cb<memref<2x2x!tile, #l1>>
func.func @f(%cb0: !cb, %cb1: !cb)
