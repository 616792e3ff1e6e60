// Computes the allocations that XLA makes for the values of a program, and the
// place of each value in them; and converts them to the model of XLA's own
// assignment.
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
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/dataflow/aliasing_operands.h"
#include "tessera/hlo/dataflow/program_values.h"
#include "tessera/hlo/dataflow/work_check.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/tpu_generation.h"

namespace tessera {
namespace hlo_internal {

// Without the constants of reducers, each of which has its own allocation, in
// the place of thread-local memory in XLA's order.
struct AssignedBuffers {
  using Kind = BufferAssignment::Kind;

  struct Tenant {
    int32_t value = 0;  // in ProgramValues::values
    int64_t offset = 0;
  };

  struct Allocation {
    bool is_temporary() const { return kind == Kind::kTemporary; }

    Kind kind = Kind::kTemporary;
    int64_t bytes = 0;
    int64_t memory_space = 0;
    bool lives_out = false;
    // Whether it holds the table of a tuple. Tables in the result are outputs.
    bool is_tuple = false;
    std::vector<Tenant> tenants = {};
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
  Allocation& Add(Kind kind, const ProgramValues::Buffer& buffer,
                  bool is_tuple = false) {
    allocations.push_back(
        {kind, buffer.bytes, buffer.memory_space, buffer.lives_out, is_tuple});
    return allocations.back();
  }

  // Entries in a line of allocations instead of a number: anything that is not
  // a temporary, and a temporary that is alone in its memory space.
  static constexpr int64_t kStays = -1;
  static constexpr int64_t kElsewhere = -2;

  // Places the temporaries of each memory space one after the other. `line` has
  // all allocations as XLA orders them. XLA moves all temporaries after the
  // rest with std::partition, which is not stable.
  void CombineTemporaries(std::vector<int64_t> line, int64_t alignment);

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

// The rules by which a backend of XLA assigns the buffers of a module.
struct AssignerOptions {
  ValueRules values;
  AssignmentRules buffers;  // not used on TPU
};

// `generation` is used only on TPU.
AssignerOptions AssignerOptionsOf(HloTarget target, TpuGeneration generation,
                                  HloModule module);

// Computes the allocations. Some are missing if `check` ends the work.
// Precondition: the sum of all sizes is less than 2^62.
AssignedBuffers AssignBuffers(const ProgramValues& program,
                              const AssignmentRules& rules, WorkCheck* check);

// Computes the allocations that XLA's TPU compiler makes. Some are missing if
// `check` ends the work. Precondition: the sum of all sizes is less than 2^61.
AssignedBuffers AssignTpuBuffers(const ProgramValues& program,
                                 WorkCheck* check);

// An assignment whose steps are those of a program.
struct AlignedAssignment {
  BufferAssignment assignment;
  // For each value of `assignment`, the program's value, or -1 if there is
  // none.
  std::vector<int32_t> program_values;
};

// Returns the allocations. Their values are those of the program, in its order,
// then the constants of reducers, which do not have a live range, and the later
// parts of live ranges with idle branches. All temporaries of a memory space
// are one allocation, as they finally are in XLA. Positions and uses are left
// out.
AlignedAssignment ToBufferAssignment(const ProgramValues& program,
                                     const AssignedBuffers& buffers);

// Returns XLA's assignment on the steps of the program. Live ranges that XLA
// wrote for the same steps are kept. The others are those of the program.
AlignedAssignment AlignAssignment(const BufferAssignment& by_xla,
                                  const ProgramValues& program);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_BUFFER_ASSIGNER_H_
