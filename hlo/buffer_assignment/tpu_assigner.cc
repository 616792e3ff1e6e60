#include "tessera/hlo/buffer_assignment/tpu_assigner.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/hlo/attributes/scoped_memory.h"
#include "tessera/hlo/buffer_assignment/time_heap.h"
#include "tessera/hlo/buffer_assignment/tpu_traces.h"
#include "tessera/hlo/dataflow/aliasing_operands.h"

namespace tessera {
namespace hlo_internal {
namespace {

using Allocation = AssignedBuffers::Allocation;
using Kind = AssignedBuffers::Kind;
using Value = ProgramValues::Value;

constexpr int64_t kHbm = 0;
constexpr int64_t kHbmAlignment = 16384;
constexpr int64_t kVmemAlignment = 4096;

constexpr int64_t kVmem = 1;
constexpr int64_t kCmem = 3;  // of v4

// Whether the compiler places arrays by what it gains.
bool IsFastMemory(int64_t memory_space) {
  return memory_space == kVmem || memory_space == kCmem;
}
// Those of SparseCore, whose programs run one after the other.
bool IsOfSparseCore(int64_t memory_space) { return memory_space >= 8; }

int64_t AlignmentOf(int64_t memory_space) {
  if (memory_space == kHbm) return kHbmAlignment;
  // Semaphores.
  if (memory_space == 2) return 4;
  return 512;
}

// What an instruction reserves of VMEM for itself.
int64_t ScopedVmemBytes(HloInstruction instruction) {
  constexpr int64_t kMostBytes = int64_t{1} << 40;
  int64_t bytes = 0;
  for (const ScopedMemory& reserved :
       ReservedScopedMemory(instruction.attributes_text())) {
    if (reserved.memory_space != kVmem) continue;
    bytes = std::min(bytes + std::min(reserved.bytes, kMostBytes), kMostBytes);
  }
  return bytes;
}

// The least that holds arrays that begin at multiples of kVmemAlignment.
class PageBound {
 public:
  // The array is there from `first` to `last`, both included.
  void Add(int64_t bytes, int32_t first, int32_t last) {
    events_.emplace_back(first, true, bytes);
    events_.emplace_back(last + 1, false, bytes);
  }

  // The same for an array that is there in all of these ranges.
  void AddJoined(int64_t bytes,
                 std::vector<std::pair<int32_t, int32_t>> ranges) {
    std::sort(ranges.begin(), ranges.end());
    for (size_t i = 0; i < ranges.size();) {
      auto [first, last] = ranges[i];
      for (; i < ranges.size() && ranges[i].first <= last + 1; ++i) {
        last = std::max(last, ranges[i].second);
      }
      Add(bytes, first, last);
    }
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

class TpuAssigner {
 public:
  TpuAssigner(const ProgramValues& program, WorkCheck* check)
      : program_(program), check_(*check) {}

  AssignedBuffers Assign() && {
    in_heap_[kVmem];  // there may be scoped memory alone
    SortBuffers();
    for (const Sorted& sorted : sorted_) {
      if (!check_.GoesOn()) return std::move(result_);
      AddFixed(std::get<4>(sorted));
    }
    // VMEM's and SparseCore's are placed before, and stand first.
    std::vector<int64_t> line;
    int64_t first_temporaries = 1;
    for (const auto& [memory_space, buffers] : in_heap_) {
      first_temporaries += IsOfSparseCore(memory_space);
    }
    line.assign(first_temporaries, kElsewhere);
    const size_t fixed = result_.allocations.size();
    AddReducerConstants(program_, &result_);
    for (size_t i = 0; i < fixed; ++i) {
      line.push_back(result_.allocations[i].is_temporary() ? i : kStays);
    }
    for (const auto& [memory_space, buffers] : in_heap_) {
      if (IsFastMemory(memory_space)) {
        BoundSpace(memory_space, buffers);
      } else if (IsOfSparseCore(memory_space)) {
        OverlaySpace(memory_space, buffers);
      } else if (memory_space != kHbm) {
        PackSpace(memory_space, buffers);
        line.push_back(kElsewhere);
      }
    }
    const auto hbm = in_heap_.find(kHbm);
    if (hbm != in_heap_.end()) {
      line.push_back(result_.allocations.size());
      PackSpace(kHbm, hbm->second);
    }
    line.insert(line.end(), program_.thread_local_values, kStays);
    // The line has numbers of allocations that may be missing.
    if (check_.status().ok()) LayOut(std::move(line));
    return std::move(result_);
  }

 private:
  // In the line of allocations, instead of a number: something that is no
  // temporary, and a temporary of another memory space.
  static constexpr int64_t kStays = -1;
  static constexpr int64_t kElsewhere = -2;

  // By what buffers are sorted: the first step, the falling size, whether it
  // stays within the program, the earliest value. The buffer comes last.
  using Sorted = std::tuple<int32_t, int64_t, bool, int32_t, int32_t>;

  const ProgramValues::Buffer& Buffer(int32_t buffer) const {
    return program_.buffers[buffer];
  }
  const Value& ValueOf(int32_t value) const { return program_.values[value]; }

  // The value of a buffer that begins first.
  int32_t Earliest(int32_t buffer) const {
    const std::vector<int32_t>& values = Buffer(buffer).values;
    return *std::min_element(
        values.begin(), values.end(), [this](int32_t a, int32_t b) {
          return std::make_tuple(ValueOf(a).start, ValueOf(a).end, a) <
                 std::make_tuple(ValueOf(b).start, ValueOf(b).end, b);
        });
  }
  int32_t LastStep(int32_t buffer) const {
    int32_t last = 0;
    for (const int32_t value : Buffer(buffer).values) {
      last = std::max(last, ValueOf(value).end);
    }
    return last;
  }

  void SortBuffers() {
    sorted_.reserve(program_.buffers.size());
    for (size_t i = 0; i < program_.buffers.size(); ++i) {
      const int32_t value = Earliest(i);
      const bool is_parameter = HasValue(i, &Value::is_entry_parameter);
      sorted_.emplace_back(is_parameter ? 0 : ValueOf(value).start,
                           -Buffer(i).bytes, !Buffer(i).lives_out, value, i);
    }
    std::sort(sorted_.begin(), sorted_.end());
  }

  bool HasValue(int32_t buffer, bool Value::*property) const {
    const std::vector<int32_t>& values = Buffer(buffer).values;
    return std::any_of(values.begin(), values.end(),
                       [&](int32_t value) { return ValueOf(value).*property; });
  }

  void AddAllocation(int32_t buffer, Kind kind) {
    AddTenants(buffer, 0, &result_.Add(kind, Buffer(buffer)));
  }

  void AddTenants(int32_t buffer, int64_t offset, Allocation* allocation) {
    for (const int32_t value : Buffer(buffer).values) {
      allocation->tenants.push_back({value, offset});
    }
  }

  // What has an allocation of its own; the rest goes into heaps.
  void AddFixed(int32_t buffer) {
    if (HasValue(buffer, &Value::is_entry_parameter)) {
      AddAllocation(buffer, Kind::kParameter);
    } else if (HasValue(buffer, &Value::is_constant)) {
      AddAllocation(buffer, Kind::kConstant);
    } else if (HasValue(buffer, &Value::is_tuple)) {
      AddAllocation(buffer, Kind::kTuple);
    } else if (Buffer(buffer).lives_out) {
      AddAllocation(buffer, Kind::kOutput);
    } else if (Buffer(buffer).memory_space != kHbm || !AddToScratch(buffer)) {
      in_heap_[Buffer(buffer).memory_space].push_back(buffer);
    }
  }

  // What SparseCore works in is an allocation, in which later arrays lie while
  // it is not in use. Two such may share it at all times: its programs run one
  // after the other.
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
    AddAllocation(buffer, Kind::kHeap);
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

  // In the order in which their earliest values begin and end.
  std::vector<int32_t> InOrderOfTime(std::vector<int32_t> buffers) const {
    std::vector<std::tuple<int32_t, int32_t, int32_t, int32_t>> keys;
    keys.reserve(buffers.size());
    for (const int32_t buffer : buffers) {
      const int32_t value = Earliest(buffer);
      keys.emplace_back(ValueOf(value).start, ValueOf(value).end, value,
                        buffer);
    }
    std::sort(keys.begin(), keys.end());
    for (size_t i = 0; i < keys.size(); ++i) buffers[i] = std::get<3>(keys[i]);
    return buffers;
  }

  void PackSpace(int64_t memory_space, const std::vector<int32_t>& buffers) {
    TimeHeap heap(AlignmentOf(memory_space));
    Allocation allocation = HeapIn(memory_space);
    for (const int32_t buffer : InOrderOfTime(buffers)) {
      if (!check_.GoesOn()) return;
      const int64_t offset =
          heap.Place(Buffer(buffer).bytes, ValueOf(Earliest(buffer)).start,
                     LastStep(buffer));
      AddTenants(buffer, offset, &allocation);
    }
    allocation.bytes = heap.bytes();
    result_.temporaries[memory_space].trace_peak_bytes =
        HeapTracePeak(program_, buffers);
    AddHeap(std::move(allocation), heap.peak_bytes());
  }

  static Allocation HeapIn(int64_t memory_space) {
    Allocation allocation;
    allocation.kind = Kind::kHeap;
    allocation.memory_space = memory_space;
    return allocation;
  }

  void AddHeap(Allocation allocation, int64_t peak_bytes) {
    AssignedBuffers::Heap& heap = result_.temporaries[allocation.memory_space];
    heap.bytes = allocation.bytes;
    heap.peak_bytes += peak_bytes;
    result_.allocations.push_back(std::move(allocation));
  }

  void OverlaySpace(int64_t memory_space, const std::vector<int32_t>& buffers) {
    Allocation allocation = HeapIn(memory_space);
    for (const int32_t buffer : buffers) {
      allocation.bytes = std::max(allocation.bytes, Buffer(buffer).bytes);
      AddTenants(buffer, 0, &allocation);
    }
    const int64_t bytes = allocation.bytes;
    AddHeap(std::move(allocation), bytes);
  }

  // An array of a fast memory, whose place is not known.
  struct Unplaced {
    int64_t bytes;
    // Where one of its values is there. A loop's buffer is another's between.
    std::vector<std::pair<int32_t, int32_t>> ranges;
    // Where it would lie if no array took the place of another.
    int64_t offset = 0;
    // Whether others, one behind the other, are this one.
    bool is_concatenated = false;
  };

  // The most that is needed at once, each array in whole pages but the one that
  // lies at the end.
  void BoundSpace(int64_t memory_space, const std::vector<int32_t>& buffers) {
    std::map<int32_t, Unplaced> arrays;  // by buffer
    for (const int32_t buffer : buffers) {
      Unplaced& array = arrays[buffer];
      array.bytes = Buffer(buffer).bytes;
      for (const int32_t value : Buffer(buffer).values) {
        array.ranges.emplace_back(ValueOf(value).start, ValueOf(value).end);
      }
    }
    Concatenate(&arrays);
    PageBound bound;
    Allocation allocation = HeapIn(memory_space);
    for (const auto& [buffer, array] : arrays) {
      if (!array.is_concatenated) bound.AddJoined(array.bytes, array.ranges);
      AddTenants(buffer, array.offset, &allocation);
    }
    if (memory_space == kVmem) AddScopedMemory(&bound);
    allocation.bytes = bound.Find();
    const int64_t bytes = allocation.bytes;
    if (bytes == 0) return;
    result_.temporaries[memory_space].trace_peak_bytes =
        FastMemoryTracePeak(program_, buffers);
    result_.temporaries[memory_space].is_not_packed = true;
    AddHeap(std::move(allocation), bytes);
  }

  // The result of a ConcatBitcast is its operands, one behind the other, which
  // are there as long as it is.
  void Concatenate(std::map<int32_t, Unplaced>* arrays) const {
    int64_t end = 0;
    for (auto& [buffer, array] : *arrays) {
      array.offset = end;
      end += array.bytes;
    }
    std::vector<std::pair<int32_t, int32_t>> by_start;  // of later ones first
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

  // What instructions set aside while they run. Only where a kernel has a limit
  // of its own does XLA place it among arrays, and say so.
  void AddScopedMemory(PageBound* bound) const {
    for (size_t i = 0; i < program_.instructions.size() && check_.GoesOn();
         ++i) {
      const int64_t bytes = ScopedVmemBytes(program_.At(i));
      const int32_t time = program_.instructions[i].time;
      if (bytes > 0) bound->Add(bytes, time, time);
    }
  }

  // XLA moves all temporaries behind the rest by std::partition, which is not
  // stable, and lays those of a memory space one behind the other.
  void LayOut(std::vector<int64_t> line) {
    const auto first = std::partition(line.begin(), line.end(),
                                      [](int64_t i) { return i == kStays; });
    int64_t end = 0;
    int64_t tables = 0;
    for (auto i = first; i != line.end(); ++i) {
      if (*i == kElsewhere) continue;
      Allocation& allocation = result_.allocations[*i];
      if (allocation.bytes == 0) continue;
      if (allocation.kind == Kind::kTuple) tables += allocation.bytes;
      allocation.combined_offset = RoundUp(end, kHbmAlignment);
      end = allocation.combined_offset + allocation.bytes;
    }
    if (end == 0) return;
    AssignedBuffers::Heap& heap = result_.temporaries[kHbm];
    heap.bytes = end;
    heap.peak_bytes += tables;
  }

  const ProgramValues& program_;
  WorkCheck& check_;
  AssignedBuffers result_;
  std::vector<Sorted> sorted_;
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
