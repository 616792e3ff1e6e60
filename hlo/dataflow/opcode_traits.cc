#include "tessera/hlo/dataflow/opcode_traits.h"

#include <algorithm>
#include <iterator>

#include "absl/algorithm/container.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/attributes/attribute_values.h"
#include "tessera/hlo/dataflow/aliasing_operands.h"
#include "tessera/hlo/hlo_opcode.h"

namespace tessera {
namespace hlo_internal {
namespace {

struct Flow {
  std::string_view opcode;
  OpcodeTraits traits;
};

constexpr Flow kFlows[] = {
    {"add-dependency", {OperandFlow::kPart}},
    {"all-reduce-done", {OperandFlow::kPart}},
    {"all-reduce-start", {OperandFlow::kNone}},
    {"async-start", {OperandFlow::kStart, true}},
    {"async-update", {OperandFlow::kUpdate, true}},
    {"bitcast", {OperandFlow::kPart}},
    {"call", {OperandFlow::kCall, true}},
    {"call-start", {OperandFlow::kStart, true}},
    {"call-update", {OperandFlow::kUpdate, true}},
    {"conditional", {OperandFlow::kConditional, true}},
    {"copy", {OperandFlow::kTupleCopy}},
    {"copy-done", {OperandFlow::kPart, false, -1, 0}},
    {"copy-start", {OperandFlow::kPart, false, 1}},
    {"domain", {OperandFlow::kPart}},
    {"get-tuple-element", {OperandFlow::kTupleElement}},
    {"opt-barrier", {OperandFlow::kPart}},
    {"optimization-barrier", {OperandFlow::kPart}},
    {"parameter", {OperandFlow::kParameter}},
    {"recv-done", {OperandFlow::kPart, false, 0, 0}},
    {"send", {OperandFlow::kPart, false, 0}},
    {"send-done", {OperandFlow::kNone}},
    {"tuple", {OperandFlow::kTuple}},
    {"while", {OperandFlow::kWhile, true}},
};

// Returns the traits without `is_elementwise`.
OpcodeTraits FlowOf(std::string_view opcode) {
  const auto* const known =
      std::lower_bound(std::begin(kFlows), std::end(kFlows), opcode,
                       [](const Flow& flow, std::string_view name) {
                         return flow.opcode < name;
                       });
  if (known != std::end(kFlows) && known->opcode == opcode) {
    return known->traits;
  }
  if (EndsWith(opcode, "-start")) return {OperandFlow::kStart};
  if (EndsWith(opcode, "-update")) return {OperandFlow::kUpdate};
  if (EndsWith(opcode, "-done")) return {OperandFlow::kDone};
  return {};
}

bool HasCallee(HloInstruction instruction) {
  return absl::c_any_of(instruction.calls(), [](HloCall call) {
    return call.computation().has_value();
  });
}

}  // namespace

OpcodeTraits TraitsOf(std::string_view opcode) {
  OpcodeTraits traits = FlowOf(opcode);
  const std::optional<HloOpcodeFacts> facts = FindHloOpcode(opcode);
  traits.is_elementwise = facts.has_value() && facts->is_elementwise;
  return traits;
}

}  // namespace hlo_internal

using hlo_internal::FlowOf;
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
          !FlowOf(instruction.opcode()).runs_computations) {
        continue;
      }
      for (const HloCall call : instruction.calls()) run(call.computation());
    }
  }
  return running;
}

std::optional<PartPaths> PathsWithoutBuffer(HloInstruction instruction) {
  const std::string_view opcode = instruction.opcode();
  const hlo_internal::OpcodeTraits traits = FlowOf(opcode);
  switch (traits.flow) {
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
    case OperandFlow::kPart:
      if (traits.result_element < 0) return std::nullopt;
      return PartPaths{{traits.result_element}};
    case OperandFlow::kStart:
      // ((operands...), result, ...). The result is that of the called
      // computation, or the operand that the result overwrites.
      if ((opcode == "collective-permute-start" &&
           instruction.operand_count() == 4) ||
          (traits.runs_computations && hlo_internal::HasCallee(instruction))) {
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
