#!/usr/bin/env bash
# Debian's Python, which has Debian's grpcio; another one may stand before it on the path.
set -euo pipefail
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. exec /usr/bin/python3 tests/service/transport/python_client_test.py cli/tessera -v
