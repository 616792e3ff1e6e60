// An option with one number for each dimension, for Subcommand::Value.
//
//   command.Value("--begin", "I,J,...", "where it begins",
//                 ReadIndexInto(&begin));

#ifndef TESSERA_CLI_LAYOUT_INDEX_OPTION_H_
#define TESSERA_CLI_LAYOUT_INDEX_OPTION_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/cli/layout/index_text.h"

namespace tessera::cli {

using OptionReader = std::function<std::string(const std::string& text)>;

// Reads "1,2".
inline OptionReader ReadIndexInto(
    std::optional<std::vector<int64_t>>* coordinates) {
  return [coordinates](const std::string& text) -> std::string {
    absl::StatusOr<IndexText> read = ParseIndex(text);
    if (!read.ok()) return absl::StrCat(text, " is not of the form I,J,...");
    *coordinates = std::move(read->entries);
    return "";
  };
}

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_INDEX_OPTION_H_
