#include "tessera/tenstorrent/derive/device_parser.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/base/text/mlir_cursor.h"
#include "tessera/tenstorrent/affine/affine_expression.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tenstorrent/dimensions.h"

namespace tessera::tenstorrent {
namespace {

// Reading functions return false after the first error, which status() returns.
class DeviceReader {
 public:
  explicit DeviceReader(std::string_view text)
      : text_(text.data() == nullptr ? "" : text), cursor_(text_, 0) {}

  const absl::Status& status() const { return status_; }

  bool ReadDevice(Device* device) {
    return ExpectAttribute("device") && Expect('<') &&
           ExpectField("workerGrid") && ReadGrid(&device->workers) &&
           Expect(',') && ExpectField("l1Map") && ReadMap(&device->l1_map) &&
           Expect(',') && ExpectField("dramMap") &&
           ReadMap(&device->dram_map) && Expect(',') &&
           ExpectField("meshShape") && ReadMesh(&device->mesh_shape) &&
           Expect(',') && ExpectField("chipIds") &&
           ReadChipIds(&device->chip_ids) && Expect('>') &&
           (cursor_.AtEnd() || FailExpected("the end of the device"));
  }

 private:
  bool Fail(const char* at, std::string_view message, absl::StatusCode code) {
    status_ = DiagnosticError(text_, at - text_.data(), message, code);
    return false;
  }

  bool FailExpected(std::string_view what) {
    const std::string found = cursor_.DescribeNextToken();
    return Fail(cursor_.position(),
                StrCat("expected ", what, ", found ", found),
                absl::StatusCode::kInvalidArgument);
  }

  bool Expect(char c) {
    return cursor_.Take(c) ||
           FailExpected(StrCat("'", std::string_view(&c, 1), "'"));
  }

  // "#tt.device": no blank after the '#', and a dot is a part of a word.
  bool ExpectAttribute(std::string_view name) {
    cursor_.SkipBlanks();
    const MlirCursor begin = cursor_;
    if (cursor_.Take('#') && cursor_.position() != text_.end() &&
        absl::ascii_isalpha(*cursor_.position())) {
      for (std::string_view dialect : {"tt.", "ttcore."}) {
        if (cursor_.TakeKeyword(StrCat(dialect, name))) return true;
      }
    }
    cursor_ = begin;
    return FailExpected(StrCat("#tt.", name));
  }

  bool ExpectField(std::string_view name) {
    return (cursor_.TakeKeyword(name) || FailExpected(name)) && Expect('=');
  }

  // Reads the next digits: of 0x10 only the 0, as in a list of sizes.
  bool ReadNumber(std::string_view what, int64_t* number) {
    if (!cursor_.AtDigit()) return FailExpected(what);
    const size_t begin = cursor_.position() - text_.data();
    size_t end = begin;
    while (end < text_.size() && absl::ascii_isdigit(text_[end])) ++end;
    const std::string_view digits = text_.substr(begin, end - begin);
    if (!absl::SimpleAtoi(AbslView(digits), number)) {
      return Fail(digits.data(), StrCat(what, " exceeds 2^63-1"),
                  absl::StatusCode::kOutOfRange);
    }
    cursor_ = MlirCursor(text_, end);
    return true;
  }

  bool ReadSizes(Dimensions* sizes) {
    do {
      if (sizes->size() == AffineExpression::kMaxDims) {
        return Fail(cursor_.position(),
                    absl::StrCat("a grid has at most ",
                                 AffineExpression::kMaxDims, " dimensions"),
                    absl::StatusCode::kResourceExhausted);
      }
      sizes->emplace_back();
      if (!ReadNumber("a size", &sizes->back())) return false;
    } while (cursor_.Take('x'));
    return true;
  }

  // A mesh of one device is printed without sizes.
  bool ReadMesh(Dimensions* sizes) {
    return !cursor_.AtDigit() || ReadSizes(sizes);
  }

  bool ReadMap(AffineMap* map) {
    size_t position = cursor_.position() - text_.data();
    absl::StatusOr<AffineMap> read = ReadAffineMap(text_, &position);
    if (!read.ok()) {
      status_ = read.status();
      return false;
    }
    *map = *std::move(read);
    cursor_ = MlirCursor(text_, position);
    return true;
  }

  bool ReadGrid(WorkerGrid* workers) {
    return ExpectAttribute("grid") && Expect('<') &&
           ReadSizes(&workers->shape) && Expect(',') &&
           ReadMap(&workers->map) && Expect('>');
  }

  bool ReadChipIds(std::vector<int64_t>* ids) {
    if (!Expect('[')) return false;
    if (cursor_.Take(']')) return true;
    do {
      ids->emplace_back();
      if (!ReadNumber("the number of a chip", &ids->back())) return false;
    } while (cursor_.Take(','));
    return cursor_.Take(']') || FailExpected("',' or ']'");
  }

  std::string_view text_;
  MlirCursor cursor_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<Device> ParseDevice(std::string_view text) {
  DeviceReader reader(text);
  Device device;
  if (!reader.ReadDevice(&device)) return reader.status();
  return device;
}

}  // namespace tessera::tenstorrent
