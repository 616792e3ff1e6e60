// The handler that receives the parts of HLO text (hlo/hlo_reader.h): modules,
// computations and instructions with their operands and attributes, as views
// into the text.
//
//   #include "tessera/hlo/hlo_reader.h"
//   class DotCounter : public HloHandler {
//    public:
//     void OnInstruction(const HloInstructionText& instruction) override {
//       count += instruction.opcode == "dot";
//     }
//     int64_t count = 0;
//   };
//   DotCounter dots;
//   HloShapeTable shapes;
//   ReadHlo("f { a = f32[] parameter(0)  ROOT b = f32[] dot(a, a) }", &shapes,
//           &dots);
//   dots.count;  // 1

#ifndef TESSERA_HLO_HLO_HANDLER_H_
#define TESSERA_HLO_HLO_HANDLER_H_

#include <cstdint>
#include <string_view>

#include "absl/types/span.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Every view points into the text that was read, without the white space and
// comments around it, but with those inside it.

// `key=value`, the value as written: `{0,1}`, `%add`, `"__onednn$matmul"`.
struct HloAttribute {
  std::string_view key;
  std::string_view value;
};

struct HloOperandText {
  // All of the operand: `f32[10] %p#0`.
  std::string_view text;
  // `f32[10]`; empty if the operand does not give a shape.
  std::string_view shape_text;
  // `p`; empty for a nested expression such as `add(%a, %b)` and for anything
  // else that is not a reference to an instruction.
  std::string_view name;
  // `#0`, the path of a compact get-tuple-element; otherwise empty.
  std::string_view tuple_path;
  // `add`, for a nested expression; else empty.
  std::string_view opcode;
  // For a nested expression: the number of operands within it, at any depth.
  // They are the entries of HloInstructionText::nested_operands from
  // `nested_begin` on, each before those within itself.
  int64_t nested_begin = 0;
  int64_t nested_count = 0;
};

struct HloModuleText {
  // Empty for text that has no HloModule line.
  std::string_view name;
  // The attributes of the HloModule line, and all of them as one text, starting
  // after the name.
  absl::Span<const HloAttribute> attributes;
  std::string_view attributes_text;
};

struct HloComputationText {
  const HloModuleText* module = nullptr;
  // Empty for a computation written inline and for instructions outside a
  // computation.
  std::string_view name;
  // Whether it is marked ENTRY. If a module does not mark one, XLA uses its
  // last computation.
  bool is_entry = false;
  // `(x: f32[2]) -> f32[2]`; empty if the header lacks it.
  std::string_view program_shape_text;
  // The text after the closing brace, from the comma on; a null view before the
  // brace is read. For a computation written inline, the place after the brace.
  std::string_view attributes_text;
  // For a computation written inline: the instruction and its attribute.
  std::string_view caller;
  std::string_view caller_attribute;

  bool is_inline() const { return !caller_attribute.empty(); }
};

struct HloInstructionText {
  const HloComputationText* computation = nullptr;
  // All of it, from ROOT or the name to the end of the last attribute.
  std::string_view text;
  // Without '%'. Empty in `f32[2] add(f32[2], f32[2])`, the canonical form.
  std::string_view name;
  bool is_root = false;
  // In the table passed to ReadHlo; null and -1 if the text does not give a
  // shape, which is allowed for opcodes whose shape XLA infers.
  const Shape* shape = nullptr;
  int64_t shape_index = -1;
  std::string_view shape_text;
  std::string_view opcode;
  // The text between the parentheses, without white space around it: operands,
  // or the number of a parameter, or the literal of a constant.
  std::string_view operand_text;
  // Empty for parameter and constant.
  absl::Span<const HloOperandText> operands;
  // See HloOperandText.
  absl::Span<const HloOperandText> nested_operands;
  absl::Span<const HloAttribute> attributes;
  // All of them as one text, from the comma before the first.
  std::string_view attributes_text;
};

// Whether the text between this opcode's parentheses is not a list of operands.
inline bool HloHasLiteral(std::string_view opcode) {
  return opcode == "parameter" || opcode == "constant";
}

// Receives parsed elements in the order in which they are completed: the
// instructions of a computation written inline come before the instruction that
// contains it. References and spans are valid only during the call; views into
// the text stay valid.
class HloHandler {
 public:
  virtual ~HloHandler() = default;

  // Text without an HloModule line counts as a module without a name.
  virtual void OnModule(const HloModuleText& /*module*/) {}
  // FileNames, FunctionNames, FileLocations or StackFrames, with its rows.
  virtual void OnFrameTable(std::string_view /*text*/) {}
  // Called at the computation's header. Instructions outside a computation
  // count as a computation without a name.
  virtual void OnComputation(const HloComputationText& /*computation*/) {}
  virtual void OnInstruction(const HloInstructionText& /*instruction*/) {}
  // Called at its closing brace, or where that is missing; once for each
  // OnComputation. `attributes` are those after the brace.
  virtual void OnComputationEnd(const HloComputationText& /*computation*/,
                                absl::Span<const HloAttribute> /*attributes*/) {
  }
  // Called between instructions, computations and modules: returns whether to
  // continue.
  virtual bool goes_on() const { return true; }
  // Called if something was skipped or is missing.
  virtual void OnDiagnostic(const Diagnostic& /*diagnostic*/) {}
};

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_HANDLER_H_
