// Computes the allocations that XLA makes for the values of a program, and the
// place of each value in them.
//
// The steps of xla/service/buffer_assignment.cc: buffers by falling size; each
// goes into an allocation whose other tenants it never meets, or gets one of
// its own; temporaries that found no place are packed into one heap for each
// memory space. TPU's compiler goes another way (tpu_assigner.cc).

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

struct AssignedBuffers {
  enum class Kind { kParameter, kConstant, kOutput, kTuple, kHeap };

  struct Tenant {
    int32_t value = 0;  // in ProgramValues::values
    int64_t offset = 0;
  };

  struct Allocation {
    // Whether it is a part of its memory space's temporaries. A table of the
    // result is an output.
    bool is_temporary() const {
      return kind == Kind::kHeap || (kind == Kind::kTuple && !lives_out);
    }

    Kind kind = Kind::kOutput;
    int64_t bytes = 0;
    int64_t memory_space = 0;
    bool lives_out = false;
    std::vector<Tenant> tenants;
    // In ProgramValues::constants_of_reducers: what lies here instead; -1 for
    // nothing.
    int32_t reducer_constant = -1;
    // Of temporaries: where this begins in the one allocation that all those of
    // a memory space make up.
    int64_t combined_offset = 0;
  };

  struct Heap {
    // The heap's allocation, tables of tuples included.
    int64_t bytes = 0;
    // The most that is there at once: the same without fragmentation.
    int64_t peak_bytes = 0;
    // The most that XLA counts as live at once in its trace of the heap
    // (trace_peak.h), without the tables of tuples.
    int64_t trace_peak_bytes = 0;
    // Whether the places are not known, or took too much work to find: `bytes`
    // is then `peak_bytes`, and offsets only tell which values share a place.
    bool is_not_packed = false;
  };

  // Adds an allocation for a buffer, without tenants.
  Allocation& Add(Kind kind, const ProgramValues::Buffer& buffer) {
    allocations.push_back(
        {kind, buffer.bytes, buffer.memory_space, buffer.lives_out, {}});
    return allocations.back();
  }

  std::vector<Allocation> allocations;
  // Temporaries, by memory space.
  std::map<int64_t, Heap> temporaries;
};

// Decides whether an instruction may write its result over an operand that is
// not used later. The rules are those of
// HloDataflowAnalysis::CanShareOperandBufferWithUser
// (xla/hlo/analysis/hlo_dataflow_analysis.cc) and of
// xla/service/gpu/alias_info.cc. On TPU nothing shares but what ProgramValues
// joins.
class BufferSharing {
 public:
  // kGeneral holds for the backends that have no rules of their own: CPU.
  enum class Rules { kGeneral, kGpu };

  // `program` must outlive this.
  BufferSharing(const ProgramValues* program, Rules rules)
      : program_(*program), rules_(rules) {}

  // Whether part `user_part` of the result of `user` may lie where part
  // `operand_part` of the result of its operand `operand` lies.
  bool MayOverwrite(int32_t operand, int32_t operand_part, int32_t user,
                    int32_t user_part);

 private:
  bool FusionMayOverwrite(int32_t operand, int32_t operand_part, int32_t user,
                          int32_t user_part);
  bool OtherMayOverwrite(int32_t operand, int32_t operand_part, int32_t user,
                         int32_t user_part);
  const FusedGraph* GraphOf(int32_t fusion);
  // How many operands, of whatever instructions, are this one.
  int32_t UseCount(int32_t instruction);

  const ProgramValues& program_;
  const Rules rules_;
  // How many more instructions of fusions may be looked at: real programs are
  // far from it.
  int64_t work_left_ = int64_t{1} << 27;
  // By the instruction of the fusion.
  absl::flat_hash_map<int32_t, std::unique_ptr<FusedGraph>> graphs_;
  // By instruction; empty until the first question.
  std::vector<int32_t> use_counts_;
};

class BufferAssigner {
 public:
  struct Options {
    BufferSharing::Rules rules = BufferSharing::Rules::kGeneral;
    // Of temporaries, in bytes.
    int64_t alignment = 64;
    // The most work, in pairs of values that are compared.
    int64_t pair_limit = int64_t{1} << 26;
  };

  // `program` and `check` must outlive this.
  // Precondition: the sum of all sizes is less than 2^62.
  BufferAssigner(const ProgramValues* program, const Options& options,
                 WorkCheck* check)
      : program_(*program),
        options_(options),
        check_(*check),
        sharing_(program, options.rules) {}

  // Returns the allocations, which lack some if `check` ends.
  AssignedBuffers Assign() &&;

 private:
  std::vector<int32_t> SortedBuffers() const;
  void Place(int32_t buffer);
  bool HasOwnAllocation(int32_t buffer);
  // Whether it has found a place in an allocation that was there before.
  bool IsHosted(int32_t buffer);
  bool FitsInto(int32_t buffer, int64_t allocation);
  bool Meet(int32_t a, int32_t b);
  int64_t NewAllocation(int32_t buffer, AssignedBuffers::Kind kind);
  void AddTenants(int32_t buffer, int64_t allocation);
  void PackHeaps();
  void CombineTemporaries();
  void PackHeap(int64_t memory_space, const std::vector<int32_t>& values);

  const ProgramValues& program_;
  const Options options_;
  WorkCheck& check_;
  BufferSharing sharing_;
  AssignedBuffers result_;
  // The values of an allocation by the time when they begin.
  std::vector<std::multimap<int32_t, int32_t>> tenants_by_start_;
  std::vector<int64_t> reusable_;       // allocations, the largest first
  std::vector<bool> is_writable_;       // by allocation
  std::vector<int64_t> allocation_of_;  // by buffer; -1 for none
  std::vector<int32_t> in_heap_;        // buffers
  int64_t pairs_left_ = 0;
};

// Computes the allocations that XLA's TPU compiler makes. Returns some of them
// if `check` ends. Precondition: the sum of all sizes is less than 2^61.
AssignedBuffers AssignTpuBuffers(const ProgramValues& program,
                                 WorkCheck* check);

// Gives an allocation to each constant of a reducer. Its place in XLA's line of
// allocations is that of what is thread-local.
void AddReducerConstants(const ProgramValues& program,
                         AssignedBuffers* assigned);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_BUFFER_ASSIGNER_H_
