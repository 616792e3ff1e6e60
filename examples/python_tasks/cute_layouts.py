"""Composes and divides CuTe layouts, and evaluates the result.

Each function takes a layout or its text, and returns a layout.
"""

import tessera

composed = tessera.cute("(6,2):(8,2)").composition("(4,3):(3,1)")
print(composed)
print(f"offset of coordinate 7: {composed(7)}")

print(tessera.cute("(8,16):(16,1)").logical_divide("4:1"))
