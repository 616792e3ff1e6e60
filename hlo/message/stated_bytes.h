// A number of bytes in a compiler's message, with its precision.
//
//   StatedBytes stated;
//   ReadStatedBytes("41.85M and limit", &stated);   // 6
//   stated.bytes;                                   // 43882905
//   stated.slack;                                   // 10485
//   stated.Covers(43880000);                        // true
//   ReadStatedBytes("268435456)", &stated);         // 9
//   stated.slack;                                   // 0
//   ReadStatedBytes("unknown size", &stated);       // 0
//
// XLA prints powers of 1024: TPU's compiler "41.85M" and "64.0K", GPU's
// "3.40GiB" (tsl::strings::HumanReadableNumBytes).

#ifndef TESSERA_HLO_MESSAGE_STATED_BYTES_H_
#define TESSERA_HLO_MESSAGE_STATED_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tessera {

struct StatedBytes {
  // Whether the number may have been printed this way: the difference is at
  // most one in the last digit.
  bool Covers(int64_t number) const;

  int64_t bytes = 0;
  // The value of 1 in the last printed digit; 0 if all bytes are printed.
  int64_t slack = 0;
};

// Reads a number of bytes at the start of `text`. Returns its length; 0 without
// one, or if it exceeds 2^63-1.
size_t ReadStatedBytes(std::string_view text, StatedBytes* stated);

}  // namespace tessera

#endif  // TESSERA_HLO_MESSAGE_STATED_BYTES_H_
