"""How much memory does a program need at once, and for what?

Lists the largest array at the peak of each memory space.
"""

import sys

import tessera

peak = tessera.hlo.load(sys.argv[1]).peak()
for number, space in peak.by_memory_space.items():
    # The largest comes first.
    largest = space.live_at_peak[0]
    print(f"S({number}): {space.peak_bytes} bytes")
    print(f"  {largest.padded_bytes} of them {largest.instruction}")
