# Headers that stand for files of the source tree: messages, and pages as string constants. They are included as
# "proto/<name>.pb.h" and "tessera/<path>" from this folder.
set(TESSERA_GENERATED_DIR ${CMAKE_CURRENT_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${TESSERA_GENERATED_DIR})

# "tessera/<path>" is <path> in the source tree. A folder with this link alone is on the path of includes, so that a project
# that has Tessera as a part does not find the folder layout/ there, or the file VERSION.
set(TESSERA_INCLUDE_DIR ${CMAKE_CURRENT_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${TESSERA_INCLUDE_DIR})
file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${TESSERA_INCLUDE_DIR}/tessera SYMBOLIC)

# tessera_add_messages(TARGET PROTO...): the code of messages, as sources of the target.
function(tessera_add_messages target)
  if(ARGN)
    protobuf_generate(TARGET ${target} PROTOC_OUT_DIR ${TESSERA_GENERATED_DIR} PROTOS ${ARGN})
  endif()
endfunction()

# tessera_add_generated_headers(TARGET HEADER...): headers that the commands in sources.cmake write.
function(tessera_add_generated_headers target)
  foreach(header IN LISTS ARGN)
    set(output ${TESSERA_GENERATED_DIR}/tessera/${header})
    cmake_path(GET output PARENT_PATH folder)
    file(MAKE_DIRECTORY ${folder})
    set(script ${CMAKE_CURRENT_BINARY_DIR}/commands/${header}.sh)
    file(CONFIGURE OUTPUT ${script} CONTENT "${TESSERA_COMMAND_OF_${header}}" @ONLY)
    add_custom_command(
      OUTPUT ${output}
      COMMAND sh ${script} ${output}
      DEPENDS ${script} ${TESSERA_INPUTS_OF_${header}}
      WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
      VERBATIM)
    target_sources(${target} PRIVATE ${output})
  endforeach()
endfunction()
