# What is not found by a target yet is looked for. A project that has Tessera as a part sees what Tessera links, so the
# targets are global.

# All that is missing is told at once, by the names of Debian's packages.
set(missing "")

# tessera_find(PACKAGE TARGET DEBIAN_PACKAGE): a macro, for what find_package sets is used outside.
macro(tessera_find package target debian_package)
  if(NOT TARGET ${target})
    find_package(${package} QUIET GLOBAL)
    if(NOT TARGET ${target})
      list(APPEND missing ${debian_package})
    endif()
  endif()
endmacro()

tessera_find(absl absl::strings libabsl-dev)
if(NOT COMMAND protobuf_generate)
  find_package(Protobuf QUIET GLOBAL)
endif()
tessera_find(Protobuf protobuf::libprotobuf libprotobuf-dev)
tessera_find(Protobuf protobuf::protoc protobuf-compiler)
tessera_find(hwy hwy::hwy libhwy-dev)
tessera_find(nlohmann_json nlohmann_json::nlohmann_json nlohmann-json3-dev)
tessera_find(ZLIB ZLIB::ZLIB zlib1g-dev)
if(NOT TARGET Threads::Threads)
  find_package(Threads REQUIRED GLOBAL)
endif()
if(TESSERA_CLI)
  tessera_find(CLI11 CLI11::CLI11 libcli11-dev)
endif()
if(TESSERA_PYTHON)
  set(Python_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "The interpreter that the module is for")
  find_package(Python QUIET COMPONENTS Interpreter Development.Module)
  if(NOT Python_FOUND)
    list(APPEND missing python3-dev)
    # Which would look for it again, and end there.
    set(PYBIND11_NOPYTHON ON)
  endif()
  find_package(pybind11 QUIET)
  if(NOT pybind11_FOUND)
    list(APPEND missing pybind11-dev)
  endif()
  find_path(TESSERA_DLPACK_DIR dlpack/dlpack.h)
  mark_as_advanced(TESSERA_DLPACK_DIR)
  if(NOT TESSERA_DLPACK_DIR)
    list(APPEND missing libdlpack-dev)
  endif()
endif()

if(missing)
  list(JOIN missing " " missing)
  message(FATAL_ERROR
    "Tessera needs libraries that are not found. On Debian 12, install these packages:\n"
    "  apt-get install ${missing}\n"
    "Where the libraries lie elsewhere, CMAKE_PREFIX_PATH says where.")
endif()
