// Parses "1.5GiB" as bytes. The inverse of HumanBytes (report/text/units.h).
//
//   int64_t bytes = 0;
//   const ByteRange any;
//   ReadByteSize("10MiB", any, &bytes);   // "", and bytes == 10485760
//   ReadByteSize("80.0 GiB", any, &bytes);  // "", and bytes == 85899345920
//   ReadByteSize("-1", any, &bytes);
//       // "-1 is not from 0 to 9223372036854775807 bytes"
//
// Options read it with Subcommand::ByteSize (cli/command/command_line.h).

#ifndef TESSERA_REPORT_TEXT_BYTE_SIZE_H_
#define TESSERA_REPORT_TEXT_BYTE_SIZE_H_

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace tessera {

// The smallest and the largest size that an option takes. Not negative.
struct ByteRange {
  int64_t smallest = 0;
  int64_t largest = std::numeric_limits<int64_t>::max();
};

// The help text about sizes.
extern const char kByteSizeHelp[];

// Reads a decimal number, such as 4096, 1.5 or 1e9, and a unit or none, in
// upper or lower case: B; K or KiB, M or MiB, ..., P or PiB, and EiB, powers of
// 1024; KB, MB, ..., EB, powers of 1000. "E" alone would look like an exponent.
// XLA's messages, too, mean 2^30 bytes by "15.48G". A fraction of a byte is
// dropped; all else is exact.
//
// Returns an error message about `text`, or sets `*bytes` and returns "".
std::string ReadByteSize(std::string_view text, const ByteRange& range,
                         int64_t* bytes);

}  // namespace tessera

#endif  // TESSERA_REPORT_TEXT_BYTE_SIZE_H_
