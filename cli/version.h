// File: cli/version.h
//
// Which Tessera is this?
//
//   tessera --version    // prints "tessera 0.1.0"

#ifndef TESSERA_CLI_VERSION_H_
#define TESSERA_CLI_VERSION_H_

namespace tessera {
namespace cli {

// The only place that has the version.
inline constexpr char kVersion[] = "0.1.0";

}  // namespace cli
}  // namespace tessera

#endif  // TESSERA_CLI_VERSION_H_
