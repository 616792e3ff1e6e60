# Debian packages, by `cpack`: tessera, the command with its man pages and completions; libtessera-dev, the static library; and
# python3-tessera, the Python package.
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
  COMMAND mkdir -p debian/man1 && cp manual/man1/* debian/man1 && gzip -9nf debian/man1/*.1
  DEPENDS ${TESSERA_MANUAL_DIR}/man1/tessera.1
  WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
add_custom_target(tessera_debian_files ALL DEPENDS
  ${CMAKE_CURRENT_BINARY_DIR}/debian/changelog.gz ${CMAKE_CURRENT_BINARY_DIR}/debian/man1/tessera.1.gz)

set(packages tessera libtessera-dev python3-tessera)
set(components tessera_program tessera_development tessera_python)
foreach(package component IN ZIP_LISTS packages components)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/debian/changelog.gz cmake/debian/copyright NOTICE
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endforeach()

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

set(CPACK_DEBIAN_TESSERA_DEVELOPMENT_PACKAGE_NAME libtessera-dev)
set(CPACK_DEBIAN_TESSERA_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_TESSERA_DEVELOPMENT_PACKAGE_DEPENDS
  "libabsl-dev, libprotobuf-dev, libhwy-dev, zlib1g-dev")
set(CPACK_COMPONENT_TESSERA_DEVELOPMENT_DESCRIPTION
"C++ library of array shapes and memory layouts, for development
The headers and the static library of Tessera, for CMake and pkg-config. It
reads the layouts that compilers print and answers where every element lies.")

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
include(CPack)
