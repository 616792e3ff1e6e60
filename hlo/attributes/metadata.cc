#include "tessera/hlo/attributes/metadata.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/attributes/value_reader.h"
#include "tessera/hlo/hlo_string.h"

namespace tessera {
namespace {

struct StringEntry {
  std::string_view key;
  HloString OpMetadata::*member;
};

// The most frequent first.
constexpr StringEntry kStringEntries[] = {
    {"op_name", &OpMetadata::op_name},
    {"source_file", &OpMetadata::source_file},
    {"op_type", &OpMetadata::op_type},
    {"scheduling_name", &OpMetadata::scheduling_name},
    {"deduplicated_name", &OpMetadata::deduplicated_name},
    {"metadata_payload", &OpMetadata::metadata_payload},
};

struct IntegerEntry {
  std::string_view key;
  int64_t OpMetadata::*member;
};

constexpr IntegerEntry kIntegerEntries[] = {
    {"stack_frame_id", &OpMetadata::stack_frame_id},
    {"source_line", &OpMetadata::source_line},
    {"source_end_line", &OpMetadata::source_end_line},
    {"source_column", &OpMetadata::source_column},
    {"source_end_column", &OpMetadata::source_end_column},
};

class MetadataReader {
 public:
  MetadataReader(ValueReader* reader, OpMetadata* metadata)
      : reader_(*reader), metadata_(*metadata) {}

  bool Read() {
    return reader_.ReadEntries(
        [this](std::string_view key, size_t at) { return ReadEntry(key, at); });
  }

 private:
  bool ReadEntry(std::string_view key, size_t at) {
    uint32_t bit = 1;
    for (const StringEntry& entry : kStringEntries) {
      if (entry.key == key) {
        return IsNew(bit, key, at) &&
               reader_.ReadString(&(metadata_.*entry.member));
      }
      bit <<= 1;
    }
    for (const IntegerEntry& entry : kIntegerEntries) {
      if (entry.key == key) {
        return IsNew(bit, key, at) &&
               reader_.ReadInteger(&(metadata_.*entry.member));
      }
      bit <<= 1;
    }
    if (key == "profile_type") {
      return IsNew(bit, key, at) &&
             reader_.ReadIntegers(&metadata_.profile_type);
    }
    if (metadata_.unknown_key.empty()) metadata_.unknown_key = key;
    return reader_.SkipValue();
  }

  bool IsNew(uint32_t bit, std::string_view key, size_t at) {
    if ((read_ & bit) != 0) {
      return reader_.Fail(at, absl::StrCat(AbslView(key), " is given twice"));
    }
    read_ |= bit;
    return true;
  }

  ValueReader& reader_;
  OpMetadata& metadata_;
  uint32_t read_ = 0;
};

}  // namespace

absl::StatusOr<OpMetadata> DecodeMetadata(std::string_view value) {
  return DecodeAll<OpMetadata>(value, "metadata",
                               [](ValueReader* reader, OpMetadata* metadata) {
                                 return MetadataReader(reader, metadata).Read();
                               });
}

}  // namespace tessera
