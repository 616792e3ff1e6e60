#include "tessera/hlo/buffer_assignment/buffer_assigner.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/hlo/buffer_assignment/heap_packing.h"
#include "tessera/hlo/buffer_assignment/trace_peak.h"

namespace tessera {
namespace hlo_internal {
namespace {

using Allocation = AssignedBuffers::Allocation;
using Kind = AssignedBuffers::Kind;
using Value = ProgramValues::Value;

// The block whose place block `i` shares, or `i` itself.
int64_t HostOf(absl::Span<const HeapBlock> blocks, int64_t i) {
  return blocks[i].host < 0 ? i : blocks[i].host;
}

// The events in the heap, one after the other. The number of an event is its
// time in the packing.
class HeapEvents {
 public:
  HeapEvents(const ProgramValues& program, const std::vector<int32_t>& values)
      : program_(program), block_of_(program.values.size(), -1) {
    for (const int32_t value : values) {
      const Value& v = program.values[value];
      // Events at the same time are sorted by the other end.
      events_.push_back({v.start, false, v.end, value});
      events_.push_back({v.end, true, v.start, value});
    }
    std::sort(events_.begin(), events_.end());
  }

  // Stops if `check` ends the work.
  void Replay(BufferSharing* sharing, WorkCheck* check) {
    std::vector<int64_t> first_block(program_.buffers.size(), -1);
    for (const auto& [time, is_end, other_end, value] : events_) {
      if (!check->GoesOn()) return;
      if (is_end) {
        if (blocks_[block_of_[value]].last < 0) Free(value);
        continue;
      }
      const int32_t buffer = program_.values[value].buffer;
      if (first_block[buffer] >= 0) {
        Allocate(value, first_block[buffer]);
        continue;
      }
      const int32_t operand = OperandToOverwrite(value, time, sharing);
      if (operand >= 0) {
        Free(operand);
        Allocate(value, block_of_[operand]);
      } else {
        Allocate(value, -1);
      }
      first_block[buffer] = block_of_[value];
    }
  }

  const std::vector<HeapBlock>& blocks() const { return blocks_; }
  int64_t trace_peak_bytes() const { return trace_.peak_bytes(); }

 private:
  void Allocate(int32_t value, int64_t host) {
    if (host >= 0) host = HostOf(blocks_, host);
    const int64_t block = blocks_.size();
    const int64_t bytes = program_.values[value].bytes;
    block_of_[value] = block;
    blocks_.push_back({bytes, now_++, -1, host, value});
    if (host < 0) {
      trace_.Allocate(block, bytes);
    } else {
      trace_.Share(block, host, bytes);
    }
  }
  void Free(int32_t value) {
    blocks_[block_of_[value]].last = now_++;
    trace_.Free(block_of_[value]);
  }

  int32_t OperandToOverwrite(int32_t value, int32_t time,
                             BufferSharing* sharing) const {
    const Value& user = program_.values[value];
    if (program_.buffers[user.buffer].values.size() != 1 ||
        program_.At(user.instruction).opcode() == "copy") {
      return -1;
    }
    const absl::Span<const ProgramValues::Position> operands =
        program_.OperandsOf(user.instruction);
    for (const ProgramValues::Position operand : operands) {
      if (!operand.exists()) continue;
      const int32_t held = program_.ValueAt({operand.instruction});
      if (held < 0 || block_of_[held] < 0) continue;
      const Value& given = program_.values[held];
      if (program_.buffers[given.buffer].values.size() != 1 ||
          given.end != time || blocks_[block_of_[held]].last >= 0) {
        continue;
      }
      if (absl::c_linear_search(operands, given.instruction) &&
          sharing->MayOverwrite({given.instruction, given.part},
                                {user.instruction, user.part})) {
        return held;
      }
    }
    return -1;
  }

  const ProgramValues& program_;
  std::vector<std::tuple<int32_t, bool, int32_t, int32_t>> events_;
  // Numbered by their values. Hosts have their own places.
  std::vector<HeapBlock> blocks_;
  std::vector<int64_t> block_of_;  // by value; -1 for none
  TracePeak trace_;
  int64_t now_ = 0;
};

// Returns for each host the size of the largest block in its place.
std::vector<int64_t> GroupBytes(absl::Span<const HeapBlock> blocks) {
  std::vector<int64_t> bytes(blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    int64_t& group = bytes[HostOf(blocks, i)];
    group = std::max(group, blocks[i].bytes);
  }
  return bytes;
}

// Returns offsets that only show which blocks share a place.
std::vector<int64_t> OwnPlaces(absl::Span<const HeapBlock> blocks) {
  const std::vector<int64_t> bytes = GroupBytes(blocks);
  std::vector<int64_t> offsets(blocks.size());
  int64_t end = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    offsets[i] = end;
    end += bytes[i];
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    offsets[i] = offsets[HostOf(blocks, i)];
  }
  return offsets;
}

// Returns the most bytes that blocks with their own places take at once. A
// block in the place of another takes none, but keeps that place in use.
int64_t PeakBytes(absl::Span<const HeapBlock> blocks) {
  // A group takes the size of its largest block while any of them is live.
  const std::vector<int64_t> bytes = GroupBytes(blocks);
  std::vector<std::tuple<int64_t, int64_t, int64_t>> events;
  for (size_t i = 0; i < blocks.size(); ++i) {
    events.emplace_back(blocks[i].first, 1, HostOf(blocks, i));
    events.emplace_back(blocks[i].last + 1, -1, HostOf(blocks, i));
  }
  std::sort(events.begin(), events.end());
  std::vector<int64_t> present(blocks.size());
  int64_t live = 0;
  int64_t peak = 0;
  for (size_t i = 0; i < events.size(); ++i) {
    const auto [time, change, group] = events[i];
    const bool was_there = present[group] > 0;
    present[group] += change;
    live += (present[group] > 0) * bytes[group] - was_there * bytes[group];
    if (i + 1 == events.size() || std::get<0>(events[i + 1]) != time) {
      peak = std::max(peak, live);
    }
  }
  return peak;
}

class BufferAssigner {
 public:
  BufferAssigner(const ProgramValues& program, const AssignmentRules& rules,
                 WorkCheck* check)
      : program_(program),
        rules_(rules),
        check_(*check),
        sharing_(&program, rules.sharing),
        allocation_of_(program.buffers.size(), -1),
        pairs_left_(rules.pair_limit) {}

  AssignedBuffers Assign() && {
    for (const Key& key : SortedBuffers()) {
      if (!check_.GoesOn()) return std::move(result_);
      Place(std::get<3>(key));
    }
    for (auto& [memory_space, values] : in_heap_) {
      std::sort(values.begin(), values.end());
      PackHeap(memory_space, values);
    }
    CombineTemporaries();
    return std::move(result_);
  }

 private:
  // By which buffers are sorted. The buffer is last.
  using Position = std::pair<int64_t, int32_t>;
  using Key = std::tuple<int64_t, bool, Position, int32_t>;

  // Each memory space has one allocation for its heap and the tables of tuples.
  void CombineTemporaries() {
    // XLA moves all temporaries after everything else with std::partition, and
    // so reorders them: the swaps depend on the number of thread-local
    // allocations at the end.
    constexpr int64_t kOther = -1;
    std::vector<int64_t> order;
    for (size_t i = 0; i < result_.allocations.size(); ++i) {
      order.push_back(result_.allocations[i].is_temporary() ? i : kOther);
    }
    order.insert(order.end(), program_.thread_local_values, kOther);
    const auto first = std::partition(order.begin(), order.end(),
                                      [](int64_t i) { return i == kOther; });
    for (auto i = first; i != order.end(); ++i) {
      Allocation& allocation = result_.allocations[*i];
      AssignedBuffers::Heap& heap =
          result_.temporaries[allocation.memory_space];
      if (allocation.kind == Kind::kTuple) heap.peak_bytes += allocation.bytes;
      allocation.combined_offset = RoundUp(heap.bytes, rules_.alignment);
      heap.bytes = allocation.combined_offset + allocation.bytes;
    }
  }

  // Returns the largest first. Equal ones are sorted: first those that live
  // out, then by post order, with callers before the computations that they
  // call.
  std::vector<Key> SortedBuffers() const {
    std::vector<Key> keys;
    keys.reserve(program_.buffers.size());
    for (size_t i = 0; i < program_.buffers.size(); ++i) {
      const ProgramValues::Buffer& buffer = program_.buffers[i];
      Position first(std::numeric_limits<int64_t>::max(), 0);
      for (const int32_t value : buffer.values) {
        const ProgramValues::Instruction& defined =
            program_.instructions[program_.values[value].instruction];
        const ProgramValues::Computation& in =
            program_.computations[defined.computation];
        first = std::min(first,
                         Position(-in.computation.index(), defined.post_order));
      }
      const int32_t number = i;
      keys.emplace_back(-buffer.bytes, !buffer.lives_out, first, number);
    }
    std::sort(keys.begin(), keys.end());
    return keys;
  }

  int64_t NewAllocation(int32_t buffer, Kind kind) {
    result_.Add(kind, program_.buffers[buffer]);
    tenants_by_start_.emplace_back();
    is_writable_.push_back(kind == Kind::kOutput);
    const int64_t number = result_.allocations.size() - 1;
    AddTenants(buffer, number);
    return number;
  }

  void AddTenants(int32_t buffer, int64_t allocation) {
    allocation_of_[buffer] = allocation;
    result_.allocations[allocation].lives_out |=
        program_.buffers[buffer].lives_out;
    for (const int32_t value : program_.buffers[buffer].values) {
      result_.allocations[allocation].tenants.push_back({value, 0});
      tenants_by_start_[allocation].emplace(program_.values[value].start,
                                            value);
    }
  }

  // Constants, entry parameters and tables of tuples.
  bool HasOwnAllocation(int32_t buffer) {
    bool is_tuple = false;
    for (const int32_t number : program_.buffers[buffer].values) {
      const Value& value = program_.values[number];
      if (value.is_constant) {
        NewAllocation(buffer, Kind::kConstant);
        return true;
      }
      if (value.is_entry_parameter) {
        const int64_t allocation = NewAllocation(buffer, Kind::kParameter);
        // A parameter that is read until the end is not reused.
        if (value.end < program_.end_time ||
            program_.buffers[buffer].values.size() > 1) {
          is_writable_[allocation] = !value.is_tuple;
          reusable_.push_back(allocation);
        }
        return true;
      }
      is_tuple |= value.is_tuple;
    }
    if (is_tuple) NewAllocation(buffer, Kind::kTuple);
    return is_tuple;
  }

  void Place(int32_t buffer) {
    if (HasOwnAllocation(buffer) || IsHosted(buffer)) return;
    if (!program_.buffers[buffer].lives_out) {
      const ProgramValues::Buffer& placed = program_.buffers[buffer];
      std::vector<int32_t>& heap = in_heap_[placed.memory_space];
      heap.insert(heap.end(), placed.values.begin(), placed.values.end());
      return;
    }
    reusable_.push_back(NewAllocation(buffer, Kind::kOutput));
  }

  bool IsHosted(int32_t buffer) {
    for (const int32_t value : program_.buffers[buffer].values) {
      for (const ProgramValues::Position operand :
           program_.OperandsOf(program_.values[value].instruction)) {
        if (!operand.exists()) continue;
        const int32_t held = program_.ValueAt({operand.instruction});
        if (held < 0) continue;
        const int64_t allocation = allocation_of_[program_.values[held].buffer];
        if (allocation >= 0 && FitsInto(buffer, allocation)) {
          AddTenants(buffer, allocation);
          return true;
        }
      }
    }
    for (auto i = reusable_.rbegin();
         i != reusable_.rend() && pairs_left_ >= 0 && check_.GoesOn(); ++i) {
      if (FitsInto(buffer, *i)) {
        AddTenants(buffer, *i);
        return true;
      }
    }
    return false;
  }

  bool FitsInto(int32_t buffer, int64_t number) {
    const ProgramValues::Buffer& placed = program_.buffers[buffer];
    const Allocation& allocation = result_.allocations[number];
    --pairs_left_;
    if (!is_writable_[number] || pairs_left_ < 0 ||
        placed.bytes > allocation.bytes ||
        placed.memory_space != allocation.memory_space ||
        (placed.lives_out && placed.bytes != allocation.bytes)) {
      return false;
    }
    const std::multimap<int32_t, int32_t>& tenants = tenants_by_start_[number];
    for (const int32_t value : placed.values) {
      const Value& guest = program_.values[value];
      // Tenants begin and end in the same order.
      auto tenant = tenants.upper_bound(guest.end);
      while (tenant != tenants.begin()) {
        --tenant;
        --pairs_left_;
        check_.GoesOn();
        if (program_.values[tenant->second].end < guest.start) break;
        if (Meet(value, tenant->second)) return false;
      }
    }
    return true;
  }

  bool Meet(int32_t a, int32_t b) {
    const Value* first = &program_.values[a];
    const Value* second = &program_.values[b];
    if (second->start < first->start) std::swap(first, second);
    if (first->end < second->start) return false;
    if (second->start == first->start && second->end < first->end) {
      std::swap(first, second);
    }
    if (first->end != second->start) return true;
    // One ends at the step at which the other begins.
    const absl::Span<const ProgramValues::Position> operands =
        program_.OperandsOf(second->instruction);
    const ProgramValues::Position given = first->end_position;
    return !absl::c_linear_search(operands, given.instruction) ||
           program_.At(second->instruction).opcode() == "copy" ||
           !sharing_.MayOverwrite(given, {second->instruction, second->part});
  }

  void PackHeap(int64_t memory_space, const std::vector<int32_t>& values) {
    HeapEvents events(program_, values);
    events.Replay(&sharing_, &check_);
    if (!check_.status().ok()) return;
    const std::vector<HeapBlock>& blocks = events.blocks();
    AssignedBuffers::Heap& heap = result_.temporaries[memory_space];
    const int64_t peak = PeakBytes(blocks);
    heap.peak_bytes += peak;
    heap.trace_peak_bytes = events.trace_peak_bytes();
    const HeapPacking packing =
        hlo_internal::PackHeap(blocks, rules_.alignment, rules_.pair_limit,
                               &check_, &heap.is_not_packed);
    Allocation allocation;
    allocation.kind = Kind::kHeap;
    allocation.bytes = heap.is_not_packed ? peak : packing.bytes;
    allocation.memory_space = memory_space;
    const std::vector<int64_t> offsets =
        heap.is_not_packed ? OwnPlaces(blocks) : packing.offsets;
    for (size_t i = 0; i < blocks.size(); ++i) {
      allocation.tenants.push_back(
          {static_cast<int32_t>(blocks[i].number), offsets[i]});
    }
    result_.allocations.push_back(std::move(allocation));
  }

  const ProgramValues& program_;
  const AssignmentRules rules_;
  WorkCheck& check_;
  BufferSharing sharing_;
  AssignedBuffers result_;
  // For each allocation, its values by the time at which they begin.
  std::vector<std::multimap<int32_t, int32_t>> tenants_by_start_;
  std::vector<int64_t> reusable_;       // allocations, the largest first
  std::vector<bool> is_writable_;       // by allocation
  std::vector<int64_t> allocation_of_;  // by buffer; -1 for none
  std::map<int64_t, std::vector<int32_t>> in_heap_;  // values by memory space
  int64_t pairs_left_;
};

}  // namespace

AssignedBuffers AssignBuffers(const ProgramValues& program,
                              const AssignmentRules& rules, WorkCheck* check) {
  return BufferAssigner(program, rules, check).Assign();
}

}  // namespace hlo_internal
}  // namespace tessera
