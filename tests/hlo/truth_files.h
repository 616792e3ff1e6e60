// The modules in tests/hlo/data/truth, with what XLA itself assigned to them;
// SOURCES.md there says what they are.
//
//   for (const TruthModule& truth : ReadTruthModules()) Check(truth.text);

#ifndef TESSERA_TESTS_HLO_TRUTH_FILES_H_
#define TESSERA_TESTS_HLO_TRUTH_FILES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera {

struct TruthModule {
  std::string target;           // the folder: "cpu", "v5e"
  std::string name;             // of the program
  std::string text;             // after optimizations
  std::string assignment_text;  // of the buffer assignment
  // By memory space: the sum of all allocations that are not thread-local.
  std::map<int64_t, int64_t> assigned_bytes;
};

// Those that have a buffer assignment, by target and name.
std::vector<TruthModule> ReadTruthModules();

}  // namespace tessera

#endif  // TESSERA_TESTS_HLO_TRUTH_FILES_H_
