// Reads the modules, computations and instructions of HLO text.
//
// Walks the text of any version of XLA in one pass and passes everything it
// finds to a handler, as views into the text. Unknown opcodes and attributes
// are passed on like any other.
//
//   class Opcodes : public HloHandler {
//    public:
//     void OnInstruction(const HloInstructionText& instruction) override {
//       opcodes.emplace_back(instruction.opcode);
//     }
//     std::vector<std::string> opcodes;
//   };
//
//   HloShapeTable shapes;
//   Opcodes handler;
//   HloCounts counts = ReadHlo(R"(
//       HloModule m
//       ENTRY %main {
//         %x = f32[2,3]{1,0} parameter(0)
//         ROOT %y = f32[2,3]{1,0} add(%x, %x), metadata={op_name="sum"}
//       })", &shapes, &handler);
//   handler.opcodes;        // {"parameter", "add"}
//   counts.instructions;    // 2
//   shapes.size();          // 1
//
// It reads one or several modules; modules without a header; bare computations,
// with or without a parameter list; bare instructions; frame tables (passed on
// as text); names with or without '%'; inline operand shapes; nested operand
// expressions; computations written inline as an attribute's value, to_apply={
// ... }; every attribute of xla/hlo/parser/hlo_parser.cc, raw.
//
// The prefixes of a log's lines are not HLO text: BlankLogPrefixes
// (hlo/log_prefixes.h) removes them.
//
// Text that cannot be read is reported to the handler and skipped, up to the
// next line that begins an instruction, a computation, a module or a closing
// brace; the rest is still read. A file that is cut off anywhere yields every
// complete instruction. No text makes the reader fail, recurse on the machine
// stack or take more than linear time.

#ifndef TESSERA_HLO_HLO_READER_H_
#define TESSERA_HLO_HLO_READER_H_

#include <string_view>

#include "tessera/hlo/hlo_counts.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_shape_table.h"

namespace tessera {

// Reads all of `text`. Each distinct text of a result shape is parsed once,
// into `shapes`, with default layouts filled in; inline operand shapes stay
// text. An instruction whose shape cannot be read is reported and skipped. So
// is one with brackets nested more than 8192 deep, XLA's own limit, except in
// backend_config and frontend_attributes.
HloCounts ReadHlo(std::string_view text, HloShapeTable* shapes,
                  HloHandler* handler);

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_READER_H_
