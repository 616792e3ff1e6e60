// The version of Tessera.
//
//   kVersion;                // "0.3.0"
//   TESSERA_VERSION_NUMBER;  // 300
//
// A program that must compile with several versions uses the preprocessor:
// #if TESSERA_VERSION_NUMBER >= 300. docs/stability.md lists what may
// change from one version to the next.

#ifndef TESSERA_BASE_VERSION_VERSION_H_
#define TESSERA_BASE_VERSION_VERSION_H_

// The file VERSION has the same number; a test compares the two.
#define TESSERA_VERSION_MAJOR 0
#define TESSERA_VERSION_MINOR 3
#define TESSERA_VERSION_PATCH 0
#define TESSERA_VERSION "0.3.0"

// The minor version and the patch have two digits each: 1.2.3 is 10203.
#define TESSERA_VERSION_NUMBER                                   \
  (TESSERA_VERSION_MAJOR * 10000 + TESSERA_VERSION_MINOR * 100 + \
   TESSERA_VERSION_PATCH)

namespace tessera {

inline constexpr char kVersion[] = TESSERA_VERSION;

}  // namespace tessera

#endif  // TESSERA_BASE_VERSION_VERSION_H_
