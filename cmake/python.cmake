# The Python package: its extension module, beside links to its sources in ${CMAKE_BINARY_DIR}/python, which is what to put
# on PYTHONPATH. `pip install .` and the Debian package take it from there.

set(TESSERA_PYTHON_DIR ${CMAKE_BINARY_DIR}/python/tessera)
# Only this depends on the version of Python: what it calls is compiled once for all of them. Without link time optimization,
# which takes longer than all the rest.
tessera_sources(sources python/core)
pybind11_add_module(tessera_python MODULE NO_EXTRAS ${sources})
tessera_compile_options(tessera_python)
set_target_properties(tessera_python PROPERTIES
  OUTPUT_NAME _core
  LIBRARY_OUTPUT_DIRECTORY ${TESSERA_PYTHON_DIR})
target_link_libraries(tessera_python PRIVATE tessera_report nlohmann_json::nlohmann_json Threads::Threads)
# Other modules of the process may have other versions of the same libraries, and operators new and delete of their own.
if(NOT APPLE)
  set(module_map ${CMAKE_CURRENT_LIST_DIR}/python_module.map)
  target_link_options(tessera_python PRIVATE LINKER:--version-script=${module_map})
  set_target_properties(tessera_python PROPERTIES LINK_DEPENDS ${module_map})
endif()

file(GLOB python_files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/python/tessera
  ${CMAKE_CURRENT_SOURCE_DIR}/python/tessera/*.py
  ${CMAKE_CURRENT_SOURCE_DIR}/python/tessera/*.pyi
  ${CMAKE_CURRENT_SOURCE_DIR}/python/tessera/py.typed)
file(MAKE_DIRECTORY ${TESSERA_PYTHON_DIR})
foreach(file IN LISTS python_files)
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/python/tessera/${file} ${TESSERA_PYTHON_DIR}/${file} SYMBOLIC)
endforeach()

if(TESSERA_DEBIAN)
  set(python_packages lib/python3/dist-packages)
  install(TARGETS tessera_python LIBRARY DESTINATION ${python_packages}/tessera COMPONENT tessera_python)
  foreach(file IN LISTS python_files)
    install(FILES python/tessera/${file} DESTINATION ${python_packages}/tessera COMPONENT tessera_python)
  endforeach()
  configure_file(cmake/debian/PKG-INFO.in ${CMAKE_CURRENT_BINARY_DIR}/debian/PKG-INFO @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/debian/PKG-INFO
    DESTINATION ${python_packages}/tessera-${PROJECT_VERSION}.egg-info COMPONENT tessera_python)
endif()
