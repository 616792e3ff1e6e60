// File: cli/npy_file.h
//
// The header of a .npy file, in which numpy keeps one array: element type,
// order and bounds, and behind it the elements.
//
//   absl::StatusOr<NpyHeader> header = ReadNpyHeader(bytes_of_file);
//   header->descr;          // "<f4"
//   header->fortran_order;  // false: row-major
//   header->shape;          // {3, 5}
//   header->data_begin;     // 128
//
// The format is that of numpy.lib.format, versions 1.0 to 3.0. The header is a
// literal of Python; of what Python would read, only what numpy writes is read.

#ifndef TESSERA_CLI_NPY_FILE_H_
#define TESSERA_CLI_NPY_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "proto/xla_data.pb.h"

namespace tessera {

// Of a header, all that stands before the elements: arrays have a few hundred.
inline constexpr int64_t kMaxNpyHeaderBytes = int64_t{1} << 16;

struct NpyHeader {
  std::string descr;  // numpy's name of the element type
  bool fortran_order = false;
  std::vector<int64_t> shape;
  int64_t data_begin = 0;  // where the elements begin, in bytes
};

// Whether `file` begins as .npy files do.
bool HasNpyMagic(absl::string_view file);

// Reads the header of `file`, all of it or its beginning.
//
// Errors: kInvalidArgument, with the offset in bytes, for what is not in the
// format; kUnimplemented for other versions and structured types; kOutOfRange
// for a dimension past 2^63-1; kResourceExhausted for a header of more than
// kMaxNpyHeaderBytes.
absl::StatusOr<NpyHeader> ReadNpyHeader(absl::string_view file);

// Returns the header as bytes, a multiple of 64 as numpy does it, in the lowest
// version that holds it. header.data_begin is not looked at.
std::string NpyHeaderBytes(const NpyHeader& header);

// The names under which elements of that type are stored, the one to write
// first. Types that numpy lacks go as integers of their size, or as plain bytes
// (V2), which is what numpy makes of the types of ml_dtypes.
absl::Span<const absl::string_view> NpyDescrs(PrimitiveType type);

}  // namespace tessera

#endif  // TESSERA_CLI_NPY_FILE_H_
