#include "tessera/text/human_bytes.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tessera {

std::string HumanBytes(int64_t bytes) {
  if (bytes < 1024) return absl::StrCat(bytes, " B");
  double value = static_cast<double>(bytes) / 1024;
  const char* unit = "KMGTPE";
  // 1023.95 would print as 1024.0.
  while (value >= 1023.95 && unit[1] != '\0') {
    value /= 1024;
    ++unit;
  }
  return absl::StrFormat("%.1f %ciB", value, *unit);
}

}  // namespace tessera
