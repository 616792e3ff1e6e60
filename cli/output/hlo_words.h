// File: cli/output/hlo_words.h
//
// What messages and reports call modules and files.
//
//   NameInFolder("dumps/dump.txt");      // "dump.txt"
//   ModuleText("jit_f");                 // "module jit_f"
//   NoPeakText("jit_f", "it is empty");  // "module jit_f has no peak: it is empty"

#ifndef TESSERA_CLI_OUTPUT_HLO_WORDS_H_
#define TESSERA_CLI_OUTPUT_HLO_WORDS_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tessera {
namespace cli {

// "dump.txt" of "dumps/dump.txt".
absl::string_view NameInFolder(absl::string_view file);
// "module jit_f", or "a module without a name".
std::string ModuleText(absl::string_view name);
// "module jit_f has no peak: the text breaks off before ENTRY".
std::string NoPeakText(absl::string_view module_name, absl::string_view reason);
// How to get a dump with an order of execution in place of this one.
std::string ScheduledDumpHint(absl::string_view file);

}  // namespace cli
}  // namespace tessera

#endif  // TESSERA_CLI_OUTPUT_HLO_WORDS_H_
