#!/usr/bin/env bash
# Runs pytest on the files given, with the package of the source tree. From the root of the repository, or of what Bazel lays
# out in its place.
set -euo pipefail
export PYTHONPATH=$PWD/python PYTHONDONTWRITEBYTECODE=1
exec python/interpreter tests/python/run_pytest.py "$@"
