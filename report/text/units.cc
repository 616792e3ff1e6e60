#include "tessera/report/text/units.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {

std::string HumanCount(int64_t count) {
  std::string text = absl::StrCat(count);
  for (int64_t i = static_cast<int64_t>(text.size()) - 3; i > 0; i -= 3) {
    text.insert(i, ",");
  }
  return text;
}

std::string HumanFactor(int64_t whole, int64_t part) {
  if (whole == part) return "1.00x";
  if (part == 0) return "-";
  return absl::StrFormat("%.2fx", static_cast<double>(whole) / part);
}

std::string HumanPercent(int64_t part, int64_t whole) {
  return absl::StrFormat(
      "%.1f%%", whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / whole);
}

std::string HumanQuantity(int64_t count, const std::string& noun) {
  return absl::StrCat(HumanCount(count), " ", noun, count == 1 ? "" : "s");
}

std::string HumanMemorySpace(int64_t memory_space, std::string_view name) {
  const bool has_name = name != absl::StrCat(memory_space);
  return StrCat(has_name ? name : "", has_name ? " S(" : "S(", memory_space,
                ")");
}

}  // namespace tessera
