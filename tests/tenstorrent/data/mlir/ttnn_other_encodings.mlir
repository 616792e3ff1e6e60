%0 = "ttnn.begin_trace"(%device) : (!ttnn.device) -> tensor<ui32, #ttnn.trace_id>
%1 = "ttnn.x"(%0) : (tensor<ui32, #ttnn.trace_id>) -> tensor<4x4xf32, #ttcore.memory_space<l1>>
%2 = "ttnn.x"(%0) : (tensor<ui32>) -> tensor<4x4xf32>
