#include "tests/hlo/walk.h"

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_reader.h"

namespace tessera {
namespace {

class Writer : public HloHandler {
 public:
  void OnModule(const HloModuleText& module) override {
    absl::StrAppend(&out_, "module ", AbslView(module.name));
    EndLine(module.attributes);
  }

  void OnComputation(const HloComputationText& computation) override {
    absl::StrAppend(&out_, "computation ");
    if (computation.is_inline()) {
      absl::StrAppend(&out_, "in ", AbslView(computation.caller), ".",
                      AbslView(computation.caller_attribute));
    } else {
      absl::StrAppend(&out_, computation.is_entry ? "ENTRY " : "",
                      AbslView(computation.name));
      if (!computation.program_shape_text.empty()) {
        absl::StrAppend(&out_, " ", AbslView(computation.program_shape_text));
      }
    }
    EndLine({});
  }

  void OnInstruction(const HloInstructionText& instruction) override {
    absl::StrAppend(&out_, instruction.is_root ? "ROOT " : "",
                    AbslView(instruction.name), " = ");
    if (!instruction.shape_text.empty()) {
      absl::StrAppend(&out_, AbslView(instruction.shape_text), " ");
    }
    absl::StrAppend(&out_, AbslView(instruction.opcode));
    const bool is_literal =
        instruction.operands.empty() && !instruction.operand_text.empty();
    if (is_literal) {
      absl::StrAppend(&out_, "'", AbslView(instruction.operand_text), "'");
    } else {
      const char* separator = "(";
      for (const HloOperandText& operand : instruction.operands) {
        absl::StrAppend(&out_, separator);
        separator = ", ";
        if (operand.name.empty()) {
          absl::StrAppend(&out_, "<", AbslView(operand.text), ">");
        } else {
          absl::StrAppend(&out_, AbslView(operand.shape_text),
                          operand.shape_text.empty() ? "" : ":",
                          AbslView(operand.name), AbslView(operand.tuple_path));
        }
      }
      absl::StrAppend(&out_, instruction.operands.empty() ? "()" : ")");
    }
    EndLine(instruction.attributes);
  }

  void OnComputationEnd(const HloComputationText&,
                        absl::Span<const HloAttribute> attributes) override {
    absl::StrAppend(&out_, "end");
    EndLine(attributes);
  }

  void OnDiagnostic(const Diagnostic& diagnostic) override {
    absl::StrAppend(&out_, "! ", diagnostic.line, ":", diagnostic.column, " ",
                    diagnostic.message, "\n");
  }

  const std::string& out() const { return out_; }

 private:
  void EndLine(absl::Span<const HloAttribute> attributes) {
    for (const HloAttribute& attribute : attributes) {
      absl::StrAppend(&out_, " | ", AbslView(attribute.key), "=",
                      AbslView(attribute.value));
    }
    absl::StrAppend(&out_, "\n");
  }

  std::string out_;
};

}  // namespace

std::string Walk(std::string_view text) {
  HloShapeTable shapes;
  Writer writer;
  ReadHlo(text, &shapes, &writer);
  return writer.out();
}

}  // namespace tessera
