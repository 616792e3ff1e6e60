// Computes the allocations that XLA makes for the values of a program, and the
// place of each value in them.
//
// The rules are those of xla/service/buffer_assignment.cc. Buffers are placed
// by decreasing size. Each goes into an allocation without conflicting tenants,
// or gets its own. The remaining temporaries are packed into one heap per
// memory space. TPU's compiler has other rules (tpu_assigner.cc).

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_BUFFER_ASSIGNER_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_BUFFER_ASSIGNER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "tessera/hlo/dataflow/fused_graph.h"
#include "tessera/hlo/dataflow/program_values.h"
#include "tessera/hlo/dataflow/work_check.h"

namespace tessera {
namespace hlo_internal {

// Without the constants of reducers, each of which has its own allocation, in
// the place of thread-local memory in XLA's order.
struct AssignedBuffers {
  enum class Kind { kParameter, kConstant, kOutput, kTuple, kHeap };

  struct Tenant {
    int32_t value = 0;  // in ProgramValues::values
    int64_t offset = 0;
  };

  struct Allocation {
    // Whether it belongs to the temporaries of its memory space. A tuple table
    // in the result is an output.
    bool is_temporary() const {
      return kind == Kind::kHeap || (kind == Kind::kTuple && !lives_out);
    }

    Kind kind = Kind::kOutput;
    int64_t bytes = 0;
    int64_t memory_space = 0;
    bool lives_out = false;
    std::vector<Tenant> tenants;
    // For temporaries: the offset in the one allocation that combines all
    // temporaries of the memory space.
    int64_t combined_offset = 0;
  };

  struct Heap {
    // The bytes of the heap's allocation, including tuple tables.
    int64_t bytes = 0;
    // The most bytes in use at once: the bytes without fragmentation.
    int64_t peak_bytes = 0;
    // The most bytes that XLA counts as live at once in its trace of the heap
    // (trace_peak.h), without tuple tables.
    int64_t trace_peak_bytes = 0;
    // Whether the places are unknown, or took too much work to find. Then
    // `bytes` is `peak_bytes`, and offsets only show which values share a
    // place.
    bool is_not_packed = false;
  };

  // Adds an allocation for a buffer, without tenants.
  Allocation& Add(Kind kind, const ProgramValues::Buffer& buffer) {
    allocations.push_back(
        {kind, buffer.bytes, buffer.memory_space, buffer.lives_out, {}});
    return allocations.back();
  }

  std::vector<Allocation> allocations;
  // The heaps of temporaries, by memory space.
  std::map<int64_t, Heap> temporaries;
};

// Decides whether an instruction may write its result over an operand that is
// not used later. The rules are those of
// HloDataflowAnalysis::CanShareOperandBufferWithUser
// (xla/hlo/analysis/hlo_dataflow_analysis.cc) and of
// xla/service/gpu/alias_info.cc. On TPU, buffers share memory only if
// ProgramValues joins them.
class BufferSharing {
 public:
  // kGeneral is for backends without rules of their own: CPU.
  enum class Rules { kGeneral, kGpu };
  using Position = ProgramValues::Position;

  // `program` must outlive this.
  BufferSharing(const ProgramValues* program, Rules rules)
      : program_(*program), rules_(rules) {}

  // Whether the part `to` of a result may overwrite `from`, a part of the
  // result of one of its operands.
  bool MayOverwrite(Position from, Position to);

 private:
  bool FusionMayOverwrite(Position from, Position to);
  bool OtherMayOverwrite(Position from, Position to);
  const FusedGraph* GraphOf(int32_t fusion);

  const ProgramValues& program_;
  const Rules rules_;
  // The number of fused instructions that may still be visited. Real programs
  // stay far below this limit.
  int64_t work_left_ = int64_t{1} << 27;
  // By fusion instruction.
  absl::flat_hash_map<int32_t, std::unique_ptr<FusedGraph>> graphs_;
  // By instruction; empty until they are needed.
  std::vector<int32_t> use_counts_;
};

struct AssignmentRules {
  BufferSharing::Rules sharing = BufferSharing::Rules::kGeneral;
  // The alignment of temporaries, in bytes.
  int64_t alignment = 64;
  // The limit on the work, in compared pairs of values.
  int64_t pair_limit = int64_t{1} << 26;
};

// Computes the allocations. Some are missing if `check` ends the work.
// Precondition: the sum of all sizes is less than 2^62.
AssignedBuffers AssignBuffers(const ProgramValues& program,
                              const AssignmentRules& rules, WorkCheck* check);

// Computes the allocations that XLA's TPU compiler makes. Some are missing if
// `check` ends the work. Precondition: the sum of all sizes is less than 2^61.
AssignedBuffers AssignTpuBuffers(const ProgramValues& program,
                                 WorkCheck* check);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_BUFFER_ASSIGNER_H_
