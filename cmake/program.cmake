# The command line, and what writes its man pages and completions.
set(stamped_source cli/build_commit.cc)
tessera_sources(sources cli service/explorer EXCLUDE "main\\.cc$" "^cli/serve/server\\.cc$" "^${stamped_source}$")
add_library(tessera_commands OBJECT ${sources} ${stamped_source})
tessera_compile_options(tessera_commands)
tessera_add_generated_headers(tessera_commands ${TESSERA_program_GENERATED_HEADERS})
target_link_libraries(tessera_commands PUBLIC tessera_report)
target_link_libraries(tessera_commands PRIVATE CLI11::CLI11 nlohmann_json::nlohmann_json)

add_executable(tessera_cli cli/main.cc)
set_target_properties(tessera_cli PROPERTIES OUTPUT_NAME tessera)
tessera_compile_options(tessera_cli)
target_link_libraries(tessera_cli PRIVATE tessera_commands)

add_executable(tessera_manual cli/manual_main.cc)
tessera_compile_options(tessera_manual)
target_link_libraries(tessera_manual PRIVATE tessera_commands)

set(TESSERA_MANUAL_DIR ${CMAKE_CURRENT_BINARY_DIR}/manual)
add_custom_command(
  OUTPUT ${TESSERA_MANUAL_DIR}/man1/tessera.1
  COMMAND tessera_manual ${TESSERA_MANUAL_DIR}
  VERBATIM)
add_custom_target(tessera_manual_pages ALL DEPENDS ${TESSERA_MANUAL_DIR}/man1/tessera.1)

# `tessera --version` says of which commit it is, where this is a repository. Asked anew by each build.
set(commit_stamp ${CMAKE_CURRENT_BINARY_DIR}/commands/commit_stamp.h)
add_custom_target(tessera_commit_stamp
  COMMAND ${CMAKE_COMMAND} -D SOURCE_DIR=${CMAKE_CURRENT_SOURCE_DIR} -D STAMP=${commit_stamp}
          -P ${CMAKE_CURRENT_LIST_DIR}/commit_stamp.cmake
  BYPRODUCTS ${commit_stamp}
  VERBATIM)
add_dependencies(tessera_commands tessera_commit_stamp)
set_source_files_properties(${stamped_source} PROPERTIES
  COMPILE_OPTIONS "-include;${commit_stamp}"
  OBJECT_DEPENDS ${commit_stamp})
