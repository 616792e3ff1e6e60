#system_memory = #ttnn.buffer_type<system_memory>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x64xf32, #system_memory>>
func.func @f(%arg0: tensor<32x64xf32, #layout>) {
  %0 = "ttnn.from_device"(%arg0) : (tensor<32x64xf32, #layout>) -> tensor<32x64xf32, #layout>
}
