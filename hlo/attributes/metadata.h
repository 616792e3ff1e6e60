// Decodes an instruction's metadata, its origin in the user's program.
//
//   absl::StatusOr<OpMetadata> metadata = DecodeMetadata(
//       R"({op_name="jit(f)/add" source_file="f.py" source_line=7})");
//   metadata->op_name.raw();  // "jit(f)/add"
//   metadata->source_line;    // 7
//
// The entries are those of XLA's OpMetadata (xla/xla_data.proto), as printed by
// xla/service/hlo_module_util and read by xla/hlo/parser/hlo_parser.cc.

#ifndef TESSERA_HLO_ATTRIBUTES_METADATA_H_
#define TESSERA_HLO_ATTRIBUTES_METADATA_H_

#include <cstdint>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "tessera/hlo/hlo_string.h"

namespace tessera {

// An entry that is not in the text is "" or 0.
struct OpMetadata {
  HloString op_type;
  HloString op_name;
  HloString source_file;
  int64_t source_line = 0;
  int64_t source_end_line = 0;
  int64_t source_column = 0;
  int64_t source_end_column = 0;
  // XLA's ProfileType numbers.
  absl::InlinedVector<int64_t, 2> profile_type;
  HloString deduplicated_name;
  HloString scheduling_name;
  HloString metadata_payload;
  // An id in the module's tables (hlo/attributes/frame_tables.h), counted from
  // 1; 0 if there is none.
  int64_t stack_frame_id = 0;
  // The first key other than the names above, if any; the values of such
  // entries are skipped.
  std::string_view unknown_key;
};

// Decodes the value of a `metadata` attribute, including the braces. Strings
// are views into `value`; nothing is allocated unless a string has escapes or
// the text is wrong.
//
// Errors, as diagnostics (base/text/diagnostic.h) that count from the start of
// `value`:
//   kInvalidArgument  the text breaks off or is not metadata, an integer is past
//                     int64_t, a string has an escape that C does not have, or
//                     an entry is given twice.
absl::StatusOr<OpMetadata> DecodeMetadata(std::string_view value);

}  // namespace tessera

#endif  // TESSERA_HLO_ATTRIBUTES_METADATA_H_
