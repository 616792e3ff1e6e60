"""What lies at each position of a buffer: which element, or padding?

`index_of` takes one position, as here, or an array of any shape.
"""

import tessera

array = tessera.shape("f32[3,5]{1,0:T(2,2)}")
for position in range(8, 14):
    index = array.index_of(position)
    print(f"{position}: {index or array.kind_of(position).name.lower()}")
