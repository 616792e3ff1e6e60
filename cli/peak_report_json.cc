// The report on the peak for programs.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "tessera/cli/csv.h"
#include "tessera/cli/peak_report.h"
#include "tessera/layout/memory_space.h"

namespace tessera {
namespace {

Json BufferToJson(const LiveBuffer& buffer) {
  Json json;
  json["instruction"] = JsonString(buffer.instruction.name());
  json["opcode"] = JsonString(buffer.instruction.opcode());
  json["kind"] = LiveBufferKindText(buffer);
  json["shape"] =
      buffer.shape == nullptr ? Json() : Json(buffer.shape->ToString());
  json["padded_bytes"] = buffer.padded_bytes;
  json["first"] = buffer.first;
  json["last"] = buffer.last;
  json["holds_result"] = buffer.holds_result;
  return json;
}

}  // namespace

std::string LiveBufferKindText(const LiveBuffer& buffer) {
  switch (buffer.kind) {
    case LiveBuffer::Kind::kParameter:
      return "parameter";
    case LiveBuffer::Kind::kConstant:
      return "constant";
    case LiveBuffer::Kind::kTemporary:
      return "temporary";
    case LiveBuffer::Kind::kResult:
      return "result";
    case LiveBuffer::Kind::kCalled:
      return "called";
  }
  return "";
}

Json PeakReportToJson(const PeakReport& report) {
  const MemorySpaceNames names;
  Json json;
  json["file"] = report.file;
  json["module"] = JsonString(report.module.name());
  const absl::optional<HloComputation> entry =
      report.module.entry_computation();
  json["entry"] = entry.has_value() ? Json(JsonString(entry->name())) : Json();
  json["is_entry"] = entry.has_value();
  if (!report.liveness.ok()) {
    // The same keys as of a peak.
    for (const char* key :
         {"instructions", "instructions_without_shape", "skipped_arrays",
          "unresolved", "unresolved_calls", "by_memory_space"}) {
      json[key] = Json();
    }
    json["reason"] = JsonString(report.liveness.status().message());
    return json;
  }
  const Liveness& liveness = *report.liveness;
  json["instructions"] = liveness.entry.instructions().size();
  json["instructions_without_shape"] = liveness.instructions_without_shape;
  json["skipped_arrays"] = liveness.skipped_arrays;
  json["unresolved"] = liveness.unresolved;
  json["unresolved_calls"] = liveness.unresolved_calls;
  json["by_memory_space"] = Json::object();
  for (const auto& [number, space] : liveness.by_memory_space) {
    Json live = Json::array();
    for (const int64_t buffer : space.live_at_peak) {
      if (static_cast<int64_t>(live.size()) == report.top) break;
      live.push_back(BufferToJson(liveness.buffers[buffer]));
    }
    json["by_memory_space"][absl::StrCat(number)] = {
        {"name", names.NameOf(number)},
        {"peak_bytes", space.peak_bytes},
        {"is_saturated", space.is_saturated},
        {"peak_position", space.peak_instruction},
        {"peak_instruction",
         JsonString(
             liveness.entry.instructions()[space.peak_instruction].name())},
        {"arrays_at_peak", space.live_at_peak.size()},
        {"live_at_peak", live},
        {"bytes", space.bytes}};
  }
  return json;
}

std::string PeakCsvTitles() {
  return CsvLine({"file", "module", "memory_space", "position", "instruction",
                  "opcode", "bytes", "is_peak"});
}

std::string PeakReportToCsv(const PeakReport& report) {
  std::string out;
  if (!report.liveness.ok()) return out;
  for (const auto& [number, space] : report.liveness->by_memory_space) {
    const int64_t size = space.bytes.size();
    for (int64_t i = 0; i < size; ++i) {
      const HloInstruction instruction =
          report.liveness->entry.instructions()[i];
      out += CsvLine(
          {report.file, JsonString(report.module.name()), absl::StrCat(number),
           absl::StrCat(i), JsonString(instruction.name()),
           JsonString(instruction.opcode()), absl::StrCat(space.bytes[i]),
           i == space.peak_instruction ? "true" : "false"});
    }
  }
  return out;
}

}  // namespace tessera
