// An option with one number for each dimension, for Subcommand::Value.
//
//   command.Value("--begin", "I,J,...", "where it begins",
//                 ReadIndexInto(&begin));
//   PermutationError("--transpose", {1, 1});
//       // "--transpose 1,1 is not a permutation of the dimensions from 0 on"

#ifndef TESSERA_CLI_LAYOUT_INDEX_OPTION_H_
#define TESSERA_CLI_LAYOUT_INDEX_OPTION_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
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

// Returns an error message unless every number below the count of the numbers
// occurs once; "" if it does.
inline std::string PermutationError(std::string_view option,
                                    absl::Span<const int64_t> numbers) {
  std::vector<bool> seen(numbers.size());
  for (const int64_t i : numbers) {
    const bool is_good = i >= 0 && i < static_cast<int64_t>(seen.size());
    if (!is_good || seen[i]) {
      return StrCat(option, " ", absl::StrJoin(numbers, ","),
                    " is not a permutation of the dimensions from 0 on");
    }
    seen[i] = true;
  }
  return "";
}

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_INDEX_OPTION_H_
