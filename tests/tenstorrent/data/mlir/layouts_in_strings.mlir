#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
module attributes {note = "tensor<32x64xbf16, #layout> // no comment", other = "a \" quote #ttnn.ttnn_layout<"} {
  emitc.verbatim "memref<1x1xf32, #ttcore.memory_space<l1>>"
  %0 = "ttnn.empty"() : () -> tensor<32x64xbf16, #layout>
}
