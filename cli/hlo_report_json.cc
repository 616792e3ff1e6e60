// The report on HLO text for programs.

#include "absl/strings/str_cat.h"
#include "tessera/cli/hlo_report.h"
#include "tessera/layout/memory_space.h"
#include "tessera/layout/primitive_type.h"

namespace tessera {
namespace {

Json TotalsToJson(const MemoryTotals& totals) {
  return {{"arrays", totals.arrays},
          {"unpadded_bytes", totals.unpadded_bytes},
          {"padded_bytes", totals.padded_bytes}};
}

Json SpacesToJson(const MemorySummary& summary) {
  const MemorySpaceNames names;
  Json spaces = Json::object();
  for (const auto& [space, totals] : summary.by_memory_space) {
    Json json = {{"name", names.NameOf(space)}};
    json.update(TotalsToJson(totals));
    spaces[absl::StrCat(space)] = json;
  }
  return spaces;
}

Json TypesToJson(const MemorySummary& summary) {
  Json types = Json::object();
  for (const auto& [type, totals] : summary.by_element_type) {
    types[JsonString(PrimitiveTypeName(type))] = TotalsToJson(totals);
  }
  return types;
}

Json ArraysToJson(const std::vector<ArrayUsage>& arrays) {
  Json json = Json::array();
  for (const ArrayUsage& array : arrays) {
    json.push_back({{"shape", array.shape_text},
                    {"count", array.count},
                    {"unpadded_bytes", array.unpadded_bytes},
                    {"padded_bytes", array.padded_bytes},
                    {"factor", array.padding_factor},
                    {"total_padded_bytes", array.total_padded_bytes},
                    {"total_padding_bytes", array.total_padding_bytes},
                    {"most_padded",
                     {{"dimensions", array.most_padded.dimensions},
                      {"bound", array.most_padded.bound},
                      {"padded", array.most_padded.padded}}}});
  }
  return json;
}

}  // namespace

Json HloReportToJson(const std::string& file, const MemorySummary& summary) {
  Json json;
  json["file"] = file;
  json["modules"] = summary.counts.modules;
  json["computations"] = summary.counts.computations;
  json["instructions"] = summary.counts.instructions;
  json["roots"] = summary.counts.roots;
  json["operands"] = summary.counts.operands;
  json["diagnostics"] = summary.counts.diagnostics;
  json["distinct_shapes"] = summary.distinct_shapes;
  json["instructions_without_shape"] = summary.instructions_without_shape;
  json["skipped_arrays"] = summary.skipped_arrays;
  json.update(TotalsToJson(summary.total));
  json["by_memory_space"] = SpacesToJson(summary);
  json["by_element_type"] = TypesToJson(summary);
  json["largest"] = ArraysToJson(summary.largest);
  json["most_wasteful"] = ArraysToJson(summary.most_wasteful);
  return json;
}

}  // namespace tessera
