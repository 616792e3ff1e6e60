%0 = "ttnn.relu"(%a) : (tensor<32x64xbf16, #ttnn_layout3>) -> tensor<32x64xbf16, #ttnn_layout3>
