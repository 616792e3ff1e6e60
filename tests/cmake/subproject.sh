#!/usr/bin/env bash
# Whether a project that has Tessera's sources as a part builds: by FetchContent, which ends in add_subdirectory. It is of
# C++20, and its warnings are errors. Compiles the library anew, and keeps what it compiled in BUILD_DIR.
#
#   tests/cmake/subproject.sh BUILD_DIR
set -euo pipefail
build=$(realpath -m "$1")
sources=$(realpath "$(dirname "$0")/../..")

fail() {
  echo "$*" >&2
  exit 1
}

mkdir -p "$build/project"
cp "$sources/examples/consumer/consumer.cc" "$sources/tests/consumers/std_types.cc" "$build/project"
# No variable of the project may have another value after Tessera than before.
cat >"$build/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Werror)
include(FetchContent)
FetchContent_Declare(tessera SOURCE_DIR $sources)
FetchContent_MakeAvailable(tessera)
add_executable(consumer consumer.cc)
target_link_libraries(consumer PRIVATE tessera::xla)
add_executable(std_types std_types.cc)
target_link_libraries(std_types PRIVATE tessera::tessera)
if(NOT CMAKE_CXX_STANDARD STREQUAL "20")
  message(FATAL_ERROR "Tessera sets CMAKE_CXX_STANDARD to \${CMAKE_CXX_STANDARD}")
endif()
foreach(variable CMAKE_CXX_FLAGS CMAKE_BUILD_TYPE BUILD_SHARED_LIBS BUILD_TESTING)
  if(NOT "\${\${variable}}" STREQUAL "")
    message(FATAL_ERROR "Tessera sets \${variable} to \${\${variable}}")
  endif()
endforeach()
END
cmake -S "$build/project" -B "$build/built"
cmake --build "$build/built" -j "$(nproc)" --target consumer std_types
printed=$("$build/built/consumer")
[[ $printed == 17 ]] || fail "the consumer prints '$printed' instead of 17"
"$build/built/std_types" 'f32[32,32]{1,0}' | grep -qF 'f32[32,32]{1,0} [32,32] -> [0,1024): 32*i0 + i1 1' ||
  fail "the program of std types does not print the shape and its map"

cmake --install "$build/built" --prefix "$build/installed"
if [[ -n $(find "$build/installed" -type f 2>/dev/null) ]]; then
  fail "what is a part of a project installs nothing"
fi
