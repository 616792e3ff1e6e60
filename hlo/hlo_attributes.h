// File: hlo/hlo_attributes.h
//
// Which attributes stand in this list?
//
// Reads again, on demand, a list that ReadHlo delimited: what stands behind an
// instruction's operands, behind a module's name, behind a computation.
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

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/hlo_handler.h"

namespace tessera {

using HloAttributes = absl::InlinedVector<HloAttribute, 8>;

// Where the computations end that are written inline in a list, those within
// others left out: behind their braces, in the order of the text.
using HloInlineEnds = absl::InlinedVector<const char*, 2>;

// In the order of the text, values raw. `list` begins with the comma before the
// first attribute, or with nothing that matters; what follows the last is left
// alone. A computation written inline is a value like any other; those whose
// ends are given are not read again.
HloAttributes ReadHloAttributes(absl::string_view list,
                                const HloInlineEnds& ends = {});

// The value of the first attribute of this key, or nullopt.
absl::optional<absl::string_view> FindHloAttribute(
    absl::string_view list, absl::string_view key,
    const HloInlineEnds& ends = {});

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_ATTRIBUTES_H_
