#include "tessera/tenstorrent/mlir_file/card_memory.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/mlir_cursor.h"

namespace tessera::tenstorrent {
namespace {

constexpr std::string_view kDescription = "system_desc<";
// The text after the description of the first chip does not matter.
constexpr size_t kDescriptionBytes = size_t{1} << 13;

// Returns the number after "key = ", from 0 to 2^53, or nullopt.
std::optional<int64_t> NumberOf(std::string_view key, std::string_view text) {
  const std::string assigned = StrCat(" ", key, " = ");
  const size_t at = text.find(assigned);
  int64_t number;
  if (at == std::string_view::npos ||
      !MlirCursor(text, at + assigned.size()).TakeDecimalNumber(&number) ||
      number > int64_t{1} << 53) {
    return std::nullopt;
  }
  return number;
}

// Takes the sizes of "grid = 8x8".
void ReadChipGrid(std::string_view text, ChipDescription* chip) {
  constexpr std::string_view kGrid = " grid = ";
  const size_t at = text.find(kGrid);
  if (at == std::string_view::npos) return;
  MlirCursor cursor(text, at + kGrid.size());
  int64_t rows, columns;
  if (cursor.TakeDecimalNumber(&rows) && cursor.Take('x') &&
      cursor.TakeDecimalNumber(&columns) && rows > 0 && columns > 0 &&
      CheckedMultiply(rows, columns).has_value()) {
    chip->grid_rows = rows;
    chip->grid_columns = columns;
  }
}

void SetUsual(Architecture architecture, CardMemory* card) {
  card->chip = UsualChip(architecture);
  const bool is_wormhole = architecture == Architecture::kWormholeB0;
  card->l1_bank_bytes = is_wormhole ? 1393312 : 1461120;
  card->dram_bank_bytes = is_wormhole ? 1072693184 : 4277141376;
}

// Returns the description at `at`, or "" if it is in a comment.
std::string_view DescriptionAt(std::string_view text, size_t at) {
  const size_t line = text.rfind('\n', at);
  const size_t begin = line == std::string_view::npos ? 0 : line + 1;
  if (StrContains(text.substr(begin, at - begin), "//")) return "";
  const std::string_view rest = text.substr(at, kDescriptionBytes);
  return StrContains(rest, "l1_size") ? rest : "";
}

void ReadDescription(std::string_view text, CardMemory* card) {
  SetUsual(StrContains(text.substr(0, text.find('}', text.find("arch"))),
                       "blackhole")
               ? Architecture::kBlackhole
               : Architecture::kWormholeB0,
           card);
  ChipDescription& chip = card->chip;
  ReadChipGrid(text, &chip);
  chip.l1_bytes = NumberOf("l1_size", text).value_or(chip.l1_bytes);
  chip.dram_channels = std::max<int64_t>(
      1, NumberOf("num_dram_channels", text).value_or(chip.dram_channels));
  chip.dram_channel_bytes =
      NumberOf("dram_channel_size", text).value_or(chip.dram_channel_bytes);
  const int64_t reserved = NumberOf("l1_unreserved_base", text).value_or(0);
  card->l1_bank_bytes = std::max<int64_t>(0, chip.l1_bytes - reserved);
  const int64_t end =
      NumberOf("dram_unreserved_end", text).value_or(chip.dram_channel_bytes);
  card->dram_bank_bytes = std::max<int64_t>(
      0, std::min(end, chip.dram_channel_bytes) -
             NumberOf("dram_unreserved_base", text).value_or(0));
}

}  // namespace

int64_t CardMemory::BankBytes(MemorySpace space) const {
  return space == MemorySpace::kDeviceL1     ? l1_bank_bytes
         : space == MemorySpace::kDeviceDRAM ? dram_bank_bytes
                                             : 0;
}

CardMemory CardMemoryOf(std::string_view text, const CardOptions& options) {
  CardMemory card;
  if (options.architecture.has_value()) {
    SetUsual(*options.architecture, &card);
    card.source = std::string(KeywordOf(*options.architecture));
  } else {
    for (size_t at = text.find(kDescription); at != std::string_view::npos;
         at = text.find(kDescription, at + 1)) {
      const std::string_view description = DescriptionAt(text, at);
      if (description.empty()) continue;
      ReadDescription(description, &card);
      card.source =
          absl::StrCat("#ttcore.system_desc in line ",
                       1 + std::count(text.begin(), text.begin() + at, '\n'));
      break;
    }
    if (card.source.empty()) {
      SetUsual(Architecture::kWormholeB0, &card);
      card.is_assumed = true;
      card.source = StrCat(KeywordOf(Architecture::kWormholeB0), ", assumed");
    }
  }
  if (options.l1_bank_bytes.has_value()) {
    card.l1_bank_bytes = *options.l1_bank_bytes;
  }
  card.worker_grid = {card.chip.grid_rows, card.chip.grid_columns};
  if (options.l1_banks.has_value()) {
    card.chip.grid_rows = 1;
    card.chip.grid_columns = *options.l1_banks;
  }
  return card;
}

}  // namespace tessera::tenstorrent
