// Prints the attributes of an HloInstructionProto as XLA prints them, in XLA's
// order.
//
// Not printed, whatever the proto says: domain=, origin=, statistics=,
// result_accuracy=, sparsity_config=, literal= of a custom call, replica groups
// over the axes of a mesh, named shardings, and payloads.

#ifndef TESSERA_HLO_PROTO_ATTRIBUTE_TEXT_H_
#define TESSERA_HLO_PROTO_ATTRIBUTE_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/hlo.pb.h"
#include "tessera/layout/primitive_type.h"

namespace tessera {
namespace hlo_internal {

struct InstructionFacts {
  explicit InstructionFacts(const hlo_proto::HloInstructionProto& proto)
      : proto(proto) {}

  const hlo_proto::HloInstructionProto& proto;
  // Names of what the ids in `proto` stand for.
  std::vector<std::string_view> called_computations;
  std::vector<std::string_view> control_predecessors;
  // A comparison has a type of its own only where this does not give it, and a
  // conditional by PRED has no branch_computations.
  PrimitiveType first_operand_type = PRIMITIVE_TYPE_INVALID;
};

// Each with ", " before it. Returns what could not be printed, one message
// each.
std::vector<std::string> AppendAttributes(const InstructionFacts& facts,
                                          std::string* out);

// "{1,0}".
template <typename Integers>
std::string IntegerSet(const Integers& integers) {
  return absl::StrCat("{", absl::StrJoin(integers, ","), "}");
}

void AppendFrontendAttributes(const hlo_proto::FrontendAttributes& attributes,
                              std::string* out);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_PROTO_ATTRIBUTE_TEXT_H_
