// The names of modules and files in messages and reports.
//
//   NameInFolder("dumps/dump.txt");      // "dump.txt"
//   ModuleText("jit_f");                 // "module jit_f"
//   NoPeakText("jit_f", "no ENTRY");     // "module jit_f has no peak: no ENTRY"

#ifndef TESSERA_REPORT_TEXT_HLO_WORDS_H_
#define TESSERA_REPORT_TEXT_HLO_WORDS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

// Returns "dump.txt" for "dumps/dump.txt".
std::string_view NameInFolder(std::string_view file);
// "module jit_f", or "a module without a name".
std::string ModuleText(std::string_view name);
// Returns the reason why there is no peak, with the option that it names as the
// command line spells it: "--assume-text-order".
std::string CommandLineReason(std::string_view reason);
// "module jit_f has no peak: the text breaks off before ENTRY".
std::string NoPeakText(std::string_view module_name, std::string_view reason);
// The modules of one file that have no peak, in one line for each reason.
class ModulesWithoutPeak {
 public:
  void Add(std::string_view module, std::string_view reason);
  // "module m has no peak: ...", or "3 modules have no peak: ...".
  std::vector<std::string> Lines() const;

 private:
  struct Reason {
    std::string reason;
    std::string first_module;
    int64_t modules = 0;
  };
  std::vector<Reason> reasons_;  // few
};
// Returns a hint about how to get a dump with an order of execution in place of
// this one.
std::string_view ScheduledDumpHint(std::string_view file);

}  // namespace tessera

#endif  // TESSERA_REPORT_TEXT_HLO_WORDS_H_
