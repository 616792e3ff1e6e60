#include "tessera/service/questions/hlo/memory_baseline.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/service/error.h"
#include "tessera/service/json.h"

namespace tessera {
namespace {

constexpr int64_t kBaselineVersion = 1;
// The blanks of JSON.
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kVersionKey = "\"tessera_baseline\"";

// Returns the beginning of the value of the version; npos if the text does not
// have such a key. In a string, the same characters have backslashes, unless
// they are the whole string.
size_t FindVersion(std::string_view text) {
  for (size_t at = text.find(kVersionKey); at != std::string_view::npos;
       at = text.find(kVersionKey, at + 1)) {
    const size_t colon =
        text.find_first_not_of(kBlanks, at + kVersionKey.size());
    if (colon == std::string_view::npos || text[colon] != ':') continue;
    return std::min(text.find_first_not_of(kBlanks, colon + 1), text.size());
  }
  return std::string_view::npos;
}

// `path` begins the message.
absl::Status CheckNumber(const std::string& path, bool is_there,
                         int64_t number) {
  if (!is_there) return absl::InvalidArgumentError(path + " is missing");
  if (number >= 0) return absl::OkStatus();
  return InvalidArgumentError(path, " = ", number, " is negative");
}

// Checks that every memory space has the numbers that it must have.
absl::Status CheckSpaces(const std::string& path,
                         const BaselineModule& module) {
  const auto& spaces = module.by_memory_space().spaces();
  // In a fixed order, so that the same one of several mistakes is always
  // reported.
  const std::map<int64_t, SpaceMemory> sorted(spaces.begin(), spaces.end());
  for (const auto& [number, space] : sorted) {
    const std::string of_space =
        absl::StrCat(path, "by_memory_space[", number, "].");
    TESSERA_RETURN_IF_ERROR(CheckNumber(of_space + "reserved_bytes",
                                        space.has_reserved_bytes(),
                                        space.reserved_bytes()));
    TESSERA_RETURN_IF_ERROR(CheckNumber(
        of_space + "peak_bytes", space.has_peak_bytes(), space.peak_bytes()));
    TESSERA_RETURN_IF_ERROR(CheckNumber(of_space + "assigned_bytes",
                                        /*is_there=*/true,
                                        space.assigned_bytes()));
  }
  return absl::OkStatus();
}

absl::StatusOr<MemoryBaseline> ParseBaseline(std::string_view text,
                                             size_t version) {
  MemoryBaseline baseline;
  TESSERA_RETURN_IF_ERROR(JsonToProto(text, &baseline));
  if (baseline.tessera_baseline() != kBaselineVersion) {
    return DiagnosticError(
        text, version,
        absl::StrCat("tessera_baseline = ", baseline.tessera_baseline(),
                     " is not ", kBaselineVersion,
                     ", the version that is read here"));
  }
  for (int i = 0; i < baseline.modules_size(); ++i) {
    const std::string path = absl::StrCat("modules[", i, "].");
    if (!baseline.modules(i).has_by_memory_space()) {
      return absl::InvalidArgumentError(path + "by_memory_space is missing");
    }
    TESSERA_RETURN_IF_ERROR(CheckSpaces(path, baseline.modules(i)));
  }
  return baseline;
}

absl::Status AddPeak(const ModulePeak& peak, MemoryBaseline* baseline) {
  const std::string path = absl::StrCat("the module '", peak.module(), "'");
  if (peak.has_reason()) {
    return InvalidArgumentError(path, " has no peak: ", peak.reason());
  }
  if (!peak.has_by_memory_space()) {
    return absl::InvalidArgumentError(path + " has no by_memory_space");
  }
  BaselineModule& module = *baseline->add_modules();
  module.set_module(peak.module());
  auto& spaces = *module.mutable_by_memory_space()->mutable_spaces();
  for (const auto& [number, space] : peak.by_memory_space().spaces()) {
    SpaceMemory& filled = spaces[number];
    filled.set_peak_bytes(space.peak_bytes());
    if (space.has_reserved_bytes()) {
      filled.set_reserved_bytes(space.reserved_bytes());
    }
    if (space.has_assigned_bytes()) {
      filled.set_assigned_bytes(space.assigned_bytes());
    }
  }
  return CheckSpaces(path + ": ", module);
}

absl::StatusOr<MemoryBaseline> ParsePeaks(std::string_view text) {
  MemoryBaseline baseline;
  baseline.set_tessera_baseline(kBaselineVersion);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (line.find_first_not_of(kBlanks) != line.npos) {
      ModulePeak peak;
      absl::Status status = JsonToProto(line, &peak);
      if (const std::optional<Diagnostic> mistake = DiagnosticOf(status)) {
        return DiagnosticError(text, begin + mistake->offset, mistake->message,
                               status.code());
      }
      if (status.ok()) status = AddPeak(peak, &baseline);
      if (!status.ok()) return AtOffset(text, begin, status);
    }
    begin = end + 1;
  }
  return baseline;
}

}  // namespace

bool IsMemoryBaseline(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  return begin != std::string_view::npos && text[begin] == '{';
}

absl::StatusOr<MemoryBaseline> ParseMemoryBaseline(std::string_view text) {
  const size_t version = FindVersion(text);
  return version == std::string_view::npos ? ParsePeaks(text)
                                           : ParseBaseline(text, version);
}

std::string MemoryBaselineText(const MemoryBaseline& baseline) {
  std::string text =
      StrCat("{", kVersionKey, ":", kBaselineVersion, ",\"modules\":[");
  for (int i = 0; i < baseline.modules_size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "\n" : ",\n",
                    ProtoToJson(baseline.modules(i), JsonFields::kPresent));
  }
  return text + "\n]}\n";
}

}  // namespace tessera
