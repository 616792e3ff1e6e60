#!/usr/bin/env bash
# The short attacks: attacks_test.py says which.
set -euo pipefail
PYTHONDONTWRITEBYTECODE=1 exec /usr/bin/python3 tests/attacks/attacks_test.py cli/tessera cli/tessera_serve -v
