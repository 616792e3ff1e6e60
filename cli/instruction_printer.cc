#include "tessera/cli/instruction_printer.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "tessera/cli/json.h"

namespace tessera {
namespace {

// A reference without its inline shape; whatever else it is as it stands.
std::string OperandText(const HloOperandText& operand) {
  return operand.name.empty() ? std::string(operand.text)
                              : absl::StrCat(operand.name, operand.tuple_path);
}

std::vector<std::string> OperandTexts(const HloInstructionText& instruction) {
  std::vector<std::string> texts;
  for (const HloOperandText& operand : instruction.operands) {
    texts.push_back(OperandText(operand));
  }
  return texts;
}

// Literals and nested operands may run over several lines.
std::string OnOneLine(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"\r", ""}, {"\n", " "}});
}

std::string ToText(const HloInstructionText& instruction) {
  const std::string operands =
      instruction.operands.empty()
          ? std::string(instruction.operand_text)
          : absl::StrJoin(OperandTexts(instruction), ", ");
  std::string text;
  if (!instruction.computation->name.empty()) {
    absl::StrAppend(&text, instruction.computation->name, ": ");
  }
  if (instruction.is_root) absl::StrAppend(&text, "ROOT ");
  if (!instruction.name.empty()) {
    absl::StrAppend(&text, instruction.name, " = ");
  }
  if (instruction.shape != nullptr) {
    absl::StrAppend(&text, instruction.shape->ToString(), " ");
  }
  absl::StrAppend(&text, instruction.opcode, "(", operands, ")");
  return absl::StrCat(OnOneLine(text), "\n");
}

Json ToJson(const HloInstructionText& instruction) {
  Json json;
  json["module"] = JsonString(instruction.computation->module->name);
  json["computation"] = JsonString(instruction.computation->name);
  json["name"] = JsonString(instruction.name);
  json["root"] = instruction.is_root;
  json["shape"] = instruction.shape == nullptr
                      ? Json()
                      : Json(instruction.shape->ToString());
  json["opcode"] = JsonString(instruction.opcode);
  json["operands"] = OperandTexts(instruction);
  // The number of a parameter, the literal of a constant.
  if (instruction.operands.empty() && !instruction.operand_text.empty()) {
    json["operand_text"] = JsonString(instruction.operand_text);
  }
  json["attributes"] = Json::object();
  for (const HloAttribute& attribute : instruction.attributes) {
    json["attributes"][JsonString(attribute.key)] = JsonString(attribute.value);
  }
  return json;
}

}  // namespace

void InstructionPrinter::OnInstruction(const HloInstructionText& instruction) {
  *console_->out << (format_ == OutputFormat::kJson
                         ? JsonLine(ToJson(instruction))
                         : ToText(instruction));
}

}  // namespace tessera
