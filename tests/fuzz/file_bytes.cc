#include "tests/fuzz/file_bytes.h"

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/files/gzip.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/relayout/npy_file.h"

namespace tessera {
namespace {

std::string Packed(std::string_view bytes) {
  z_stream stream = {};
  constexpr int kGzip = 16 + MAX_WBITS;
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = bytes.size();
  stream.next_out = reinterpret_cast<Bytef*>(&packed[0]);
  stream.avail_out = packed.size();
  deflate(&stream, Z_FINISH);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

std::string ForeignBytesProblem(std::string_view bytes) {
  constexpr int64_t kLimit = 4096;
  std::string few = "x", many = "x";
  const absl::Status status = Unpack(bytes, kLimit, {}, &few);
  const absl::Status more = Unpack(bytes, 4 * kLimit, {}, &many);
  for (const absl::Status& s : {status, more}) {
    if (!s.ok() && (!absl::IsDataLoss(s) || s.message().empty())) {
      return absl::StrCat("refused with the wrong code: ", s.ToString());
    }
  }
  if (few.size() > kLimit + 1 || many.size() > 4 * kLimit + 1) {
    return "more than the limit";
  }
  if (!StartsWith(many, few)) return "a larger limit gives something else";
  if (!status.ok() && more.ok()) return "refused only with the small limit";
  return "";
}

}  // namespace

std::string NpyProblem(std::string_view bytes) {
  const absl::StatusOr<cli::NpyHeader> header = cli::ReadNpyHeader(bytes);
  if (!header.ok()) {
    return header.status().message().empty() ? "a refusal without words" : "";
  }
  if (!cli::HasNpyMagic(bytes)) return "read without the magic";
  if (header->data_begin <= 0 ||
      header->data_begin > static_cast<int64_t>(bytes.size())) {
    return absl::StrCat("elements begin at ", header->data_begin, " of ",
                        bytes.size());
  }
  const std::string written = cli::NpyHeaderBytes(*header);
  const absl::StatusOr<cli::NpyHeader> again = cli::ReadNpyHeader(written);
  if (!again.ok()) {
    return absl::StrCat("written and refused: ", again.status().ToString());
  }
  if (written.size() % 64 != 0 ||
      again->data_begin != static_cast<int64_t>(written.size())) {
    return "written elements do not begin after the header";
  }
  return again->descr == header->descr && again->shape == header->shape &&
                 again->fortran_order == header->fortran_order
             ? ""
             : "written as another header";
}

std::string GzipProblem(std::string_view bytes) {
  std::string problem = ForeignBytesProblem(bytes);
  if (!problem.empty()) return problem;
  const size_t middle = bytes.size() / 2;
  const int64_t limit = bytes.size();
  const std::string second = Packed(bytes.substr(middle));
  const std::string packed = Packed(bytes.substr(0, middle)) + second;
  std::string unpacked;
  absl::Status status = Unpack(packed + "tail", limit, {}, &unpacked);
  if (!status.ok()) return absl::StrCat("two members: ", status.ToString());
  if (unpacked != bytes) return "two members give something else";
  // The second member is cut off, somewhere.
  const size_t kept = packed.size() - 1 - (limit * 7 % (second.size() - 2));
  unpacked.clear();
  status =
      Unpack(std::string_view(packed).substr(0, kept), limit, {}, &unpacked);
  if (!absl::IsDataLoss(status)) {
    return absl::StrCat("cut off at ", kept, ": ", status.ToString());
  }
  return StartsWith(bytes, unpacked) ? "" : "cut off, it gives something else";
}

}  // namespace tessera
