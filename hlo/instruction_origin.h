// Finds the place in the user's program that an instruction comes from.
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m
//       ENTRY e { ROOT x = f32[8]{0} parameter(0), metadata={
//           op_name="jit(f)/x" source_file="model.py" source_line=12} })");
//   InstructionOrigins origins(dump->modules()[0]);
//   InstructionOrigin origin = origins.Of(dump->instructions()[0]);
//   origin.op_name;      // "jit(f)/x"
//   origin.source_line;  // "model.py:12"

#ifndef TESSERA_HLO_INSTRUCTION_ORIGIN_H_
#define TESSERA_HLO_INSTRUCTION_ORIGIN_H_

#include <optional>
#include <string>

#include "tessera/hlo/attributes/frame_tables.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {

// Both are empty if the metadata lacks them.
struct InstructionOrigin {
  std::string op_name;
  // The file, followed by a colon and the line if that is given, from the
  // metadata or from the frame that it names.
  std::string source_line;
};

// The origins of the instructions of one module, which must outlive this.
class InstructionOrigins {
 public:
  explicit InstructionOrigins(HloModule module) : module_(module) {}

  // Metadata that cannot be read counts as empty.
  InstructionOrigin Of(HloInstruction instruction);

 private:
  const HloModule module_;
  // Read on first use; empty if they cannot be read.
  std::optional<FrameTables> tables_;
};

}  // namespace tessera

#endif  // TESSERA_HLO_INSTRUCTION_ORIGIN_H_
