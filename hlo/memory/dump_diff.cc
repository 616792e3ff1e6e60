#include "tessera/hlo/memory/dump_diff.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "tessera/hlo/attributes/metadata.h"
#include "tessera/hlo/memory/array_table.h"
#include "tessera/hlo/memory/liveness.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/layout/layout.h"
#include "tessera/math/status_macros.h"

namespace tessera {
namespace {

// One of the two dumps.
struct Side {
  explicit Side(const HloDump& the_dump)
      : dump(the_dump), arrays(&the_dump.shapes()) {}

  const HloDump& dump;
  ArrayTable arrays;
  // By shape number: that of the shape without its layouts, common to both.
  absl::flat_hash_map<int64_t, int64_t> bare_shapes;
};

absl::string_view OpName(HloInstruction instruction) {
  const absl::optional<absl::string_view> text =
      instruction.attribute("metadata");
  if (!text.has_value()) return absl::string_view();
  const absl::StatusOr<OpMetadata> metadata = DecodeMetadata(*text);
  return metadata.ok() ? metadata->op_name.raw() : absl::string_view();
}

class ModuleDiffer {
 public:
  // `bare_shapes` numbers shapes without layouts.
  ModuleDiffer(Side* before, Side* after,
               absl::flat_hash_map<std::string, int64_t>* bare_shapes)
      : before_(*before), after_(*after), bare_shapes_(*bare_shapes) {}

  ModuleDiff Diff(absl::optional<HloModule> before,
                  absl::optional<HloModule> after) && {
    diff_.before = before;
    diff_.after = after;
    std::vector<Place> old_places, new_places;
    if (before.has_value()) old_places = List(*before, &old_);
    if (after.has_value()) new_places = List(*after, &new_);
    if (before.has_value() && after.has_value()) {
      MatchByName(old_places, new_places);
      MatchBySignature(/*within_computations=*/true);
      MatchBySignature(/*within_computations=*/false);
    }
    for (const Entry& entry : old_) AddChanges(entry);
    for (const Entry& entry : new_) {
      if (entry.match != DiffMatch::kNone) continue;
      ++diff_.appeared;
      AddChanges(absl::nullopt, entry.instruction, entry.match);
    }
    std::stable_sort(diff_.changes.begin(), diff_.changes.end(),
                     [](const ArrayChange& a, const ArrayChange& b) {
                       return Difference(a) > Difference(b);
                     });
    return std::move(diff_);
  }

 private:
  struct Entry {
    HloInstruction instruction;
    DiffMatch match = DiffMatch::kNone;
    int64_t other = -1;  // in the other list
  };
  using Entries = std::vector<Entry>;

  static int64_t Difference(const ArrayChange& change) {
    return change.after_bytes > change.before_bytes
               ? change.after_bytes - change.before_bytes
               : change.before_bytes - change.after_bytes;
  }

  // A computation, and where in the list its instructions begin.
  struct Place {
    HloComputation computation;
    int64_t begin;
  };

  static std::vector<Place> List(HloModule module, Entries* entries) {
    std::vector<Place> places;
    for (const HloComputation computation : module.computations()) {
      places.push_back({computation, static_cast<int64_t>(entries->size())});
      for (const HloInstruction instruction : computation.instructions()) {
        entries->push_back({instruction});
      }
    }
    return places;
  }

  void Match(int64_t old_index, int64_t new_index, DiffMatch match) {
    old_[old_index].match = new_[new_index].match = match;
    old_[old_index].other = new_index;
    new_[new_index].other = old_index;
    ++(match == DiffMatch::kName ? diff_.matched_by_name
                                 : diff_.matched_by_signature);
  }

  // What a computation goes by: its name or, if it is written inline, that of
  // the instruction that calls it.
  using Key = std::pair<bool, absl::string_view>;

  static Key KeyOf(HloComputation computation) {
    if (!computation.is_inline()) return {false, computation.name()};
    const absl::optional<HloInstruction> caller = computation.caller();
    return {true, caller.has_value() ? caller->name() : absl::string_view()};
  }

  void MatchByName(const std::vector<Place>& before,
                   const std::vector<Place>& after) {
    absl::flat_hash_map<Key, Place> by_key;
    for (const Place& place : before) {
      by_key.emplace(KeyOf(place.computation), place);
    }
    for (const Place& place : after) {
      const auto found = by_key.find(KeyOf(place.computation));
      if (found == by_key.end()) continue;
      MatchInstructions(found->second, place);
      // A second computation of that name finds nothing.
      by_key.erase(found);
    }
  }

  void MatchInstructions(const Place& before, const Place& after) {
    absl::flat_hash_map<absl::string_view, int64_t> by_name;
    const int64_t old_end =
        before.begin + before.computation.instructions().size();
    for (int64_t i = before.begin; i < old_end; ++i) {
      const absl::string_view name = old_[i].instruction.name();
      if (!name.empty()) by_name.emplace(name, i);
    }
    const int64_t new_end =
        after.begin + after.computation.instructions().size();
    for (int64_t i = after.begin; i < new_end; ++i) {
      const HloInstruction instruction = new_[i].instruction;
      const auto found = by_name.find(instruction.name());
      if (found == by_name.end() ||
          old_[found->second].instruction.opcode() != instruction.opcode()) {
        continue;
      }
      Match(found->second, i, DiffMatch::kName);
      by_name.erase(found);
    }
  }

  // The number of the shape without its layouts; -1 for none.
  int64_t BareShape(HloInstruction instruction, Side* side) {
    if (!instruction.has_shape()) return -1;
    const auto [entry, is_new] =
        side->bare_shapes.try_emplace(instruction.shape_index(), 0);
    if (is_new) {
      entry->second =
          bare_shapes_
              .try_emplace(instruction.shape()->ToString(/*with_layout=*/false),
                           bare_shapes_.size())
              .first->second;
    }
    return entry->second;
  }

  // The name of the computation, if that matters, opcode, shape, op_name.
  using Signature = std::tuple<absl::string_view, absl::string_view, int64_t,
                               absl::string_view>;

  Signature SignatureOf(HloInstruction instruction, Side* side,
                        bool within_computations) {
    return {within_computations ? instruction.computation().name()
                                : absl::string_view(),
            instruction.opcode(), BareShape(instruction, side),
            OpName(instruction)};
  }

  void MatchBySignature(bool within_computations) {
    struct Queue {
      std::vector<int64_t> old_indices;
      size_t next = 0;
    };
    absl::flat_hash_map<Signature, Queue> queues;
    for (size_t i = 0; i < old_.size(); ++i) {
      if (old_[i].match != DiffMatch::kNone) continue;
      queues[SignatureOf(old_[i].instruction, &before_, within_computations)]
          .old_indices.push_back(i);
    }
    for (size_t i = 0; i < new_.size(); ++i) {
      if (new_[i].match != DiffMatch::kNone) continue;
      const auto found = queues.find(
          SignatureOf(new_[i].instruction, &after_, within_computations));
      if (found == queues.end()) continue;
      Queue& queue = found->second;
      if (queue.next == queue.old_indices.size()) continue;
      Match(queue.old_indices[queue.next++], i, DiffMatch::kSignature);
    }
  }

  void AddChanges(const Entry& old_entry) {
    if (old_entry.other < 0) {
      ++diff_.vanished;
      AddChanges(old_entry.instruction, absl::nullopt, DiffMatch::kNone);
      return;
    }
    AddChanges(old_entry.instruction, new_[old_entry.other].instruction,
               old_entry.match);
  }

  // The arrays of a result, in order.
  static std::vector<const ArrayTable::Array*> ArraysOf(
      const absl::optional<HloInstruction>& instruction, Side* side) {
    std::vector<const ArrayTable::Array*> arrays;
    if (!instruction.has_value() || !instruction->has_shape()) return arrays;
    const ArrayTable::ShapeParts& parts =
        side->arrays.parts(instruction->shape_index());
    for (int64_t part = 0; part < parts.size(); ++part) {
      if (parts[part].array < 0) continue;
      arrays.push_back(&side->arrays.array(parts[part].array));
    }
    return arrays;
  }

  static int64_t BytesOf(const ArrayTable::Array& array) {
    return array.sizes.has_value() ? array.sizes->padded_bytes : 0;
  }

  void AddChanges(const absl::optional<HloInstruction>& before,
                  const absl::optional<HloInstruction>& after,
                  DiffMatch match) {
    const auto old_arrays = ArraysOf(before, &before_);
    const auto new_arrays = ArraysOf(after, &after_);
    const size_t count = std::max(old_arrays.size(), new_arrays.size());
    for (size_t i = 0; i < count; ++i) {
      ArrayChange change;
      change.before = before;
      change.after = after;
      change.match = match;
      change.array = i;
      if (i < old_arrays.size()) {
        change.before_shape = old_arrays[i]->shape;
        change.before_bytes = BytesOf(*old_arrays[i]);
      }
      if (i < new_arrays.size()) {
        change.after_shape = new_arrays[i]->shape;
        change.after_bytes = BytesOf(*new_arrays[i]);
      }
      if (!change.appeared() && !change.vanished() && !Compare(&change)) {
        continue;
      }
      diff_.changes.push_back(change);
    }
  }

  // Says what changed; returns whether anything did.
  static bool Compare(ArrayChange* change) {
    const Shape& a = *change->before_shape;
    const Shape& b = *change->after_shape;
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

  Side& before_;
  Side& after_;
  absl::flat_hash_map<std::string, int64_t>& bare_shapes_;
  ModuleDiff diff_;
  Entries old_, new_;
};

using Peaks = std::map<int64_t, PeakChange>;

// Where a side of a diff stands in a PeakChange.
struct PeakSide {
  int64_t PeakChange::*peak;
  int64_t PeakChange::*reserved;
};

// Sets one side of the peaks.
absl::Status AddPeaks(const HloDump& dump, HloModule module,
                      const DumpDiffOptions& options, const PeakSide& side,
                      Peaks* peaks) {
  LivenessOptions liveness_options;
  liveness_options.schedule = options.schedule;
  liveness_options.series_entries = 0;
  TESSERA_ASSIGN_OR_RETURN(const Liveness liveness,
                           ComputeLiveness(dump, module, liveness_options));
  for (const auto& [space, live] : liveness.by_memory_space) {
    (*peaks)[space].*side.peak = live.peak_bytes;
  }
  TESSERA_ASSIGN_OR_RETURN(
      const ReservedMemory reserved,
      ComputeReservedMemory(dump, module, {options.schedule, options.target}));
  for (const auto& [space, reservation] : reserved.by_memory_space) {
    (*peaks)[space].*side.reserved = reservation.reserved_bytes();
  }
  return absl::OkStatus();
}

// Sets the peaks, or why there are none.
void DiffPeaks(const HloDump& before, const HloDump& after,
               const DumpDiffOptions& options, ModuleDiff* diff) {
  Peaks peaks;
  const absl::Status old_status =
      AddPeaks(before, *diff->before, options,
               {&PeakChange::before, &PeakChange::reserved_before}, &peaks);
  const absl::Status new_status =
      AddPeaks(after, *diff->after, options,
               {&PeakChange::after, &PeakChange::reserved_after}, &peaks);
  if (old_status.ok() && new_status.ok()) {
    diff->peaks = std::move(peaks);
    return;
  }
  const auto has_order = [&options](HloModule module) {
    return module.is_scheduled() || options.schedule.assume_text_order;
  };
  std::vector<std::string> reasons;
  if (has_order(*diff->before) && !old_status.ok()) {
    reasons.push_back(absl::StrCat("before: ", old_status.message()));
  }
  if (has_order(*diff->after) && !new_status.ok()) {
    reasons.push_back(absl::StrCat("after: ", new_status.message()));
  }
  diff->no_peak = absl::StrJoin(reasons, "; ");
}

void AddTotals(const ModuleMemory& memory, MemoryTotals TotalsChange::*side,
               ModuleDiff* diff) {
  diff->total.*side = memory.memory.total;
  for (const auto& [space, totals] : memory.memory.by_memory_space) {
    diff->by_memory_space[space].*side = totals;
  }
}

}  // namespace

DumpDiff DiffDumps(const HloDump& before, const HloDump& after,
                   const DumpDiffOptions& options) {
  MemoryReportOptions report_options;
  report_options.counted = CountedArrays::kResults;
  report_options.table_rows = 0;
  const MemoryReport old_report = ReportMemory(before, report_options);
  const MemoryReport new_report = ReportMemory(after, report_options);
  Side old_side(before), new_side(after);
  absl::flat_hash_map<std::string, int64_t> bare_shapes;

  DumpDiff diff;
  const int64_t count =
      std::max(before.modules().size(), after.modules().size());
  for (int64_t i = 0; i < count; ++i) {
    absl::optional<HloModule> old_module, new_module;
    if (i < before.modules().size()) old_module = before.modules()[i];
    if (i < after.modules().size()) new_module = after.modules()[i];
    diff.modules.push_back(ModuleDiffer(&old_side, &new_side, &bare_shapes)
                               .Diff(old_module, new_module));
    ModuleDiff& module = diff.modules.back();
    if (old_module.has_value()) {
      AddTotals(old_report.modules[i], &TotalsChange::before, &module);
    }
    if (new_module.has_value()) {
      AddTotals(new_report.modules[i], &TotalsChange::after, &module);
    }
    if (old_module.has_value() && new_module.has_value()) {
      DiffPeaks(before, after, options, &module);
    }
  }
  return diff;
}

}  // namespace tessera
