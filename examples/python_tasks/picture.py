"""Draws a layout, tiles and all.

Prints the picture as text. Saves it as an SVG if you name a file. A notebook
needs neither: a cell that ends in the layout shows its picture.
"""

import sys

import tessera

layout = tessera.shape("bf16[10,14]{1,0:T(4,4)(2,1)}")
picture = layout.draw(row_window=(0, 4), column_window=(0, 8), path=True)
print(picture)
if len(sys.argv) > 1:
    picture.save(sys.argv[1])
