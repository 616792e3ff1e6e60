"""Puts a row-major array into tiles, on two threads.

An array with any strides is read in place, transposed or sliced as it is. The
threads run without Python's lock.
"""

import numpy
import tessera

# Every element is its row. The strides are those of a broadcast: (4, 0).
rows = numpy.broadcast_to(numpy.arange(16, dtype="float32")[:, None], (16, 256))
device = tessera.relayout(rows, to="f32[16,256]{1,0:T(8,128)}", threads=2)
# A tile has 128 elements of each of 8 rows.
print(f"position 128 has row {device[128]:.0f}, position 1024 has row {device[1024]:.0f}")
