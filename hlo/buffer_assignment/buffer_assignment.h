// The memory that XLA assigned to a program: its allocations, the values in
// them, and the places and live ranges of these values.
//
//   // allocation 0: size 648, preallocated-temp:
//   //  value: <85 negate @0> (size=512,offset=128): f64[64]{0}
//   BufferAssignment assignment;
//   assignment.values.resize(1);
//   assignment.values[0].instruction = "negate";
//   assignment.tenants = {{0, 128, 512}};
//   assignment.allocations.resize(1);
//   assignment.allocations[0].bytes = 648;
//   assignment.allocations[0].tenant_count = 1;
//   const BufferAssignment::Tenant& tenant = assignment.TenantsOf(0)[0];
//   tenant.offset;                                  // 128
//   assignment.values[tenant.value].instruction;    // "negate"
//
// XLA writes it next to the module: as text, *-buffer-assignment.txt
// (hlo/buffer_assignment/assignment_text.h), or within the HloProto
// (hlo/buffer_assignment/assignment_proto.h). It is the truth that
// hlo/memory/reserved_memory.h approximates from the module alone.
//
// Bytes include padding. The terms are those of
// xla/service/buffer_assignment.h.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_BUFFER_ASSIGNMENT_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_BUFFER_ASSIGNMENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/shape/shape_index.h"

namespace tessera {

// Views point into the bytes that it was read from.
struct BufferAssignment {
  // The purpose of an allocation. XLA sets several flags; the kind is the first
  // of these that is set.
  enum class Kind {
    kThreadLocal,  // of computations that run for each element: no device
                   // memory
    kParameter,    // of the entry computation
    kConstant,
    kOutput,  // holds results of the program, and perhaps temporaries
    kTemporary,
  };

  // A part of an instruction's result that needs memory.
  struct Value {
    // XLA's number for it.
    int64_t id = 0;
    // The name of the instruction that produces it, without '%'.
    std::string_view instruction;
    // The index of the part in the instruction's result.
    ShapeIndex shape_index;
    // Whether it is one of several values, depending on the run, like the
    // values that a while loop carries.
    bool is_phi = false;
    int64_t bytes = 0;
    // The color of the value.
    int64_t memory_space = 0;
    // The shape as written; empty in protos, whose module has it.
    std::string_view shape_text;
    // The first and last step at which it is live, counted in
    // BufferAssignment::steps; -1 if not known.
    int64_t first = -1;
    int64_t last = -1;
    // The range in `intervals` of the two or more intervals between `first` and
    // `last` in which the value is live. Empty if it is live all that time.
    int64_t first_interval = 0;
    int64_t interval_count = 0;
    // The ranges in `positions` and `uses`.
    int64_t first_position = 0;
    int64_t position_count = 0;
    int64_t first_use = 0;
    int64_t use_count = 0;
  };

  // Steps, both included.
  struct Interval {
    int64_t first = 0;
    int64_t last = 0;
  };

  // A part of an instruction's result that holds a value.
  struct Position {
    std::string_view instruction;
    ShapeIndex shape_index;
  };

  // A part of an operand that reads a value.
  struct Use {
    std::string_view instruction;
    int64_t operand_number = 0;
    ShapeIndex operand_index;
  };

  // A value in an allocation.
  struct Tenant {
    int64_t value = 0;  // in `values`
    int64_t offset = 0;
    int64_t bytes = 0;
  };

  struct Allocation {
    // Sets the kind by XLA's flags, after the number of a parameter and
    // `lives_out`.
    void SetKind(bool is_thread_local, bool is_constant) {
      kind = is_thread_local                ? Kind::kThreadLocal
             : parameter_number.has_value() ? Kind::kParameter
             : is_constant                  ? Kind::kConstant
             : lives_out                    ? Kind::kOutput
                                            : Kind::kTemporary;
    }

    // XLA's number for it.
    int64_t index = 0;
    int64_t bytes = 0;
    Kind kind = Kind::kTemporary;
    // The color of the allocation.
    int64_t memory_space = 0;
    // The page. XLA may split a memory space into pages, each with its own
    // allocations. 0 in protos, which do not have pages.
    int64_t page = 0;
    bool lives_out = false;
    // Whether it holds the table of a tuple.
    bool is_tuple = false;
    // Whether the offsets of its tenants are their places. If not, offsets only
    // show which tenants share a place: this happens if the assignment is
    // computed and the module does not determine XLA's placement.
    bool is_placed = true;
    // The parameter of the entry computation; nullopt for other kinds.
    std::optional<int64_t> parameter_number;
    ShapeIndex parameter_index;
    // In `tenants`.
    int64_t first_tenant = 0;
    int64_t tenant_count = 0;
  };

  absl::Span<const Tenant> TenantsOf(int64_t allocation) const {
    return absl::MakeConstSpan(tenants).subspan(
        allocations[allocation].first_tenant,
        allocations[allocation].tenant_count);
  }

  // The intervals in which a value is live: one for most values; several are in
  // order, with steps between them. Empty if not known.
  absl::InlinedVector<Interval, 1> IntervalsOf(const Value& value) const {
    if (value.first < 0) return {};
    if (value.interval_count == 0) return {{value.first, value.last}};
    const auto begin = intervals.begin() + value.first_interval;
    return {begin, begin + value.interval_count};
  }

  // Whether a value is live at a step. A value without known intervals counts
  // as always live.
  bool IsLiveAt(const Value& value, int64_t step) const {
    bool is_live = value.first < 0;
    for (const Interval& interval : IntervalsOf(value)) {
      is_live |= interval.first <= step && step <= interval.last;
    }
    return is_live;
  }

  // In the order of XLA's numbers, if the file keeps that order.
  std::vector<Allocation> allocations;
  std::vector<Tenant> tenants;
  std::vector<Value> values;
  std::vector<Interval> intervals;
  std::vector<Position> positions;
  std::vector<Use> uses;
  // The steps that Value::first and last count: the name of the instruction at
  // each step. Empty if no live ranges were written.
  std::vector<std::string_view> steps;
  // Whether steps are the events of a heap simulator's traces, one heap after
  // another, instead of the steps of the schedule.
  bool has_steps_of_traces = false;

  // The most bytes that are live at once in one of the traces, as
  // `peak_memory_in_bytes` counts them; nullopt without traces.
  std::optional<int64_t> trace_peak_bytes;

  // The parts that could not be read, in the order of the file, up to the
  // reader's limit, and their total number. Everything else was read.
  std::vector<Diagnostic> problems;
  int64_t problem_count = 0;
  // The number of `problems` at the end that are in the text of live ranges,
  // and the number before them in the text of values, if XLA wrote these
  // separately (hlo/buffer_assignment/assignment_text.h).
  int64_t live_range_problem_count = 0;
  int64_t values_problem_count = 0;
  // Whether `allocations` is complete: each allocation was read, and they add
  // up to XLA's total, if the file has one. If not, a sum over them is not
  // XLA's.
  bool has_all_allocations = true;
};

// "parameter", "constant", "output", "temporary" or "thread-local".
inline std::string_view AllocationKindName(BufferAssignment::Kind kind) {
  constexpr std::string_view kNames[] = {"thread-local", "parameter",
                                         "constant", "output", "temporary"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_BUFFER_ASSIGNMENT_H_
