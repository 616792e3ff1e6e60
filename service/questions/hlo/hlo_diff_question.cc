#include "tessera/service/questions/hlo/hlo_diff_question.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/version/version.h"
#include "tessera/hlo/diff/change_groups.h"
#include "tessera/hlo/diff/dump_diff.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/layout/memory_space.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/hlo/hlo_passes_question.h"

namespace tessera {
namespace {

// Returns the change of an array.
std::string ChangeText(const ArrayChange& change) {
  if (change.appeared) return change.is_fused ? "unfused" : "appeared";
  if (change.vanished) return change.is_fused ? "fused" : "vanished";
  std::vector<std::string_view> parts;
  if (change.shape_changed) parts.push_back("shape");
  if (change.minor_to_major_changed) parts.push_back("order");
  if (change.tiles_changed) parts.push_back("tiles");
  if (change.memory_space_changed) parts.push_back("memory space");
  if (change.other_layout_changed) parts.push_back("other");
  return JoinViews(parts, "+");
}

std::string PeakChangeText(const ArrayChange& change) {
  if (change.appeared) return "new";
  if (change.vanished) return "gone";
  const std::string text = ChangeText(change);
  return text.empty() ? "size" : text;
}

// Fills in the pass with this number in the history, or nothing for -1.
template <typename Filled>
absl::Status FillPass(const PassHistory* history, int64_t number,
                      AnswerBytes* bytes, PassName* (Filled::*mutable_pass)(),
                      Filled* filled) {
  if (number < 0) return absl::OkStatus();
  return FillPassName(history->passes()[number].pass, bytes,
                      (filled->*mutable_pass)());
}

template <typename Filled>
absl::Status FillPassesOf(const ArrayChange& change,
                          const DumpDiffOptions& options, AnswerBytes* bytes,
                          Filled* filled) {
  TESSERA_RETURN_IF_ERROR(FillPass(options.before_history, change.before_pass,
                                   bytes, &Filled::mutable_before_pass,
                                   filled));
  return FillPass(options.after_history, change.after_pass, bytes,
                  &Filled::mutable_after_pass, filled);
}

absl::Status FillParting(const PassParting& parting,
                         const DumpDiffOptions& options, int64_t rows,
                         AnswerBytes* bytes, PassesChange* filled) {
  const std::vector<PassChange>& before = options.before_history->passes();
  const std::vector<PassChange>& after = options.after_history->passes();
  filled->set_before_dumps(before.size());
  filled->set_after_dumps(after.size());
  TESSERA_RETURN_IF_ERROR(FillPass(options.before_history, parting.before_alike,
                                   bytes, &PassesChange::mutable_before_alike,
                                   filled));
  TESSERA_RETURN_IF_ERROR(FillPass(options.after_history, parting.after_alike,
                                   bytes, &PassesChange::mutable_after_alike,
                                   filled));
  if (parting.before_next >= 0) {
    TESSERA_RETURN_IF_ERROR(FillModulePass(before[parting.before_next], rows,
                                           bytes,
                                           filled->mutable_before_next()));
  }
  if (parting.after_next >= 0) {
    TESSERA_RETURN_IF_ERROR(FillModulePass(
        after[parting.after_next], rows, bytes, filled->mutable_after_next()));
  }
  return absl::OkStatus();
}

absl::Status FillChange(const ArrayChange& change,
                        const DumpDiffOptions& options, AnswerBytes* bytes,
                        ChangedArray* filled) {
  const HloInstruction any =
      change.after.has_value() ? *change.after : *change.before;
  const std::string_view computation = any.computation().name();
  TESSERA_RETURN_IF_ERROR(bytes->Add(
      sizeof(ChangedArray) + computation.size() + any.opcode().size() +
      (change.before.has_value() ? change.before->name().size() : 0) +
      (change.after.has_value() ? change.after->name().size() : 0)));
  filled->set_change(ChangeText(change));
  filled->set_computation(std::string(computation));
  filled->set_opcode(std::string(any.opcode()));
  if (change.before.has_value()) {
    filled->set_before(std::string(change.before->name()));
  }
  if (change.after.has_value()) {
    filled->set_after(std::string(change.after->name()));
  }
  filled->set_array(change.array);
  if (!change.appeared) {
    filled->set_before_shape(change.before_shape->ToString());
  }
  if (!change.vanished) {
    filled->set_after_shape(change.after_shape->ToString());
  }
  filled->set_before_bytes(change.before_bytes);
  filled->set_after_bytes(change.after_bytes);
  TESSERA_RETURN_IF_ERROR(FillPassesOf(change, options, bytes, filled));
  return bytes->Add(filled->before_shape().size() +
                    filled->after_shape().size());
}

using ChangeTextOf = std::string (*)(const ArrayChange&);

// Fills in the first groups of the table, and the number of all groups.
template <typename Filled>
absl::Status FillGroups(const std::vector<ArrayChange>& changes,
                        const DiffTable& table, ChangeTextOf text_of,
                        AnswerBytes* bytes, Filled* filled) {
  const std::vector<ChangeGroup> groups = GroupChanges(changes);
  const int64_t count = groups.size();
  filled->set_group_count(count);
  for (int64_t i = 0; i < std::min(count, table.rows); ++i) {
    const ChangeGroup& group = groups[i];
    const ArrayChange& first = *group.changes[0];
    const HloInstruction instruction =
        first.after.has_value() && !first.vanished ? *first.after
                                                   : *first.before;
    ChangedGroup& to = *filled->add_groups();
    to.set_change(text_of(first));
    to.set_count(group.changes.size());
    if (first.before_shape != nullptr) {
      to.set_before_shape(first.before_shape->ToString());
    }
    if (first.after_shape != nullptr) {
      to.set_after_shape(first.after_shape->ToString());
    }
    to.set_before_bytes(group.before_bytes);
    to.set_after_bytes(group.after_bytes);
    to.set_op_name(group.op_name);
    to.set_source_line(group.source_line);
    to.set_instruction(std::string(instruction.name()));
    to.set_opcode(std::string(instruction.opcode()));
    TESSERA_RETURN_IF_ERROR(
        bytes->Add(sizeof(ChangedGroup) + to.before_shape().size() +
                   to.after_shape().size() + to.op_name().size() +
                   to.source_line().size() + to.instruction().size() +
                   to.opcode().size()));
    TESSERA_RETURN_IF_ERROR(FillPassesOf(first, table.options, bytes, &to));
  }
  return absl::OkStatus();
}

absl::Status FillPeaks(const ModuleDiff& module, const DiffTable& table,
                       const MemorySpaceNames& names, AnswerBytes* bytes,
                       SpacePeakChanges* filled) {
  auto& peaks = *filled->mutable_spaces();
  for (const auto& [number, change] : *module.peaks) {
    SpacePeakChange& peak = peaks[number];
    peak.set_name(names.NameOf(number));
    peak.set_before(change.before);
    peak.set_after(change.after);
    peak.set_reserved_before(change.reserved_before);
    peak.set_reserved_after(change.reserved_after);
    if (change.assigned_before.has_value()) {
      peak.set_assigned_before(*change.assigned_before);
    }
    if (change.assigned_after.has_value()) {
      peak.set_assigned_after(*change.assigned_after);
    }
    TESSERA_RETURN_IF_ERROR(
        FillGroups(change.changes, table, PeakChangeText, bytes, &peak));
  }
  return absl::OkStatus();
}

// The target of the module after the change, if there is one.
HloTarget TargetOf(const ModuleDiff& module, const DumpDiffOptions& options) {
  if (options.question.target.has_value()) return *options.question.target;
  return GuessTarget(module.after.has_value() ? *module.after : *module.before);
}

bool IsTextOrderAssumed(const ModuleDiff& module,
                        const DumpDiffOptions& options) {
  const auto is_unscheduled = [](const std::optional<HloModule>& side) {
    return side.has_value() && !side->is_scheduled();
  };
  return options.question.schedule.assume_text_order &&
         (is_unscheduled(module.before) || is_unscheduled(module.after));
}

absl::Status FillModule(const ModuleDiff& module, const DiffTable& table,
                        AnswerBytes* bytes, ModuleChange* filled) {
  TESSERA_RETURN_IF_ERROR(bytes->Add(
      sizeof(ModuleChange) +
      (module.before.has_value() ? module.before->name().size() : 0) +
      (module.after.has_value() ? module.after->name().size() : 0)));
  const HloTarget target = TargetOf(module, table.options);
  const MemorySpaceNames& names = MemorySpaceNamesOf(target);
  filled->set_target(std::string(HloTargetName(target)));
  filled->set_is_text_order_assumed(IsTextOrderAssumed(module, table.options));
  if (module.before.has_value()) {
    filled->set_before(std::string(module.before->name()));
  }
  if (module.after.has_value()) {
    filled->set_after(std::string(module.after->name()));
  }
  filled->set_counted(std::string(CountedArraysName(module.counted)));
  filled->set_matched_by_structure(module.matched_by_structure);
  filled->set_matched_by_name(module.matched_by_name);
  filled->set_matched_by_signature(module.matched_by_signature);
  filled->set_appeared(module.appeared);
  filled->set_vanished(module.vanished);
  FillTotals(module.total.before, filled->mutable_total()->mutable_before());
  FillTotals(module.total.after, filled->mutable_total()->mutable_after());
  auto& spaces = *filled->mutable_by_memory_space();
  for (const auto& [number, totals] : module.by_memory_space) {
    TESSERA_RETURN_IF_ERROR(bytes->Add(sizeof(SpaceSumChange)));
    SpaceSumChange& space = spaces[number];
    space.set_name(names.NameOf(number));
    FillTotals(totals.before, space.mutable_before());
    FillTotals(totals.after, space.mutable_after());
  }
  if (module.peaks.has_value()) {
    TESSERA_RETURN_IF_ERROR(
        FillPeaks(module, table, names, bytes, filled->mutable_peak_bytes()));
  }
  if (!module.no_peak.empty()) filled->set_reason(module.no_peak);
  filled->set_is_unscheduled(module.is_unscheduled);
  if (module.parting.has_value()) {
    TESSERA_RETURN_IF_ERROR(FillParting(*module.parting, table.options,
                                        table.rows, bytes,
                                        filled->mutable_passes()));
  }
  const int64_t changes = module.changes.size();
  filled->set_change_count(changes);
  for (int64_t i = 0; i < std::min(changes, table.rows); ++i) {
    TESSERA_RETURN_IF_ERROR(FillChange(module.changes[i], table.options, bytes,
                                       filled->add_changes()));
  }
  return FillGroups(module.changes, table, ChangeText, bytes, filled);
}

}  // namespace

absl::Status AnswerDiff(const ServiceOptions& options,
                        const DiffRequest& question, DiffResult* result) {
  const absl::StatusOr<int64_t> rows =
      RowsToAnswer(options, question.rows(), kUsualHloRows);
  if (!rows.ok()) return InField("rows", rows.status());
  HloTexts texts(options);
  TESSERA_ASSIGN_OR_RETURN(
      const HloDump before,
      texts.Parse("before", question.before(), question.strict()));
  TESSERA_ASSIGN_OR_RETURN(
      const HloDump after,
      texts.Parse("after", question.after(), question.strict()));
  DiffTable table;
  table.before_file = question.before_file();
  table.after_file = question.after_file();
  table.rows = *rows;
  table.options.question.schedule = {question.computation(),
                                     question.assume_text_order()};
  TESSERA_RETURN_IF_ERROR(
      SetTargetToAnswer(question.target(), &table.options.question));
  table.options.question.go_on = options.go_on;
  TESSERA_ASSIGN_OR_RETURN(table.options.counted,
                           CountedToAnswer(question.count()));
  PassHistory before_history({*rows, table.options.counted});
  PassHistory after_history({*rows, table.options.counted});
  if (!question.before_passes().empty()) {
    TESSERA_RETURN_IF_ERROR(AddPasses(question.before_passes(), "before_passes",
                                      question.strict(), &texts,
                                      &before_history));
    TESSERA_RETURN_IF_ERROR(
        AddLastPass(question.before_file(), "before", before, &before_history));
    table.options.before_history = &before_history;
  }
  if (!question.after_passes().empty()) {
    TESSERA_RETURN_IF_ERROR(AddPasses(question.after_passes(), "after_passes",
                                      question.strict(), &texts,
                                      &after_history));
    TESSERA_RETURN_IF_ERROR(
        AddLastPass(question.after_file(), "after", after, &after_history));
    table.options.after_history = &after_history;
  }
  return FillDiff(options, before, after, table, result);
}

absl::Status FillDiff(const ServiceOptions& options, const HloDump& before,
                      const HloDump& after, const DiffTable& table,
                      DiffResult* result) {
  result->set_tessera_version(kVersion);
  result->set_before_file(table.before_file);
  result->set_after_file(table.after_file);
  AnswerBytes bytes(options);
  const DumpDiff diff = DiffDumps(before, after, table.options);
  TESSERA_RETURN_IF_ERROR(diff.status);
  for (const ModuleDiff& module : diff.modules) {
    TESSERA_RETURN_IF_ERROR(
        FillModule(module, table, &bytes, result->add_modules()));
  }
  FillDumpReading(before, table.rows, result->mutable_before_reading());
  FillDumpReading(after, table.rows, result->mutable_after_reading());
  return absl::OkStatus();
}

}  // namespace tessera
