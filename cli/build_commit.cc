// Bazel recompiles this file for each program, with a header that contains the
// output of .ci/workspace_status.

namespace tessera::cli {

#ifndef BUILD_SCM_REVISION
#define BUILD_SCM_REVISION ""
#endif

extern const char kBuildCommit[];
const char kBuildCommit[] = BUILD_SCM_REVISION;

}  // namespace tessera::cli
