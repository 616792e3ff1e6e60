// The counts of the items that were read from HLO text (hlo/hlo_reader.h).
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

// The number of calls for each kind. Computations written inline and their
// instructions count, too.
struct HloCounts {
  int64_t modules = 0;
  int64_t computations = 0;
  int64_t instructions = 0;
  int64_t roots = 0;  // instructions marked ROOT
  // A nested expression is one operand and not an instruction. The contents of
  // parameter(..) and constant(..) are not operands.
  int64_t operands = 0;
  int64_t diagnostics = 0;
  // The `diagnostics` about a text that ends too early: in the middle of its
  // last instruction, or before a computation is closed.
  int64_t diagnostics_of_end = 0;
  // The diagnostics about closing braces without an opening one, if only such
  // braces and blanks follow to the end of the text. They are left over from a
  // longer text if two processes wrote one file.
  int64_t diagnostics_of_last_braces = 0;

  // Whether the only error in the text is that it was cut off. Everything
  // before the cut was read.
  bool is_merely_cut_off() const {
    return diagnostics > 0 && diagnostics == diagnostics_of_end;
  }
  // Whether the only error in the text is extra closing braces after its last
  // computation. Everything before them was read.
  bool has_merely_last_braces() const {
    return diagnostics > 0 && diagnostics == diagnostics_of_last_braces;
  }
};

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_COUNTS_H_
