// The commit that this program was built from.

#ifndef TESSERA_CLI_BUILD_COMMIT_H_
#define TESSERA_CLI_BUILD_COMMIT_H_

namespace tessera::cli {

// The commit as git abbreviates it, with "+" if files were changed:
// "1a2b3c4d5e6f+". If git was not run, a text without hexadecimal digits, or
// "".
extern const char kBuildCommit[];

}  // namespace tessera::cli

#endif  // TESSERA_CLI_BUILD_COMMIT_H_
