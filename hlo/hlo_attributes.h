// Splits a list of HLO attributes into their keys and raw values.
//
// A list is the text that ReadHlo delimits: the attributes after an
// instruction's operands, after a module's name, or after a computation.
//
//   HloAttributes attributes =
//       ReadHloAttributes(", dimensions={0,1}, to_apply=%add");
//   attributes.size();                                        // 2
//   attributes[1].key;                                        // "to_apply"
//   attributes[1].value;                                      // "%add"
//   FindHloAttribute(", index=0, metadata={}", "metadata");   // "{}"
//   FindHloAttribute(", index=0", "metadata");                // nullopt

#ifndef TESSERA_HLO_HLO_ATTRIBUTES_H_
#define TESSERA_HLO_HLO_ATTRIBUTES_H_

#include <optional>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "tessera/hlo/hlo_handler.h"

namespace tessera {

using HloAttributes = absl::InlinedVector<HloAttribute, 8>;

// The ends of the computations that are written inline in a list, after their
// braces, in the order of the text, without those nested in others.
using HloInlineEnds = absl::InlinedVector<const char*, 2>;

// Returns the attributes in the order of the text, with raw values. `list`
// begins with the comma before the first attribute, or with white space or
// comments; text after the last attribute is ignored. A computation written
// inline is a value like any other. Those with an end in `ends` are skipped.
HloAttributes ReadHloAttributes(std::string_view list,
                                const HloInlineEnds& ends = {});

// Returns the value of the first attribute with this key, or nullopt.
std::optional<std::string_view> FindHloAttribute(
    std::string_view list, std::string_view key,
    const HloInlineEnds& ends = {});

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_ATTRIBUTES_H_
