// Finds attributes that are missing, given twice, or have values that XLA does
// not read.
//
//   // HloModule m, replica_count=two
//   HloObjections objections(10);
//   CheckAttributes(module.attributes(), &objections);
//   objections.Take()[0].message;
//       // "in integer: expected an integer, found 'two'"

#ifndef TESSERA_HLO_STRICT_ATTRIBUTE_JUDGE_H_
#define TESSERA_HLO_STRICT_ATTRIBUTE_JUDGE_H_

#include <string_view>

#include "absl/types/span.h"
#include "tessera/hlo/hlo_attributes.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/strict/hlo_objection.h"
#include "tessera/hlo/strict/opcode_rules.h"

namespace tessera {
namespace hlo_internal {

// Checks the attributes of a module or of a computation.
void CheckAttributes(const HloAttributes& attributes,
                     HloObjections* objections);

// Checks the attributes of an instruction, except by CheckConditional. `rules`
// are those of its opcode.
void CheckAttributes(HloInstruction instruction, const OpcodeRules& rules,
                     HloObjections* objections);

// Objects to a conditional without the computations that its first operand
// requires.
void CheckConditional(HloInstruction instruction, HloObjections* objections);

// Returns whether CheckAttributes may object to an instruction with these
// attributes, none of which is repeated.
bool MayObject(const OpcodeRules& rules,
               absl::Span<const HloAttribute> attributes);

// Objects to an opcode if a required attribute is missing.
void CheckRequiredAttributes(std::string_view opcode, const OpcodeRules& rules,
                             const HloAttributes& attributes,
                             HloObjections* objections);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_ATTRIBUTE_JUDGE_H_
