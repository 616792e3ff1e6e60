// A number of bytes for people.
//
//   HumanBytes(512);           // "512 B"
//   HumanBytes(1342177280);    // "1.25 GiB"
//   HumanBytes(85899345920);   // "80.0 GiB"

#ifndef TESSERA_BASE_TEXT_HUMAN_BYTES_H_
#define TESSERA_BASE_TEXT_HUMAN_BYTES_H_

#include <cstdint>
#include <string>

namespace tessera {

// In the largest unit of which there is one, powers of 1024, with three digits
// or more: two after the point below 10, else one. Half a digit is rounded up.
// Precondition: bytes >= 0.
std::string HumanBytes(int64_t bytes);

}  // namespace tessera

#endif  // TESSERA_BASE_TEXT_HUMAN_BYTES_H_
