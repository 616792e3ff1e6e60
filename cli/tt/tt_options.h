// Readers of options, for Subcommand::Value, and the options that several
// commands have.
//
//   command.Value("--grid", "SIZES", "of the grid: 2x4", ReadSizesInto(&grid));
//   AddCardOptions(&command, &options->card);

#ifndef TESSERA_CLI_TT_TT_OPTIONS_H_
#define TESSERA_CLI_TT_TT_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "proto/layout_questions.pb.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/command/command_line.h"
#include "tessera/cli/layout/index_option.h"
#include "tessera/cli/layout/tt_tensor.h"
#include "tessera/tenstorrent/buffer/buffer.h"

namespace tessera::cli {

// Reads "2x4".
inline OptionReader ReadSizesInto(std::optional<std::vector<int64_t>>* sizes) {
  return [sizes](const std::string& text) -> std::string {
    absl::StatusOr<std::vector<int64_t>> read = ParseSizes(text);
    if (!read.ok()) return absl::StrCat(text, " is not of the form 2x4");
    *sizes = *std::move(read);
    return "";
  };
}

// Reads a number from 0 up.
inline OptionReader ReadCountInto(std::optional<int64_t>* count) {
  return [count](const std::string& text) -> std::string {
    int64_t value;
    if (!absl::SimpleAtoi(text, &value) || value < 0) {
      return absl::StrCat(text, " is not a number from 0 up");
    }
    *count = value;
    return "";
  };
}

// The options that name a card.
struct TtCardOptions {
  std::string arch;
  int64_t banks = 0;  // 0: the usual number

  CardChoice ToCard() const {
    CardChoice card;
    card.set_architecture(arch);
    if (banks > 0) card.set_banks(banks);
    return card;
  }
};

inline void AddCardOptions(Subcommand* command, TtCardOptions* options) {
  command->Value("--arch", "NAME",
                 "the card's chip, wormhole_b0 or blackhole (wormhole_b0)",
                 [options](const std::string& text) -> std::string {
                   if (!tenstorrent::ArchitectureOf(text).has_value()) {
                     return absl::StrCat(text,
                                         " is not wormhole_b0 or blackhole");
                   }
                   options->arch = text;
                   return "";
                 });
  command->Count("--banks",
                 "the banks of an interleaved tensor's memory (DRAM 12, L1 64; "
                 "Blackhole 8, 130)",
                 &options->banks);
}

inline void AddBaseOption(Subcommand* command, std::optional<int64_t>* base) {
  command->Value("--base", "ADDRESS",
                 "where the tensor begins in each bank; prints addresses",
                 [base](const std::string& text) -> std::string {
                   int64_t value;
                   const bool is_address =
                       StartsWith(text, "0x")
                           ? absl::SimpleHexAtoi(text, &value)
                           : absl::SimpleAtoi(text, &value);
                   if (!is_address || value < 0) {
                     return absl::StrCat(text, " is not an address");
                   }
                   *base = value;
                   return "";
                 });
}

}  // namespace tessera::cli

#endif  // TESSERA_CLI_TT_TT_OPTIONS_H_
