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
// are not inferred; legal names; one ROOT, one ENTRY; each attribute once;
// parameters numbered from 0; operands and literals that were cut short; tuple
// paths and inline operand shapes that fit the operand; the root's shape that
// of the computation's header; whole sets of frame tables.
//
// Not judged: which attributes an opcode has, or must have, and what their
// values mean; the values of literals; how shapes are spelt; whether they are
// those that XLA would infer. XLA may refuse what no rule here objects to.

#ifndef TESSERA_HLO_STRICT_RULES_H_
#define TESSERA_HLO_STRICT_RULES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {

struct HloObjection {
  // Its place in the dump's text.
  absl::string_view at;
  std::string message;
};

// In the order of the computations; no more than `limit`.
std::vector<HloObjection> FindHloObjections(const HloDump& dump,
                                            int64_t limit = 1000);

}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_RULES_H_
