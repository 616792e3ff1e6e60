#include "tessera/report/text/hlo_words.h"

#include <cstddef>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {

std::string_view NameInFolder(std::string_view file) {
  const size_t slash = file.rfind('/');
  return slash == file.npos ? file : file.substr(slash + 1);
}

std::string ModuleText(std::string_view name) {
  return name.empty() ? "a module without a name" : StrCat("module ", name);
}

std::string CommandLineReason(std::string_view reason) {
  return absl::StrReplaceAll(AbslView(reason),
                             {{"assume_text_order", "--assume-text-order"}});
}

std::string NoPeakText(std::string_view module_name, std::string_view reason) {
  return StrCat(ModuleText(module_name),
                " has no peak: ", CommandLineReason(reason));
}

void ModulesWithoutPeak::Add(std::string_view module, std::string_view reason) {
  for (Reason& known : reasons_) {
    if (known.reason == reason) {
      ++known.modules;
      return;
    }
  }
  reasons_.push_back({std::string(reason), std::string(module), 1});
}

std::vector<std::string> ModulesWithoutPeak::Lines() const {
  std::vector<std::string> lines;
  for (const Reason& each : reasons_) {
    lines.push_back(each.modules == 1
                        ? NoPeakText(each.first_module, each.reason)
                        : absl::StrCat(each.modules, " modules have no peak: ",
                                       CommandLineReason(each.reason)));
  }
  return lines;
}

std::string_view ScheduledDumpHint(std::string_view file) {
  return StrContains(file, "before_optimizations")
             ? "this is the dump before optimizations; the scheduled module is "
               "in *after_optimizations.txt next to it"
             : "XLA_FLAGS=--xla_dump_to=DIR writes the scheduled module to "
               "DIR/*after_optimizations.txt; in JAX, "
               "jitted.lower(...).compile().as_text() is its text";
}

}  // namespace tessera
