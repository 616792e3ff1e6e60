# Debian packages, by `cpack`: tessera, the command with its man pages and completions; tessera-server, the server and its
# service; libtessera-dev, the static library with docs, examples and .proto files; python3-tessera, the Python package; and
# python3-tessera-proto, the messages of the server for Python.
# Configure with CMAKE_INSTALL_PREFIX=/usr, as the preset "debian" does, for the library's folder depends on it.

# Debian asks for a changelog of its own form, compressed as well as can be.
configure_file(cmake/debian/changelog.in ${CMAKE_CURRENT_BINARY_DIR}/debian/changelog @ONLY)
add_custom_command(
  OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/debian/changelog.gz
  COMMAND gzip -9nc debian/changelog > debian/changelog.gz
  DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/debian/changelog
  WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
add_custom_command(
  OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/debian/man1/tessera.1.gz
  COMMAND mkdir -p debian/man1 && cp manual/man1/* debian/man1 && echo .so man1/tessera-serve.1 > debian/man1/tessera_serve.1 &&
          gzip -9nf debian/man1/*.1
  DEPENDS ${TESSERA_MANUAL_DIR}/man1/tessera.1
  WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
add_custom_target(tessera_debian_files ALL DEPENDS
  ${CMAKE_CURRENT_BINARY_DIR}/debian/changelog.gz ${CMAKE_CURRENT_BINARY_DIR}/debian/man1/tessera.1.gz)

set(packages tessera tessera-server libtessera-dev python3-tessera python3-tessera-proto)
set(components tessera_program tessera_server tessera_development tessera_python tessera_protos)
foreach(package component IN ZIP_LISTS packages components)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/debian/changelog.gz cmake/debian/copyright NOTICE
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endforeach()

install(FILES cmake/debian/server/tessera-server.service DESTINATION lib/systemd/system COMPONENT tessera_server)
install(FILES cmake/debian/server/default DESTINATION /etc/default RENAME tessera-server COMPONENT tessera_server)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libtessera-dev COMPONENT tessera_development
  REGEX "examples/(ci|dask_hlo_report|notebook|python_tasks|server|tasks)/BUILD$|/internals$|_test\\.sh$|__pycache__" EXCLUDE)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libtessera-dev COMPONENT tessera_development)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Tessera developers <maintainers@tessera.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_TESSERA_PROGRAM_PACKAGE_NAME tessera)
set(CPACK_DEBIAN_TESSERA_PROGRAM_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TESSERA_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_TESSERA_PROGRAM_DESCRIPTION
"where every element of an array lies, and what memory a program takes
Reads the array shapes and memory layouts that compilers print: those of XLA,
CuTe and Tenstorrent, and strided arrays. Says where every element lies, how
much of an array is padding, and what takes the memory of an HLO module.")

set(CPACK_DEBIAN_TESSERA_SERVER_PACKAGE_NAME tessera-server)
set(CPACK_DEBIAN_TESSERA_SERVER_PACKAGE_SECTION net)
set(CPACK_DEBIAN_TESSERA_SERVER_PACKAGE_SHLIBDEPS ON)
# Its man page was in that package.
set(CPACK_DEBIAN_TESSERA_SERVER_PACKAGE_BREAKS "tessera (<< 0.3.0)")
set(CPACK_DEBIAN_TESSERA_SERVER_PACKAGE_REPLACES "tessera (<< 0.3.0)")
set(server_scripts conffiles postinst prerm postrm)
list(TRANSFORM server_scripts PREPEND ${CMAKE_CURRENT_LIST_DIR}/debian/server/)
set(CPACK_DEBIAN_TESSERA_SERVER_PACKAGE_CONTROL_EXTRA "${server_scripts}")
set(CPACK_COMPONENT_TESSERA_SERVER_DESCRIPTION
"questions about array layouts and HLO memory, over gRPC and HTTP
Answers the questions of the command tessera for programs in any language, and
serves a page that shows layouts. The service listens on this machine alone
unless /etc/default/tessera-server has another host.")

set(CPACK_DEBIAN_TESSERA_DEVELOPMENT_PACKAGE_NAME libtessera-dev)
set(CPACK_DEBIAN_TESSERA_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_TESSERA_DEVELOPMENT_PACKAGE_DEPENDS
  "libabsl-dev, libprotobuf-dev, libhwy-dev, zlib1g-dev")
set(CPACK_COMPONENT_TESSERA_DEVELOPMENT_DESCRIPTION
"C++ library of array shapes and memory layouts, for development
The headers and the static library of Tessera, for CMake and pkg-config. It
reads the layouts that compilers print and answers where every element lies.
With the documentation, the examples, and the .proto files of the server.")

set(CPACK_DEBIAN_TESSERA_PYTHON_PACKAGE_NAME python3-tessera)
set(CPACK_DEBIAN_TESSERA_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_TESSERA_PYTHON_PACKAGE_SHLIBDEPS ON)
# The module is for one version of Python.
set(CPACK_DEBIAN_TESSERA_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.11), python3 (<< 3.12), python3-numpy")
set(CPACK_DEBIAN_TESSERA_PYTHON_PACKAGE_CONTROL_EXTRA
  "${CMAKE_CURRENT_LIST_DIR}/debian/python/postinst;${CMAKE_CURRENT_LIST_DIR}/debian/python/prerm")
set(CPACK_COMPONENT_TESSERA_PYTHON_DESCRIPTION
"array shapes, memory layouts and HLO memory, for Python
Reads the array shapes and memory layouts that compilers print: those of XLA,
CuTe and Tenstorrent, and strided arrays. Says where every element lies, moves
arrays of NumPy between layouts, and says what takes the memory of an HLO
module.")

set(CPACK_DEBIAN_TESSERA_PROTOS_PACKAGE_NAME python3-tessera-proto)
set(CPACK_DEBIAN_TESSERA_PROTOS_PACKAGE_SECTION python)
set(CPACK_DEBIAN_TESSERA_PROTOS_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_TESSERA_PROTOS_PACKAGE_DEPENDS "python3, python3-protobuf (>= 3.21)")
set(CPACK_DEBIAN_TESSERA_PROTOS_PACKAGE_RECOMMENDS "python3-grpcio")
set(CPACK_DEBIAN_TESSERA_PROTOS_PACKAGE_CONTROL_EXTRA
  "${CMAKE_CURRENT_LIST_DIR}/debian/protos/postinst;${CMAKE_CURRENT_LIST_DIR}/debian/protos/prerm")
set(CPACK_COMPONENT_TESSERA_PROTOS_DESCRIPTION
"messages and gRPC stubs of the Tessera server, for Python
The Python package tessera_proto: the questions and answers of the package
tessera-server as protocol buffers, and stubs to ask them over gRPC.")
include(CPack)
