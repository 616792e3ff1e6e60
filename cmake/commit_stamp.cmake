# Writes the header STAMP, which says of which commit SOURCE_DIR is: what .ci/workspace_status tells Bazel. A folder without
# .git is none of the repository around it.

set(status "")
if(EXISTS ${SOURCE_DIR}/.git)
  execute_process(COMMAND .ci/workspace_status WORKING_DIRECTORY ${SOURCE_DIR}
    OUTPUT_VARIABLE status ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
set(content "")
if(status MATCHES "^BUILD_SCM_REVISION ([0-9a-f]+[+]?)$")
  set(content "#define BUILD_SCM_REVISION \"${CMAKE_MATCH_1}\"\n")
endif()
# Untouched when nothing changed, so that nothing is compiled.
file(CONFIGURE OUTPUT ${STAMP} CONTENT "${content}" @ONLY)
