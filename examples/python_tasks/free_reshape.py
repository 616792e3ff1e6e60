"""Is a reshape free, and what is wrong with a text that cannot be read?

A reshape is free if the buffer of one array can be read as the other.
"""

import tessera

answer = tessera.compare("bf16[8,128]{1,0:T(8,128)}", "bf16[1024]{0}")
print("free" if answer.bitcasts.as_reshape else "not free")

try:
    tessera.shape("bf16[8,128]{1,0:T(8,)}")
except tessera.Error as error:
    print(f"line {error.line}, column {error.column}: {error.message}")
