#include "tessera/cli/output/hlo_words.h"

#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace tessera {
namespace cli {

absl::string_view NameInFolder(absl::string_view file) {
  const size_t slash = file.rfind('/');
  return slash == file.npos ? file : file.substr(slash + 1);
}

std::string ModuleText(absl::string_view name) {
  return name.empty() ? "a module without a name"
                      : absl::StrCat("module ", name);
}

std::string NoPeakText(absl::string_view module_name,
                       absl::string_view reason) {
  return absl::StrCat(ModuleText(module_name), " has no peak: ", reason);
}

std::string ScheduledDumpHint(absl::string_view file) {
  return absl::StrCat(
      absl::StrContains(file, "before_optimizations")
          ? "this is the dump before optimizations; the scheduled module is in "
            "*after_optimizations.txt beside it"
          : "XLA_FLAGS=--xla_dump_to=DIR writes the scheduled module to "
            "DIR/*after_optimizations.txt; in JAX, "
            "jitted.lower(...).compile().as_text() is its text",
      "; --assume-text-order takes the order of this text");
}

}  // namespace cli
}  // namespace tessera
