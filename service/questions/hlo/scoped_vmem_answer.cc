#include "tessera/service/questions/hlo/scoped_vmem_answer.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/hlo/instruction_origin.h"
#include "tessera/hlo/tpu_generation.h"

namespace tessera {
namespace {

constexpr int64_t kVmemSpace = 1;

// Returns the limit of an instruction: the memory that it reserves, if it does.
int64_t ScopedLimitOf(const ScopedVmem::Instruction& instruction,
                      const ScopedLimit& limit) {
  return instruction.reserved_bytes > 0 ? instruction.reserved_bytes
                                        : limit.bytes;
}

absl::Status FillScopedInstruction(const ScopedVmem::Instruction& from,
                                   int64_t limit, InstructionOrigins* origins,
                                   AnswerBytes* bytes,
                                   ScopedVmemInstruction* filled) {
  const HloInstruction instruction = from.instruction;
  InstructionOrigin origin = origins->Of(instruction);
  const std::string_view computation = instruction.computation().name();
  TESSERA_RETURN_IF_ERROR(
      bytes->Add(sizeof(ScopedVmemInstruction) + instruction.name().size() +
                 instruction.opcode().size() + origin.op_name.size() +
                 origin.source_line.size() + computation.size()));
  filled->set_instruction(std::string(instruction.name()));
  filled->set_opcode(std::string(instruction.opcode()));
  filled->set_computation(std::string(computation));
  filled->set_used_bytes(from.used_bytes);
  if (from.reserved_bytes > 0) filled->set_reserved_bytes(from.reserved_bytes);
  if (limit > 0) {
    filled->set_limit_bytes(limit);
    filled->set_is_over_limit(from.used_bytes > limit);
  }
  if (!origin.op_name.empty()) {
    filled->set_op_name(std::move(origin.op_name));
  }
  if (!origin.source_line.empty()) {
    filled->set_source_line(std::move(origin.source_line));
  }
  return absl::OkStatus();
}

// Fills in the step at which an instruction and the arrays together use most.
void FillBusiest(const ModuleAnalysis& analysis, const ScopedVmem& scoped,
                 ScopedVmemSummary* summary) {
  absl::flat_hash_map<int64_t, int64_t> used;  // by instruction
  for (const ScopedVmem::Instruction& each : scoped.instructions) {
    if (each.used_bytes > 0) used[each.instruction.index()] = each.used_bytes;
  }
  const std::vector<int64_t> arrays = analysis.UseByStep(kVmemSpace);
  for (int64_t step = 0; step < analysis.step_count(); ++step) {
    const HloInstruction instruction = analysis.StepAt(step).instruction;
    const auto found = used.find(instruction.index());
    if (found == used.end()) continue;
    const int64_t together = found->second + arrays[step];
    if (together <= summary->busiest_bytes()) continue;
    summary->set_busiest_bytes(together);
    summary->set_busiest_instruction(std::string(instruction.name()));
  }
}

}  // namespace

ScopedLimit FindScopedLimit(const MemoryOptions& question,
                            const HloAssignments* assignments) {
  if (question.scoped_vmem_limit > 0) {
    return {question.scoped_vmem_limit, "request"};
  }
  if (assignments != nullptr && assignments->scoped_vmem_limit.has_value()) {
    return {*assignments->scoped_vmem_limit, "compiler options"};
  }
  TpuGeneration generation = question.generation;
  if (generation == TpuGeneration::kUnknown && assignments != nullptr) {
    generation = assignments->tpu_generation;
  }
  const int64_t bytes = TpuMemoryOf(generation).scoped_vmem_limit;
  if (bytes == 0) return {};
  return {bytes, "generation"};
}

ScopedVmem ScopedVmemOf(HloModule module, const HloAssignments* assignments) {
  const bool has_codegen =
      assignments != nullptr && assignments->scoped_vmem_use.has_value();
  return FindScopedVmem(module,
                        has_codegen ? &*assignments->scoped_vmem_use : nullptr);
}

absl::Status FillScopedVmem(const ModuleAnalysis& analysis,
                            const MemoryOptions& question,
                            const HloAssignments* assignments, int64_t rows,
                            AnswerBytes* bytes, ScopedVmemSummary* summary) {
  const ScopedVmem scoped = ScopedVmemOf(analysis.module(), assignments);
  MemoryOptions of_generation = question;
  of_generation.generation = analysis.generation();
  const ScopedLimit limit = FindScopedLimit(of_generation, assignments);
  summary->set_is_known(scoped.is_known);
  if (limit.bytes > 0) {
    summary->set_limit_bytes(limit.bytes);
    summary->set_limit_source(limit.source);
  }
  summary->set_reserved_bytes(scoped.reserved_bytes);
  const int64_t vmem = TpuMemoryOf(analysis.generation()).vmem;
  if (vmem > 0) summary->set_vmem_bytes(vmem);
  int64_t users = 0;
  int64_t over = 0;
  int64_t reserving = 0;
  for (const ScopedVmem::Instruction& each : scoped.instructions) {
    const int64_t own_limit = ScopedLimitOf(each, limit);
    users += each.used_bytes > 0;
    over += own_limit > 0 && each.used_bytes > own_limit;
    reserving += each.reserved_bytes > 0;
  }
  if (users > 0) {
    // Those that use most come first.
    const ScopedVmem::Instruction& largest = scoped.instructions[0];
    TESSERA_RETURN_IF_ERROR(bytes->Add(largest.instruction.name().size()));
    summary->set_largest_bytes(largest.used_bytes);
    summary->set_largest_instruction(std::string(largest.instruction.name()));
    const int64_t own_limit = ScopedLimitOf(largest, limit);
    if (own_limit > 0) summary->set_largest_limit_bytes(own_limit);
  }
  summary->set_users(users);
  summary->set_over_limit(over);
  summary->set_reserving(reserving);
  InstructionOrigins origins(analysis.module());
  const int64_t count = std::min<int64_t>(scoped.instructions.size(), rows);
  for (int64_t i = 0; i < count; ++i) {
    const ScopedVmem::Instruction& each = scoped.instructions[i];
    TESSERA_RETURN_IF_ERROR(
        FillScopedInstruction(each, ScopedLimitOf(each, limit), &origins, bytes,
                              summary->add_instructions()));
  }
  if (users > 0 && analysis.generation() != TpuGeneration::kV4) {
    FillBusiest(analysis, scoped, summary);
  }
  return absl::OkStatus();
}

}  // namespace tessera
