#include "tessera/hlo/buffer_assignment/tpu_traces.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "tessera/hlo/buffer_assignment/trace_peak.h"
#include "tessera/hlo/dataflow/aliasing_operands.h"
#include "tessera/hlo/dataflow/opcode_traits.h"

namespace tessera {
namespace hlo_internal {
namespace {

// Events of a trace, by time; of one time, values begin before others end.
class TraceEvents {
 public:
  void Begin(int32_t time, int32_t value) { events_.insert({time, 0, value}); }
  void End(int32_t time, int32_t value) { events_.insert({time, 1, value}); }

  // `first_of(value)` is the value over which it lies, itself for none.
  template <typename FirstOf>
  int64_t PeakBytes(const ProgramValues& program, FirstOf first_of) const {
    TracePeak trace;
    for (const auto& [time, is_end, value] : events_) {
      if (is_end != 0) {
        trace.Free(value);
        continue;
      }
      const int64_t bytes = program.values[value].bytes;
      const int32_t first = first_of(value);
      if (first == value) {
        trace.Allocate(value, bytes);
      } else {
        trace.Share(value, first, bytes);
      }
    }
    return trace.peak_bytes();
  }

 private:
  // Two events that are alike are one.
  std::set<std::tuple<int32_t, int32_t, int32_t>> events_;
};

// The instructions that use values of a fast memory, as XLA's HloValue has
// them.
class UsesOfValues {
 public:
  UsesOfValues(const ProgramValues& program, std::vector<bool> is_wanted)
      : program_(program), is_wanted_(std::move(is_wanted)) {
    std::vector<bool> is_root(program.instructions.size());
    for (size_t c = 0; c < program.computations.size(); ++c) {
      const int32_t root = program.RootOf(c).instruction;
      if (root >= 0) is_root[root] = true;
    }
    for (size_t i = 0; i < program.instructions.size(); ++i) {
      const int32_t user = i;
      const bool passes_on = PassesOn(user);
      if (passes_on && !is_root[i]) continue;
      // A root uses what it holds, though it only hands it on.
      absl::flat_hash_set<int32_t> held;
      for (int32_t part = 0; passes_on && part < program.SlotCount(user);
           ++part) {
        held.insert(program.ValueAt({user, part}));
      }
      for (const ProgramValues::Position operand : program.OperandsOf(user)) {
        AddUses(operand, user, passes_on ? &held : nullptr);
      }
    }
  }

  // In the order of the schedule within a computation.
  const std::vector<int32_t>& Of(int32_t value) const {
    static const auto& nothing = *new std::vector<int32_t>();
    const auto found = uses_.find(value);
    return found == uses_.end() ? nothing : found->second;
  }

 private:
  // What only hands on what is in its operands.
  bool PassesOn(int32_t instruction) const {
    const OperandFlow flow = program_.instructions[instruction].traits.flow;
    return flow == OperandFlow::kTuple || flow == OperandFlow::kTupleElement ||
           flow == OperandFlow::kTupleCopy ||
           program_.At(instruction).opcode() == "domain";
  }

  void AddUses(ProgramValues::Position operand, int32_t user,
               const absl::flat_hash_set<int32_t>* only) {
    if (!operand.exists()) return;
    const ProgramValues::ShapeParts* const parts =
        program_.PartsOf(operand.instruction);
    if (parts == nullptr) return;
    const int32_t end = (*parts)[operand.part].end;
    for (; operand.part < end; ++operand.part) {
      const int32_t value = program_.ValueAt(operand);
      if (value >= 0 && is_wanted_[value] &&
          (only == nullptr || only->contains(value))) {
        uses_[value].push_back(user);
      }
    }
  }

  const ProgramValues& program_;
  const std::vector<bool> is_wanted_;
  absl::flat_hash_map<int32_t, std::vector<int32_t>> uses_;
};

class FastMemoryTrace {
 public:
  FastMemoryTrace(const ProgramValues& program,
                  absl::Span<const int32_t> buffers)
      : program_(program),
        buffers_(buffers),
        uses_(program, ValuesOf(program, buffers)) {
    for (size_t c = 0; c < program.computations.size(); ++c) {
      const int32_t caller = program.computations[c].caller;
      if (caller >= 0 && IsConditional(caller)) branches_[caller].push_back(c);
    }
  }

  int64_t PeakBytes() && {
    for (const int32_t buffer : buffers_) {
      for (const int32_t value : program_.buffers[buffer].values) {
        AddValue(value);
      }
    }
    return events_.PeakBytes(program_, [](int32_t value) { return value; });
  }

 private:
  static std::vector<bool> ValuesOf(const ProgramValues& program,
                                    absl::Span<const int32_t> buffers) {
    std::vector<bool> is_there(program.values.size());
    for (const int32_t buffer : buffers) {
      for (const int32_t value : program.buffers[buffer].values) {
        is_there[value] = true;
      }
    }
    return is_there;
  }

  bool IsConditional(int32_t instruction) const {
    return program_.instructions[instruction].traits.flow ==
           OperandFlow::kConditional;
  }
  int32_t TimeOf(int32_t instruction) const {
    return program_.instructions[instruction].time;
  }

  void Add(int32_t first, int32_t last, int32_t value) {
    events_.Begin(first, value);
    events_.End(last, value);
  }

  // The users of a value; those of what it is a piece of are its own. Moves
  // `*end` to the last step of that.
  std::vector<int32_t> UsersOf(int32_t number, int32_t* end) const {
    std::vector<int32_t> users;
    absl::flat_hash_set<int32_t> seen = {number};
    std::vector<int32_t> pending = {number};
    while (!pending.empty()) {
      const int32_t value = pending.back();
      pending.pop_back();
      *end = std::max(*end, program_.values[value].end);
      for (const int32_t user : uses_.Of(value)) {
        const int32_t whole =
            IsConcatBitcast(program_.At(user)) ? program_.ValueAt({user}) : -1;
        if (whole < 0) {
          users.push_back(user);
        } else if (seen.insert(whole).second) {
          pending.push_back(whole);
        }
      }
    }
    return users;
  }

  void AddValue(int32_t number) {
    const ProgramValues::Value& value = program_.values[number];
    // Its pieces are there in its place.
    if (IsConcatBitcast(program_.At(value.instruction))) return;
    int32_t end = value.end;
    const std::vector<int32_t> uses = UsersOf(number, &end);
    if (uses.empty()) return;
    int32_t last_time = value.start;
    int32_t last_user = -1;
    for (const int32_t user : uses) {
      if (TimeOf(user) <= last_time) continue;
      last_time = TimeOf(user);
      last_user = user;
    }
    if (last_user >= 0 && IsConditional(last_user)) {
      AddByBranches(number, last_user);
    } else {
      Add(value.start, std::min(last_time, end), number);
    }
  }

  // What a conditional uses last is there up to its first branch, and in each
  // branch from the start of that to the last use in it.
  void AddByBranches(int32_t number, int32_t conditional) {
    struct Split {
      int32_t conditional;
      int32_t first;
      int32_t last;
    };
    const ProgramValues::Value& value = program_.values[number];
    std::vector<Split> splits = {{conditional, value.start, value.end}};
    while (!splits.empty()) {
      const Split split = splits.back();
      splits.pop_back();
      int32_t first_branch = split.last;
      for (const int32_t branch : branches_[split.conditional]) {
        const int32_t begin = program_.computations[branch].begin;
        first_branch = std::min(first_branch, begin);
        const int32_t user = LastUserIn(branch, number);
        if (user < 0) continue;
        const int32_t last = std::min(TimeOf(user), split.last);
        if (IsConditional(user)) {
          splits.push_back({user, begin, last});
        } else {
          Add(begin, last, number);
        }
      }
      Add(split.first, first_branch - 1, number);
    }
  }

  int32_t LastUserIn(int32_t computation, int32_t value) const {
    int32_t last = -1;
    for (const int32_t user : uses_.Of(value)) {
      if (program_.instructions[user].computation == computation &&
          (last < 0 || TimeOf(user) > TimeOf(last))) {
        last = user;
      }
    }
    return last;
  }

  const ProgramValues& program_;
  const absl::Span<const int32_t> buffers_;
  const UsesOfValues uses_;
  // The computations of a conditional.
  absl::flat_hash_map<int32_t, std::vector<int32_t>> branches_;
  TraceEvents events_;
};

}  // namespace

int64_t HeapTracePeak(const ProgramValues& program,
                      absl::Span<const int32_t> buffers) {
  TraceEvents events;
  for (const int32_t buffer : buffers) {
    for (const int32_t number : program.buffers[buffer].values) {
      events.Begin(program.values[number].start, number);
      events.End(program.values[number].end, number);
    }
  }
  // By buffer.
  absl::flat_hash_map<int32_t, int32_t> firsts;
  return events.PeakBytes(program, [&](int32_t value) {
    return firsts.try_emplace(program.values[value].buffer, value)
        .first->second;
  });
}

int64_t FastMemoryTracePeak(const ProgramValues& program,
                            absl::Span<const int32_t> buffers) {
  return FastMemoryTrace(program, buffers).PeakBytes();
}

}  // namespace hlo_internal
}  // namespace tessera
