#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/hlo/attributes/scoped_memory.h"
#include "tessera/hlo/buffer_assignment/buffer_assigner.h"
#include "tessera/hlo/buffer_assignment/heap_packing.h"
#include "tessera/hlo/buffer_assignment/trace_peak.h"
#include "tessera/hlo/dataflow/opcode_traits.h"

namespace tessera {
namespace hlo_internal {
namespace {

// The events of a trace, by time. At the same time, values begin before others
// end.
class TraceEvents {
 public:
  void Add(int32_t first, int32_t last, int32_t value) {
    events_.insert({first, 0, value});
    events_.insert({last, 1, value});
  }

  // `first_of(value)` is the value whose place it shares, or itself.
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
  // Equal events are stored once.
  std::set<std::tuple<int32_t, int32_t, int32_t>> events_;
};

// Whether the instruction only passes on values of its operands.
bool PassesOn(const ProgramValues& program, int32_t instruction) {
  const OperandFlow flow = program.instructions[instruction].traits.flow;
  return flow == OperandFlow::kTuple || flow == OperandFlow::kTupleElement ||
         flow == OperandFlow::kTupleCopy ||
         program.At(instruction).opcode() == "domain";
}

using UsesOfValues = absl::flat_hash_map<int32_t, std::vector<int32_t>>;

// Returns the instructions that use each value of a fast memory, in schedule
// order within a computation, as in XLA's HloValue.
UsesOfValues FindUses(const ProgramValues& program,
                      const std::vector<bool>& is_wanted) {
  UsesOfValues uses;
  std::vector<bool> is_root(program.instructions.size());
  for (size_t c = 0; c < program.computations.size(); ++c) {
    const int32_t root = program.RootOf(c).instruction;
    if (root >= 0) is_root[root] = true;
  }
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const int32_t user = i;
    const bool passes_on = PassesOn(program, user);
    if (passes_on && !is_root[i]) continue;
    // A root that passes on a value uses the values that it holds.
    absl::flat_hash_set<int32_t> held;
    if (passes_on) {
      program.ForEachValueIn({user},
                             [&](int32_t value) { held.insert(value); });
    }
    for (const ProgramValues::Position operand : program.OperandsOf(user)) {
      program.ForEachValueIn(operand, [&](int32_t value) {
        if (is_wanted[value] && (!passes_on || held.contains(value))) {
          uses[value].push_back(user);
        }
      });
    }
  }
  return uses;
}

class FastMemoryTrace {
 public:
  FastMemoryTrace(const ProgramValues& program,
                  absl::Span<const int32_t> buffers)
      : program_(program),
        buffers_(buffers),
        uses_(FindUses(program, ValuesOf(program, buffers))) {
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

  absl::Span<const int32_t> UsesOf(int32_t value) const {
    const auto found = uses_.find(value);
    if (found == uses_.end()) return {};
    return found->second;
  }
  bool IsConditional(int32_t instruction) const {
    return program_.instructions[instruction].traits.flow ==
           OperandFlow::kConditional;
  }
  int32_t TimeOf(int32_t instruction) const {
    return program_.instructions[instruction].time;
  }

  // Returns the users of a value, including the users of the values that it is
  // a piece of. Moves `*end` to the last step of those.
  std::vector<int32_t> UsersOf(int32_t number, int32_t* end) const {
    std::vector<int32_t> users;
    absl::flat_hash_set<int32_t> seen = {number};
    std::vector<int32_t> pending = {number};
    while (!pending.empty()) {
      const int32_t value = pending.back();
      pending.pop_back();
      *end = std::max(*end, program_.values[value].end);
      for (const int32_t user : UsesOf(value)) {
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
    // Its pieces are live in its place.
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
      events_.Add(value.start, std::min(last_time, end), number);
    }
  }

  // A value that a conditional uses last is live up to the first branch, and in
  // each branch from its start to the last use in it.
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
          events_.Add(begin, last, number);
        }
      }
      events_.Add(split.first, first_branch - 1, number);
    }
  }

  int32_t LastUserIn(int32_t computation, int32_t value) const {
    int32_t last = -1;
    for (const int32_t user : UsesOf(value)) {
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
  // The computations of each conditional.
  absl::flat_hash_map<int32_t, std::vector<int32_t>> branches_;
  TraceEvents events_;
};

int64_t HeapTracePeak(const ProgramValues& program,
                      absl::Span<const int32_t> buffers) {
  TraceEvents events;
  for (const int32_t buffer : buffers) {
    for (const int32_t number : program.buffers[buffer].values) {
      events.Add(program.values[number].start, program.values[number].end,
                 number);
    }
  }
  // The first value of each buffer.
  absl::flat_hash_map<int32_t, int32_t> firsts;
  return events.PeakBytes(program, [&](int32_t value) {
    return firsts.try_emplace(program.values[value].buffer, value)
        .first->second;
  });
}

using Allocation = AssignedBuffers::Allocation;
using Kind = BufferAssignment::Kind;
using Value = ProgramValues::Value;

constexpr int64_t kHbm = 0;
constexpr int64_t kHbmAlignment = 16384;
constexpr int64_t kVmemAlignment = 4096;

constexpr int64_t kVmem = 1;
constexpr int64_t kCmem = 3;  // of v4

// Whether the compiler places arrays by the expected gain.
bool IsFastMemory(int64_t memory_space) {
  return memory_space == kVmem || memory_space == kCmem;
}
// The memories of SparseCore, whose programs run one after the other.
bool IsOfSparseCore(int64_t memory_space) { return memory_space >= 8; }

int64_t AlignmentOf(int64_t memory_space) {
  if (memory_space == kHbm) return kHbmAlignment;
  // Semaphores.
  if (memory_space == 2) return 4;
  return 512;
}

int64_t ScopedVmemBytes(HloInstruction instruction) {
  constexpr int64_t kMostBytes = int64_t{1} << 40;
  return std::min(
      VmemBytesOf(ReservedScopedMemory(instruction.attributes_text())),
      kMostBytes);
}

// The fewest bytes for arrays that begin at multiples of kVmemAlignment.
class PageBound {
 public:
  // Adds an array that is live from `first` to `last`, both included.
  void Add(int64_t bytes, int32_t first, int32_t last) {
    events_.emplace_back(first, true, bytes);
    events_.emplace_back(last + 1, false, bytes);
  }

  int64_t Find() {
    std::sort(events_.begin(), events_.end());
    int64_t live = 0;
    int64_t most = 0;
    std::multiset<int64_t> unused;
    for (const auto& [step, begins, bytes] : events_) {
      const int64_t whole = RoundUp(bytes, kVmemAlignment);
      if (begins) {
        live += whole;
        unused.insert(whole - bytes);
        most = std::max(most, live - *unused.rbegin());
      } else {
        live -= whole;
        unused.erase(unused.find(whole - bytes));
      }
    }
    return most;
  }

 private:
  std::vector<std::tuple<int32_t, bool, int64_t>> events_;
};

// In HBM, each parameter, constant, output and tuple table has its own
// allocation. All other arrays form one heap (TimeHeap), and share nothing
// with outputs and parameters. The temporaries of a memory space, one after the
// other, finally form one allocation. Their order follows from std::partition
// in xla/service/buffer_assignment.cc.
//
// In VMEM (CMEM on v4), the compiler places arrays by their gain, which the
// text does not contain. The result is the fewest bytes that hold them.
//
// The rules were found by comparison with libtpu 0.0.52.
class TpuAssigner {
 public:
  TpuAssigner(const ProgramValues& program, WorkCheck* check)
      : program_(program), check_(*check) {}

  AssignedBuffers Assign() && {
    in_heap_[kVmem];  // there may be scoped memory alone
    FindEarliest();
    for (const int32_t buffer : SortedBuffers()) {
      if (!check_.GoesOn()) return std::move(result_);
      AddFixed(buffer);
    }
    // Those of VMEM and SparseCore are placed earlier, and come first.
    std::vector<int64_t> line;
    int64_t first_temporaries = 1;
    for (const auto& [memory_space, buffers] : in_heap_) {
      first_temporaries += IsOfSparseCore(memory_space);
    }
    line.assign(first_temporaries, AssignedBuffers::kElsewhere);
    for (size_t i = 0; i < result_.allocations.size(); ++i) {
      line.push_back(
          result_.allocations[i].is_temporary() ? i : AssignedBuffers::kStays);
    }
    for (const auto& [memory_space, buffers] : in_heap_) {
      if (IsFastMemory(memory_space)) {
        BoundSpace(memory_space, buffers);
      } else if (IsOfSparseCore(memory_space)) {
        OverlaySpace(memory_space, buffers);
      } else if (memory_space != kHbm) {
        PackSpace(memory_space, buffers);
        line.push_back(AssignedBuffers::kElsewhere);
      }
    }
    const auto hbm = in_heap_.find(kHbm);
    if (hbm != in_heap_.end()) {
      line.push_back(result_.allocations.size());
      PackSpace(kHbm, hbm->second);
    }
    line.insert(line.end(), program_.thread_local_values,
                AssignedBuffers::kStays);
    // The line has numbers of allocations that may be missing.
    if (!check_.status().ok()) return std::move(result_);
    for (int64_t& i : line) {
      if (i >= 0 && result_.allocations[i].bytes == 0) {
        i = AssignedBuffers::kElsewhere;
      }
    }
    result_.CombineTemporaries(std::move(line), kHbmAlignment);
    return std::move(result_);
  }

 private:
  const ProgramValues::Buffer& Buffer(int32_t buffer) const {
    return program_.buffers[buffer];
  }
  const Value& ValueOf(int32_t value) const { return program_.values[value]; }

  // By its live range, and then by its number.
  std::tuple<int32_t, int32_t, int32_t> TimeOf(int32_t value) const {
    return {ValueOf(value).start, ValueOf(value).end, value};
  }
  void FindEarliest() {
    for (const ProgramValues::Buffer& buffer : program_.buffers) {
      earliest_.push_back(*absl::c_min_element(
          buffer.values,
          [this](int32_t a, int32_t b) { return TimeOf(a) < TimeOf(b); }));
    }
  }
  int32_t LastStep(int32_t buffer) const {
    int32_t last = 0;
    for (const int32_t value : Buffer(buffer).values) {
      last = std::max(last, ValueOf(value).end);
    }
    return last;
  }

  // Returns the buffers by their first step, decreasing size, whether they stay
  // within the program, and the earliest value.
  std::vector<int32_t> SortedBuffers() const {
    std::vector<std::tuple<int32_t, int64_t, bool, int32_t>> keys;
    std::vector<int32_t> sorted(program_.buffers.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    for (const int32_t i : sorted) {
      const bool is_parameter = HasValue(i, &Value::is_entry_parameter);
      keys.emplace_back(is_parameter ? 0 : ValueOf(earliest_[i]).start,
                        -Buffer(i).bytes, !Buffer(i).lives_out, earliest_[i]);
    }
    std::sort(sorted.begin(), sorted.end(),
              [&](int32_t a, int32_t b) { return keys[a] < keys[b]; });
    return sorted;
  }

  bool HasValue(int32_t buffer, bool Value::*property) const {
    return absl::c_any_of(Buffer(buffer).values, [&](int32_t value) {
      return ValueOf(value).*property;
    });
  }

  void AddAllocation(int32_t buffer, Kind kind, bool is_tuple = false) {
    AddTenants(buffer, 0, &result_.Add(kind, Buffer(buffer), is_tuple));
  }

  void AddTenants(int32_t buffer, int64_t offset, Allocation* allocation) {
    for (const int32_t value : Buffer(buffer).values) {
      allocation->tenants.push_back({value, offset});
    }
  }

  // Adds a buffer with its own allocation. All other buffers go into heaps.
  void AddFixed(int32_t buffer) {
    if (HasValue(buffer, &Value::is_entry_parameter)) {
      AddAllocation(buffer, Kind::kParameter);
    } else if (HasValue(buffer, &Value::is_constant)) {
      AddAllocation(buffer, Kind::kConstant);
    } else if (const bool is_tuple = HasValue(buffer, &Value::is_tuple);
               Buffer(buffer).lives_out) {
      AddAllocation(buffer, Kind::kOutput, is_tuple);
    } else if (is_tuple) {
      AddAllocation(buffer, Kind::kTemporary, is_tuple);
    } else if (Buffer(buffer).memory_space != kHbm || !AddToScratch(buffer)) {
      in_heap_[Buffer(buffer).memory_space].push_back(buffer);
    }
  }

  // The scratch memory of SparseCore is an allocation that later arrays share
  // while it is not in use. Two scratch buffers may always share it, because
  // the programs of SparseCore run one after the other.
  bool AddToScratch(int32_t buffer) {
    const bool is_scratch = HasValue(buffer, &Value::is_scratch);
    for (const int64_t number : scratches_) {
      Allocation& allocation = result_.allocations[number];
      if (Buffer(buffer).bytes == 0 ||
          Buffer(buffer).bytes > allocation.bytes ||
          (!is_scratch && Meets(buffer, allocation))) {
        continue;
      }
      AddTenants(buffer, 0, &allocation);
      return true;
    }
    if (!is_scratch) return false;
    scratches_.push_back(result_.allocations.size());
    AddAllocation(buffer, Kind::kTemporary);
    return true;
  }

  bool Meets(int32_t buffer, const Allocation& allocation) const {
    for (const int32_t value : Buffer(buffer).values) {
      check_.GoesOn(allocation.tenants.size());
      for (const AssignedBuffers::Tenant& tenant : allocation.tenants) {
        if (ValueOf(value).start <= ValueOf(tenant.value).end &&
            ValueOf(tenant.value).start <= ValueOf(value).end) {
          return true;
        }
      }
    }
    return false;
  }

  void PackSpace(int64_t memory_space, std::vector<int32_t> buffers) {
    std::sort(buffers.begin(), buffers.end(), [this](int32_t a, int32_t b) {
      return TimeOf(earliest_[a]) < TimeOf(earliest_[b]);
    });
    TimeHeap heap(AlignmentOf(memory_space));
    Allocation allocation;
    allocation.memory_space = memory_space;
    for (const int32_t buffer : buffers) {
      if (!check_.GoesOn()) return;
      const int64_t offset =
          heap.Place(Buffer(buffer).bytes, ValueOf(earliest_[buffer]).start,
                     LastStep(buffer));
      AddTenants(buffer, offset, &allocation);
    }
    allocation.bytes = heap.bytes();
    result_.temporaries[memory_space].trace_peak_bytes =
        HeapTracePeak(program_, buffers);
    AddHeap(std::move(allocation), heap.peak_bytes());
  }

  void AddHeap(Allocation allocation, int64_t peak_bytes) {
    AssignedBuffers::Heap& heap = result_.temporaries[allocation.memory_space];
    if (allocation.memory_space != kHbm) heap.bytes = allocation.bytes;
    heap.peak_bytes += peak_bytes;
    result_.allocations.push_back(std::move(allocation));
  }

  void OverlaySpace(int64_t memory_space, const std::vector<int32_t>& buffers) {
    Allocation allocation;
    allocation.memory_space = memory_space;
    for (const int32_t buffer : buffers) {
      allocation.bytes = std::max(allocation.bytes, Buffer(buffer).bytes);
      AddTenants(buffer, 0, &allocation);
    }
    const int64_t bytes = allocation.bytes;
    AddHeap(std::move(allocation), bytes);
  }

  // An array in a fast memory. Its place is not known.
  struct Unplaced {
    int64_t bytes;
    // The ranges in which its values are live. A loop's buffer is free between
    // them.
    std::vector<std::pair<int32_t, int32_t>> ranges;
    // The offset if no two arrays shared a place.
    int64_t offset = 0;
    // Whether it consists of other arrays, one after the other.
    bool is_concatenated = false;
  };

  // Computes the most memory that is needed at once. Each array takes whole
  // pages, except for the one at the end.
  void BoundSpace(int64_t memory_space, const std::vector<int32_t>& buffers) {
    std::map<int32_t, Unplaced> arrays;  // by buffer
    for (const int32_t buffer : buffers) {
      Unplaced& array = arrays[buffer];
      array.bytes = Buffer(buffer).bytes;
      for (const int32_t value : Buffer(buffer).values) {
        const auto ranges = program_.RangesOf(value);
        array.ranges.insert(array.ranges.end(), ranges.begin(), ranges.end());
      }
    }
    Concatenate(&arrays);
    PageBound bound;
    Allocation allocation;
    allocation.memory_space = memory_space;
    for (auto& [buffer, array] : arrays) {
      AddTenants(buffer, array.offset, &allocation);
      if (array.is_concatenated) continue;
      JoinRanges(0, &array.ranges);
      for (const auto& [first, last] : array.ranges) {
        bound.Add(array.bytes, first, last);
      }
    }
    if (memory_space == kVmem) AddScopedMemory(&bound);
    allocation.bytes = bound.Find();
    const int64_t bytes = allocation.bytes;
    if (bytes == 0) return;
    result_.temporaries[memory_space].trace_peak_bytes =
        FastMemoryTrace(program_, buffers).PeakBytes();
    result_.temporaries[memory_space].is_not_packed = true;
    AddHeap(std::move(allocation), bytes);
  }

  // The result of a ConcatBitcast consists of its operands, one after the
  // other. They are live as long as the result.
  void Concatenate(std::map<int32_t, Unplaced>* arrays) const {
    int64_t end = 0;
    for (auto& [buffer, array] : *arrays) {
      array.offset = end;
      end += array.bytes;
    }
    std::vector<std::pair<int32_t, int32_t>> by_start;  // latest first
    for (const auto& [buffer, array] : *arrays) {
      for (const int32_t value : Buffer(buffer).values) {
        if (IsConcatBitcast(program_.At(ValueOf(value).instruction))) {
          by_start.emplace_back(-ValueOf(value).start, value);
        }
      }
    }
    std::sort(by_start.begin(), by_start.end());
    for (const auto& [start, value] : by_start) {
      const auto whole = arrays->find(ValueOf(value).buffer);
      std::vector<Unplaced*> parts;
      int64_t bytes = 0;
      for (const ProgramValues::Position operand :
           program_.OperandsOf(ValueOf(value).instruction)) {
        const int32_t held =
            operand.exists() ? program_.ValueAt({operand.instruction}) : -1;
        const auto part =
            held < 0 ? arrays->end() : arrays->find(ValueOf(held).buffer);
        if (part == arrays->end() || part == whole) break;
        parts.push_back(&part->second);
        bytes += part->second.bytes;
      }
      if (whole == arrays->end() || bytes != whole->second.bytes) continue;
      whole->second.is_concatenated = true;
      int64_t offset = whole->second.offset;
      for (Unplaced* const part : parts) {
        part->ranges.emplace_back(part->ranges[0].first,
                                  LastStep(whole->first));
        part->offset = offset;
        offset += part->bytes;
      }
    }
  }

  // Adds the memory that instructions reserve while they run. XLA places it
  // among the arrays, and writes it, only if a kernel has its own limit.
  void AddScopedMemory(PageBound* bound) const {
    for (size_t i = 0; i < program_.instructions.size() && check_.GoesOn();
         ++i) {
      const int64_t bytes = ScopedVmemBytes(program_.At(i));
      const int32_t time = program_.instructions[i].time;
      if (bytes > 0) bound->Add(bytes, time, time);
    }
  }

  const ProgramValues& program_;
  WorkCheck& check_;
  AssignedBuffers result_;
  std::vector<int32_t> earliest_;  // by buffer: the value that begins first
  std::map<int64_t, std::vector<int32_t>> in_heap_;  // by memory space
  std::vector<int64_t> scratches_;                   // allocations
};

}  // namespace

AssignedBuffers AssignTpuBuffers(const ProgramValues& program,
                                 WorkCheck* check) {
  return TpuAssigner(program, check).Assign();
}

}  // namespace hlo_internal
}  // namespace tessera
