#include "tessera/tenstorrent/derive/device_parser.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/mlir_cursor.h"
#include "tessera/base/text/mlir_reader.h"
#include "tessera/tenstorrent/affine/affine_expression.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tenstorrent/dimensions.h"

namespace tessera::tenstorrent {
namespace {

// Reading functions return false after the first error, which status() returns.
class DeviceReader : public MlirReader {
 public:
  using MlirReader::MlirReader;

  bool ReadDevice(Device* device) {
    return ExpectAttribute("device") && Expect('<') &&
           ExpectField("workerGrid") && ReadGrid(&device->workers) &&
           Expect(',') && ExpectField("l1Map") && ReadMap(&device->l1_map) &&
           Expect(',') && ExpectField("dramMap") &&
           ReadMap(&device->dram_map) && Expect(',') &&
           ExpectField("meshShape") && ReadMesh(&device->mesh_shape) &&
           Expect(',') && ExpectField("chipIds") &&
           ReadChipIds(&device->chip_ids) && Expect('>') &&
           (cursor().AtEnd() || FailExpected("the end of the device"));
  }

 private:
  // "#tt.device": no blank after the '#', and a dot is a part of a word.
  bool ExpectAttribute(std::string_view name) {
    cursor().SkipBlanks();
    const MlirCursor begin = cursor();
    if (cursor().Take('#') && cursor().position() != text().end() &&
        absl::ascii_isalpha(*cursor().position())) {
      for (std::string_view dialect : {"tt.", "ttcore."}) {
        if (cursor().TakeKeyword(StrCat(dialect, name))) return true;
      }
    }
    cursor() = begin;
    return FailExpected(StrCat("#tt.", name));
  }

  bool ExpectField(std::string_view name) {
    return (cursor().TakeKeyword(name) || FailExpected(name)) && Expect('=');
  }

  // Reads the next digits: of 0x10 only the 0, as in a list of sizes.
  bool ReadDigits(std::string_view what, int64_t* number) {
    const char* const at = position();
    if (!cursor().AtDigit()) return FailExpected(what);
    return cursor().TakeDecimalNumber(number) ||
           Fail(at, StrCat(what, " exceeds 2^63-1"),
                absl::StatusCode::kOutOfRange);
  }

  bool ReadSizes(Dimensions* sizes) {
    do {
      if (sizes->size() == AffineExpression::kMaxDims) {
        return Fail(cursor().position(),
                    absl::StrCat("a grid has at most ",
                                 AffineExpression::kMaxDims, " dimensions"),
                    absl::StatusCode::kResourceExhausted);
      }
      sizes->emplace_back();
      if (!ReadDigits("a size", &sizes->back())) return false;
    } while (cursor().Take('x'));
    return true;
  }

  // A mesh of one device is printed without sizes.
  bool ReadMesh(Dimensions* sizes) {
    return !cursor().AtDigit() || ReadSizes(sizes);
  }

  bool ReadMap(AffineMap* map) {
    size_t position = cursor().position() - text().data();
    absl::StatusOr<AffineMap> read = ReadAffineMap(text(), &position);
    if (!read.ok()) return Fail(read.status());
    *map = *std::move(read);
    cursor() = MlirCursor(text(), position);
    return true;
  }

  bool ReadGrid(WorkerGrid* workers) {
    return ExpectAttribute("grid") && Expect('<') &&
           ReadSizes(&workers->shape) && Expect(',') &&
           ReadMap(&workers->map) && Expect('>');
  }

  bool ReadChipIds(std::vector<int64_t>* ids) {
    if (!Expect('[')) return false;
    if (cursor().Take(']')) return true;
    do {
      ids->emplace_back();
      if (!ReadDigits("the number of a chip", &ids->back())) return false;
    } while (cursor().Take(','));
    return cursor().Take(']') || FailExpected("',' or ']'");
  }
};

}  // namespace

absl::StatusOr<Device> ParseDevice(std::string_view text) {
  DeviceReader reader(text);
  Device device;
  if (!reader.ReadDevice(&device)) return reader.status();
  return device;
}

}  // namespace tessera::tenstorrent
