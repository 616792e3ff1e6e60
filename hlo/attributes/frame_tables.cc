#include "tessera/hlo/attributes/frame_tables.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/attributes/value_reader.h"
#include "tessera/hlo/hlo_string.h"

namespace tessera {
namespace {

// Whether a row has this `id`. `what` names the owner of the id in errors.
template <typename... What>
absl::Status CheckRow(int64_t id, size_t rows, const What&... what) {
  if (id >= 1 && static_cast<uint64_t>(id) <= rows) return absl::OkStatus();
  return OutOfRangeError(
      what..., rows == 0 ? " refers to an empty table"
                         : absl::StrCat(" is outside [1, ", rows, "]"));
}

absl::Status CheckRowOf(int64_t frame_id, absl::string_view key, int64_t id,
                        size_t rows) {
  return CheckRow(id, rows, key, " = ", id, " of stack frame ", frame_id);
}

constexpr std::string_view kAllTables = "frame tables";

class FrameTablesReader {
 public:
  FrameTablesReader(ValueReader* reader, FrameTables* tables)
      : reader_(*reader), tables_(*tables) {}

  bool Read() {
    while (!reader_.AtEnd()) {
      reader_.set_subject(kAllTables);
      if (!ReadTable()) return false;
    }
    return true;
  }

 private:
  bool ReadTable() {
    const size_t at = reader_.offset();
    const std::string_view name = reader_.TakeIdentifier();
    for (Table& table : tables_in_text_) {
      if (table.name != name) continue;
      if (table.is_read) {
        return reader_.Fail(at,
                            absl::StrCat(AbslView(name), " is given twice"));
      }
      table.is_read = true;
      reader_.set_subject(name);
      while (reader_.AtInteger()) {
        int64_t number;
        if (!reader_.ReadInteger(&number) || !(this->*table.read_row)()) {
          return false;
        }
      }
      return true;
    }
    reader_.MoveTo(at);
    return reader_.FailExpected(
        "FileNames, FunctionNames, FileLocations or StackFrames");
  }

  bool ReadFileName() { return ReadString(&tables_.file_names); }
  bool ReadFunctionName() { return ReadString(&tables_.function_names); }
  bool ReadString(std::vector<HloString>* strings) {
    strings->emplace_back();
    return reader_.ReadString(&strings->back());
  }

  bool ReadFileLocation() {
    tables_.file_locations.emplace_back();
    FrameTables::FileLocation& row = tables_.file_locations.back();
    return reader_.ReadEntries([&](std::string_view key, size_t /*at*/) {
      if (key == "file_name_id") return ReadId(key, &row.file_name_id);
      if (key == "function_name_id") return ReadId(key, &row.function_name_id);
      if (key == "line") return reader_.ReadInteger(&row.line);
      if (key == "end_line") return reader_.ReadInteger(&row.end_line);
      if (key == "column") return reader_.ReadInteger(&row.column);
      if (key == "end_column") return reader_.ReadInteger(&row.end_column);
      return reader_.SkipValue();
    });
  }

  bool ReadStackFrame() {
    tables_.stack_frames.emplace_back();
    FrameTables::StackFrame& row = tables_.stack_frames.back();
    return reader_.ReadEntries([&](std::string_view key, size_t /*at*/) {
      if (key == "file_location_id") return ReadId(key, &row.file_location_id);
      if (key != "parent_frame_id") return reader_.SkipValue();
      if (!ReadId(key, &row.parent_frame_id)) return false;
      if (row.parent_frame_id > 0) --row.parent_frame_id;
      return true;
    });
  }

  bool ReadId(std::string_view key, int64_t* id) {
    return reader_.ReadIntegerFrom(0, key, id);
  }

  ValueReader& reader_;
  FrameTables& tables_;
  struct Table {
    std::string_view name;
    bool (FrameTablesReader::*read_row)();
    bool is_read = false;
  };
  Table tables_in_text_[4] = {
      {"FileNames", &FrameTablesReader::ReadFileName},
      {"FunctionNames", &FrameTablesReader::ReadFunctionName},
      {"FileLocations", &FrameTablesReader::ReadFileLocation},
      {"StackFrames", &FrameTablesReader::ReadStackFrame},
  };
};

}  // namespace

absl::StatusOr<SourceFrame> FrameTables::Frame(int64_t id) const {
  TESSERA_RETURN_IF_ERROR(
      CheckRow(id, stack_frames.size(), "stack frame ", id));
  const StackFrame& row = stack_frames[id - 1];
  SourceFrame frame;
  frame.parent = row.parent_frame_id;
  if (row.file_location_id == 0) return frame;
  TESSERA_RETURN_IF_ERROR(CheckRowOf(
      id, "file_location_id", row.file_location_id, file_locations.size()));
  const FileLocation& location = file_locations[row.file_location_id - 1];
  frame.line = location.line;
  frame.end_line = location.end_line;
  frame.column = location.column;
  frame.end_column = location.end_column;
  if (location.file_name_id != 0) {
    TESSERA_RETURN_IF_ERROR(CheckRowOf(
        id, "file_name_id", location.file_name_id, file_names.size()));
    frame.file_name = file_names[location.file_name_id - 1];
  }
  if (location.function_name_id != 0) {
    TESSERA_RETURN_IF_ERROR(CheckRowOf(id, "function_name_id",
                                       location.function_name_id,
                                       function_names.size()));
    frame.function_name = function_names[location.function_name_id - 1];
  }
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
  return DecodeAll<FrameTables>(
      text, kAllTables, [](ValueReader* reader, FrameTables* tables) {
        return FrameTablesReader(reader, tables).Read();
      });
}

}  // namespace tessera
