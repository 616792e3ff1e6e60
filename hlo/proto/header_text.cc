#include "tessera/hlo/proto/header_text.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/proto/attribute_text.h"
#include "tessera/hlo/proto/hlo_words.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_proto.h"

namespace tessera {
namespace hlo_internal {
namespace {

constexpr std::string_view kAliasKinds[] = {"", ", may-alias", ", must-alias"};

std::string AliasText(
    const hlo_proto::HloInputOutputAliasProto::AliasEntryProto& entry) {
  const bool has_kind = entry.kind() == 1 || entry.kind() == 2;
  return absl::StrCat(IntegerSet(entry.output_shape_index()), ": (",
                      entry.parameter_number(), ", ",
                      IntegerSet(entry.parameter_shape_index()),
                      AbslView(kAliasKinds[has_kind ? entry.kind() : 0]), ")");
}

std::string EntryComputationLayout(const ProgramShape& program_shape) {
  std::string text = "{(";
  for (size_t i = 0; i < program_shape.parameters.size(); ++i) {
    if (i > 0) absl::StrAppend(&text, ", ");
    absl::StrAppend(&text, program_shape.parameters[i].ToString());
  }
  return absl::StrCat(text, ")->", program_shape.result.ToString(), "}");
}

void AppendNames(std::string_view table,
                 const google::protobuf::RepeatedPtrField<std::string>& names,
                 std::string* out) {
  absl::StrAppend(out, AbslView(table), "\n");
  for (int i = 0; i < names.size(); ++i) {
    absl::StrAppend(out, i + 1, " ");
    AppendHloString(names.Get(i), out);
    absl::StrAppend(out, "\n");
  }
  absl::StrAppend(out, "\n");
}

// "line=7", and nothing for 0.
void AppendNumber(std::string_view key, int64_t value, std::string* out) {
  if (value == 0) return;
  absl::StrAppend(out, out->back() == '{' ? "" : " ", AbslView(key), "=",
                  value);
}

std::string FileLocationText(
    const hlo_proto::StackFrameIndexProto::FileLocation& location) {
  std::string text = "{";
  AppendNumber("file_name_id", location.file_name_id(), &text);
  AppendNumber("function_name_id", location.function_name_id(), &text);
  AppendNumber("line", location.line(), &text);
  AppendNumber("end_line", location.end_line(), &text);
  AppendNumber("column", location.column(), &text);
  AppendNumber("end_column", location.end_column(), &text);
  return text + "}";
}

bool HasNegativeId(const hlo_proto::StackFrameIndexProto& tables) {
  for (const auto& location : tables.file_locations()) {
    if (location.file_name_id() < 0 || location.function_name_id() < 0) {
      return true;
    }
  }
  for (const auto& frame : tables.stack_frames()) {
    if (frame.file_location_id() < 0 || frame.parent_frame_id() < 0) {
      return true;
    }
  }
  return false;
}

void AppendFrameTables(const hlo_proto::StackFrameIndexProto& tables,
                       std::string* out) {
  AppendNames("FileNames", tables.file_names(), out);
  AppendNames("FunctionNames", tables.function_names(), out);
  absl::StrAppend(out, "FileLocations\n");
  for (int i = 0; i < tables.file_locations_size(); ++i) {
    absl::StrAppend(out, i + 1, " ", FileLocationText(tables.file_locations(i)),
                    "\n");
  }
  absl::StrAppend(out, "\nStackFrames\n");
  for (int i = 0; i < tables.stack_frames_size(); ++i) {
    const auto& frame = tables.stack_frames(i);
    // The text counts the parent from 1 for none.
    absl::StrAppend(out, i + 1, " {file_location_id=", frame.file_location_id(),
                    " parent_frame_id=", int64_t{frame.parent_frame_id()} + 1,
                    "}\n");
  }
  absl::StrAppend(out, "\n");
}

}  // namespace

std::vector<std::string> AppendModuleHeader(
    const hlo_proto::HloModuleProto& proto, std::string_view name,
    std::string* out) {
  std::vector<std::string> problems;
  absl::StrAppend(out, "HloModule ", AbslView(name));
  if (proto.has_schedule()) absl::StrAppend(out, ", is_scheduled=true");
  if (proto.input_output_alias().entries_size() > 0) {
    absl::StrAppend(out, ", input_output_alias={ ",
                    absl::StrJoin(proto.input_output_alias().entries(), ", ",
                                  [](std::string* out, const auto& entry) {
                                    absl::StrAppend(out, AliasText(entry));
                                  }),
                    " }");
  }
  if (proto.buffer_donor().entries_size() > 0) {
    absl::StrAppend(
        out, ", buffer_donor={ ",
        absl::StrJoin(proto.buffer_donor().entries(), ", ",
                      [](std::string* out, const auto& entry) {
                        absl::StrAppend(
                            out, "(", entry.parameter_number(), ", ",
                            IntegerSet(entry.parameter_shape_index()), ")");
                      }),
        " }");
  }
  if (proto.has_host_program_shape()) {
    const absl::StatusOr<ProgramShape> program_shape =
        ProgramShapeFromProto(proto.host_program_shape());
    if (program_shape.ok()) {
      absl::StrAppend(out, ", entry_computation_layout=",
                      EntryComputationLayout(*program_shape));
    } else {
      problems.push_back(absl::StrCat("host_program_shape: ",
                                      program_shape.status().message()));
    }
  }
  if (proto.frontend_attributes().map_size() > 0) {
    absl::StrAppend(out, ", frontend_attributes=");
    AppendFrontendAttributes(proto.frontend_attributes(), out);
  }
  absl::StrAppend(out, "\n\n");
  const hlo_proto::StackFrameIndexProto& tables = proto.stack_frame_index();
  if (HasNegativeId(tables)) {
    problems.push_back("an id in stack_frame_index is negative");
  } else if (tables.stack_frames_size() > 0) {
    AppendFrameTables(tables, out);
  }
  return problems;
}

}  // namespace hlo_internal
}  // namespace tessera
