// A number of bytes for people.
//
//   HumanBytes(512);           // "512 B"
//   HumanBytes(1342177280);    // "1.25 GiB"
//   HumanBytes(85899345920);   // "80.0 GiB"
//   HumanBytesInHundredths(85899345920);   // "80.00 GiB"

#ifndef TESSERA_BASE_TEXT_HUMAN_BYTES_H_
#define TESSERA_BASE_TEXT_HUMAN_BYTES_H_

#include <cstdint>
#include <string>

namespace tessera {

// Returns the bytes in the largest unit, a power of 1024, that they fill at
// least once. The text has three digits or more: two after the point below 10,
// else one. Half a digit is rounded up.
// Precondition: bytes >= 0.
std::string HumanBytes(int64_t bytes);

// As HumanBytes, but with two digits after the point for KiB and more, as XLA
// prints numbers of bytes.
std::string HumanBytesInHundredths(int64_t bytes);

}  // namespace tessera

#endif  // TESSERA_BASE_TEXT_HUMAN_BYTES_H_
