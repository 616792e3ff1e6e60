#!/usr/bin/env bash
# Whether programs of others build against an installed Tessera, with its installed headers alone: by CMake and by pkg-config.
#
#   tests/cmake/installed_package.sh BUILD_DIR
#
# BUILD_DIR is configured and built unless it is already. Jobs: CMAKE_BUILD_PARALLEL_LEVEL.
set -euo pipefail
build=$(realpath -m "$1")
cd "$(dirname "$0")/../.."
consumer=examples/consumer

fail() {
  echo "$*" >&2
  exit 1
}
expect_17() {  # expect_17 PROGRAM
  [[ $("$1") == 17 ]] || fail "$1 prints '$("$1")' instead of 17"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

[[ -e $build/CMakeCache.txt ]] || cmake -S . -B "$build"
cmake --build "$build"
cmake --install "$build" --prefix "$prefix" >"$scratch/install.log"
if [[ -e $prefix/include/proto ]]; then
  fail "include/proto is anybody's folder"
fi
# Whole paths alone: with the sources in /tessera, lib/cmake/Tessera and include/tessera are no such names.
if grep -rlP "(?<![\w.}>/-])(\Q$PWD\E|\Q$build\E)(?![\w.-])" "$prefix" --include='*.cmake' --include='*.pc' \
  --include='*.h'; then
  fail "these installed files name the folder of the sources or of the build"
fi

# Away from the sources, so that nothing is found there.
cp -r "$consumer" "$scratch/consumer"
cd "$scratch/consumer"

# By CMake.
cmake -S . -B by_cmake -DCMAKE_PREFIX_PATH="$prefix"
cmake --build by_cmake
expect_17 by_cmake/consumer
# The package may be written in lower case.
sed -i 's/find_package(Tessera /find_package(tessera /' CMakeLists.txt
grep -q 'find_package(tessera 0.3 ' CMakeLists.txt
cmake -S . -B in_lower_case "-DCMAKE_PREFIX_PATH=$prefix" >/dev/null

# A component that does not exist is named.
mkdir misnamed
printf 'cmake_minimum_required(VERSION 3.25)\nproject(misnamed CXX)\nfind_package(Tessera REQUIRED COMPONENTS xla hlos)\n' \
  >misnamed/CMakeLists.txt
if cmake -S misnamed -B misnamed/built -DCMAKE_PREFIX_PATH="$prefix" >misnamed/log 2>&1; then
  fail "the component hlos was found"
fi
tr -s ' \n' ' ' <misnamed/log | grep -qF "Tessera has no component 'hlos'; it has tessera, any_layout, " || fail "$(<misnamed/log)"

# By pkg-config.
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name tessera.pc)")
read -ra cflags < <(pkg-config --cflags tessera)
read -ra libs < <(pkg-config --libs tessera)
library_dir=$(pkg-config --variable=libdir tessera)
g++ -std=c++17 "${cflags[@]}" consumer.cc -o by_pkg_config "${libs[@]}" -Wl,-rpath,"$library_dir"
expect_17 ./by_pkg_config

# Every installed header finds what it includes, without a warning.
(cd "$prefix/include" && find tessera -path tessera/generated -prune -o -name '*.h' -print) | sort |
  sed 's/.*/#include "&"/' >every_header.cc
g++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only "${cflags[@]}" every_header.cc

# A shared library exports what is Tessera's, and nothing that only its sources see.
if [[ -e $library_dir/libtessera.so ]]; then
  nm -D --defined-only "$library_dir/libtessera.so" | awk '{ print $3 }' >mangled
  c++filt <mangled >exported
  grep -q '^tessera::ParseShape(' exported || fail "libtessera.so does not export ParseShape"
  # A function that is a friend, and defined in a source, is declared outside of its class as well, or g++ hides it.
  while read -r type; do
    grep -q "operator==(tessera::[a-z:]*$type const&, " exported || fail "libtessera.so does not export == of $type"
  done < <(grep -rhoP 'friend bool operator==\(const \K\w+(?=& \w+, const \w+& \w+\);)' "$prefix/include")
  if grep -v '^_Z.*7tessera' mangled; then
    fail "libtessera.so exports these, which are not Tessera's"
  fi
  if grep -E 'parser_internal|tessera::hlo_proto|[(]anonymous namespace[)]' exported; then
    fail "libtessera.so exports these, which no installed header declares"
  fi
fi
