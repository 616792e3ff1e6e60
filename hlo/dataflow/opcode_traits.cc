#include "tessera/hlo/dataflow/opcode_traits.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/attributes/attribute_values.h"
#include "tessera/hlo/dataflow/aliasing_operands.h"
#include "tessera/hlo/hlo_opcode.h"

namespace tessera {
namespace hlo_internal {
namespace {

struct Flow {
  std::string_view opcode;
  OperandFlow flow;
};

constexpr Flow kFlows[] = {
    {"add-dependency", OperandFlow::kAll},
    {"all-reduce-done", OperandFlow::kAll},
    {"all-reduce-start", OperandFlow::kNone},
    {"bitcast", OperandFlow::kAll},
    {"call", OperandFlow::kCall},
    {"conditional", OperandFlow::kConditional},
    {"copy", OperandFlow::kTupleCopy},
    {"copy-done", OperandFlow::kCopyDone},
    {"copy-start", OperandFlow::kCopyStart},
    {"domain", OperandFlow::kAll},
    {"get-tuple-element", OperandFlow::kTupleElement},
    {"opt-barrier", OperandFlow::kAll},
    {"optimization-barrier", OperandFlow::kAll},
    {"parameter", OperandFlow::kParameter},
    {"recv-done", OperandFlow::kReceiveDone},
    {"send", OperandFlow::kSend},
    {"send-done", OperandFlow::kNone},
    {"tuple", OperandFlow::kTuple},
    {"while", OperandFlow::kWhile},
};

OperandFlow FlowOf(std::string_view opcode) {
  const auto* const known =
      std::lower_bound(std::begin(kFlows), std::end(kFlows), opcode,
                       [](const Flow& flow, std::string_view name) {
                         return flow.opcode < name;
                       });
  if (known != std::end(kFlows) && known->opcode == opcode) return known->flow;
  if (EndsWith(opcode, "-start")) return OperandFlow::kStart;
  if (EndsWith(opcode, "-update")) return OperandFlow::kUpdate;
  if (EndsWith(opcode, "-done")) return OperandFlow::kDone;
  return OperandFlow::kNone;
}

bool HasCallee(HloInstruction instruction) {
  for (const HloCall call : instruction.calls()) {
    if (call.computation().has_value()) return true;
  }
  return false;
}

}  // namespace

OpcodeTraits TraitsOf(std::string_view opcode) {
  OpcodeTraits traits;
  const std::optional<HloOpcodeFacts> facts = FindHloOpcode(opcode);
  traits.is_elementwise = facts.has_value() && facts->is_elementwise;
  traits.flow = FlowOf(opcode);
  traits.runs_computations = traits.flow == OperandFlow::kWhile ||
                             traits.flow == OperandFlow::kConditional ||
                             traits.flow == OperandFlow::kCall ||
                             opcode == "async-start" ||
                             opcode == "async-update" ||
                             opcode == "call-start" || opcode == "call-update";
  return traits;
}

}  // namespace hlo_internal

using hlo_internal::OperandFlow;

absl::flat_hash_set<int64_t> RunningComputations(HloModule module) {
  absl::flat_hash_set<int64_t> running;
  std::vector<HloComputation> pending;
  const auto run = [&](std::optional<HloComputation> computation) {
    if (computation.has_value() &&
        running.insert(computation->index()).second) {
      pending.push_back(*computation);
    }
  };
  run(module.entry_computation());
  while (!pending.empty()) {
    const HloComputation computation = pending.back();
    pending.pop_back();
    for (const HloInstruction instruction : computation.instructions()) {
      if (instruction.calls().empty() ||
          !hlo_internal::TraitsOf(instruction.opcode()).runs_computations) {
        continue;
      }
      for (const HloCall call : instruction.calls()) run(call.computation());
    }
  }
  return running;
}

std::optional<PartPaths> PathsWithoutBuffer(HloInstruction instruction) {
  const std::string_view opcode = instruction.opcode();
  switch (hlo_internal::FlowOf(opcode)) {
    case OperandFlow::kNone: {
      PartPaths paths;
      for (const OutputOperandAlias& alias :
           hlo_internal::FindOutputAliases(instruction)) {
        paths.push_back(alias.output_index);
      }
      // A part comes after the part that contains it.
      std::sort(paths.begin(), paths.end());
      return paths;
    }
    case OperandFlow::kParameter:
      if (!instruction.computation().is_entry()) return std::nullopt;
      return PartPaths();
    case OperandFlow::kTupleCopy:
      if (instruction.has_shape() && instruction.shape()->IsTuple()) {
        return std::nullopt;
      }
      return PartPaths();
    case OperandFlow::kConditional:
    case OperandFlow::kCall:
      // The called computation has the buffers, if the text contains it.
      if (hlo_internal::HasCallee(instruction)) return std::nullopt;
      return PartPaths();
    case OperandFlow::kCopyStart:
      return PartPaths{{1}};
    case OperandFlow::kSend:
    case OperandFlow::kReceiveDone:
      return PartPaths{{0}};
    case OperandFlow::kStart:
      // ((operands...), result, ...). The result is that of the called
      // computation, or the operand that the result overwrites.
      if ((opcode == "collective-permute-start" &&
           instruction.operand_count() == 4) ||
          (hlo_internal::TraitsOf(opcode).runs_computations &&
           hlo_internal::HasCallee(instruction))) {
        return PartPaths{{0}, {1}};
      }
      return PartPaths{{0}};
    default:
      return std::nullopt;
  }
}

std::vector<bool> PartsWithBuffer(const PartPaths& paths_without_buffer,
                                  const ArrayTable::ShapeParts& parts) {
  std::vector<bool> has_buffer(parts.size());
  for (int64_t part = 0; part < parts.size(); ++part) {
    has_buffer[part] = parts[part].array >= 0;
  }
  int64_t past = 0;  // the parts that have been removed
  for (const ShapeIndex& path : paths_without_buffer) {
    const int64_t first = parts.Find(path);
    // The text may name a part, and the parts within it, any number of times.
    if (first < past) continue;
    past = parts[first].end;
    std::fill(has_buffer.begin() + first, has_buffer.begin() + past, false);
  }
  return has_buffer;
}

}  // namespace tessera
