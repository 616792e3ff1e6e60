// File: hlo/hlo_counts.h
//
// How much was read from HLO text (hlo/hlo_reader.h).
//
//   #include "tessera/hlo/hlo_reader.h"
//
//   HloShapeTable shapes;
//   HloHandler handler;
//   HloCounts counts = ReadHlo("a { x = f32[] add(b, c) ", &shapes, &handler);
//   counts.instructions;         // 1
//   counts.operands;             // 2
//   counts.is_merely_cut_off();  // true

#ifndef TESSERA_HLO_HLO_COUNTS_H_
#define TESSERA_HLO_HLO_COUNTS_H_

#include <cstdint>

namespace tessera {

// How often each thing was handed over. Computations written inline count, and
// so do their instructions.
struct HloCounts {
  int64_t modules = 0;
  int64_t computations = 0;
  int64_t instructions = 0;
  int64_t roots = 0;  // instructions marked ROOT
  // A nested expression is one operand and no instruction. What stands in
  // parameter(..) and constant(..) is none.
  int64_t operands = 0;
  int64_t diagnostics = 0;
  // Those of `diagnostics` that say that the text ends too early: in the middle
  // of its last instruction, before a computation is closed.
  int64_t diagnostics_of_end = 0;
  // Those that say that a closing brace closes nothing, if only such braces and
  // blanks follow it to the end of the text: what is left of a longer text
  // where two processes wrote one file.
  int64_t diagnostics_of_last_braces = 0;

  // Whether all that is wrong with the text is that it was cut off. Everything
  // before the cut was read.
  bool is_merely_cut_off() const {
    return diagnostics > 0 && diagnostics == diagnostics_of_end;
  }
  // Whether all that is wrong with the text is that it has closing braces too
  // many behind its last computation. Everything before them was read.
  bool has_merely_last_braces() const {
    return diagnostics > 0 && diagnostics == diagnostics_of_last_braces;
  }
};

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_COUNTS_H_
