// Computes the bytes of consecutive elements of a number of bits.
//
//   CheckedByteCount(3, 4);                  // 2: half of the last is unused
//   CheckedByteCount(int64_t{1} << 62, 8);   // 2^62, of 2^65 bits
//   CheckedByteCount(int64_t{1} << 62, 16);  // nullopt
//
// For sizes of memory, whose limit is 2^63-1 bytes: as many do not fit int64_t
// in bits.

#ifndef TESSERA_BASE_MATH_BYTE_COUNT_H_
#define TESSERA_BASE_MATH_BYTE_COUNT_H_

#include <cstdint>
#include <limits>
#include <optional>

namespace tessera {

// Returns ceil(elements * bits / 8), or nullopt if that does not fit.
// Precondition: neither is negative.
inline std::optional<int64_t> CheckedByteCount(int64_t elements, int64_t bits) {
  const unsigned __int128 bytes =
      (static_cast<unsigned __int128>(elements) * bits + 7) / 8;
  if (bytes > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return std::nullopt;
  }
  return static_cast<int64_t>(bytes);
}

}  // namespace tessera

#endif  // TESSERA_BASE_MATH_BYTE_COUNT_H_
