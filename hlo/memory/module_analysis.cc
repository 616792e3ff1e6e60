#include "tessera/hlo/memory/module_analysis.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/numeric/int128.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/buffer_assignment/assigned_memory.h"
#include "tessera/hlo/buffer_assignment/buffer_assigner.h"
#include "tessera/hlo/buffer_assignment/memory_use.h"
#include "tessera/hlo/dataflow/array_table.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/dataflow/program_values.h"
#include "tessera/hlo/dataflow/work_check.h"
#include "tessera/shape/shape_utilities.h"

namespace tessera {
namespace {

using hlo_internal::AlignedAssignment;
using hlo_internal::AssignedBuffers;
using hlo_internal::OpcodeTraits;
using hlo_internal::ProgramValues;
using hlo_internal::TraitsOf;
using hlo_internal::UseOverTime;
using hlo_internal::WorkCheck;

std::atomic<int64_t> modules_flattened{0};
std::atomic<int64_t> assignments_computed{0};

// A program has at most as many values as its instructions have parts.
absl::Status CheckCount(HloModule module, ArrayTable* arrays) {
  int64_t parts = 0;
  for (const HloComputation computation : module.computations()) {
    for (const HloInstruction instruction : computation.instructions()) {
      parts += instruction.has_shape()
                   ? arrays->parts(instruction.shape_index()).size()
                   : 1;
    }
  }
  if (parts < std::numeric_limits<int32_t>::max() / 2) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      "the instructions of the module have 2^30 results or more");
}

absl::Status CheckValues(HloModule module, const ProgramValues& program) {
  // All sums and offsets stay below 2^62.
  constexpr int64_t kMostBytes = int64_t{1} << 61;
  // XLA stores a memory space in 8 bits, and no backend has twenty.
  constexpr size_t kMostSpaces = 64;
  absl::uint128 bytes = 0;
  std::set<int32_t> spaces;
  for (const ProgramValues::Value& value : program.values) {
    bytes += value.bytes;
    if (spaces.size() <= kMostSpaces) spaces.insert(value.memory_space);
  }
  if (bytes >= absl::uint128(kMostBytes)) {
    return ResourceExhaustedError(
        "the values of the program take 2^61 bytes or more");
  }
  if (spaces.size() <= kMostSpaces) return absl::OkStatus();
  return ResourceExhaustedError("the module '", module.name(),
                                "' uses more than ", kMostSpaces,
                                " memory spaces");
}

// XLA's assignment counts only for the whole program.
bool Counts(const BufferAssignment* by_xla, HloModule module,
            const ScheduleOptions& schedule) {
  if (by_xla == nullptr || !by_xla->has_all_allocations) return false;
  if (schedule.computation.empty()) return true;
  const absl::StatusOr<HloComputation> named =
      FindComputation(module, schedule.computation);
  return named.ok() && named->is_entry();
}

AssignedBuffers Assign(const ProgramValues& program,
                       const hlo_internal::AssignerOptions& rules,
                       WorkCheck* check) {
  ++assignments_computed;
  return rules.values.is_tpu ? AssignTpuBuffers(program, check)
                             : AssignBuffers(program, rules.buffers, check);
}

bool HasPadding(const ProgramValues& program) {
  return absl::c_any_of(program.values, [](const ProgramValues::Value& value) {
    return value.bytes != value.unpadded_bytes;
  });
}

// Adds up allocations like
// CompiledMemoryStats::PopulateBufferStatsFromAllocations
// (xla/pjrt/compiled_memory_stats.cc). Sums that exceed int64_t stay at its
// greatest value. `trace_peak` is the peak of the heaps of temporaries. XLA
// does not keep traces of programs that it compiled for CPU.
CompiledMemoryStats StatsOf(const BufferAssignment& assignment,
                            HloTarget target, bool has_temporary_arrays,
                            int64_t trace_peak) {
  constexpr int64_t kHost = 5;
  CompiledMemoryStats stats;
  bool is_saturated = false;
  for (const BufferAssignment::Allocation& allocation :
       assignment.allocations) {
    if (allocation.kind == BufferAssignment::Kind::kThreadLocal) continue;
    const bool is_of_host = allocation.memory_space == kHost;
    const auto add = [&](int64_t* device_sum, int64_t* host_sum) {
      SaturatingAdd(allocation.bytes, is_of_host ? host_sum : device_sum,
                    &is_saturated);
    };
    if (allocation.kind == BufferAssignment::Kind::kParameter) {
      add(&stats.argument_size_in_bytes, &stats.host_argument_size_in_bytes);
      if (allocation.lives_out) {
        add(&stats.alias_size_in_bytes, &stats.host_alias_size_in_bytes);
      }
    }
    if (allocation.lives_out) {
      add(&stats.output_size_in_bytes, &stats.host_output_size_in_bytes);
    }
    if (allocation.kind != BufferAssignment::Kind::kTemporary) {
      add(&stats.peak_memory_in_bytes, &stats.peak_memory_in_bytes);
    } else if (target != HloTarget::kTpu || allocation.memory_space == 0 ||
               is_of_host) {
      add(&stats.temp_size_in_bytes, &stats.host_temp_size_in_bytes);
    }
  }
  if (target == HloTarget::kTpu || target == HloTarget::kGpu) {
    SaturatingAdd(trace_peak, &stats.peak_memory_in_bytes, &is_saturated);
  }
  if (target != HloTarget::kTpu) return stats;
  constexpr int64_t kSlot = 16384;
  if (!has_temporary_arrays) stats.temp_size_in_bytes = 0;
  const int64_t past_slot = stats.temp_size_in_bytes % kSlot;
  if (past_slot > 0) {
    SaturatingAdd(kSlot - past_slot, &stats.temp_size_in_bytes, &is_saturated);
  }
  return stats;
}

// Whether XLA's TPU compiler keeps `array` in a register of the scalar unit:
// one element that no fusion, reduction or collective makes. Found with
// libtpu 0.0.52 by the temp_size_in_bytes of 17 programs with one such array
// each; its type does not matter.
bool IsOfScalarUnit(const LiveArray& array) {
  if (!IsEffectiveScalar(*array.shape)) return false;
  const std::string_view opcode = array.instruction.opcode();
  const OpcodeTraits traits = TraitsOf(opcode);
  return traits.is_elementwise || traits.runs_computations ||
         opcode == "parameter";
}

// Returns the parts of the computed memory.
std::map<int64_t, SpaceReservation> ReservationsOf(
    const ProgramValues& program, const AssignedBuffers& buffers) {
  std::map<int64_t, SpaceReservation> by_space;
  for (const auto& constant : program.constants_of_reducers) {
    by_space[constant.memory_space].constant_bytes += constant.bytes;
  }
  for (const auto& [memory_space, bytes] : program.thread_local_bytes) {
    by_space[memory_space].thread_local_bytes = bytes;
  }
  for (const AssignedBuffers::Allocation& allocation : buffers.allocations) {
    SpaceReservation& space = by_space[allocation.memory_space];
    // The heap contains all temporaries.
    if (allocation.is_temporary()) continue;
    int64_t& part = allocation.kind == BufferAssignment::Kind::kParameter
                        ? space.parameter_bytes
                    : allocation.kind == BufferAssignment::Kind::kConstant
                        ? space.constant_bytes
                        : space.output_bytes;
    part += allocation.bytes;
  }
  for (const auto& [memory_space, heap] : buffers.temporaries) {
    SpaceReservation& space = by_space[memory_space];
    space.temporary_bytes = heap.bytes;
    space.temporary_peak_bytes = heap.peak_bytes;
    space.is_lower_bound = heap.is_not_packed;
  }
  return by_space;
}

}  // namespace

// The state of an analysis, and what several of its functions need.
struct ModuleAnalysis::Impl {
  // A value in its allocation.
  struct PlacedArray {
    LiveArray array;
    int64_t allocation;
    int64_t offset;
  };

  // The results that are computed on first use, because they take as long as
  // everything else.
  struct Reserved {
    std::mutex mutex;
    bool is_known = false;
    // The computed assignment, if it counts, until it is added up.
    AssignedBuffers computed;
    // The peak of the largest of the heaps.
    int64_t trace_peak_bytes = 0;
    std::map<int64_t, SpaceReservation> by_space;
  };

  Impl(const HloDump& dump, HloModule the_module, HloComputation the_entry)
      : module(the_module), entry(the_entry), arrays(&dump.shapes()) {}

  absl::Status Analyze(const MemoryOptions& options,
                       const BufferAssignment* by_xla) {
    WorkCheck check(options.go_on);
    TESSERA_RETURN_IF_ERROR(CheckCount(module, &arrays));
    target = options.target.has_value() ? *options.target : GuessTarget(module);
    generation = options.generation;
    if (target == HloTarget::kTpu && generation == TpuGeneration::kUnknown) {
      generation = GuessTpuGeneration(module);
    }
    rules = hlo_internal::AssignerOptionsOf(target, generation, module);
    ++modules_flattened;
    TESSERA_ASSIGN_OR_RETURN(
        program, hlo_internal::FindProgramValues(module, entry, rules.values,
                                                 &arrays, &check));
    TESSERA_RETURN_IF_ERROR(CheckValues(module, program));
    instruction_at.resize(program.end_time);
    for (size_t i = 0; i < program.instructions.size(); ++i) {
      instruction_at[program.instructions[i].time] = i;
    }
    is_assigned_by_xla = Counts(by_xla, module, options.schedule);
    if (is_assigned_by_xla) {
      aligned = hlo_internal::AlignAssignment(*by_xla, program);
    } else {
      reserved.computed = Assign(program, rules, &check);
      TESSERA_RETURN_IF_ERROR(check.status());
      aligned = hlo_internal::ToBufferAssignment(program, reserved.computed);
    }
    AddNames();
    use_over_time =
        hlo_internal::FindUse(aligned.assignment, program.end_time, &check);
    const std::map<int64_t, int64_t> unshared =
        hlo_internal::FindUnsharedPeaks(program, &check);
    TESSERA_RETURN_IF_ERROR(check.status());
    for (const auto& [memory_space, over_time] : use_over_time) {
      SpaceUse& space = use[memory_space];
      space.peak_bytes = over_time.peak.bytes;
      space.peak_step = over_time.peak.step;
      for (const LiveArray& live : LiveAt(memory_space, space.peak_step)) {
        if (live.same_place_as < 0) {
          space.peak_unpadded_bytes +=
              std::min(live.unpadded_bytes, live.padded_bytes);
        }
      }
      const auto found = unshared.find(memory_space);
      if (found != unshared.end()) space.unshared_peak_bytes = found->second;
    }
    return absl::OkStatus();
  }

  std::vector<LiveArray> LiveAt(int64_t memory_space, int64_t step) const {
    std::vector<PlacedArray> found;
    const auto is_there = [&](const BufferAssignment::Allocation& allocation,
                              int64_t first, int64_t last) {
      return allocation.memory_space == memory_space && first <= step &&
             step <= last;
    };
    ForEachArray(is_there,
                 [&](const PlacedArray& placed) { found.push_back(placed); });
    const auto key = [](const PlacedArray& each) {
      return std::make_tuple(-each.array.padded_bytes, each.array.first,
                             each.array.instruction.index());
    };
    absl::c_stable_sort(found,
                        [&key](const PlacedArray& a, const PlacedArray& b) {
                          return key(a) < key(b);
                        });
    // By allocation and end: the offset of each array with its own place, and
    // its number.
    std::map<std::pair<int64_t, int64_t>, std::pair<int64_t, size_t>> places;
    std::vector<std::vector<size_t>> sharers(found.size());
    std::vector<size_t> owners;
    for (size_t i = 0; i < found.size(); ++i) {
      const int64_t end = found[i].offset + found[i].array.padded_bytes;
      const auto place =
          places.upper_bound({found[i].allocation, found[i].offset});
      if (place != places.end() && place->first.first == found[i].allocation &&
          place->second.first < end) {
        sharers[place->second.second].push_back(i);
      } else {
        places.insert({{found[i].allocation, end}, {found[i].offset, i}});
        owners.push_back(i);
      }
    }
    std::vector<LiveArray> arrays;
    for (const size_t owner : owners) {
      const int64_t number = arrays.size();
      arrays.push_back(found[owner].array);
      for (const size_t sharer : sharers[owner]) {
        arrays.push_back(found[sharer].array);
        arrays.back().same_place_as = number;
      }
    }
    return arrays;
  }

  // Calls `visit` for each value that takes memory, if `is_wanted` holds for
  // its allocation, first and last step. Thread-local values are left out.
  template <typename IsWanted, typename Visit>
  void ForEachArray(IsWanted is_wanted, Visit visit) const {
    const BufferAssignment& assignment = aligned.assignment;
    const int64_t count = assignment.allocations.size();
    for (int64_t i = 0; i < count; ++i) {
      const BufferAssignment::Allocation& allocation =
          assignment.allocations[i];
      if (allocation.kind == BufferAssignment::Kind::kThreadLocal) continue;
      for (const BufferAssignment::Tenant& tenant : assignment.TenantsOf(i)) {
        const BufferAssignment::Value& value = assignment.values[tenant.value];
        const int64_t end = program.end_time - 1;
        const int64_t first = std::max<int64_t>(value.first, 0);
        const int64_t last =
            value.first < 0 ? end : std::min<int64_t>(value.last, end);
        if (tenant.bytes == 0 || !is_wanted(allocation, first, last)) continue;
        std::optional<LiveArray> array = FindArray(tenant.value, value);
        if (!array.has_value()) continue;
        array->padded_bytes = tenant.bytes;
        array->index = value.shape_index;
        array->memory_space = allocation.memory_space;
        array->first = first;
        array->last = last;
        visit(PlacedArray{*std::move(array), i, tenant.offset});
      }
    }
  }

  // Returns nullopt for a value that no instruction of the module produces.
  std::optional<LiveArray> FindArray(
      int64_t number, const BufferAssignment::Value& value) const {
    const int64_t of_program = aligned.program_values[number];
    if (of_program >= 0) return ArrayOf(program.values[of_program]);
    // A constant of a reducer, or of a computation that does not run in the
    // text.
    const auto found = names.find(value.instruction);
    if (found == names.end()) return std::nullopt;
    const HloInstruction instruction = found->second;
    LiveArray array{instruction.opcode() == "constant"
                        ? LiveArray::Kind::kConstant
                        : LiveArray::Kind::kTemporary,
                    instruction};
    array.unpadded_bytes = value.bytes;
    if (instruction.has_shape() && instruction.shape()->IsArray()) {
      array.shape = instruction.shape();
    }
    return array;
  }

  void AddNames() {
    if (!absl::c_linear_search(aligned.program_values, -1)) return;
    for (const HloComputation computation : module.computations()) {
      for (const HloInstruction instruction : computation.instructions()) {
        names.emplace(instruction.name(), instruction);
      }
    }
  }

  LiveArray ArrayOf(const ProgramValues::Value& value) const {
    LiveArray array{LiveArray::Kind::kTemporary, program.At(value.instruction)};
    array.part = value.part;
    array.unpadded_bytes = value.unpadded_bytes;
    array.holds_result = program.buffers[value.buffer].lives_out;
    array.computation = program.instructions[value.instruction].computation;
    if (!value.is_tuple) {
      array.shape = arrays.array(ArrayNumberOf(value)).shape;
    }
    array.is_donated = value.is_aliased || value.is_donated;
    if (value.is_entry_parameter) {
      array.kind = LiveArray::Kind::kParameter;
    } else if (value.is_constant) {
      array.kind = LiveArray::Kind::kConstant;
    } else if (array.holds_result) {
      array.kind = LiveArray::Kind::kResult;
    }
    return array;
  }

  // Values, by the time at which they are begun.
  using Results = std::multimap<int32_t, int32_t>;

  // Returns the value of the buffer that is live first.
  int32_t FirstValueOf(int32_t buffer) const {
    return *absl::c_min_element(
        program.buffers[buffer].values, [this](int32_t a, int32_t b) {
          return program.values[a].start < program.values[b].start;
        });
  }

  // Returns a result that may be written over the parameter: by its last user,
  // or later. TPU's compiler finds another place for what it still reads: in 10
  // programs that libtpu 0.0.52 compiled, each of 20 parameters saved the bytes
  // of the result when it was donated alone.
  Results::const_iterator ResultToWriteOver(
      const ProgramValues::Value& parameter, const Results& results,
      hlo_internal::BufferSharing* sharing) const {
    if (target == HloTarget::kTpu) return results.begin();
    const auto [first, last] = results.equal_range(parameter.last_use);
    const auto by_last_user =
        std::find_if(first, last, [&](const auto& result) {
          const ProgramValues::Value& value = program.values[result.second];
          return sharing->MayOverwrite({parameter.instruction, parameter.part},
                                       {value.instruction, value.part});
        });
    return by_last_user == last ? results.upper_bound(parameter.last_use)
                                : by_last_user;
  }

  bool IsInParameter(int32_t buffer) const {
    return absl::c_any_of(program.buffers[buffer].values,
                          [this](int32_t value) {
                            return program.values[value].is_entry_parameter;
                          });
  }

  int64_t ArrayNumberOf(const ProgramValues::Value& value) const {
    return (*program.PartsOf(value.instruction))[value.part].array;
  }

  int64_t SizeOf(const ProgramValues::Value& value) const {
    return arrays.array(ArrayNumberOf(value)).padded_bytes();
  }

  // Whether the vector unit writes into HBM's temporaries.
  bool HasTemporaryArrays() const {
    bool has_arrays = false;
    ForEachArray(
        [](const BufferAssignment::Allocation& allocation, int64_t, int64_t) {
          return allocation.memory_space == 0 &&
                 allocation.kind == BufferAssignment::Kind::kTemporary;
        },
        [&](const PlacedArray& placed) {
          has_arrays |=
              placed.array.shape != nullptr && !IsOfScalarUnit(placed.array);
        });
    return has_arrays;
  }

  const HloModule module;
  const HloComputation entry;
  HloTarget target = HloTarget::kNone;
  TpuGeneration generation = TpuGeneration::kUnknown;
  ArrayTable arrays;
  hlo_internal::AssignerOptions rules;
  ProgramValues program;
  std::vector<int32_t> instruction_at;  // by step
  bool is_assigned_by_xla = false;
  AlignedAssignment aligned;
  std::map<int64_t, UseOverTime> use_over_time;
  // For values of the assignment that are not those of the program.
  TextMap<std::string_view, HloInstruction> names;
  std::map<int64_t, SpaceUse> use;
  Reserved reserved;
};

ModuleAnalysis::ModuleAnalysis(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl)) {}
ModuleAnalysis::ModuleAnalysis(ModuleAnalysis&&) noexcept = default;
ModuleAnalysis& ModuleAnalysis::operator=(ModuleAnalysis&&) noexcept = default;
ModuleAnalysis::~ModuleAnalysis() = default;

absl::StatusOr<ModuleAnalysis> ModuleAnalysis::Of(
    const HloDump& dump, HloModule module, const MemoryOptions& options,
    const HloAssignments* beside) {
  TESSERA_ASSIGN_OR_RETURN(const HloComputation entry,
                           FindSchedule(dump, module, options.schedule));
  auto impl = std::make_unique<Impl>(dump, module, entry);
  TESSERA_RETURN_IF_ERROR(
      beside == nullptr
          ? impl->Analyze(options, nullptr)
          : impl->Analyze(options.For(*beside), beside->Of(module)));
  return ModuleAnalysis(std::move(impl));
}

absl::StatusOr<ModuleAnalysis> ModuleAnalysis::Of(
    const HloFile& file, int64_t module_index, const MemoryOptions& options) {
  const int64_t count = file.dump.modules().size();
  if (module_index < 0 || module_index >= count) {
    return OutOfRangeError("there is no module ", module_index,
                           ": the file has ", count);
  }
  return Of(file.dump, file.dump.modules()[module_index], options,
            &file.assignments);
}

HloModule ModuleAnalysis::module() const { return impl_->module; }
HloComputation ModuleAnalysis::entry() const { return impl_->entry; }
HloTarget ModuleAnalysis::target() const { return impl_->target; }
TpuGeneration ModuleAnalysis::generation() const { return impl_->generation; }
ModuleAnalysis::Doubts ModuleAnalysis::doubts() const {
  const ProgramValues::Doubts& doubts = impl_->program.doubts;
  return {doubts.instructions_without_shape,
          doubts.arrays_with_unbounded_dimension, doubts.unresolved,
          doubts.unresolved_calls};
}
bool ModuleAnalysis::is_assigned_by_xla() const {
  return impl_->is_assigned_by_xla;
}
const BufferAssignment& ModuleAnalysis::assignment() const {
  return impl_->aligned.assignment;
}
const std::map<int64_t, SpaceUse>& ModuleAnalysis::use() const {
  return impl_->use;
}
int64_t ModuleAnalysis::step_count() const { return impl_->program.end_time; }

absl::Status ModuleAnalysis::FindReserved(
    const std::function<absl::Status()>& go_on) const {
  Impl::Reserved& reserved = impl_->reserved;
  const std::lock_guard<std::mutex> lock(reserved.mutex);
  if (reserved.is_known) return absl::OkStatus();
  WorkCheck check(go_on);
  std::map<int64_t, SpaceReservation>& by_space = reserved.by_space;
  // An earlier call may have reached this point.
  if (by_space.empty()) {
    if (impl_->is_assigned_by_xla) {
      reserved.computed = Assign(impl_->program, impl_->rules, &check);
      TESSERA_RETURN_IF_ERROR(check.status());
    }
    by_space = ReservationsOf(impl_->program, reserved.computed);
    for (const auto& [memory_space, heap] : reserved.computed.temporaries) {
      reserved.trace_peak_bytes =
          std::max(reserved.trace_peak_bytes, heap.trace_peak_bytes);
    }
    reserved.computed = AssignedBuffers();
  }
  std::map<int64_t, SpaceReservation> without_padding = by_space;
  if (HasPadding(impl_->program)) {
    ProgramValues unpadded = impl_->program;
    hlo_internal::RemovePadding(&unpadded);
    const AssignedBuffers computed = Assign(unpadded, impl_->rules, &check);
    TESSERA_RETURN_IF_ERROR(check.status());
    without_padding = ReservationsOf(unpadded, computed);
  }
  for (const auto& [memory_space, space] : without_padding) {
    by_space[memory_space].reserved_unpadded_bytes = space.reserved_bytes();
  }
  reserved.is_known = true;
  if (!impl_->is_assigned_by_xla) return absl::OkStatus();
  for (auto& [memory_space, space] : by_space) space.assigned_bytes = 0;
  for (const auto& [memory_space, space] : FindAssignedMemory(assignment())) {
    by_space[memory_space].assigned_bytes = space.assigned_bytes;
  }
  return absl::OkStatus();
}

const std::map<int64_t, SpaceReservation>& ModuleAnalysis::reserved() const {
  // There is no error without a function to call.
  FindReserved(nullptr).IgnoreError();
  return impl_->reserved.by_space;
}

SpaceReservation ModuleAnalysis::ReservedIn(int64_t memory_space) const {
  const auto found = reserved().find(memory_space);
  if (found != reserved().end()) return found->second;
  SpaceReservation nothing;
  if (is_assigned_by_xla()) nothing.assigned_bytes = 0;
  return nothing;
}

CompiledMemoryStats ModuleAnalysis::memory_stats() const {
  FindReserved(nullptr).IgnoreError();
  return StatsOf(
      assignment(), impl_->target, impl_->HasTemporaryArrays(),
      assignment().trace_peak_bytes.value_or(impl_->reserved.trace_peak_bytes));
}

ModuleAnalysis::Step ModuleAnalysis::StepAt(int64_t step) const {
  const int32_t instruction = impl_->instruction_at[step];
  return {impl_->program.At(instruction),
          impl_->program.instructions[instruction].computation};
}

std::vector<int64_t> ModuleAnalysis::UseByStep(int64_t memory_space) const {
  const auto found = impl_->use_over_time.find(memory_space);
  return hlo_internal::UseByStep(
      found == impl_->use_over_time.end() ? UseOverTime() : found->second,
      impl_->program.end_time);
}

std::vector<int64_t> ModuleAnalysis::PaddingByStep(int64_t memory_space) const {
  const auto is_there = [&](const BufferAssignment::Allocation& allocation,
                            int64_t, int64_t) {
    return allocation.memory_space == memory_space;
  };
  bool is_padded = false;
  impl_->ForEachArray(is_there, [&](const Impl::PlacedArray& placed) {
    is_padded |= placed.array.padded_bytes > placed.array.unpadded_bytes;
  });
  if (!is_padded) return std::vector<int64_t>(impl_->program.end_time);
  // If several values begin in one place, it belongs to the one that LiveAt
  // lists first: the largest, or the first of equal ones. The padding is
  // last.
  using Place = std::pair<int64_t, int64_t>;  // allocation and offset
  using Value = std::array<int64_t, 4>;
  // The step, whether the value ends there, its place and the value.
  std::vector<std::tuple<int64_t, bool, Place, Value>> changes;
  impl_->ForEachArray(is_there, [&](const Impl::PlacedArray& placed) {
    const LiveArray& array = placed.array;
    const Place place = {placed.allocation, placed.offset};
    const Value value = {array.padded_bytes, -array.first,
                         -array.instruction.index(),
                         array.padded_bytes - std::min(array.unpadded_bytes,
                                                       array.padded_bytes)};
    changes.emplace_back(array.first, false, place, value);
    changes.emplace_back(array.last + 1, true, place, value);
  });
  // First the changes of the sum at each step. One step more than there is
  // takes the ends of the last values.
  std::vector<int64_t> padding(impl_->program.end_time + 1);
  absl::c_sort(changes);
  std::map<Place, std::multiset<Value>> places;
  for (const auto& [step, is_end, place, value] : changes) {
    std::multiset<Value>& values = places[place];
    if (!values.empty()) padding[step] -= values.rbegin()->back();
    if (is_end) {
      values.erase(values.find(value));
    } else {
      values.insert(value);
    }
    if (!values.empty()) padding[step] += values.rbegin()->back();
  }
  padding.pop_back();
  std::partial_sum(padding.begin(), padding.end(), padding.begin());
  return padding;
}

std::vector<LiveArray> ModuleAnalysis::LiveAt(int64_t memory_space,
                                              int64_t step) const {
  return impl_->LiveAt(memory_space, step);
}

std::vector<LiveArray> ModuleAnalysis::Arrays() const {
  std::vector<LiveArray> arrays;
  impl_->ForEachArray(
      [](const BufferAssignment::Allocation&, int64_t, int64_t) {
        return true;
      },
      [&](const Impl::PlacedArray& placed) { arrays.push_back(placed.array); });
  std::stable_sort(
      arrays.begin(), arrays.end(),
      [](const LiveArray& a, const LiveArray& b) { return a.first < b.first; });
  return arrays;
}

std::string ModuleAnalysis::PathOf(int64_t computation) const {
  std::string path;
  for (int32_t caller = impl_->program.computations[computation].caller;
       caller >= 0; caller = impl_->program.computations[computation].caller) {
    path = absl::StrCat(
        AbslView(impl_->program.At(caller).name()), " / ",
        AbslView(impl_->program.computations[computation].computation.name()),
        path.empty() ? "" : " / ", path);
    computation = impl_->program.instructions[caller].computation;
  }
  return path;
}

Donation ModuleAnalysis::FindDonation(int64_t memory_space) const {
  const ProgramValues& program = impl_->program;
  Donation donation;
  // By array number: results with their own places.
  absl::flat_hash_map<int64_t, Impl::Results> own_results;
  const int32_t root = program.RootOf(0).instruction;
  if (root < 0) return donation;
  const ArrayTable::ShapeParts* const parts = program.PartsOf(root);
  std::set<int32_t> buffers;
  for (int32_t part = 0; parts != nullptr && part < parts->size(); ++part) {
    const int32_t number = program.ValueAt({root, part});
    if ((*parts)[part].array < 0 || number < 0) continue;
    const ProgramValues::Value& value = program.values[number];
    if (value.memory_space != memory_space ||
        !buffers.insert(value.buffer).second) {
      continue;
    }
    if (impl_->IsInParameter(value.buffer)) {
      donation.result_bytes += impl_->SizeOf(value);
    } else {
      const int32_t first = impl_->FirstValueOf(value.buffer);
      own_results[(*parts)[part].array].emplace(program.values[first].start,
                                                first);
    }
  }
  hlo_internal::BufferSharing sharing(&program, impl_->rules.buffers.sharing);
  for (const ProgramValues::Value& value : program.values) {
    if (!value.is_entry_parameter || value.is_aliased || value.is_donated ||
        value.is_tuple || value.memory_space != memory_space ||
        program.buffers[value.buffer].lives_out) {
      continue;
    }
    const auto found = own_results.find(impl_->ArrayNumberOf(value));
    if (found == own_results.end()) continue;
    const auto result =
        impl_->ResultToWriteOver(value, found->second, &sharing);
    if (result == found->second.end()) continue;
    found->second.erase(result);
    donation.savable.push_back(impl_->ArrayOf(value));
    donation.savable.back().padded_bytes = impl_->SizeOf(value);
    donation.savable_bytes += impl_->SizeOf(value);
  }
  absl::c_stable_sort(donation.savable,
                      [](const LiveArray& a, const LiveArray& b) {
                        return a.padded_bytes > b.padded_bytes;
                      });
  return donation;
}

namespace hlo_internal {

AnalysisWork GetAnalysisWork() {
  return {modules_flattened.load(), assignments_computed.load()};
}

}  // namespace hlo_internal
}  // namespace tessera
