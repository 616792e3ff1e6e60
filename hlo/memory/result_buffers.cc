#include "tessera/hlo/memory/result_buffers.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/attributes/attribute_values.h"

namespace tessera {

using hlo_internal::OperandFlow;

namespace {

bool HasCallee(HloInstruction instruction) {
  for (const HloCall call : instruction.calls()) {
    if (call.computation().has_value()) return true;
  }
  return false;
}

}  // namespace

ResultBuffers::ResultBuffers(const HloDump& dump)
    : exceptions_(kEverything + 1) {
  for (const absl::string_view opcode : dump.opcodes()) {
    traits_.push_back(hlo_internal::TraitsOf(opcode));
  }
  exceptions_[kNothing] = {ShapeIndex()};
}

bool ResultBuffers::AddModule(HloModule module) {
  const absl::optional<HloComputation> entry = module.entry_computation();
  if (!entry.has_value()) return false;
  std::vector<HloComputation> pending = {*entry};
  running_.insert(entry->index());
  while (!pending.empty()) {
    const HloComputation computation = pending.back();
    pending.pop_back();
    for (const HloInstruction instruction : computation.instructions()) {
      if (instruction.calls().empty() ||
          !TraitsOf(instruction).runs_computations) {
        continue;
      }
      for (const HloCall call : instruction.calls()) {
        const absl::optional<HloComputation> callee = call.computation();
        if (callee.has_value() && running_.insert(callee->index()).second) {
          pending.push_back(*callee);
        }
      }
    }
  }
  return true;
}

ResultBuffers::Rule ResultBuffers::RuleOf(HloInstruction instruction) {
  switch (TraitsOf(instruction).flow) {
    case OperandFlow::kNone:
      return AliasRule(instruction);
    case OperandFlow::kParameter:
      return instruction.computation().is_entry() ? kEverything : kNothing;
    case OperandFlow::kTupleCopy: {
      const Shape* shape = instruction.shape();
      return shape != nullptr && shape->IsTuple() ? kNothing : kEverything;
    }
    case OperandFlow::kConditional:
    case OperandFlow::kCall:
      // What it calls has the buffers, if the text has that.
      return HasCallee(instruction) ? kNothing : kEverything;
    case OperandFlow::kCopyStart:
      return AllBut({{1}});
    case OperandFlow::kSend:
    case OperandFlow::kReceiveDone:
      return AllBut({{0}});
    case OperandFlow::kStart:
      return StartRule(instruction);
    case OperandFlow::kAll:
    case OperandFlow::kTuple:
    case OperandFlow::kTupleElement:
    case OperandFlow::kWhile:
    case OperandFlow::kCopyDone:
    case OperandFlow::kUpdate:
    case OperandFlow::kDone:
      return kNothing;
  }
  return kNothing;
}

// ((operands...), result, ...). The result is that of the computation that
// runs, or the operand that the result overwrites.
ResultBuffers::Rule ResultBuffers::StartRule(HloInstruction start) {
  const bool overwrites_operand =
      start.opcode() == "collective-permute-start" &&
      start.operand_count() == 4;
  const bool runs_computation =
      TraitsOf(start).runs_computations && HasCallee(start);
  return overwrites_operand || runs_computation ? AllBut({{0}, {1}})
                                                : AllBut({{0}});
}

ResultBuffers::Rule ResultBuffers::AliasRule(HloInstruction instruction) {
  constexpr absl::string_view kAliasing = "output_to_operand_aliasing";
  // A search for the key in all attributes at once is much faster than reading
  // them, and few instructions have it.
  if (!absl::StrContains(instruction.attributes_text(), kAliasing)) {
    return kEverything;
  }
  const absl::optional<absl::string_view> text =
      instruction.attribute(kAliasing);
  if (!text.has_value()) return kEverything;
  const absl::StatusOr<std::vector<OutputOperandAlias>> aliases =
      DecodeOutputOperandAliases(*text);
  if (!aliases.ok()) return kEverything;
  Paths paths;
  for (const OutputOperandAlias& alias : *aliases) {
    paths.push_back(alias.output_index);
  }
  return AllBut(std::move(paths));
}

ResultBuffers::Rule ResultBuffers::AllBut(Paths paths) {
  if (paths.empty()) return kEverything;
  // What holds a part comes before it.
  std::sort(paths.begin(), paths.end());
  const auto [entry, is_new] =
      rules_.try_emplace(std::move(paths), exceptions_.size());
  if (is_new) exceptions_.push_back(entry->first);
  return entry->second;
}

std::vector<bool> ResultBuffers::PartsWithBuffers(
    Rule rule, const ArrayTable::ShapeParts& parts) const {
  std::vector<bool> has_buffer(parts.size());
  for (int64_t part = 0; part < parts.size(); ++part) {
    has_buffer[part] = parts[part].array >= 0;
  }
  // Text may name a part, and what is within it, any number of times.
  std::vector<bool> is_excepted(parts.size());
  for (const ShapeIndex& path : exceptions_[rule]) {
    const int64_t first = parts.Find(path);
    if (first < 0 || is_excepted[first]) continue;
    for (int64_t part = first; part < parts[first].end; ++part) {
      has_buffer[part] = false;
      is_excepted[part] = true;
    }
  }
  return has_buffer;
}

}  // namespace tessera
