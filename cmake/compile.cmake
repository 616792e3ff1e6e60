# How all of Tessera is compiled.

# tessera_compile_options(TARGET): for targets of this project; those who link it are free.
function(tessera_compile_options target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(TESSERA_WARNINGS)
    # gcc 12 takes an empty absl::InlinedVector that is moved for a read of what was never written, as tessera.bzl says.
    target_compile_options(${target} PRIVATE
      -Wall -Wextra -Werror $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  endif()
endfunction()

# What Release does anyway. Packages of distributions are built with the type None and -O2.
set_source_files_properties(${TESSERA_HOT_SOURCES} PROPERTIES
  COMPILE_OPTIONS "$<$<CONFIG:None,RelWithDebInfo>:-O3>")
