// The header of a .npy file, in which NumPy keeps one array: element type,
// order and bounds. The elements follow it.
//
//   absl::StatusOr<NpyHeader> header = ReadNpyHeader(bytes_of_file);
//   header->descr;          // "<f4"
//   header->fortran_order;  // false: row-major
//   header->shape;          // {3, 5}
//   header->data_begin;     // 128
//
// The format is that of numpy.lib.format, versions 1.0 to 3.0. The header is a
// Python literal. Only the forms that NumPy writes are read.

#ifndef TESSERA_CLI_RELAYOUT_NPY_FILE_H_
#define TESSERA_CLI_RELAYOUT_NPY_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/layout/primitive_type.h"

namespace tessera::cli {

// The most bytes before the elements. Headers of arrays have a few hundred.
inline constexpr int64_t kMaxNpyHeaderBytes = int64_t{1} << 16;

struct NpyHeader {
  std::string descr;  // NumPy's name of the element type
  bool fortran_order = false;
  std::vector<int64_t> shape;
  int64_t data_begin = 0;  // where the elements begin, in bytes
};

// Returns whether `file` begins like a .npy file.
bool HasNpyMagic(std::string_view file);

// Reads the header of `file`, which may be the beginning of a file.
//
// Errors: kInvalidArgument, with the offset in bytes, for a file that is not in
// the format; kUnimplemented for other versions and structured types;
// kOutOfRange for a dimension that exceeds 2^63-1; kResourceExhausted for a
// header of more than kMaxNpyHeaderBytes.
absl::StatusOr<NpyHeader> ReadNpyHeader(std::string_view file);

// Returns the header as bytes, padded to a multiple of 64 as in NumPy, in the
// lowest version that holds it. Ignores header.data_begin.
std::string NpyHeaderBytes(const NpyHeader& header);

// Returns the names under which elements of that type are stored; the first is
// the one to write. Types that NumPy lacks are integers of the same size, or
// plain bytes (V2), as NumPy writes the types of ml_dtypes.
absl::Span<const std::string_view> NpyDescrs(PrimitiveType type);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_RELAYOUT_NPY_FILE_H_
