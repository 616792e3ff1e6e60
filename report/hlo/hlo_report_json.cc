// The report on HLO text for programs.

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/memory/array_usage.h"
#include "tessera/layout/memory_space.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/hlo/sorted_by_key.h"
#include "tessera/report/text/csv.h"

namespace tessera {
namespace {

Json TotalsToJson(const MemoryTotals& totals) {
  return {{"arrays", totals.arrays},
          {"unpadded_bytes", totals.unpadded_bytes},
          {"padded_bytes", totals.padded_bytes}};
}

Json SpacesToJson(const ArrayTotals& summary, HloTarget target) {
  const MemorySpaceNames& names = MemorySpaceNamesOf(target);
  Json spaces = Json::object();
  for (const auto& [space, totals] : summary.by_memory_space) {
    Json json = {{"name", names.NameOf(space)}};
    json.update(TotalsToJson(totals));
    spaces[absl::StrCat(space)] = json;
  }
  return spaces;
}

Json TypesToJson(const ArrayTotals& summary) {
  Json types = Json::object();
  for (const auto& [type, totals] : summary.by_element_type) {
    types[JsonString(PrimitiveTypeName(type))] = TotalsToJson(totals);
  }
  return types;
}

Json ArraysToJson(const std::vector<ArrayUsage>& arrays) {
  Json json = Json::array();
  for (const ArrayUsage& array : arrays) {
    Json row = {
        {"shape", array.shape_text},
        {"count", array.count},
        {"unpadded_bytes", array.unpadded_bytes},
        {"padded_bytes", array.padded_bytes},
        {"factor", array.padding_factor},
        {"total_padded_bytes", array.total_padded_bytes},
        {"total_padding_bytes", array.total_padding_bytes},
        {"most_padded",
         {{"cause", JsonString(PaddingCauseName(array.most_padded.cause))},
          {"dimensions", array.most_padded.dimensions},
          {"bound", array.most_padded.bound},
          {"padded", array.most_padded.padded}}}};
    if (HasBetterOrder(array)) {
      row["hint"] = {{"minor_to_major", array.best_order->minor_to_major},
                     {"major_to_minor", MajorToMinor(*array.best_order)},
                     {"padded_bytes", array.best_order->padded_bytes}};
    }
    json.push_back(std::move(row));
  }
  return json;
}

Json PeakToJson(const ModulePeak& peak) {
  Json json = {{"module", peak.module()}};
  if (!peak.has_by_memory_space()) {
    json["by_memory_space"] = nullptr;
    json["reason"] = peak.reason();
    return json;
  }
  Json spaces = Json::object();
  for (const auto& [number, space] :
       SortedByKey(peak.by_memory_space().spaces())) {
    Json row = {{"name", space->name()},
                {"peak_bytes", space->peak_bytes()},
                {"peak_unpadded_bytes", space->peak_unpadded_bytes()}};
    if (space->has_reserved_bytes()) {
      row["reserved_bytes"] = space->reserved_bytes();
      row["reserved_unpadded_bytes"] = space->reserved_unpadded_bytes();
    }
    if (space->has_assigned_bytes()) {
      row["assigned_bytes"] = space->assigned_bytes();
    }
    spaces[absl::StrCat(number)] = std::move(row);
  }
  json["by_memory_space"] = std::move(spaces);
  json["is_text_order_assumed"] = peak.is_text_order_assumed();
  return json;
}

Json ByTextToJson(const std::map<std::string, MemoryTotals>& by_text) {
  Json json = Json::object();
  for (const auto& [text, totals] : by_text) json[text] = TotalsToJson(totals);
  return json;
}

// What the lines on one file or computation begin with.
class CsvLines {
 public:
  CsvLines(std::string file, std::string module, std::string computation)
      : start_({std::move(file), std::move(module), std::move(computation)}) {}

  void Add(absl::string_view by, const std::string& item,
           const MemoryTotals& totals) {
    std::vector<std::string> cells = start_;
    cells.insert(cells.end(),
                 {std::string(by), item, absl::StrCat(totals.arrays),
                  absl::StrCat(totals.unpadded_bytes),
                  absl::StrCat(totals.padded_bytes)});
    // Of arrays alone.
    cells.insert(cells.end(), {"", "", "", "", "", ""});
    out_ += CsvLine(cells);
  }

  void AddTotals(const ArrayTotals& totals) {
    Add("total", "", totals.total);
    for (const auto& [space, sum] : totals.by_memory_space) {
      Add("memory_space", absl::StrCat(space), sum);
    }
    for (const auto& [type, sum] : totals.by_element_type) {
      Add("element_type", JsonString(PrimitiveTypeName(type)), sum);
    }
  }

  void AddByText(absl::string_view by,
                 const std::map<std::string, MemoryTotals>& by_text) {
    for (const auto& [text, totals] : by_text) Add(by, text, totals);
  }

  void AddArrays(absl::string_view by, const std::vector<ArrayUsage>& arrays) {
    for (const ArrayUsage& array : arrays) {
      std::vector<std::string> cells = start_;
      const PaddingBlame& blame = array.most_padded;
      const bool has_best = array.best_order.has_value();
      cells.insert(
          cells.end(),
          {std::string(by), array.shape_text, absl::StrCat(array.count),
           absl::StrCat(array.total_padded_bytes - array.total_padding_bytes),
           absl::StrCat(array.total_padded_bytes),
           std::string(PaddingCauseName(blame.cause)),
           absl::StrJoin(blame.dimensions, " "), absl::StrCat(blame.bound),
           absl::StrCat(blame.padded),
           has_best ? absl::StrJoin(array.best_order->minor_to_major, " ") : "",
           has_best ? absl::StrCat(array.best_order->padded_bytes) : ""});
      out_ += CsvLine(cells);
    }
  }

  const std::string& out() const { return out_; }

 private:
  const std::vector<std::string> start_;
  std::string out_;
};

}  // namespace

Json ComputationReportToJson(const ComputationReport& report) {
  const MemoryBreakdown& memory = report.memory;
  Json json;
  json["file"] = report.file;
  json["module"] = JsonString(report.module.name());
  json["computation"] = JsonString(report.computation.name());
  json["instructions"] = memory.instructions;
  json["instructions_without_shape"] = memory.instructions_without_shape;
  json["skipped_arrays"] = memory.skipped_arrays;
  json["target"] = JsonString(HloTargetName(report.target));
  json["counted"] = JsonString(CountedArraysName(memory.counted));
  json["has_tpu_default_layouts"] = memory.has_tpu_default_layouts;
  json.update(TotalsToJson(memory.total));
  json["by_memory_space"] = SpacesToJson(memory, report.target);
  json["by_element_type"] = TypesToJson(memory);
  json["by_opcode"] = ByTextToJson(memory.by_opcode);
  json["by_layout"] = ByTextToJson(memory.by_layout);
  return json;
}

std::string HloReportCsvTitles() {
  return CsvLine({"file", "module", "computation", "by", "item", "arrays",
                  "unpadded_bytes", "padded_bytes", "cause", "dimensions",
                  "bound", "padded", "hint_minor_to_major",
                  "hint_padded_bytes_of_one"});
}

std::string HloReportToCsv(const std::string& file,
                           const MemoryReport& report) {
  CsvLines lines(file, "", "");
  lines.AddTotals(report.memory);
  lines.AddArrays("largest", report.largest);
  lines.AddArrays("most_wasteful", report.most_wasteful);
  return lines.out();
}

std::string ComputationReportToCsv(const ComputationReport& report) {
  CsvLines lines(report.file, JsonString(report.module.name()),
                 JsonString(report.computation.name()));
  lines.AddTotals(report.memory);
  lines.AddByText("opcode", report.memory.by_opcode);
  lines.AddByText("layout", report.memory.by_layout);
  return lines.out();
}

Json HloReportToJson(const HloReport& report) {
  const HloDump& dump = *report.dump;
  const MemoryReport& memory = report.memory;
  Json json;
  json["file"] = report.file;
  json["modules"] = dump.counts().modules;
  json["computations"] = dump.counts().computations;
  json["instructions"] = dump.counts().instructions;
  json["roots"] = dump.counts().roots;
  json["operands"] = dump.counts().operands;
  json["diagnostics"] = dump.diagnostic_count();
  json["target"] = JsonString(HloTargetName(report.target));
  json["peaks"] = Json::array();
  for (const ModulePeak& peak : report.peaks.modules()) {
    json["peaks"].push_back(PeakToJson(peak));
  }
  json["counted"] = JsonString(CountedArraysName(memory.memory.counted));
  json["has_tpu_default_layouts"] = memory.memory.has_tpu_default_layouts;
  json["modules_without_entry"] = memory.modules_without_entry;
  json["distinct_shapes"] = memory.distinct_shapes;
  json["instructions_without_shape"] = memory.memory.instructions_without_shape;
  json["skipped_arrays"] = memory.memory.skipped_arrays;
  json.update(TotalsToJson(memory.memory.total));
  json["by_memory_space"] = SpacesToJson(memory.memory, report.target);
  json["by_element_type"] = TypesToJson(memory.memory);
  json["largest"] = ArraysToJson(memory.largest);
  json["most_wasteful"] = ArraysToJson(memory.most_wasteful);
  return json;
}

}  // namespace tessera
