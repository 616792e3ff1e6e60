// Prints the module model as HLO text in XLA's own style.
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump = ParseHlo(
//       "HloModule m  ENTRY e { // the entry\n"
//       "ROOT x = f32[] constant(1), metadata={op_name=\"one\"} }");
//   PrintHlo(*dump);
//       // "HloModule m\n"
//       // "\n"
//       // "ENTRY e {\n"
//       // "  ROOT x = f32[] constant(1), metadata={op_name=\"one\"}\n"
//       // "}\n"
//
// Each instruction is one line, indented by two, with names, shapes and values
// as written, so a text that XLA printed is printed unchanged after reading.
// White space outside strings becomes canonical. Comments are left out except
// XLA's own, which are added if missing: /*index=5*/ before every fifth element
// of a long list, and /*i0=0*/ in literals of four dimensions or more. Parts
// that could not be read are left out; a computation that was not closed is
// printed closed.

#ifndef TESSERA_HLO_HLO_PRINTER_H_
#define TESSERA_HLO_HLO_PRINTER_H_

#include <string>

#include "tessera/hlo/hlo_module.h"

namespace tessera {

// The names are those of xla::HloPrintOptions.
struct HloPrintOptions {
  bool print_metadata = true;
  bool print_backend_config = true;
};

std::string PrintHlo(const HloDump& dump, const HloPrintOptions& options = {});

// Append a part to `*out`. Modules and computations end with a line break;
// instructions have neither indentation nor line break.
void AppendHlo(HloModule module, const HloPrintOptions& options,
               std::string* out);
void AppendHlo(HloComputation computation, const HloPrintOptions& options,
               std::string* out);
void AppendHlo(HloInstruction instruction, const HloPrintOptions& options,
               std::string* out);

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_PRINTER_H_
