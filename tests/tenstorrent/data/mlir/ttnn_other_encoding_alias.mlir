#trace = #ttnn.trace_id
#space = #ttcore.memory_space<l1>
%0 = "ttnn.begin_trace"(%device) : (!ttnn.device) -> tensor<ui32, #trace>
%1 = "ttir.x"(%0) : (tensor<ui32, #trace>) -> tensor<4x4xf32, #space>
