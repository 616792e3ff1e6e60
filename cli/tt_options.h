// File: cli/tt_options.h
//
// Readers of options, for Subcommand::Value.
//
//   command.Value("--grid", "SIZES", "of the grid: 2x4", ReadSizesInto(&grid));

#ifndef TESSERA_CLI_TT_OPTIONS_H_
#define TESSERA_CLI_TT_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "tessera/cli/index_text.h"
#include "tessera/cli/tt_tensor.h"

namespace tessera {

using OptionReader = std::function<std::string(const std::string& text)>;

// Reads "2x4".
inline OptionReader ReadSizesInto(absl::optional<std::vector<int64_t>>* sizes) {
  return [sizes](const std::string& text) -> std::string {
    absl::StatusOr<std::vector<int64_t>> read = ParseSizes(text);
    if (!read.ok()) return absl::StrCat(text, " is not of the form 2x4");
    *sizes = *std::move(read);
    return "";
  };
}

// Reads "1,2".
inline OptionReader ReadIndexInto(
    absl::optional<std::vector<int64_t>>* coordinates) {
  return [coordinates](const std::string& text) -> std::string {
    absl::StatusOr<IndexText> read = ParseIndex(text);
    if (!read.ok()) return absl::StrCat(text, " is not of the form I,J,...");
    *coordinates = std::move(read->entries);
    return "";
  };
}

// Takes in the value of a keyword.
template <typename Enum, typename Result>
std::string TakeKeyword(const std::string& text, absl::optional<Enum> value,
                        Result* result) {
  if (!value.has_value()) return absl::StrCat(text, " is no such keyword");
  *result = *value;
  return "";
}

}  // namespace tessera

#endif  // TESSERA_CLI_TT_OPTIONS_H_
