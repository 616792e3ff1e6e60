# How all of Tessera is compiled.

# tessera_compile_options(TARGET): for targets of this project; those who link it are free.
function(tessera_compile_options target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF UNITY_BUILD_MODE GROUP)
  if(TESSERA_WARNINGS)
    # gcc 12 takes an empty absl::InlinedVector that is moved for a read of what was never written, as tessera.bzl says.
    target_compile_options(${target} PRIVATE
      -Wall -Wextra -Werror $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  endif()
endfunction()

# With CMAKE_UNITY_BUILD, a folder's sources are compiled together, in a third of the time.
foreach(batch IN LISTS TESSERA_BATCHES)
  set_source_files_properties(${TESSERA_${batch}_BATCH} PROPERTIES UNITY_GROUP ${batch})
endforeach()

# What Release does anyway. Packages of distributions are built with the type None and -O2.
set_source_files_properties(${TESSERA_HOT_SOURCES} PROPERTIES
  COMPILE_OPTIONS "$<$<CONFIG:None,RelWithDebInfo>:-O3>")
