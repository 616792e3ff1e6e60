#include "tessera/service/questions/hlo/hlo_question.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/version/version.h"
#include "tessera/hlo/dataflow/array_table.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/instruction_origin.h"
#include "tessera/hlo/memory/hlo_schedule.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/hlo/memory/relayouts.h"
#include "tessera/layout/memory_space.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/numbers.h"

namespace tessera {
namespace {

using SumList = google::protobuf::RepeatedPtrField<MemorySum>;

void FillSum(std::string_view name, const MemoryTotals& totals,
             MemorySum* sum) {
  sum->set_name(std::string(name));
  FillTotals(totals, sum);
}

// The greatest of them first, no more than `rows`.
void AddGreatest(const std::map<std::string, MemoryTotals>& by_text,
                 int64_t rows, SumList* list) {
  std::vector<std::pair<std::string_view, const MemoryTotals*>> sorted;
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
    SetPaddingFactor(array.padded_bytes, array.unpadded_bytes, &use);
    if (!HasBetterOrder(array)) continue;
    const BestOrder& best = *array.best_order;
    SetNumbers(best.minor_to_major,
               use.mutable_hint()->mutable_minor_to_major());
    SetNumbers(MajorToMinor(best),
               use.mutable_hint()->mutable_major_to_minor());
    use.mutable_hint()->set_padded_bytes(best.padded_bytes);
  }
}

MemoryReportOptions ReportOptionsOf(const SummaryTable& table) {
  MemoryReportOptions options;
  options.table_rows = table.rows;
  options.find_best_orders = table.detail_rows > 0;
  options.counted = table.counted;
  options.tpu_layouts = table.peaks.question.target == HloTarget::kTpu;
  return options;
}

// Fills in the common parts of the answers about a dump and about a
// computation.
void FillBreakdown(const MemoryBreakdown& memory, HloTarget target,
                   const SummaryTable& table, SummarizeResult* result) {
  result->set_file(table.peaks.file);
  result->set_tessera_version(kVersion);
  result->set_target(std::string(HloTargetName(target)));
  result->set_counted(std::string(CountedArraysName(memory.counted)));
  result->set_instructions(memory.instructions);
  result->set_instructions_without_shape(memory.instructions_without_shape);
  result->set_skipped_arrays(memory.skipped_arrays);
  result->set_has_tpu_default_layouts(memory.has_tpu_default_layouts);
  FillTotals(memory.total, result->mutable_total());
  const MemorySpaceNames& names = MemorySpaceNamesOf(target);
  for (const auto& [number, totals] : memory.by_memory_space) {
    MemorySum& space = *result->add_by_memory_space();
    FillSum(names.NameOf(number), totals, &space);
    space.set_memory_space(number);
  }
  std::map<std::string, MemoryTotals> by_type;
  for (const auto& [type, totals] : memory.by_element_type) {
    by_type[std::string(PrimitiveTypeName(type))] = totals;
  }
  AddGreatest(by_type, by_type.size(), result->mutable_by_element_type());
  AddGreatest(memory.by_opcode, table.rows, result->mutable_by_opcode());
  AddGreatest(memory.by_layout, table.rows, result->mutable_by_layout());
}

absl::Status FillModule(const HloDump& dump, const ModuleMemory& module,
                        const SummaryTable& table, AnswerBytes* bytes,
                        ModuleSummary* summary) {
  summary->set_name(std::string(module.module.name()));
  summary->set_computations(module.module.computations().size());
  summary->set_instructions(module.memory.instructions);
  summary->set_distinct_shapes(module.distinct_shapes);
  FillTotals(module.memory.total, summary->mutable_total());
  AddGreatest(module.memory.by_opcode, table.rows,
              summary->mutable_by_opcode());
  AddGreatest(module.memory.by_layout, table.rows,
              summary->mutable_by_layout());
  summary->set_counted(std::string(CountedArraysName(module.memory.counted)));
  TESSERA_RETURN_IF_ERROR(bytes->Add(summary->ByteSizeLong()));
  return FillModulePeak(dump, module.module, table.peaks, bytes,
                        summary->mutable_peak());
}

// The sums of the arrays that the report counts, by their origin.
class OriginSums {
 public:
  explicit OriginSums(const HloDump& dump) : arrays_(&dump.shapes()) {}

  void Add(const ModuleMemory& memory) {
    const bool counts_results =
        memory.memory.counted == CountedArrays::kResults;
    const absl::flat_hash_set<int64_t> running =
        RunningComputations(memory.module);
    InstructionOrigins origins(memory.module);
    for (const HloComputation computation : memory.module.computations()) {
      if (!running.contains(computation.index()) && !counts_results) continue;
      for (const HloInstruction instruction : computation.instructions()) {
        const std::optional<PartPaths> without_buffer =
            counts_results ? PartPaths() : PathsWithoutBuffer(instruction);
        if (!without_buffer.has_value() || !instruction.has_shape()) continue;
        Add(instruction, *without_buffer, &origins);
      }
    }
  }

  // The greatest of them first, no more than `rows`.
  absl::Status Fill(int64_t rows, AnswerBytes* bytes, SummarizeResult* result) {
    std::vector<std::pair<const Key*, const Sum*>> sorted;
    for (const auto& [key, sum] : sums_) sorted.push_back({&key, &sum});
    std::stable_sort(
        sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
          return a.second->totals.padded_bytes > b.second->totals.padded_bytes;
        });
    sorted.resize(std::min<uint64_t>(rows, sorted.size()));
    for (const auto& [key, sum] : sorted) {
      OriginSum& origin = *result->add_by_origin();
      origin.set_opcode(std::get<0>(*key));
      origin.set_source_line(std::get<1>(*key));
      origin.set_op_name(std::get<2>(*key));
      origin.set_instructions(sum->instructions);
      origin.set_unpadded_bytes(sum->totals.unpadded_bytes);
      origin.set_padded_bytes(sum->totals.padded_bytes);
      TESSERA_RETURN_IF_ERROR(bytes->Add(origin.ByteSizeLong()));
    }
    return absl::OkStatus();
  }

 private:
  // Opcode, source line and op_name.
  using Key = std::tuple<std::string, std::string, std::string>;
  struct Sum {
    int64_t instructions = 0;
    MemoryTotals totals;
  };

  void Add(HloInstruction instruction, const PartPaths& without_buffer,
           InstructionOrigins* origins) {
    InstructionOrigin origin = origins->Of(instruction);
    Sum& sum =
        sums_[{std::string(instruction.opcode()), std::move(origin.source_line),
               std::move(origin.op_name)}];
    ++sum.instructions;
    const ArrayTable::ShapeParts& parts =
        arrays_.parts(instruction.shape_index());
    const std::vector<bool> counts = PartsWithBuffer(without_buffer, parts);
    for (int64_t i = 0; i < parts.size(); ++i) {
      if (!counts[i]) continue;
      const ArrayTable::Array& array = arrays_.array(parts[i].array);
      if (array.sizes.has_value()) sum.totals.Add(1, *array.sizes);
    }
  }

  ArrayTable arrays_;
  std::map<Key, Sum> sums_;
};

// Fills in the instructions that only move an array, the largest first.
absl::Status FillMoves(const HloDump& dump, int64_t rows, AnswerBytes* bytes,
                       SummarizeResult* result) {
  std::vector<Relayout> moves;
  int64_t count = 0;
  int64_t moved_bytes = 0;
  bool is_saturated = false;
  const auto moves_nothing = [](const Relayout& each) {
    return each.is_free || each.is_fused;
  };
  for (const HloModule module : dump.modules()) {
    for (Relayout& each : FindRelayouts(dump, module).relayouts) {
      if (!moves_nothing(each)) {
        ++count;
        SaturatingAdd(each.bytes, &moved_bytes, &is_saturated);
      }
      moves.push_back(std::move(each));
    }
  }
  result->set_move_count(count);
  result->set_moved_bytes(moved_bytes);
  std::stable_sort(
      moves.begin(), moves.end(), [&](const Relayout& a, const Relayout& b) {
        return moves_nothing(a) != moves_nothing(b) ? moves_nothing(b)
                                                    : a.bytes > b.bytes;
      });
  const int64_t size = std::min<int64_t>(rows, moves.size());
  for (int64_t i = 0; i < size; ++i) {
    const Relayout& each = moves[i];
    ArrayMove& move = *result->add_moves();
    move.set_instruction(std::string(each.instruction.name()));
    move.set_opcode(std::string(each.instruction.opcode()));
    move.set_from_shape(each.from->ToString());
    move.set_to_shape(each.to->ToString());
    move.set_bytes(each.bytes);
    move.set_is_free(each.is_free);
    move.set_is_fused(each.is_fused);
    move.set_moves(std::string(MovesName(each.moves)));
    if (each.producer.has_value()) {
      move.set_producer(std::string(each.producer->name()));
    }
    if (each.user.has_value()) move.set_user(std::string(each.user->name()));
    TESSERA_RETURN_IF_ERROR(bytes->Add(move.ByteSizeLong()));
  }
  return absl::OkStatus();
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
  if (question.details()) table.detail_rows = *rows;
  table.peaks.file = question.file();
  table.peaks.rows = *rows;
  TESSERA_ASSIGN_OR_RETURN(table.counted, CountedToAnswer(question.count()));
  TESSERA_RETURN_IF_ERROR(
      SetTargetToAnswer(question.target(), &table.peaks.question));
  HloTexts texts(options);
  TESSERA_ASSIGN_OR_RETURN(
      const HloDump dump, texts.Parse("hlo", question.hlo(), /*strict=*/false));
  if (!question.computation().empty()) {
    const absl::StatusOr<std::vector<HloComputation>> found =
        FindComputations(dump, question.computation());
    if (!found.ok()) return InField("computation", found.status());
    return InField("hlo", FillComputationSummary(options, dump, found->front(),
                                                 table, result));
  }
  return InField("hlo", FillSummary(options, dump, table, result));
}

absl::Status FillSummary(const ServiceOptions& options, const HloDump& dump,
                         const SummaryTable& table, SummarizeResult* result) {
  const MemoryReport report = ReportMemory(dump, ReportOptionsOf(table));
  FillBreakdown(report.memory,
                table.peaks.question.target.value_or(GuessTarget(dump)), table,
                result);
  result->set_computations(dump.counts().computations);
  result->set_modules_without_entry(report.modules_without_entry);
  result->set_distinct_shapes(report.distinct_shapes);
  AddArrays(report.largest, result->mutable_largest());
  AddArrays(report.most_wasteful, result->mutable_most_wasteful());
  FillDumpReading(dump, table.rows, result);
  AnswerBytes bytes(options);
  for (const ModuleMemory& module : report.modules) {
    TESSERA_RETURN_IF_ERROR(
        FillModule(dump, module, table, &bytes, result->add_modules()));
  }
  if (table.detail_rows == 0) return absl::OkStatus();
  OriginSums origins(dump);
  for (const ModuleMemory& module : report.modules) origins.Add(module);
  TESSERA_RETURN_IF_ERROR(origins.Fill(table.detail_rows, &bytes, result));
  return FillMoves(dump, table.detail_rows, &bytes, result);
}

absl::Status FillComputationSummary(const ServiceOptions& options,
                                    const HloDump& dump,
                                    HloComputation computation,
                                    const SummaryTable& table,
                                    SummarizeResult* result) {
  FillBreakdown(ReportComputation(dump, computation, ReportOptionsOf(table)),
                table.peaks.question.target.value_or(GuessTarget(dump)), table,
                result);
  result->set_module(std::string(computation.module().name()));
  result->set_computation(std::string(computation.name()));
  result->set_computations(1);
  return AnswerBytes(options).Add(result->ByteSizeLong());
}

}  // namespace tessera
