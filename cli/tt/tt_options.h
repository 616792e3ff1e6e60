// File: cli/tt/tt_options.h
//
// Readers of options, for Subcommand::Value.
//
//   command.Value("--grid", "SIZES", "of the grid: 2x4", ReadSizesInto(&grid));

#ifndef TESSERA_CLI_TT_TT_OPTIONS_H_
#define TESSERA_CLI_TT_TT_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/cli/layout/index_option.h"
#include "tessera/cli/layout/tt_tensor.h"

namespace tessera {
namespace cli {

// Reads "2x4".
inline OptionReader ReadSizesInto(std::optional<std::vector<int64_t>>* sizes) {
  return [sizes](const std::string& text) -> std::string {
    absl::StatusOr<std::vector<int64_t>> read = ParseSizes(text);
    if (!read.ok()) return absl::StrCat(text, " is not of the form 2x4");
    *sizes = *std::move(read);
    return "";
  };
}

}  // namespace cli
}  // namespace tessera

#endif  // TESSERA_CLI_TT_TT_OPTIONS_H_
