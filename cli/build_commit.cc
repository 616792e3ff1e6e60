// Bazel compiles this anew for each program, with a header that has what
// .ci/workspace_status printed.

namespace tessera::cli {

#ifndef BUILD_SCM_REVISION
#define BUILD_SCM_REVISION ""
#endif

extern const char kBuildCommit[];
const char kBuildCommit[] = BUILD_SCM_REVISION;

}  // namespace tessera::cli
