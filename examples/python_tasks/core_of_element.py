"""Does a Tenstorrent tensor keep the rules, and which core has an element?

`locate` takes many indices at once, and returns a table with a row for each.
"""

import tessera

tensor = tessera.tensor(
    "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
    "memref<18x32xf32, #tt.memory_space<l1>>>>"
)
print("keeps the rules" if tensor.check().ok else "breaks a rule")
[location] = tensor.locate([(18, 40)])
print(f"element (18, 40) is on core {tuple(location.cell)}")
