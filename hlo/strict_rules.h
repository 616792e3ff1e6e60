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
// The rules are those of xla/hlo/parser/hlo_parser.cc and of the opcodes'
// definitions: known opcodes and how many operands they take; shapes where they
// are not inferred, and how they are spelt; legal names; one ROOT, one ENTRY;
// attributes that an opcode, a computation or a module has or must have, each
// once, and the form of their values; literals that fit their shapes;
// parameters numbered from 0; operands that were cut short; tuple paths and
// inline operand shapes that fit the operand, which a text of one instruction
// must give; asynchronous starts, updates and ends that fit one another; the
// root's shape that of the computation's header; whole sets of frame tables.
//
// Not judged: what shardings, origins, backend configurations and the like say;
// whether dimensions and devices exist; whether shapes are those that XLA would
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
