"""What a user does first with a wheel, where nothing but NumPy is installed. No
library of the machine's packages may be used. From the root of the repository."""

import re
import sys

import numpy
import tessera

assert tessera.__file__.startswith(sys.prefix), tessera.__file__
rows = numpy.arange(15, dtype="float32").reshape(3, 5)
tiled = tessera.relayout(rows, to="f32[3,5]{1,0:T(2,2)}")
assert tiled[:6].tolist() == [0, 1, 5, 6, 2, 3], tiled
assert tessera.explain("tests/hlo/data/tpu_backbone.hlo", device="v5e").fits
with open("/proc/self/maps") as maps:
    used = {line.split()[-1] for line in maps if re.search(r"absl|protobuf|hwy|tessera", line)}
outside = [library for library in used if not library.startswith(sys.prefix)]
assert used and not outside, outside
print(f"tessera {tessera.__version__}, Python {sys.version.split()[0]}, NumPy {numpy.__version__}")
