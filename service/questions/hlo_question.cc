#include "tessera/service/questions/hlo_question.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/layout/memory_space.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/hlo_peak_question.h"
#include "tessera/service/questions/hlo_texts.h"
#include "tessera/service/questions/numbers.h"

namespace tessera {
namespace {

using SumList = google::protobuf::RepeatedPtrField<MemorySum>;

void FillSum(absl::string_view name, const MemoryTotals& totals,
             MemorySum* sum) {
  sum->set_name(std::string(name));
  sum->set_arrays(totals.arrays);
  sum->set_unpadded_bytes(totals.unpadded_bytes);
  sum->set_padded_bytes(totals.padded_bytes);
  sum->set_is_saturated(totals.is_saturated);
}

// The greatest of them first, no more than `rows`.
void AddGreatest(const std::map<std::string, MemoryTotals>& by_text,
                 int64_t rows, SumList* list) {
  std::vector<std::pair<absl::string_view, const MemoryTotals*>> sorted;
  for (const auto& [text, totals] : by_text) sorted.push_back({text, &totals});
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) {
                     return a.second->padded_bytes > b.second->padded_bytes;
                   });
  const int64_t size = std::min<int64_t>(rows, sorted.size());
  for (int64_t i = 0; i < size; ++i) {
    FillSum(sorted[i].first, *sorted[i].second, list->Add());
  }
}

void AddArrays(const std::vector<ArrayUsage>& arrays,
               google::protobuf::RepeatedPtrField<ArrayUse>* list) {
  for (const ArrayUsage& array : arrays) {
    ArrayUse& use = *list->Add();
    use.set_shape(array.shape_text);
    use.set_count(array.count);
    use.set_unpadded_bytes(array.unpadded_bytes);
    use.set_padded_bytes(array.padded_bytes);
    use.set_total_padded_bytes(array.total_padded_bytes);
    use.set_total_padding_bytes(array.total_padding_bytes);
    SetMostPadded(array.most_padded, use.mutable_most_padded());
  }
}

absl::Status FillModule(const HloDump& dump, const ModuleMemory& module,
                        const PeakTable& peak_table, AnswerBytes* bytes,
                        ModuleSummary* summary) {
  const int64_t rows = peak_table.rows;
  summary->set_name(std::string(module.module.name()));
  summary->set_computations(module.module.computations().size());
  summary->set_instructions(module.memory.instructions);
  FillSum("", module.memory.total, summary->mutable_total());
  AddGreatest(module.memory.by_opcode, rows, summary->mutable_by_opcode());
  AddGreatest(module.memory.by_layout, rows, summary->mutable_by_layout());
  summary->set_counted(std::string(CountedArraysName(module.memory.counted)));
  return FillModulePeak(dump, module.module, peak_table, bytes,
                        summary->mutable_peak());
}

void FillSums(const HloDump& dump, const MemoryReport& report, int64_t rows,
              HloTarget target, SummarizeResult* result) {
  result->set_counted(std::string(CountedArraysName(report.memory.counted)));
  result->set_modules_without_entry(report.modules_without_entry);
  result->set_instructions(report.memory.instructions);
  result->set_instructions_without_shape(
      report.memory.instructions_without_shape);
  result->set_distinct_shapes(report.distinct_shapes);
  FillSum("", report.memory.total, result->mutable_total());
  std::map<std::string, MemoryTotals> by_space;
  const MemorySpaceNames& names = MemorySpaceNamesOf(target);
  for (const auto& [memory_space, totals] : report.memory.by_memory_space) {
    by_space[names.NameOf(memory_space)] = totals;
  }
  std::map<std::string, MemoryTotals> by_type;
  for (const auto& [type, totals] : report.memory.by_element_type) {
    by_type[std::string(PrimitiveTypeName(type))] = totals;
  }
  AddGreatest(by_space, rows, result->mutable_by_memory_space());
  AddGreatest(by_type, rows, result->mutable_by_element_type());
  AddArrays(report.largest, result->mutable_largest());
  AddArrays(report.most_wasteful, result->mutable_most_wasteful());
  const int64_t told = std::min<int64_t>(rows, dump.diagnostics().size());
  for (int64_t i = 0; i < told; ++i) {
    *result->add_diagnostics() = ToTextNote(dump.diagnostics()[i]);
  }
  result->set_diagnostic_count(dump.diagnostic_count());
  result->set_is_merely_cut_off(IsMerelyCutOff(dump));
}

}  // namespace

absl::Status AnswerSummarize(const ServiceOptions& options,
                             const SummarizeRequest& question,
                             SummarizeResult* result) {
  const absl::StatusOr<int64_t> rows =
      RowsToAnswer(options, question.rows(), kUsualHloRows);
  if (!rows.ok()) return InField("rows", rows.status());
  SummaryTable table;
  table.rows = *rows;
  TESSERA_ASSIGN_OR_RETURN(table.counted, CountedToAnswer(question.count()));
  TESSERA_RETURN_IF_ERROR(
      SetTargetToAnswer(question.target(), &table.question));
  HloTexts texts(options);
  TESSERA_ASSIGN_OR_RETURN(
      const HloDump dump, texts.Parse("hlo", question.hlo(), /*strict=*/false));
  return InField("hlo", FillSummary(options, dump, table, result));
}

absl::Status FillSummary(const ServiceOptions& options, const HloDump& dump,
                         const SummaryTable& table, SummarizeResult* result) {
  MemoryReportOptions report_options;
  report_options.table_rows = table.rows;
  report_options.find_best_orders = false;
  report_options.counted = table.counted;
  const MemoryReport report = ReportMemory(dump, report_options);
  FillSums(dump, report, table.rows,
           table.question.target.value_or(GuessTarget(dump)), result);
  PeakTable peak_table;
  peak_table.rows = table.rows;
  peak_table.question = table.question;
  peak_table.assignments = table.assignments;
  const int64_t modules = std::min<int64_t>(table.rows, report.modules.size());
  AnswerBytes bytes(options);
  for (int64_t i = 0; i < modules; ++i) {
    TESSERA_RETURN_IF_ERROR(FillModule(dump, report.modules[i], peak_table,
                                       &bytes, result->add_modules()));
  }
  return absl::OkStatus();
}

}  // namespace tessera
