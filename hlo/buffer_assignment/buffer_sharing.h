// File: hlo/buffer_assignment/buffer_sharing.h
//
// Decides whether an instruction may write its result over an operand that is
// not used later.
//
//   BufferSharing sharing(&program, BufferSharing::Rules::kGpu);
//   sharing.MayOverwrite(operand, 0, user, 0);
//
// The rules are those of HloDataflowAnalysis::CanShareOperandBufferWithUser
// (xla/hlo/analysis/hlo_dataflow_analysis.cc) and of
// xla/service/gpu/alias_info.cc. On TPU nothing shares but what ProgramValues
// joins.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_BUFFER_SHARING_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_BUFFER_SHARING_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "tessera/hlo/dataflow/fused_graph.h"
#include "tessera/hlo/dataflow/program_values.h"

namespace tessera {
namespace hlo_internal {

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

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_BUFFER_SHARING_H_
