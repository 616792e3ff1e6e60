# One library, tessera, whose parts are targets of their own only by name: the linker takes of an archive what a program
# needs, and a shared library is one file.

if(NOT TESSERA_SERVICE)
  list(REMOVE_ITEM TESSERA_COMPONENTS service)
endif()

add_library(tessera)
add_library(tessera::tessera ALIAS tessera)
tessera_compile_options(tessera)
set_target_properties(tessera PROPERTIES
  VERSION ${PROJECT_VERSION}
  # Before 1.0, a minor version may change what programs are linked against.
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# Where messages are found by those who include installed headers: not in include/proto, which is anybody's.
set(TESSERA_INSTALLED_GENERATED_DIR ${CMAKE_INSTALL_INCLUDEDIR}/tessera/generated)
# For a project around this one they are headers of others, as an installed package's are.
set(system "")
if(NOT PROJECT_IS_TOP_LEVEL)
  set(system SYSTEM)
endif()
target_include_directories(tessera ${system} PUBLIC
  $<BUILD_INTERFACE:${TESSERA_INCLUDE_DIR}>
  $<BUILD_INTERFACE:${TESSERA_GENERATED_DIR}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  $<INSTALL_INTERFACE:${TESSERA_INSTALLED_GENERATED_DIR}>)
# Highway includes a file of kernels once for each processor, by its path from here.
target_include_directories(tessera PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_features(tessera PUBLIC cxx_std_17)

list(TRANSFORM TESSERA_ABSL_TARGETS PREPEND absl:: OUTPUT_VARIABLE TESSERA_PUBLIC_LIBRARIES)
list(APPEND TESSERA_PUBLIC_LIBRARIES protobuf::libprotobuf)
set(TESSERA_PRIVATE_LIBRARIES hwy::hwy Threads::Threads ZLIB::ZLIB)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT APPLE)
  target_link_options(tessera INTERFACE -Wl,--gc-sections)
endif()
target_link_libraries(tessera
  PUBLIC ${TESSERA_PUBLIC_LIBRARIES}
  PRIVATE ${TESSERA_PRIVATE_LIBRARIES} $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)

set(TESSERA_INSTALLED_HEADERS "")
set(TESSERA_INSTALLED_MESSAGES "")
foreach(component IN LISTS TESSERA_COMPONENTS)
  list(TRANSFORM TESSERA_${component}_OTHER_FOLDERS REPLACE "(.+)" "^\\1/" OUTPUT_VARIABLE others)
  tessera_sources(sources ${TESSERA_${component}_FOLDERS} EXCLUDE ${others})
  target_sources(tessera PRIVATE ${sources})
  tessera_add_messages(tessera ${TESSERA_${component}_INCLUDED_PROTOS} ${TESSERA_${component}_PROTOS})
  list(APPEND TESSERA_INSTALLED_HEADERS
    ${TESSERA_${component}_PUBLIC_HEADERS} ${TESSERA_${component}_INCLUDED_HEADERS})
  foreach(proto IN LISTS TESSERA_${component}_INCLUDED_PROTOS)
    cmake_path(REPLACE_EXTENSION proto LAST_ONLY .pb.h OUTPUT_VARIABLE header)
    list(APPEND TESSERA_INSTALLED_MESSAGES ${header})
  endforeach()

  add_library(tessera_${component} INTERFACE)
  add_library(tessera::${component} ALIAS tessera_${component})
  set_target_properties(tessera_${component} PROPERTIES EXPORT_NAME ${component})
  target_link_libraries(tessera_${component} INTERFACE tessera)
endforeach()
tessera_add_generated_headers(tessera ${TESSERA_library_GENERATED_HEADERS})
foreach(header IN LISTS TESSERA_MOVED_HEADERS)
  file(CONFIGURE OUTPUT ${TESSERA_GENERATED_DIR}/tessera/${TESSERA_EARLIER_PATH_OF_${header}}
    CONTENT "#include \"tessera/${header}\"\n" @ONLY)
endforeach()

get_target_property(tessera_type tessera TYPE)
if(tessera_type STREQUAL "SHARED_LIBRARY")
  include(cmake/exports.cmake)
endif()
