#include "tessera/hlo/dataflow/opcode_traits.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/hlo_opcode.h"

namespace tessera {
namespace hlo_internal {
namespace {

struct Flow {
  absl::string_view opcode;
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

}  // namespace

OpcodeTraits TraitsOf(absl::string_view opcode) {
  OpcodeTraits traits;
  const absl::optional<HloOpcodeFacts> facts = FindHloOpcode(opcode);
  traits.is_elementwise = facts.has_value() && facts->is_elementwise;
  const auto* const known =
      std::lower_bound(std::begin(kFlows), std::end(kFlows), opcode,
                       [](const Flow& flow, absl::string_view name) {
                         return flow.opcode < name;
                       });
  if (known != std::end(kFlows) && known->opcode == opcode) {
    traits.flow = known->flow;
  } else if (absl::EndsWith(opcode, "-start")) {
    traits.flow = OperandFlow::kStart;
  } else if (absl::EndsWith(opcode, "-update")) {
    traits.flow = OperandFlow::kUpdate;
  } else if (absl::EndsWith(opcode, "-done")) {
    traits.flow = OperandFlow::kDone;
  }
  traits.runs_computations = traits.flow == OperandFlow::kWhile ||
                             traits.flow == OperandFlow::kConditional ||
                             traits.flow == OperandFlow::kCall ||
                             opcode == "async-start" ||
                             opcode == "async-update" ||
                             opcode == "call-start" || opcode == "call-update";
  return traits;
}

}  // namespace hlo_internal
}  // namespace tessera
