#include "tessera/hlo/dump_name.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

bool IsNumber(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

// Whether XLA writes this text for a device before a stage: "cpu",
// "gfx942_gpu", the end of "sm_9.0_gpu".
bool IsDevice(std::string_view text) {
  if (text == "cpu" || text == "gpu" || text == "tpu") return true;
  return ConsumeSuffix(&text, "_gpu") &&
         (StartsWith(text, "gfx") ||
          (!text.empty() && absl::ascii_isdigit(text[0])));
}

// Returns the module of a name whose stage begins at `at`. The device may come
// before the stage: "jit_f.sm_9.0_gpu_after_optimizations".
std::string_view ModuleBefore(std::string_view stem, size_t at) {
  std::string_view module = stem.substr(0, at);
  const auto last_word = [&module] {
    return module.substr(module.rfind('.') + 1);  // npos + 1 is 0
  };
  const auto drop_last_word = [&] {
    module.remove_suffix(last_word().size());
    ConsumeSuffix(&module, ".");
  };
  std::string_view word = last_word();
  const bool is_joined = ConsumeSuffix(&word, "_");
  if (is_joined && !IsDevice(word)) return module;
  ConsumeSuffix(&module, is_joined ? "_" : ".");
  if (!IsDevice(last_word())) return module;
  drop_last_word();
  std::string_view capability = last_word();
  if (ConsumePrefix(&capability, "sm_") && IsNumber(capability)) {
    drop_last_word();
  }
  return module;
}

std::string_view DigitsAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && absl::ascii_isdigit(text[end])) ++end;
  return text.substr(at, end - at);
}

// Finds ".0007." in a name of XLA; npos if it is missing.
size_t FindPass(std::string_view stem) {
  constexpr std::string_view kModule = "module_";
  constexpr size_t kLeastDigits = 4;
  size_t at = stem.find(kModule);
  if (at == stem.npos || (at > 0 && stem[at - 1] != '.')) return stem.npos;
  for (at = stem.find('.', at); at != stem.npos; at = stem.find('.', at + 1)) {
    const size_t digits = DigitsAt(stem, at + 1).size();
    const size_t end = at + 1 + digits;
    if (digits >= kLeastDigits && end < stem.size() && stem[end] == '.') {
      return at;
    }
  }
  return stem.npos;
}

std::string_view StemOf(std::string_view name, bool* is_gzip) {
  *is_gzip = ConsumeSuffix(&name, ".gz");
  constexpr std::string_view kExtensions[] = {
      ".xplane.pb", ".hlo_proto.pb", ".hlo.pb", ".pb", ".hlo", ".txt"};
  for (const std::string_view extension : kExtensions) {
    if (ConsumeSuffix(&name, extension)) break;
  }
  return name;
}

}  // namespace

bool HasModules(HloFileKind kind) {
  return kind == HloFileKind::kText || kind == HloFileKind::kProto ||
         kind == HloFileKind::kProfile;
}

NameParts NamePartsOf(std::string_view name, HloFileKind kind) {
  NameParts parts;
  std::string_view stem = StemOf(name, &parts.is_gzip);
  if (!HasModules(kind)) {
    constexpr std::string_view kSuffixes[] = {
        "buffer-assignment-values", "buffer-assignment", "live-range",
        "memory-usage-report",      "target_arguments",  "tpu_comp_env"};
    for (const std::string_view suffix : kSuffixes) {
      if (!ConsumeSuffix(&stem, suffix)) continue;
      if (!stem.empty()) stem.remove_suffix(1);
      break;
    }
  }
  parts.module = stem;
  parts.is_of_all_stages = kind == HloFileKind::kTargetArguments ||
                           kind == HloFileKind::kCompilerOptions;
  constexpr std::string_view kBefore = "before_optimizations";
  constexpr std::string_view kAfter = "after_optimizations";
  constexpr std::string_view kOutOfMemory = "oom_intermediate_module";
  size_t at = FindPass(stem);
  if (at != stem.npos) {
    parts.stage = DumpStage::kPass;
  } else if (at = stem.find(kAfter); at != stem.npos) {
    parts.stage = at + kAfter.size() == stem.size() ? DumpStage::kOptimized
                                                    : DumpStage::kNearOptimized;
  } else if (at = std::min(stem.find(kCodegenStage), stem.find(kOutOfMemory));
             at != stem.npos) {
    parts.stage = DumpStage::kAside;
  } else if (at = stem.find(kBefore); at != stem.npos) {
    parts.stage = DumpStage::kUnoptimized;
  } else {
    return parts;
  }
  parts.stage_text = stem.substr(at);
  if (parts.stage == DumpStage::kPass) {
    int64_t number = 0;
    const std::string_view digits = DigitsAt(parts.stage_text, 1);
    if (absl::SimpleAtoi(AbslView(digits), &number)) parts.number = number;
  }
  parts.module = ModuleBefore(stem, at);
  return parts;
}

}  // namespace tessera
