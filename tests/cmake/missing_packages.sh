#!/usr/bin/env bash
# Whether CMake names Debian's packages of all that it does not find, and no others.
#
#   tests/cmake/missing_packages.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

expect() {  # expect PACKAGES ARGUMENT...: what configuring with the arguments asks for.
  rm -rf "$scratch/build"
  if cmake -S . -B "$scratch/build" -DTESSERA_CLI=ON -DTESSERA_PYTHON=ON "${@:2}" >"$scratch/log" 2>&1; then
    echo "CMake takes ${*:2}, without $1" >&2
    exit 1
  fi
  if ! grep -qxF "    apt-get install $1" "$scratch/log"; then
    echo "expected 'apt-get install $1' for ${*:2}, found:" >&2
    cat "$scratch/log" >&2
    exit 1
  fi
}
without() {  # without PACKAGE...: arguments to find none of them.
  printf -- '-DCMAKE_DISABLE_FIND_PACKAGE_%s=ON\n' "$@"
}

mapfile -t all < <(without absl Protobuf hwy nlohmann_json ZLIB CLI11 pybind11)
expect "libabsl-dev libprotobuf-dev protobuf-compiler libhwy-dev nlohmann-json3-dev zlib1g-dev libcli11-dev pybind11-dev" "${all[@]}"
expect "libhwy-dev" "$(without hwy)"
expect "libabsl-dev zlib1g-dev" "$(without absl)" "$(without ZLIB)"
expect "libgrpc++-dev" -DTESSERA_SERVER=ON "$(without gRPC)"
# Where libraries and Python have no headers.
mkdir "$scratch/bin"
cat >"$scratch/bin/python3" <<'PYTHON'
#!/bin/sh
/usr/bin/python3 "$@" | sed 's:/usr/include/.*:/nowhere:'
PYTHON
chmod +x "$scratch/bin/python3"
expect "libprotobuf-dev protobuf-compiler zlib1g-dev python3-dev libdlpack-dev" \
  -DPython_EXECUTABLE="$scratch/bin/python3" -DCMAKE_SYSTEM_IGNORE_PATH=/usr/include
