#!/usr/bin/env bash
# Debian's Python, which has Debian's protobuf; another one may stand before it on the path.
set -euo pipefail
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. exec /usr/bin/python3 tests/service/json_format_test.py cli/tessera \
  tests/service/data/questions.txt tests/docs/data/json_examples.txt
