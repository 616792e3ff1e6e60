#include "tessera/hlo/diff/dump_diff.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/dataflow/array_table.h"
#include "tessera/hlo/dataflow/work_check.h"
#include "tessera/hlo/diff/result_arrays.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/layout/layout.h"

namespace tessera {
namespace {

using hlo_internal::WorkCheck;

int64_t Difference(const ArrayChange& change) {
  return std::max(change.before_bytes, change.after_bytes) -
         std::min(change.before_bytes, change.after_bytes);
}

void SortByDifference(std::vector<ArrayChange>* changes) {
  std::stable_sort(changes->begin(), changes->end(),
                   [](const ArrayChange& a, const ArrayChange& b) {
                     return Difference(a) > Difference(b);
                   });
}

// Records the differences of two arrays. Returns whether there are any.
bool Compare(ArrayChange* change) {
  const Shape& a = *change->before_shape;
  const Shape& b = *change->after_shape;
  if (&a == &b) return false;
  const Layout& x = a.layout();
  const Layout& y = b.layout();
  change->shape_changed = !Shape::Equal().IgnoreLayout()(a, b);
  change->minor_to_major_changed = !Layout::Equal().MinorToMajorOnly()(x, y);
  change->tiles_changed = x.tiles() != y.tiles();
  change->memory_space_changed = x.memory_space() != y.memory_space();
  change->other_layout_changed =
      !Layout::Equal().IgnoreTiles().IgnoreMemorySpace()(
          x.WithMinorToMajor({}), y.WithMinorToMajor({}));
  return change->shape_changed || change->minor_to_major_changed ||
         change->tiles_changed || change->memory_space_changed ||
         change->other_layout_changed;
}

// Sets the passes that the arrays of a change come from.
void SetPasses(const DumpDiffOptions& options, ArrayChange* change) {
  const bool is_on_both = !change->appeared && !change->vanished;
  const auto pass_of = [&](const PassHistory* history,
                           const std::optional<HloInstruction>& instruction) {
    const ArrayOrigin* const origin =
        history == nullptr || !instruction.has_value()
            ? nullptr
            : history->OriginOf(*instruction, change->array);
    if (origin == nullptr) return int64_t{-1};
    return is_on_both && origin->changed_by >= 0 ? origin->changed_by
                                                 : origin->made_by;
  };
  if (!change->appeared) {
    change->before_pass = pass_of(options.before_history, change->before);
  }
  if (!change->vanished) {
    change->after_pass = pass_of(options.after_history, change->after);
  }
}

class Side {
 public:
  Side(const HloDump& dump, CountedArrays counted)
      : dump_(dump), arrays_(dump), report_(Report(counted)) {}

  const HloDump& dump() const { return dump_; }
  // The kind of arrays that are counted in a module. These may be the results
  // although buffers were requested, because the text may not show which
  // computations run.
  CountedArrays counted(int64_t module) const {
    return report_.modules[module].memory.counted;
  }
  const MemoryBreakdown& memory(int64_t module, CountedArrays counted) {
    if (counted == this->counted(module)) return report_.modules[module].memory;
    if (!other_report_.has_value()) other_report_ = Report(counted);
    return other_report_->modules[module].memory;
  }

  ResultArrays& arrays() { return arrays_; }

  // Returns the number of an array in the result; -1 for the table of a tuple.
  int64_t ArrayNumber(const LiveArray& buffer) {
    if (buffer.shape == nullptr) return -1;
    return arrays_.ArrayNumber(buffer.instruction.shape_index(), buffer.part);
  }

 private:
  MemoryReport Report(CountedArrays counted) const {
    MemoryReportOptions options;
    options.counted = counted;
    options.table_rows = 0;
    return ReportMemory(dump_, options);
  }

  const HloDump& dump_;
  ResultArrays arrays_;
  MemoryReport report_;
  // The report on all results, if the other dump does not have buffers.
  std::optional<MemoryReport> other_report_;
};

int64_t BytesOf(const ArrayTable::Array& array) { return array.padded_bytes(); }
int64_t BytesOf(const LiveArray& array) { return array.padded_bytes; }

// `before` and `after` are null if the array does not exist there.
template <typename Array>
ArrayChange ChangeOf(const InstructionMatch& match, int64_t array,
                     const Array* before, const Array* after) {
  ArrayChange change;
  change.before = match.before;
  change.after = match.after;
  change.match = match.how;
  change.array = array;
  change.appeared = before == nullptr;
  change.vanished = after == nullptr;
  if (before != nullptr) {
    change.before_shape = before->shape;
    change.before_bytes = BytesOf(*before);
  }
  if (after != nullptr) {
    change.after_shape = after->shape;
    change.after_bytes = BytesOf(*after);
  }
  return change;
}

void AddChanges(const InstructionMatch& match, const DumpDiffOptions& options,
                Side* before, Side* after, ModuleDiff* diff) {
  const auto old_arrays = before->arrays().Of(match.before, diff->counted);
  const auto new_arrays = after->arrays().Of(match.after, diff->counted);
  const auto array_at = [](const auto& arrays, size_t i) {
    return i < arrays.size() ? arrays[i] : nullptr;
  };
  const size_t count = std::max(old_arrays.size(), new_arrays.size());
  for (size_t i = 0; i < count; ++i) {
    ArrayChange change =
        ChangeOf(match, i, array_at(old_arrays, i), array_at(new_arrays, i));
    const bool is_on_both = !change.appeared && !change.vanished;
    if ((change.appeared && change.vanished) ||
        (is_on_both && !Compare(&change))) {
      continue;
    }
    change.is_fused =
        diff->counted == CountedArrays::kBuffers &&
        ((change.appeared && before->arrays().IsFused(match.before)) ||
         (change.vanished && after->arrays().IsFused(match.after)));
    SetPasses(options, &change);
    diff->changes.push_back(change);
  }
}

// Finds the arrays that are live at only one of the peaks.
class PeakDiffer {
 public:
  PeakDiffer(const std::vector<InstructionMatch>& matches,
             const DumpDiffOptions& options, Side* before, Side* after)
      : matches_(matches), options_(options), before_(*before), after_(*after) {
    for (size_t i = 0; i < matches.size(); ++i) {
      if (matches[i].before.has_value()) {
        old_matches_[matches[i].before->index()] = i;
      }
      if (matches[i].after.has_value()) {
        new_matches_[matches[i].after->index()] = i;
      }
    }
  }

  std::vector<ArrayChange> Diff(const std::vector<LiveArray>& old_arrays,
                                const std::vector<LiveArray>& new_arrays) {
    struct Pair {
      size_t match;
      const LiveArray* before;
      const LiveArray* after;
    };
    std::vector<Pair> pairs;
    // By match, and part of its results.
    absl::flat_hash_map<std::pair<size_t, int64_t>, size_t> numbers;
    for (const LiveArray& array : new_arrays) {
      if (array.same_place_as >= 0) continue;
      const size_t match = new_matches_.at(array.instruction.index());
      numbers.try_emplace({match, array.part}, pairs.size());
      pairs.push_back({match, nullptr, &array});
    }
    for (const LiveArray& array : old_arrays) {
      if (array.same_place_as >= 0) continue;
      const size_t match = old_matches_.at(array.instruction.index());
      const auto found = numbers.find({match, array.part});
      if (found == numbers.end()) {
        pairs.push_back({match, &array, nullptr});
      } else {
        pairs[found->second].before = &array;
      }
    }
    std::vector<ArrayChange> changes;
    for (const auto& [match, old_array, new_array] : pairs) {
      ArrayChange change =
          ChangeOf(matches_[match],
                   new_array != nullptr ? after_.ArrayNumber(*new_array)
                                        : before_.ArrayNumber(*old_array),
                   old_array, new_array);
      if (change.before_shape != nullptr && change.after_shape != nullptr) {
        Compare(&change);
      }
      if (change.before_bytes == change.after_bytes) continue;
      SetPasses(options_, &change);
      changes.push_back(change);
    }
    SortByDifference(&changes);
    return changes;
  }

 private:
  const std::vector<InstructionMatch>& matches_;
  const DumpDiffOptions& options_;
  Side& before_;
  Side& after_;
  // The matches, by the number of the instruction in its dump.
  absl::flat_hash_map<int64_t, size_t> old_matches_, new_matches_;
};

SpaceUse UseOf(const ModuleAnalysis& analysis, int64_t memory_space) {
  const auto found = analysis.use().find(memory_space);
  return found == analysis.use().end() ? SpaceUse() : found->second;
}

// Sets the peaks, or the reason why there are none.
void DiffPeaks(const std::vector<InstructionMatch>& matches,
               const DumpDiffOptions& options, Side* before, Side* after,
               WorkCheck* check, ModuleDiff* diff) {
  const auto analyze = [&](const Side& side, HloModule module,
                           const HloAssignments* beside, bool by_xla) {
    return ModuleAnalysis::Of(
        side.dump(), module,
        beside == nullptr ? options.question : options.question.For(*beside),
        by_xla ? beside : nullptr);
  };
  absl::StatusOr<ModuleAnalysis> old_peaks =
      analyze(*before, *diff->before, options.before, true);
  absl::StatusOr<ModuleAnalysis> new_peaks =
      analyze(*after, *diff->after, options.after, true);
  // Use one measure for both sides: if only one side has numbers from XLA, both
  // are computed.
  if (old_peaks.ok() && new_peaks.ok() &&
      old_peaks->is_assigned_by_xla() != new_peaks->is_assigned_by_xla()) {
    if (old_peaks->is_assigned_by_xla()) {
      old_peaks = analyze(*before, *diff->before, options.before, false);
    } else {
      new_peaks = analyze(*after, *diff->after, options.after, false);
    }
  }
  if (!old_peaks.ok() || !new_peaks.ok()) {
    std::vector<std::string> reasons;
    diff->is_unscheduled = true;
    const auto add = [&](const char* side, HloModule module,
                         const absl::Status& status) {
      if (status.ok()) return;
      const bool has_order =
          module.is_scheduled() || options.question.schedule.assume_text_order;
      if (has_order) diff->is_unscheduled = false;
      reasons.push_back(
          absl::StrCat(side, ": ",
                       AbslView(has_order ? StdView(status.message())
                                          : "the module is not scheduled")));
    };
    add("before", *diff->before, old_peaks.status());
    add("after", *diff->after, new_peaks.status());
    diff->no_peak = StrCat(absl::StrJoin(reasons, "; "),
                           diff->is_unscheduled ? kAssumeTextOrderHint : "");
    return;
  }
  std::map<int64_t, PeakChange>& peaks = diff->peaks.emplace();
  const bool is_assigned =
      old_peaks->is_assigned_by_xla() && new_peaks->is_assigned_by_xla();
  for (const ModuleAnalysis* const side : {&*old_peaks, &*new_peaks}) {
    if (!side->FindReserved(options.question.go_on).ok()) return;
    for (const auto& [space, use] : side->use()) peaks[space];
    for (const auto& [space, reserved] : side->reserved()) {
      if (is_assigned || reserved.reserved_bytes() > 0) peaks[space];
    }
  }
  PeakDiffer differ(matches, options, before, after);
  for (auto& [number, peak] : peaks) {
    if (!check->GoesOn(old_peaks->step_count() + new_peaks->step_count())) {
      return;
    }
    const SpaceUse old_use = UseOf(*old_peaks, number);
    const SpaceUse new_use = UseOf(*new_peaks, number);
    peak.before = old_use.peak_bytes;
    peak.after = new_use.peak_bytes;
    const SpaceReservation old_space = old_peaks->ReservedIn(number);
    const SpaceReservation new_space = new_peaks->ReservedIn(number);
    peak.reserved_before = old_space.reserved_bytes();
    peak.reserved_after = new_space.reserved_bytes();
    if (is_assigned) {
      peak.assigned_before = old_space.assigned_bytes;
      peak.assigned_after = new_space.assigned_bytes;
    }
    peak.changes = differ.Diff(old_peaks->LiveAt(number, old_use.peak_step),
                               new_peaks->LiveAt(number, new_use.peak_step));
  }
}

void AddTotals(const MemoryBreakdown& memory, MemoryTotals TotalsChange::*side,
               ModuleDiff* diff) {
  diff->total.*side = memory.total;
  for (const auto& [space, totals] : memory.by_memory_space) {
    diff->by_memory_space[space].*side = totals;
  }
}

int64_t& CountOf(const InstructionMatch& match, ModuleDiff* diff) {
  switch (match.how) {
    case DiffMatch::kStructure:
      return diff->matched_by_structure;
    case DiffMatch::kName:
      return diff->matched_by_name;
    case DiffMatch::kSignature:
      return diff->matched_by_signature;
    case DiffMatch::kNone:
      break;
  }
  return match.before.has_value() ? diff->vanished : diff->appeared;
}

ModuleDiff DiffModules(int64_t number, const DumpDiffOptions& options,
                       Side* before, Side* after) {
  ModuleDiff diff;
  const auto add_side = [&](const Side& side,
                            std::optional<HloModule>* module) {
    if (number >= side.dump().modules().size()) return;
    *module = side.dump().modules()[number];
    if (side.counted(number) == CountedArrays::kResults) {
      diff.counted = CountedArrays::kResults;
    }
  };
  add_side(*before, &diff.before);
  add_side(*after, &diff.after);
  const bool is_in_both = diff.before.has_value() && diff.after.has_value();
  WorkCheck check(options.question.go_on);
  std::vector<InstructionMatch> matches;
  if (is_in_both) {
    matches = MatchInstructions(*diff.before, *diff.after,
                                {false, options.question.go_on});
  } else {
    const HloModule module =
        diff.before.has_value() ? *diff.before : *diff.after;
    for (const HloComputation computation : module.computations()) {
      for (const HloInstruction instruction : computation.instructions()) {
        InstructionMatch& match = matches.emplace_back();
        (diff.before.has_value() ? match.before : match.after) = instruction;
      }
    }
  }
  for (const InstructionMatch& match : matches) {
    if (!check.GoesOn()) return diff;
    ++CountOf(match, &diff);
    AddChanges(match, options, before, after, &diff);
  }
  SortByDifference(&diff.changes);
  if (diff.before.has_value()) {
    AddTotals(before->memory(number, diff.counted), &TotalsChange::before,
              &diff);
  }
  if (diff.after.has_value()) {
    AddTotals(after->memory(number, diff.counted), &TotalsChange::after, &diff);
  }
  if (is_in_both) {
    DiffPeaks(matches, options, before, after, &check, &diff);
  }
  if (is_in_both && options.before_history != nullptr &&
      options.after_history != nullptr) {
    diff.parting =
        PassParting::Of(*options.before_history, *options.after_history);
  }
  return diff;
}

}  // namespace

DumpDiff DiffDumps(const HloDump& before, const HloDump& after,
                   const DumpDiffOptions& options) {
  Side old_side(before, options.counted), new_side(after, options.counted);
  DumpDiff diff;
  DumpDiffOptions asking = options;
  if (options.question.go_on != nullptr) {
    // Later calls return the same error.
    asking.question.go_on = [&] {
      if (diff.status.ok()) diff.status = options.question.go_on();
      return diff.status;
    };
  }
  const int64_t count =
      std::max(before.modules().size(), after.modules().size());
  for (int64_t i = 0; i < count && diff.status.ok(); ++i) {
    diff.modules.push_back(DiffModules(i, asking, &old_side, &new_side));
  }
  return diff;
}

}  // namespace tessera
