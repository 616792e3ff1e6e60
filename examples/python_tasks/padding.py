"""How many bytes does an array take, and which of its dimensions pays for it?

Each entry of `by_dimension` is a group of dimensions. A group has more than one
dimension only where a tile joins them.
"""

import tessera

array = tessera.shape("bf16[8,1,1280,130]{3,2,0,1:T(8,128)(2,1)}")
print(f"{array.unpadded_nbytes} bytes of data in {array.nbytes}")
for group in array.padding.by_dimension:
    if group.padded != group.bound:
        print(f"dimension {group.dimensions[0]}: {group.bound}, padded to {group.padded}")
