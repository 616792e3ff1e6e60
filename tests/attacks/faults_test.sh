#!/usr/bin/env bash
# A part of what faults.py and memory.py try.
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
/usr/bin/python3 tests/attacks/faults.py cli/tessera --times=36
/usr/bin/python3 tests/attacks/memory.py cli/tessera --quick
