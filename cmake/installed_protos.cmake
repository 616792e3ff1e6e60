# The messages for programs in other languages: tessera/proto/*.proto below the folder of headers, and for Debian the Python
# package tessera_proto. In the source tree they are proto/*.proto, as C++ includes them, so they are written anew.
set(TESSERA_INSTALLED_PROTOS
  hlo_questions layout_questions layout_service layout_service_rpc memory_check text_note tt_questions xla_data)
set(protos_dir ${CMAKE_CURRENT_BINARY_DIR}/protos)
list(TRANSFORM TESSERA_INSTALLED_PROTOS APPEND .proto OUTPUT_VARIABLE files)
foreach(file IN LISTS files)
  file(READ proto/${file} text)
  string(REGEX REPLACE "(\nimport (public )?\")proto/" "\\1tessera/proto/" text "${text}")
  file(CONFIGURE OUTPUT ${protos_dir}/tessera/proto/${file} CONTENT "${text}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS proto/${file})
endforeach()
install(DIRECTORY ${protos_dir}/tessera/proto DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera
  COMPONENT tessera_development)

if(TESSERA_DEBIAN)
  # Files are known to descriptors as tessera/proto/..., wherever the package of Python is.
  set(python_protos ${protos_dir}/python/tessera_proto)
  list(TRANSFORM files PREPEND tessera/proto/)
  list(TRANSFORM files PREPEND ${protos_dir}/ OUTPUT_VARIABLE inputs)
  add_custom_command(
    OUTPUT ${python_protos}/__init__.py
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/python_protos.sh $<TARGET_FILE:protobuf::protoc>
            $<TARGET_FILE:gRPC::grpc_python_plugin> ${python_protos} ${files}
    DEPENDS ${CMAKE_CURRENT_LIST_DIR}/python_protos.sh ${inputs}
    WORKING_DIRECTORY ${protos_dir}
    VERBATIM)
  add_custom_target(tessera_python_protos ALL DEPENDS ${python_protos}/__init__.py)
  install(DIRECTORY ${python_protos} DESTINATION lib/python3/dist-packages COMPONENT tessera_protos
    FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
endif()
