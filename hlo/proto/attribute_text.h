// Prints the attributes of an HloInstructionProto as XLA prints them, in XLA's
// order.
//
// These are never printed: domain=, origin=, statistics=, result_accuracy=,
// sparsity_config=, literal= of a custom call, replica groups over the axes of
// a mesh, named shardings, and payloads.

#ifndef TESSERA_HLO_PROTO_ATTRIBUTE_TEXT_H_
#define TESSERA_HLO_PROTO_ATTRIBUTE_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/hlo.pb.h"
#include "tessera/layout/primitive_type.h"

namespace tessera::hlo_internal {

struct InstructionFacts {
  explicit InstructionFacts(const hlo_proto::HloInstructionProto& proto)
      : proto(proto) {}

  const hlo_proto::HloInstructionProto& proto;
  // The names of the computations and instructions whose ids `proto` has.
  std::vector<std::string_view> called_computations;
  std::vector<std::string_view> control_predecessors;
  // A comparison prints its type only if the type of the first operand does not
  // determine it. A conditional on PRED is printed without branch_computations.
  PrimitiveType first_operand_type = PRIMITIVE_TYPE_INVALID;
};

// Appends the attributes, each with ", " before it. Returns a message for each
// one that could not be printed.
std::vector<std::string> AppendAttributes(const InstructionFacts& facts,
                                          std::string* out);

// Returns "{1,0}".
template <typename Integers>
std::string IntegerSet(const Integers& integers) {
  return absl::StrCat("{", absl::StrJoin(integers, ","), "}");
}

// Returns "{a="1",b="2"}"; "" without attributes.
std::string FrontendAttributesText(
    const hlo_proto::FrontendAttributes& attributes);

}  // namespace tessera::hlo_internal

#endif  // TESSERA_HLO_PROTO_ATTRIBUTE_TEXT_H_
