# How all of Tessera is compiled.

# tessera_compile_options(TARGET): for targets of this project; those who link it are free.
function(tessera_compile_options target)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF UNITY_BUILD ${TESSERA_UNITY} UNITY_BUILD_MODE GROUP)
  # A folder is one object file, of which a program takes what it calls.
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT APPLE)
    target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
  endif()
  if(TESSERA_WARNINGS)
    # gcc 12 takes an empty absl::InlinedVector that is moved for a read of what was never written, as tessera.bzl says.
    target_compile_options(${target} PRIVATE
      -Wall -Wextra -Werror $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    # The warnings of a project around this one are for its own code.
    target_compile_options(${target} PRIVATE -w)
  endif()
endfunction()

# tessera_sources(VARIABLE FOLDER... [EXCLUDE PATTERN...]): the sources in the folders and below them. Those of a folder are
# compiled together, in a third of the time, unless TESSERA_UNITY is off.
function(tessera_sources variable)
  cmake_parse_arguments(PARSE_ARGV 1 tessera "" "" EXCLUDE)
  set(found "")
  foreach(top IN LISTS tessera_UNPARSED_ARGUMENTS)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/${top}/*.cc)
    list(APPEND found ${sources})
  endforeach()
  foreach(pattern IN LISTS tessera_EXCLUDE)
    list(FILTER found EXCLUDE REGEX "${pattern}")
  endforeach()
  foreach(source IN LISTS found)
    cmake_path(GET source PARENT_PATH folder)
    string(REPLACE / _ folder ${folder})
    if(NOT source IN_LIST TESSERA_ALONE_SOURCES)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
    endif()
  endforeach()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# What Release does anyway. Packages of distributions are built with the type None and -O2.
set_source_files_properties(${TESSERA_HOT_SOURCES} PROPERTIES
  COMPILE_OPTIONS "$<$<CONFIG:None,RelWithDebInfo>:-O3>")
