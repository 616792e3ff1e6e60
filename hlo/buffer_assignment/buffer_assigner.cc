#include "tessera/hlo/buffer_assignment/buffer_assigner.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/buffer_assignment/heap_packing.h"
#include "tessera/hlo/buffer_assignment/trace_peak.h"

namespace tessera {
namespace hlo_internal {
namespace {

using Allocation = AssignedBuffers::Allocation;
using Kind = BufferAssignment::Kind;
using Value = ProgramValues::Value;

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
    // Hosts have their own places.
    if (host >= 0 && blocks_[host].host >= 0) host = blocks_[host].host;
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
  // Numbered by their values.
  std::vector<HeapBlock> blocks_;
  std::vector<int64_t> block_of_;  // by value; -1 for none
  TracePeak trace_;
  int64_t now_ = 0;
};

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
    std::vector<int64_t> line;
    for (size_t i = 0; i < result_.allocations.size(); ++i) {
      line.push_back(
          result_.allocations[i].is_temporary() ? i : AssignedBuffers::kStays);
    }
    // XLA's order depends on the thread-local allocations at the end.
    line.insert(line.end(), program_.thread_local_values,
                AssignedBuffers::kStays);
    result_.CombineTemporaries(std::move(line), rules_.alignment);
    return std::move(result_);
  }

 private:
  // By which buffers are sorted. The buffer is last.
  using Position = std::pair<int64_t, int32_t>;
  using Key = std::tuple<int64_t, bool, Position, int32_t>;

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

  int64_t NewAllocation(int32_t buffer, Kind kind, bool is_tuple = false) {
    result_.Add(kind, program_.buffers[buffer], is_tuple);
    tenants_by_start_.emplace_back();
    is_writable_.push_back(kind == Kind::kOutput && !is_tuple);
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
    if (!is_tuple) return false;
    NewAllocation(
        buffer,
        program_.buffers[buffer].lives_out ? Kind::kOutput : Kind::kTemporary,
        /*is_tuple=*/true);
    return true;
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
    heap.trace_peak_bytes = events.trace_peak_bytes();
    const HeapPacking packing =
        hlo_internal::PackHeap(blocks, rules_.alignment, rules_.pair_limit,
                               &check_, &heap.is_not_packed);
    heap.peak_bytes += packing.peak_bytes;
    Allocation allocation;
    allocation.bytes = heap.is_not_packed ? packing.peak_bytes : packing.bytes;
    allocation.memory_space = memory_space;
    for (size_t i = 0; i < blocks.size(); ++i) {
      allocation.tenants.push_back(
          {static_cast<int32_t>(blocks[i].number), packing.offsets[i]});
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

// Whether an attribute of the first instructions contains one of these texts.
bool AttributesContain(HloModule module, int64_t most_instructions,
                       std::initializer_list<std::string_view> texts) {
  for (const HloComputation computation : module.computations()) {
    for (const HloInstruction instruction : computation.instructions()) {
      if (most_instructions-- == 0) return false;
      const std::string_view attributes = instruction.attributes_text();
      for (const std::string_view text : texts) {
        if (StrContains(attributes, text)) return true;
      }
    }
  }
  return false;
}

// Whether the module is from a version of XLA that aligns temporaries to 256
// bytes. Such versions write "device_type" into the backend configs of the
// instructions that call fusions, and the scheduler's name of an instruction
// into its metadata.
bool HasWideAlignment(HloModule module) {
  return AttributesContain(module, /*most_instructions=*/5000,
                           {"\"device_type\":", "scheduling_name="});
}

}  // namespace

AssignerOptions AssignerOptionsOf(HloTarget target, TpuGeneration generation,
                                  HloModule module) {
  AssignerOptions options;
  if (target == HloTarget::kGpu) {
    options.buffers.sharing = BufferSharing::Rules::kGpu;
    // kXlaAllocatedBufferAlignBytes, in such versions and in older ones.
    options.buffers.alignment = HasWideAlignment(module) ? 256 : 128;
  }
  if (target == HloTarget::kTpu) {
    options.values.is_tpu = true;
    options.values.is_in_place_by_opcode =
        !AttributesContain(module, std::numeric_limits<int64_t>::max(),
                           {"\"aliasing_operands\":"});
    options.values.pointer_bytes = 4;
    options.values.table_alignment = TpuMemoryOf(generation).table_alignment;
    options.values.untiled_elements = 1024;
  }
  return options;
}

void AssignedBuffers::CombineTemporaries(std::vector<int64_t> line,
                                         int64_t alignment) {
  const auto first = std::partition(line.begin(), line.end(),
                                    [](int64_t i) { return i == kStays; });
  for (auto i = first; i != line.end(); ++i) {
    if (*i == kElsewhere) continue;
    Allocation& allocation = allocations[*i];
    Heap& heap = temporaries[allocation.memory_space];
    if (allocation.is_tuple) heap.peak_bytes += allocation.bytes;
    allocation.combined_offset = RoundUp(heap.bytes, alignment);
    heap.bytes = allocation.combined_offset + allocation.bytes;
  }
}

AssignedBuffers AssignBuffers(const ProgramValues& program,
                              const AssignmentRules& rules, WorkCheck* check) {
  return BufferAssigner(program, rules, check).Assign();
}

}  // namespace hlo_internal
}  // namespace tessera
