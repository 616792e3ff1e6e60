// The commit that this program was built from.

#ifndef TESSERA_CLI_BUILD_COMMIT_H_
#define TESSERA_CLI_BUILD_COMMIT_H_

namespace tessera::cli {

// As git abbreviates it, with "+" where files were changed: "1a2b3c4d5e6f+".
// Something without hexadecimal digits, or nothing, where git was not asked.
extern const char kBuildCommit[];

}  // namespace tessera::cli

#endif  // TESSERA_CLI_BUILD_COMMIT_H_
