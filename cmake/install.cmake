# What `cmake --install` puts where: the library, its headers, and how CMake and pkg-config find them.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera)
list(TRANSFORM TESSERA_COMPONENTS PREPEND tessera_ OUTPUT_VARIABLE component_targets)
install(TARGETS tessera ${component_targets} EXPORT TesseraTargets
  RUNTIME COMPONENT tessera_runtime
  LIBRARY COMPONENT tessera_runtime NAMELINK_COMPONENT tessera_development
  ARCHIVE COMPONENT tessera_development)
install(EXPORT TesseraTargets NAMESPACE tessera:: DESTINATION ${package_dir} COMPONENT tessera_development)
if(TESSERA_CLI)
  install(TARGETS tessera_cli COMPONENT tessera_program)
  install(FILES ${TESSERA_MANUAL_DIR}/bash/tessera
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tessera_program)
  install(FILES ${TESSERA_MANUAL_DIR}/zsh/_tessera
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT tessera_program)
  install(FILES ${TESSERA_MANUAL_DIR}/fish/tessera.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tessera_program)
  # Debian's are compressed.
  set(man_pages ${TESSERA_MANUAL_DIR}/man1/)
  if(TESSERA_DEBIAN)
    set(man_pages ${CMAKE_CURRENT_BINARY_DIR}/debian/man1/)
  endif()
  if(TESSERA_SERVER)
    # The page of 'tessera serve' is with the server, and is the page of tessera_serve, too.
    set(server_page PATTERN "tessera?serve.1*")
    install(DIRECTORY ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tessera_server
      FILES_MATCHING ${server_page})
    install(DIRECTORY ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tessera_program
      ${server_page} EXCLUDE)
    install(TARGETS tessera_serve COMPONENT tessera_server)
  else()
    install(DIRECTORY ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tessera_program)
  endif()
endif()
if(TESSERA_SERVICE)
  include(cmake/installed_protos.cmake)
endif()

foreach(header IN LISTS TESSERA_INSTALLED_HEADERS)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera/${folder} COMPONENT tessera_development)
endforeach()
foreach(header IN LISTS TESSERA_MOVED_HEADERS)
  if(header IN_LIST TESSERA_INSTALLED_HEADERS)
    set(earlier ${TESSERA_EARLIER_PATH_OF_${header}})
    cmake_path(GET earlier PARENT_PATH folder)
    install(FILES ${TESSERA_GENERATED_DIR}/tessera/${earlier} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera/${folder}
      COMPONENT tessera_development)
  endif()
endforeach()
foreach(header IN LISTS TESSERA_INSTALLED_MESSAGES)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${TESSERA_GENERATED_DIR}/${header} DESTINATION ${TESSERA_INSTALLED_GENERATED_DIR}/${folder}
    COMPONENT tessera_development)
endforeach()

configure_package_config_file(cmake/TesseraConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/TesseraConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/TesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/TesseraConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/TesseraConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT tessera_development)
# For find_package(tessera), as the Debian package and its targets are called.
foreach(suffix "" Version)
  string(TOLOWER "tessera-config${suffix}.cmake" file)
  string(REPLACE "configversion" "config-version" file ${file})
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${file} "include(\"\${CMAKE_CURRENT_LIST_DIR}/TesseraConfig${suffix}.cmake\")\n")
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${file} DESTINATION ${package_dir} COMPONENT tessera_development)
endforeach()

# For pkg-config: the packages of Debian. What a shared library links for itself is of interest to `pkg-config --static`
# alone; whoever links an archive needs it.
list(TRANSFORM TESSERA_ABSL_TARGETS PREPEND absl_ OUTPUT_VARIABLE requires)
list(APPEND requires protobuf)
set(requires_private libhwy zlib)
if(NOT tessera_type STREQUAL "SHARED_LIBRARY")
  list(APPEND requires ${requires_private})
  set(requires_private "")
endif()
list(JOIN requires ", " TESSERA_REQUIRES)
list(JOIN requires_private ", " TESSERA_REQUIRES_PRIVATE)
# The package may be installed to another prefix than the one it is configured for.
set(prefix /prefix)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH prefix BASE_DIRECTORY /prefix/${pkgconfig_dir} OUTPUT_VARIABLE TESSERA_PREFIX_FROM_PKGCONFIG)
configure_file(cmake/tessera.pc.in ${CMAKE_CURRENT_BINARY_DIR}/tessera.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tessera.pc DESTINATION ${pkgconfig_dir} COMPONENT tessera_development)
