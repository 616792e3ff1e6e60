// The report on two dumps for programs.

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/cli/csv.h"
#include "tessera/cli/diff_report.h"
#include "tessera/layout/memory_space.h"

namespace tessera {
namespace {

template <typename Handle>
Json NameToJson(const absl::optional<Handle>& handle) {
  return handle.has_value() ? Json(JsonString(handle->name())) : Json();
}

template <typename Handle>
std::string NameOf(const absl::optional<Handle>& handle) {
  return handle.has_value() ? JsonString(handle->name()) : "";
}

Json ShapeToJson(const Shape* shape) {
  return shape == nullptr ? Json() : Json(shape->ToString());
}

Json TotalsToJson(const MemoryTotals& totals) {
  return {{"arrays", totals.arrays},
          {"unpadded_bytes", totals.unpadded_bytes},
          {"padded_bytes", totals.padded_bytes}};
}

HloInstruction AnyOf(const ArrayChange& change) {
  return change.after.has_value() ? *change.after : *change.before;
}

Json ChangeToJson(const ArrayChange& change) {
  Json json;
  json["change"] = ArrayChangeText(change);
  json["computation"] = JsonString(AnyOf(change).computation().name());
  json["opcode"] = JsonString(AnyOf(change).opcode());
  json["before"] = NameToJson(change.before);
  json["after"] = NameToJson(change.after);
  json["array"] = change.array;
  json["before_shape"] = ShapeToJson(change.before_shape);
  json["after_shape"] = ShapeToJson(change.after_shape);
  json["before_bytes"] = change.before_bytes;
  json["after_bytes"] = change.after_bytes;
  return json;
}

Json ModuleToJson(const ModuleDiff& module, int64_t top) {
  const MemorySpaceNames names;
  Json json;
  json["before"] = NameToJson(module.before);
  json["after"] = NameToJson(module.after);
  json["matched_by_name"] = module.matched_by_name;
  json["matched_by_signature"] = module.matched_by_signature;
  json["appeared"] = module.appeared;
  json["vanished"] = module.vanished;
  json["total"] = {{"before", TotalsToJson(module.total.before)},
                   {"after", TotalsToJson(module.total.after)}};
  json["by_memory_space"] = Json::object();
  for (const auto& [space, totals] : module.by_memory_space) {
    json["by_memory_space"][absl::StrCat(space)] = {
        {"name", names.NameOf(space)},
        {"before", TotalsToJson(totals.before)},
        {"after", TotalsToJson(totals.after)}};
  }
  json["peak_bytes"] = Json();
  if (module.peaks.has_value()) {
    json["peak_bytes"] = Json::object();
    for (const auto& [space, peak] : *module.peaks) {
      json["peak_bytes"][absl::StrCat(space)] = {{"name", names.NameOf(space)},
                                                 {"before", peak.before},
                                                 {"after", peak.after}};
    }
  }
  if (!module.no_peak.empty()) json["reason"] = JsonString(module.no_peak);
  json["change_count"] = module.changes.size();
  json["changes"] = Json::array();
  for (const ArrayChange& change : module.changes) {
    if (static_cast<int64_t>(json["changes"].size()) == top) break;
    json["changes"].push_back(ChangeToJson(change));
  }
  return json;
}

}  // namespace

std::string ArrayChangeText(const ArrayChange& change) {
  if (change.appeared()) return "appeared";
  if (change.vanished()) return "vanished";
  std::vector<absl::string_view> parts;
  if (change.shape_changed) parts.push_back("shape");
  if (change.minor_to_major_changed) parts.push_back("order");
  if (change.tiles_changed) parts.push_back("tiles");
  if (change.memory_space_changed) parts.push_back("memory space");
  if (change.other_layout_changed) parts.push_back("other");
  return absl::StrJoin(parts, "+");
}

Json DiffReportToJson(const DiffReport& report) {
  Json json;
  json["before_file"] = report.before_file;
  json["after_file"] = report.after_file;
  json["modules"] = Json::array();
  for (const ModuleDiff& module : report.diff.modules) {
    json["modules"].push_back(ModuleToJson(module, report.top));
  }
  return json;
}

std::string DiffReportToCsv(const DiffReport& report) {
  std::string out = CsvLine({"module", "computation", "change", "opcode",
                             "before", "after", "array", "before_shape",
                             "after_shape", "before_bytes", "after_bytes"});
  for (const ModuleDiff& module : report.diff.modules) {
    for (const ArrayChange& change : module.changes) {
      out += CsvLine({module.after.has_value() ? NameOf(module.after)
                                               : NameOf(module.before),
                      JsonString(AnyOf(change).computation().name()),
                      ArrayChangeText(change),
                      JsonString(AnyOf(change).opcode()), NameOf(change.before),
                      NameOf(change.after), absl::StrCat(change.array),
                      change.appeared() ? "" : change.before_shape->ToString(),
                      change.vanished() ? "" : change.after_shape->ToString(),
                      absl::StrCat(change.before_bytes),
                      absl::StrCat(change.after_bytes)});
    }
  }
  return out;
}

}  // namespace tessera
