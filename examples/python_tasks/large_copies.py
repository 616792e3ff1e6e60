"""Which instructions move much, and which source lines ask for it?

A copy inside a fusion moves nothing by itself. So this looks at ENTRY alone.
"""

import sys

import tessera

for module in tessera.hlo.load(sys.argv[1]):
    for copy in module.entry_computation.instructions.by_opcode("copy"):
        if copy.padded_bytes >= 10_000_000:
            source = copy.source_line or "the dump has no line"
            print(f"{copy.name} moves {copy.padded_bytes} bytes; {source}")
