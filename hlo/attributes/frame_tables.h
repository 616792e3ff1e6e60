// Finds the calls in the user's program that led to an instruction.
//
//   absl::StatusOr<FrameTables> tables = DecodeFrameTables(R"(
//       FileNames
//       1 "model.py"
//       FunctionNames
//       1 "main"
//       2 "layer"
//       FileLocations
//       1 {file_name_id=1 function_name_id=1 line=90 column=4}
//       2 {file_name_id=1 function_name_id=2 line=12 column=8}
//       StackFrames
//       1 {file_location_id=1 parent_frame_id=1}
//       2 {file_location_id=2 parent_frame_id=2})");
//   absl::StatusOr<SourceFrame> frame = tables->Frame(2);
//   frame->file_name.raw();      // "model.py"
//   frame->function_name.raw();  // "layer"
//   frame->line;                 // 12
//   frame->column;               // 8
//   frame->parent;               // 1: main, at line 90
//
// The tables appear between the header line of a module and its first
// computation; `stack_frame_id` in an instruction's metadata
// (hlo/attributes/metadata.h) refers to them. All ids count from 1, and 0 means
// that there is none.

#ifndef TESSERA_HLO_ATTRIBUTES_FRAME_TABLES_H_
#define TESSERA_HLO_ATTRIBUTES_FRAME_TABLES_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/hlo/hlo_string.h"

namespace tessera {

// One call, or the place where the instruction itself was created.
struct SourceFrame {
  // These six are empty or 0 if the tables lack them.
  HloString file_name;
  HloString function_name;
  int64_t line = 0;
  int64_t end_line = 0;
  int64_t column = 0;
  int64_t end_column = 0;
  // The id of the frame that made the call, or 0.
  int64_t parent = 0;
};

// The rows as written, starting with id 1. Ids may refer to missing rows.
struct FrameTables {
  struct FileLocation {
    int64_t file_name_id = 0;
    int64_t function_name_id = 0;
    int64_t line = 0;
    int64_t end_line = 0;
    int64_t column = 0;
    int64_t end_column = 0;
  };
  struct StackFrame {
    int64_t file_location_id = 0;
    // The parent's id. The text has this id plus 1, or 1 if there is no parent.
    int64_t parent_frame_id = 0;
  };

  std::vector<HloString> file_names;
  std::vector<HloString> function_names;
  std::vector<FileLocation> file_locations;
  std::vector<StackFrame> stack_frames;

  // Returns the frame with this id, in constant time and without allocation.
  //
  // Errors: kOutOfRange if `id`, or an id in the rows that it refers to, does
  // not name a row. The parent's id is not checked.
  absl::StatusOr<SourceFrame> Frame(int64_t id) const;

  // Calls `visit` for the frame with this id, its parent, and so on outwards.
  // Does nothing for id 0.
  //
  // Errors, after visiting the frames before the error: those of Frame, and
  // kInvalidArgument if the parents form a cycle; each frame in it has then
  // been visited at least once and at most stack_frames.size() times.
  absl::Status ForEachFrame(
      int64_t id,
      absl::FunctionRef<void(int64_t id, const SourceFrame& frame)> visit)
      const;
};

// Decodes FileNames, FunctionNames, FileLocations and StackFrames. A table may
// be missing or empty, since tools remove them; names that XLA's rows do not
// have are skipped. A row's id is its place; the number at its start is
// ignored, as in xla/hlo/parser/hlo_parser.cc. Strings are views into `text`.
//
// Errors, as diagnostics (base/text/diagnostic.h) that count from the start of
// `text`:
//   kInvalidArgument  there is anything else, a table is given twice, or an id
//                     is negative.
absl::StatusOr<FrameTables> DecodeFrameTables(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_HLO_ATTRIBUTES_FRAME_TABLES_H_
