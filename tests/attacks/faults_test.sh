#!/usr/bin/env bash
# A part of what faults.py and memory.py try.
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
/usr/bin/python3 tests/attacks/faults.py cli/tessera --times=36
# AddressSanitizer takes more memory than the limits allow.
if ! grep -q __asan_init cli/tessera; then
  /usr/bin/python3 tests/attacks/memory.py cli/tessera --quick
fi
