#include "tessera/hlo/attributes/metadata.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/attributes/value_reader.h"
#include "tessera/hlo/hlo_string.h"

namespace tessera {
namespace {

struct Entry {
  std::string_view key;
  // Both are null for profile_type.
  HloString OpMetadata::*string = nullptr;
  int64_t OpMetadata::*integer = nullptr;
};

// The most frequent first.
constexpr Entry kEntries[] = {
    {"op_name", &OpMetadata::op_name},
    {"stack_frame_id", nullptr, &OpMetadata::stack_frame_id},
    {"source_file", &OpMetadata::source_file},
    {"source_line", nullptr, &OpMetadata::source_line},
    {"source_end_line", nullptr, &OpMetadata::source_end_line},
    {"source_column", nullptr, &OpMetadata::source_column},
    {"source_end_column", nullptr, &OpMetadata::source_end_column},
    {"op_type", &OpMetadata::op_type},
    {"scheduling_name", &OpMetadata::scheduling_name},
    {"deduplicated_name", &OpMetadata::deduplicated_name},
    {"metadata_payload", &OpMetadata::metadata_payload},
    {"profile_type"},
};

bool ReadMetadata(ValueReader* reader, OpMetadata* metadata) {
  uint32_t read = 0;
  return reader->ReadEntries([&](std::string_view key, size_t at) {
    const Entry* const entry =
        std::find_if(std::begin(kEntries), std::end(kEntries),
                     [key](const Entry& known) { return known.key == key; });
    if (entry == std::end(kEntries)) {
      if (metadata->unknown_key.empty()) metadata->unknown_key = key;
      return reader->SkipValue();
    }
    const uint32_t bit = uint32_t{1} << (entry - kEntries);
    if ((read & bit) != 0) {
      return reader->Fail(at, StrCat(key, " is given twice"));
    }
    read |= bit;
    if (entry->string != nullptr) {
      return reader->ReadString(&(metadata->*entry->string));
    }
    return entry->integer != nullptr
               ? reader->ReadInteger(&(metadata->*entry->integer))
               : reader->ReadIntegers(&metadata->profile_type);
  });
}

}  // namespace

absl::StatusOr<OpMetadata> DecodeMetadata(std::string_view value) {
  return DecodeAll<OpMetadata>(value, "metadata", ReadMetadata);
}

}  // namespace tessera
