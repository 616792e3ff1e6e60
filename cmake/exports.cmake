# What the shared library exports: what its installed headers declare, and nothing else. These are the public headers, and
# the few private ones that they include, whose functions are called by inline functions of public classes.
#
# All is compiled with hidden symbols. Here every installed header gets a header of the same name that includes it with
# visible symbols, and stands before it on the path of includes; so no header of Tessera has to name what it exports. Nor do
# those of Abseil, protobuf and the standard library that they include: exports.map holds back what is instantiated of these.
set_target_properties(tessera PROPERTIES CXX_VISIBILITY_PRESET hidden)

set(visible_dir ${CMAKE_CURRENT_BINARY_DIR}/visible)
function(tessera_make_visible header path)
  file(CONFIGURE OUTPUT ${visible_dir}/${header} @ONLY CONTENT [=[
#pragma GCC visibility push(default)
#include "@path@"
#pragma GCC visibility pop
]=])
endfunction()
foreach(header IN LISTS TESSERA_INSTALLED_HEADERS)
  tessera_make_visible(tessera/${header} ${CMAKE_CURRENT_SOURCE_DIR}/${header})
endforeach()
foreach(header IN LISTS TESSERA_INSTALLED_MESSAGES)
  tessera_make_visible(${header} ${TESSERA_GENERATED_DIR}/${header})
endforeach()
target_include_directories(tessera BEFORE PRIVATE ${visible_dir})

if(NOT APPLE)
  set(exports_map ${CMAKE_CURRENT_LIST_DIR}/exports.map)
  target_link_options(tessera PRIVATE LINKER:--version-script=${exports_map})
  set_target_properties(tessera PROPERTIES LINK_DEPENDS ${exports_map})
endif()
