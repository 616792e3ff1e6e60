"""Builds a shape, sends it as XLA's message, and reads it back.

The message is a serialized xla.ShapeProto. protobuf for Python is not needed.
"""

import tessera

shape = tessera.Shape.of(
    "bf16",
    (1280, 16384),
    tiles=((8, 128), (2, 1)),
    memory_space=1,
)
message = shape.to_proto()
back = tessera.Shape.from_proto(message)
print(f"{back}, {'as it was' if back == shape else 'changed'}, in {len(message)} bytes")
