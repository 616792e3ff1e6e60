#include "tessera/report/page/page_writer.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_replace.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/report/memory_page_template.h"
#include "tessera/report/page/packed_json.h"
#include "tessera/report/text/json.h"
#include "tessera/service/questions/hlo/hlo_question.h"
#include "tessera/service/service_options.h"

namespace tessera {
namespace {

// More than anyone would read, but few enough for a page that opens at once.
constexpr int64_t kTableRows = 1000;
constexpr int kMostValues = 20000;

void KeepLargestValues(SpaceMap* map) {
  if (map->values_size() <= kMostValues) return;
  const auto begin = map->mutable_values()->pointer_begin();
  std::nth_element(begin, begin + kMostValues,
                   map->mutable_values()->pointer_end(),
                   [](const MapValue* a, const MapValue* b) {
                     return a->bytes() > b->bytes();
                   });
  map->mutable_values()->DeleteSubrange(kMostValues,
                                        map->values_size() - kMostValues);
}

bool IsDrawn(const ModuleSummary& module) {
  return !module.peak().step_instructions().empty();
}

int64_t NeededBytes(const ModuleSummary& module) {
  int64_t most = 0;
  for (const auto& [number, space] : module.peak().by_memory_space().spaces()) {
    const std::optional<ReservedBytes> reserved = ReservedBytesOf(space);
    if (reserved.has_value()) most = std::max(most, reserved->bytes());
  }
  return most;
}

// Returns JSON that is safe in HTML: "<" occurs only in strings, and is escaped
// there.
std::string ScriptText(const Json& json) {
  return absl::StrReplaceAll(JsonLine(json), {{"<", "\\u003c"}});
}

std::string HtmlText(const std::string& text) {
  // To JSON and back, which replaces bytes that are not UTF-8.
  const std::string utf8 = Json::parse(JsonLine(text)).get<std::string>();
  return absl::StrReplaceAll(utf8,
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}});
}

}  // namespace

absl::StatusOr<SummarizeResult> PageSummary(const std::string& file,
                                            const HloDump& dump,
                                            const MemoryOptions& question,
                                            const HloAssignments& assignments) {
  SummaryTable table;
  table.rows = kTableRows;
  table.detail_rows = std::numeric_limits<int64_t>::max();
  table.peaks.file = file;
  table.peaks.rows = 0;
  table.peaks.series = true;
  table.peaks.map = true;
  table.peaks.question = question;
  table.peaks.assignments = &assignments;
  SummarizeResult summary;
  TESSERA_RETURN_IF_ERROR(
      FillSummary(ServiceOptions::Unlimited(), dump, table, &summary));
  for (ModuleSummary& module : *summary.mutable_modules()) {
    // The page has these sums for the whole file, by origin.
    module.clear_by_opcode();
    module.clear_by_layout();
    if (!module.peak().has_by_memory_space()) continue;
    for (auto& [number, space] :
         *module.mutable_peak()->mutable_by_memory_space()->mutable_spaces()) {
      if (space.has_map()) KeepLargestValues(space.mutable_map());
    }
  }
  summary.clear_by_opcode();
  summary.clear_by_layout();
  return summary;
}

void PageWriter::Add(SummarizeResult file, std::optional<ModulePasses> passes) {
  drawn_ += absl::c_count_if(file.modules(), IsDrawn);
  files_.push_back(std::move(file));
  passes_.push_back(std::move(passes));
  if (drawn_ > 2 * kDrawnModules) KeepLargest();
}

void PageWriter::KeepLargest() {
  if (files_.size() < 2 || drawn_ <= kDrawnModules) return;
  std::vector<ModuleSummary*> drawn;
  for (SummarizeResult& file : files_) {
    for (ModuleSummary& module : *file.mutable_modules()) {
      if (IsDrawn(module)) drawn.push_back(&module);
    }
  }
  absl::c_stable_sort(drawn,
                      [](const ModuleSummary* a, const ModuleSummary* b) {
                        return NeededBytes(*a) > NeededBytes(*b);
                      });
  for (size_t i = kDrawnModules; i < drawn.size(); ++i) {
    ModulePeak& peak = *drawn[i]->mutable_peak();
    peak.clear_step_instructions();
    peak.clear_step_opcodes();
    for (auto& [number, space] :
         *peak.mutable_by_memory_space()->mutable_spaces()) {
      space.clear_bytes();
      space.clear_padding_bytes();
      space.clear_arrays();
      space.clear_map();
    }
  }
  drawn_ = kDrawnModules;
}

std::string PageWriter::ToHtml() && {
  KeepLargest();
  PackedJson packed;
  Json data = Json::object();
  // An object that grows copies its values.
  data.get_ref<Json::object_t&>().reserve(5);
  data["title"] = title_;
  Json& files = data["files"] = Json::array();
  for (const SummarizeResult& file : files_) {
    files.push_back(packed.Pack(file));
  }
  Json& passes = data["passes"] = Json::array();
  for (const std::optional<ModulePasses>& of_file : passes_) {
    passes.push_back(of_file.has_value() ? packed.Pack(*of_file) : Json());
  }
  data["changes"] = changes_.has_value() ? packed.Pack(*changes_) : Json();
  data["texts"] = packed.TakeTexts();
  return absl::StrReplaceAll(kMemoryPageHtml,
                             {{"{{title}}", HtmlText(title_)},
                              {"{{style}}", kMemoryPageStyle},
                              {"{{data}}", ScriptText(data)},
                              {"{{script}}", kMemoryPageScript}});
}

}  // namespace tessera
