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

template <typename T>
struct Entry {
  std::string_view key;
  T OpMetadata::*member;
};

// The most frequent first.
constexpr Entry<HloString> kStrings[] = {
    {"op_name", &OpMetadata::op_name},
    {"source_file", &OpMetadata::source_file},
    {"op_type", &OpMetadata::op_type},
    {"scheduling_name", &OpMetadata::scheduling_name},
    {"deduplicated_name", &OpMetadata::deduplicated_name},
    {"metadata_payload", &OpMetadata::metadata_payload},
};

constexpr Entry<int64_t> kIntegers[] = {
    {"stack_frame_id", &OpMetadata::stack_frame_id},
    {"source_line", &OpMetadata::source_line},
    {"source_end_line", &OpMetadata::source_end_line},
    {"source_column", &OpMetadata::source_column},
    {"source_end_column", &OpMetadata::source_end_column},
};

bool ReadMetadata(ValueReader* reader, OpMetadata* metadata) {
  uint32_t read = 0;
  return reader->ReadEntries([&](std::string_view key, size_t at) {
    uint32_t bit = 1;
    const auto is_new = [&] {
      if ((read & bit) != 0) {
        return reader->Fail(at, absl::StrCat(AbslView(key), " is given twice"));
      }
      read |= bit;
      return true;
    };
    for (const Entry<HloString>& entry : kStrings) {
      if (entry.key == key) {
        return is_new() && reader->ReadString(&(metadata->*entry.member));
      }
      bit <<= 1;
    }
    for (const Entry<int64_t>& entry : kIntegers) {
      if (entry.key == key) {
        return is_new() && reader->ReadInteger(&(metadata->*entry.member));
      }
      bit <<= 1;
    }
    if (key == "profile_type") {
      return is_new() && reader->ReadIntegers(&metadata->profile_type);
    }
    if (metadata->unknown_key.empty()) metadata->unknown_key = key;
    return reader->SkipValue();
  });
}

}  // namespace

absl::StatusOr<OpMetadata> DecodeMetadata(std::string_view value) {
  return DecodeAll<OpMetadata>(value, "metadata", ReadMetadata);
}

}  // namespace tessera
