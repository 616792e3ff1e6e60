#system_memory = #ttnn.buffer_type<system_memory>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #system_memory>>
%0 = "ttnn.from_device"(%a) : (tensor<32x64xbf16>) -> tensor<32x64xbf16, #layout>
