!host = memref<32x64xf32, #ttcore.host_layout<logical_shape = 32x64, host_strides = 64x1, host_volume = 2048, <"mesh">>>
func.func @f(%arg0: !host) -> !host
