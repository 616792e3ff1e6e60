# The server, which 'tessera serve' starts: a program of its own, because it links gRPC and HTTP.
set(rpc ${TESSERA_GENERATED_DIR}/proto/layout_service_rpc)
add_custom_command(
  OUTPUT ${rpc}.pb.h ${rpc}.pb.cc ${rpc}.grpc.pb.h ${rpc}.grpc.pb.cc
  COMMAND protobuf::protoc --plugin=protoc-gen-grpc=$<TARGET_FILE:gRPC::grpc_cpp_plugin> -I ${CMAKE_CURRENT_SOURCE_DIR}
          --cpp_out=${TESSERA_GENERATED_DIR} --grpc_out=${TESSERA_GENERATED_DIR} proto/layout_service_rpc.proto
  DEPENDS proto/layout_service_rpc.proto
  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
  VERBATIM)

tessera_sources(sources service/transport)
add_executable(tessera_serve cli/serve_main.cc cli/serve/server.cc ${sources} ${rpc}.pb.cc ${rpc}.grpc.pb.cc)
tessera_compile_options(tessera_serve)
tessera_add_generated_headers(tessera_serve ${TESSERA_server_GENERATED_HEADERS})
target_include_directories(tessera_serve PRIVATE ${TESSERA_GENERATED_DIR})
# Debian's httplib is compiled with these, which change the size of its classes.
target_compile_definitions(tessera_serve PRIVATE
  CPPHTTPLIB_BROTLI_SUPPORT CPPHTTPLIB_OPENSSL_SUPPORT CPPHTTPLIB_ZLIB_SUPPORT)
target_link_libraries(tessera_serve PRIVATE
  tessera_commands ${TESSERA_HTTPLIB} gRPC::grpc++ gRPC::grpc++_reflection Threads::Threads)
