// File: hlo/strict_rules.h
//
// Which of these rules of XLA does a dump break, beside what cannot be read at
// all?
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump =
//       ParseHlo("f {  x = f32[] frob()  ROOT y = f32[] add(x)  }");
//   const auto objections = FindHloObjections(*dump);
//   objections.size();        // 2
//   objections[0].message;    // "'frob' is not an opcode of XLA"
//   objections[1].message;    // "add takes 2 operands, not 1"
//
// The rules are those of xla/hlo/parser/hlo_parser.cc that do not change from
// version to version, so that whatever XLA prints to be read again passes:
//   - opcodes, as of August 2026, and how many operands they take
//   - attributes without which an opcode means nothing; each once; the form of
//     numbers, lists of numbers, names, windows, paddings and aliases
//   - literals against their shapes: braces, numbers of elements, ranges
//   - shapes where they are not inferred, and how shapes are spelt
//   - legal names; one ROOT, one ENTRY; parameters numbered from 0
//   - tuple paths and inline shapes of operands, which a text of one instruction
//     must give; operands that were cut short
//   - the root's shape against the computation's header
//   - outputs that input_output_alias names, which must be in the result
//   - whole sets of frame tables
//
// Not judged: which other attributes there are, and what shardings, metadata,
// origins, backend configurations and the like say; whether asynchronous
// starts, updates and ends fit one another; whether dimensions, devices and the
// parameters that aliases name exist; whether shapes are those that XLA would
// infer. XLA may refuse what no rule here objects to.

#ifndef TESSERA_HLO_STRICT_RULES_H_
#define TESSERA_HLO_STRICT_RULES_H_

#include <cstdint>
#include <vector>

#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/strict/hlo_objection.h"  // IWYU pragma: export

namespace tessera {

// In the order of the computations; no more than `limit`.
std::vector<HloObjection> FindHloObjections(const HloDump& dump,
                                            int64_t limit = 1000);

}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_RULES_H_
