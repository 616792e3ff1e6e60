#!/usr/bin/env bash
# What the command loads before it begins: each library takes time, Highway's 3 ms of it and gRPC's 40 libraries 10.
set -euo pipefail
needed=$(readelf -d cli/tessera | sed -n 's/.*Shared library: \[\([^.]*\)\..*/\1/p' | sort | tr '\n' ' ')
expected="libc libgcc_s libm libstdc++ libz "
if [[ $needed != "$expected" ]]; then
  echo "tessera loads: $needed"
  echo "it should load: $expected"
  exit 1
fi
# Kernels run without Highway's library.
cli/tessera relayout --plan --from 'f32[9,130]' --to 'f32[9,130]{1,0:T(8,128)}' >/dev/null
cli/tessera hlo tests/hlo/data/while.hlo >/dev/null
