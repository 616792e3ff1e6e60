#include "tessera/base/text/human_bytes.h"

#include <cstdint>
#include <string>

#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tessera {
namespace {

// Returns bytes * scale / 2^shift, rounded.
int64_t Rounded(int64_t bytes, int64_t scale, int shift) {
  const absl::int128 half = absl::int128(1) << (shift - 1);
  return static_cast<int64_t>((absl::int128(bytes) * scale + half) >> shift);
}

// Prints numbers that are not below `least_with_tenths` with one digit after
// the point, and others with two.
std::string Printed(int64_t bytes, int64_t least_with_tenths) {
  if (bytes < 1024) return absl::StrCat(bytes, " B");
  int shift = 10;
  const char* unit = "KMGTPE";
  // 1023.95 would print as 1024.0.
  while (Rounded(bytes, 10, shift) >= 10240 && unit[1] != '\0') {
    shift += 10;
    ++unit;
  }
  const int64_t hundredths = Rounded(bytes, 100, shift);
  if (hundredths < 100 * least_with_tenths) {
    return absl::StrFormat("%d.%02d %ciB", hundredths / 100, hundredths % 100,
                           *unit);
  }
  const int64_t tenths = Rounded(bytes, 10, shift);
  return absl::StrFormat("%d.%d %ciB", tenths / 10, tenths % 10, *unit);
}

}  // namespace

std::string HumanBytes(int64_t bytes) { return Printed(bytes, 10); }

std::string HumanBytesInHundredths(int64_t bytes) {
  return Printed(bytes, 1024);
}

}  // namespace tessera
