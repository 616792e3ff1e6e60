#include "tessera/hlo/attributes/frame_tables.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/attributes/value_reader.h"

namespace tessera {
namespace {

// Whether a row has this `id`. `what` names the owner of the id in errors.
template <typename... What>
absl::Status CheckRow(int64_t id, size_t rows, const What&... what) {
  if (id >= 1 && static_cast<uint64_t>(id) <= rows) return absl::OkStatus();
  return OutOfRangeError(what..., rows == 0
                                      ? " refers to an empty table"
                                      : StrCat(" is outside [1, ", rows, "]"));
}

// Returns the row with the `id` that `key` gives a stack frame; empty for 0.
template <typename Row>
absl::StatusOr<Row> RowOf(int64_t frame_id, std::string_view key, int64_t id,
                          const std::vector<Row>& rows) {
  if (id == 0) return Row();
  TESSERA_RETURN_IF_ERROR(
      CheckRow(id, rows.size(), key, " = ", id, " of stack frame ", frame_id));
  return rows[id - 1];
}

constexpr std::string_view kAllTables = "frame tables";

bool ReadId(ValueReader* reader, std::string_view key, int64_t* id) {
  return reader->ReadIntegerFrom(0, key, id);
}

bool ReadFileLocation(ValueReader* reader, FrameTables::FileLocation* row) {
  return reader->ReadEntries([&](std::string_view key, size_t /*at*/) {
    if (key == "file_name_id") return ReadId(reader, key, &row->file_name_id);
    if (key == "function_name_id") {
      return ReadId(reader, key, &row->function_name_id);
    }
    if (key == "line") return reader->ReadInteger(&row->line);
    if (key == "end_line") return reader->ReadInteger(&row->end_line);
    if (key == "column") return reader->ReadInteger(&row->column);
    if (key == "end_column") return reader->ReadInteger(&row->end_column);
    return reader->SkipValue();
  });
}

bool ReadStackFrame(ValueReader* reader, FrameTables::StackFrame* row) {
  return reader->ReadEntries([&](std::string_view key, size_t /*at*/) {
    if (key == "file_location_id") {
      return ReadId(reader, key, &row->file_location_id);
    }
    if (key != "parent_frame_id") return reader->SkipValue();
    if (!ReadId(reader, key, &row->parent_frame_id)) return false;
    if (row->parent_frame_id > 0) --row->parent_frame_id;
    return true;
  });
}

template <typename Row, typename ReadRow>
bool ReadRows(ValueReader* reader, ReadRow read_row, std::vector<Row>* rows) {
  while (reader->AtInteger()) {
    int64_t number;
    if (!reader->ReadInteger(&number) ||
        !std::invoke(read_row, reader, &rows->emplace_back())) {
      return false;
    }
  }
  return true;
}

bool ReadTables(ValueReader* reader, FrameTables* tables) {
  constexpr std::string_view kNames[] = {"FileNames", "FunctionNames",
                                         "FileLocations", "StackFrames"};
  bool is_read[std::size(kNames)] = {};
  while (!reader->AtEnd()) {
    reader->set_subject(kAllTables);
    const size_t at = reader->offset();
    const std::string_view name = reader->TakeIdentifier();
    const size_t table =
        std::find(std::begin(kNames), std::end(kNames), name) - kNames;
    if (table == std::size(kNames)) {
      reader->MoveTo(at);
      return reader->FailExpected(
          "FileNames, FunctionNames, FileLocations or StackFrames");
    }
    if (std::exchange(is_read[table], true)) {
      return reader->Fail(at, StrCat(name, " is given twice"));
    }
    reader->set_subject(name);
    const auto read_string = &ValueReader::ReadString;
    if (!(table == 0   ? ReadRows(reader, read_string, &tables->file_names)
          : table == 1 ? ReadRows(reader, read_string, &tables->function_names)
          : table == 2
              ? ReadRows(reader, ReadFileLocation, &tables->file_locations)
              : ReadRows(reader, ReadStackFrame, &tables->stack_frames))) {
      return false;
    }
  }
  return true;
}

}  // namespace

absl::StatusOr<SourceFrame> FrameTables::Frame(int64_t id) const {
  TESSERA_RETURN_IF_ERROR(
      CheckRow(id, stack_frames.size(), "stack frame ", id));
  const StackFrame& row = stack_frames[id - 1];
  SourceFrame frame;
  frame.parent = row.parent_frame_id;
  TESSERA_ASSIGN_OR_RETURN(
      const FileLocation location,
      RowOf(id, "file_location_id", row.file_location_id, file_locations));
  frame.line = location.line;
  frame.end_line = location.end_line;
  frame.column = location.column;
  frame.end_column = location.end_column;
  TESSERA_ASSIGN_OR_RETURN(
      frame.file_name,
      RowOf(id, "file_name_id", location.file_name_id, file_names));
  TESSERA_ASSIGN_OR_RETURN(
      frame.function_name,
      RowOf(id, "function_name_id", location.function_name_id, function_names));
  return frame;
}

absl::Status FrameTables::ForEachFrame(
    int64_t id,
    absl::FunctionRef<void(int64_t id, const SourceFrame& frame)> visit) const {
  size_t visited = 0;
  for (int64_t next = id; next != 0;) {
    if (visited == stack_frames.size() && visited > 0) {
      return InvalidArgumentError("the parents of stack frame ", id,
                                  " form a cycle");
    }
    const absl::StatusOr<SourceFrame> frame = Frame(next);
    if (!frame.ok()) return frame.status();
    visit(next, *frame);
    ++visited;
    next = frame->parent;
  }
  return absl::OkStatus();
}

absl::StatusOr<FrameTables> DecodeFrameTables(std::string_view text) {
  return DecodeAll<FrameTables>(text, kAllTables, ReadTables);
}

}  // namespace tessera
