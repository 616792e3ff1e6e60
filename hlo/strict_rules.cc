#include "tessera/hlo/strict_rules.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_attributes.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_opcode.h"
#include "tessera/hlo/reader/hlo_scanner.h"
#include "tessera/hlo/strict/attribute_judge.h"
#include "tessera/hlo/strict/literal_rules.h"
#include "tessera/hlo/strict/opcode_rules.h"
#include "tessera/hlo/strict/selected_shape.h"
#include "tessera/hlo/strict/shape_judge.h"
#include "tessera/hlo/strict/value_rules.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

using hlo_internal::HloObjections;
using hlo_internal::HloScanner;
using hlo_internal::OpcodeRules;
using hlo_internal::SelectedShape;
using hlo_internal::ShapeJudge;
using Parity = OpcodeRules::Parity;

// Whether `tables` has a table of this name. A string in a row may hold it too.
bool HasFrameTable(std::string_view tables, std::string_view name) {
  const HloScanner scanner(tables);
  const char* p = scanner.begin();
  while (p != scanner.end()) {
    if (*p == '"') {
      const char* const past = scanner.PastString(p);
      p = past == nullptr ? scanner.end() : past;
      continue;
    }
    const std::string_view word = scanner.WordAt(p);
    if (word == name) return true;
    p += std::max<size_t>(word.size(), 1);
  }
  return false;
}

// Where no shape may be, XLA passes over one that is: add(x, f32[2], y) has two
// operands.
int64_t CountOperands(HloOperands list, bool may_be_shapes) {
  if (may_be_shapes) return list.size();
  int64_t count = 0;
  for (const HloOperand operand : list) {
    count += operand.is_plain_name() || operand.text() != operand.shape_text();
  }
  return count;
}

class Judge {
 public:
  Judge(const HloDump& dump, int64_t limit)
      : dump_(dump),
        scanner_(dump.text()),
        objections_(limit),
        shape_judge_(&objections_),
        opcodes_(dump.opcodes().begin(), dump.opcodes().end()),
        is_spelling_checked_(dump.shapes().size()) {}

  std::vector<HloObjection> Find() {
    for (const HloModule module : dump_.modules()) Check(module);
    return objections_.Take();
  }

 private:
  void Check(HloModule module);
  void Check(HloComputation computation);
  void Check(HloInstruction instruction);
  void CheckAliases(HloModule module);
  void CheckFrameTables(std::string_view tables);
  void CheckNoComma(std::string_view text);
  void CheckParameters(HloComputation computation);
  void CheckProgramShape(HloComputation computation);
  void CheckName(HloInstruction instruction);
  void CheckShape(HloInstruction instruction, const OpcodeRules& opcode);
  void CheckLiteral(HloInstruction instruction);
  void CheckOperands(HloInstruction instruction);
  void CheckOperand(HloOperand operand);
  void CheckMissingOperand(HloOperand operand);
  // Objects unless the text gives the operand a shape like this one.
  void CheckGivenShape(HloOperand operand, const Shape& shape);
  // Whether shapes may stand for its operands, `add(f32[2], f32[2])`.
  bool MayHaveShapes(HloInstruction instruction) const {
    return instruction.name().empty() || MayLackOperands(instruction);
  }
  bool MayLackOperands(HloInstruction instruction) const {
    return dump_.is_one_instruction() && !instruction.computation().is_inline();
  }
  void CheckOperandCount(std::string_view name, const OpcodeRules& opcode,
                         HloOperands operands, bool may_be_shapes);
  void CheckCalls(HloInstruction instruction);

  void Object(std::string_view at, std::string message) {
    objections_.Add(at, std::move(message));
  }

  const HloDump& dump_;
  const HloScanner scanner_;  // of all of the dump
  HloObjections objections_;
  ShapeJudge shape_judge_;
  // Of the dump, by HloInstruction::opcode_index.
  std::vector<OpcodeRules> opcodes_;
  // Of nested operands.
  TextMap<std::string_view, OpcodeRules> nested_opcodes_;
  // By HloInstruction::shape_index.
  std::vector<bool> is_spelling_checked_;
  // The parameters of the computation being checked, by number.
  std::vector<std::pair<int64_t, HloInstruction>> parameters_;
  // Of a text of one instruction, by the name of the operand.
  TextMap<std::string_view, const Shape*> made_parameters_;
};

void Judge::Check(HloModule module) {
  if (module.has_header()) {
    const HloAttributes attributes = module.attributes();
    CheckAttributes(attributes, &objections_);
    CheckAliases(module);
    CheckNoComma(attributes.empty() ? module.name() : attributes.back().value);
  }
  CheckFrameTables(module.frame_tables_text());
  bool has_entry = false;
  for (const HloComputation computation : module.computations()) {
    if (computation.is_entry() && has_entry) {
      Object(computation.name(), "another computation is marked ENTRY");
    }
    has_entry |= computation.is_entry();
    Check(computation);
  }
}

void Judge::CheckAliases(HloModule module) {
  const std::optional<std::string_view> aliases =
      module.attribute("input_output_alias");
  if (!aliases.has_value()) return;
  std::optional<HloComputation> entry = module.entry_computation();
  if (!entry.has_value()) {
    // It is the last, as in XLA: the text is whole.
    for (const HloComputation computation : module.computations()) {
      if (!computation.is_inline()) entry = computation;
    }
  }
  const std::optional<HloInstruction> root =
      entry.has_value() ? entry->root() : std::nullopt;
  objections_.Add(hlo_internal::FindObjectionToAliases(
      *aliases, root.has_value() ? root->shape() : nullptr));
}

void Judge::CheckFrameTables(std::string_view tables) {
  if (tables.empty()) return;
  for (std::string_view table :
       {"FileNames", "FunctionNames", "FileLocations", "StackFrames"}) {
    if (!HasFrameTable(tables, table)) {
      Object(tables, absl::StrCat("the table ", AbslView(table),
                                  " is missing, but there are others"));
    }
  }
}

// Nothing but an attribute may follow a comma behind `text`.
void Judge::CheckNoComma(std::string_view text) {
  if (text.empty()) return;
  const char* const p = scanner_.PastBlanks(text.data() + text.size());
  if (scanner_.Sees(p, ',')) {
    Object(std::string_view(p, 1), "no attribute follows the comma");
  }
}

void Judge::Check(HloComputation computation) {
  bool has_root = false;
  for (const HloInstruction instruction : computation.instructions()) {
    if (instruction.is_root() && has_root) {
      Object(instruction.text(), "another instruction is marked ROOT");
    }
    has_root |= instruction.is_root();
    Check(instruction);
  }
  if (!computation.is_inline() && computation.is_closed()) {
    CheckAttributes(computation.attributes(), &objections_);
    CheckNoComma(computation.attributes_text());
  }
  if (computation.name().empty() && !computation.is_inline()) {
    // An instruction that stands in no computation is a text of its own.
    if (computation.instructions().size() > 1) {
      Object(computation.instructions()[1].text(),
             "instructions outside a computation are read one at a time");
    }
    return;
  }
  CheckParameters(computation);
  CheckProgramShape(computation);
  if (computation.instructions().empty()) {
    // One that is written inline has no name, but a place.
    Object(computation.is_inline() ? computation.attributes_text()
                                   : computation.name(),
           "the computation has no instruction");
  }
}

void Judge::CheckParameters(HloComputation computation) {
  parameters_.clear();
  for (const HloInstruction instruction : computation.instructions()) {
    if (!opcodes_[instruction.opcode_index()].is_parameter) continue;
    const std::optional<int64_t> number = instruction.parameter_number();
    if (number.has_value() && *number >= 0) {
      parameters_.emplace_back(*number, instruction);
    } else {
      Object(instruction.operand_text(),
             "this is not the number of a parameter");
    }
  }
  const auto comes_first = [](const auto& a, const auto& b) {
    return a.first < b.first;
  };
  if (!std::is_sorted(parameters_.begin(), parameters_.end(), comes_first)) {
    std::stable_sort(parameters_.begin(), parameters_.end(), comes_first);
  }
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const auto& [number, instruction] = parameters_[i];
    if (number == static_cast<int64_t>(i)) continue;
    Object(instruction.operand_text(),
           i > 0 && number == parameters_[i - 1].first
               ? absl::StrCat("parameter ", number, " is declared twice")
               : absl::StrCat("parameter ", i, " is missing, but there is ",
                              number));
    return;
  }
}

void Judge::CheckProgramShape(HloComputation computation) {
  const std::string_view text = computation.program_shape_text();
  if (text.empty()) return;
  const Shape* const result = shape_judge_.ResultOfProgram(text);
  const std::optional<HloInstruction> root = computation.root();
  if (result == nullptr || !root.has_value() || !root->has_shape() ||
      Compatible(*result, *root->shape())) {
    return;
  }
  Object(text,
         absl::StrCat("the result of the computation is ", result->ToString(),
                      ", but its root is ", root->shape()->ToString()));
}

void Judge::Check(HloInstruction instruction) {
  const OpcodeRules& opcode = opcodes_[instruction.opcode_index()];
  CheckName(instruction);
  CheckOperandCount(instruction.opcode(), opcode, instruction.operands(),
                    MayHaveShapes(instruction));
  CheckShape(instruction, opcode);
  if (opcode.is_constant && instruction.has_shape()) CheckLiteral(instruction);
  CheckAttributes(instruction, opcode, &objections_);
  CheckNoComma(instruction.text());
  CheckOperands(instruction);
  CheckCalls(instruction);
}

void Judge::CheckName(HloInstruction instruction) {
  const std::string_view name = instruction.name();
  if (!instruction.has_legal_name()) {
    Object(name, absl::StrCat("'", AbslView(name), "' is not a legal name"));
  }
  if (!name.empty() && scanner_.Sees(name.data() + name.size(), '=') &&
      (name.data() == scanner_.begin() || name.data()[-1] != '%')) {
    Object(name, absl::StrCat("'", AbslView(name),
                              "=' is the key of an attribute; a "
                              "name has a blank before '='"));
  }
}

void Judge::CheckShape(HloInstruction instruction, const OpcodeRules& opcode) {
  if (!instruction.has_shape()) {
    if (opcode.facts.has_value() && opcode.facts->needs_shape) {
      Object(instruction.opcode(),
             absl::StrCat("the shape of a ", AbslView(instruction.opcode()),
                          " must be given"));
    }
    return;
  }
  const int64_t index = instruction.shape_index();
  if (instruction.is_shape_inferred() || is_spelling_checked_[index]) return;
  is_spelling_checked_[index] = true;
  shape_judge_.CheckSpelling(instruction.shape_text());
}

void Judge::CheckLiteral(HloInstruction instruction) {
  const std::string_view literal = instruction.operand_text();
  if (literal.empty()) {
    Object(instruction.opcode(), "a constant must have a literal");
    return;
  }
  objections_.Add(
      hlo_internal::FindObjectionToLiteral(literal, *instruction.shape()));
}

void Judge::CheckCalls(HloInstruction instruction) {
  // Several names are printed for calls= and are not read again.
  std::string_view last_call;
  for (const HloCall call : instruction.calls()) {
    const bool is_single = call.kind() != HloCallKind::kBranchComputations &&
                           call.kind() != HloCallKind::kCalledComputations;
    if (is_single && last_call == HloCallKindName(call.kind())) {
      Object(call.name(),
             absl::StrCat(AbslView(last_call), "= takes one computation"));
    }
    last_call = HloCallKindName(call.kind());
    if (dump_.is_one_instruction() && !call.computation().has_value()) {
      Object(call.name(), absl::StrCat("the text has no computation '",
                                       AbslView(call.name()), "'"));
    }
  }
}

void Judge::CheckOperandCount(std::string_view name, const OpcodeRules& opcode,
                              HloOperands list, bool may_be_shapes) {
  if (!opcode.facts.has_value()) {
    Object(name,
           absl::StrCat("'", AbslView(name), "' is not an opcode of XLA"));
    return;
  }
  if (opcode.is_parameter || opcode.is_constant) return;
  const int64_t arity = opcode.facts->arity;
  if (arity == HloOpcodeFacts::kVariadic && !opcode.needs_operand &&
      opcode.parity == Parity::kAny) {
    return;
  }
  const int64_t operands = CountOperands(list, may_be_shapes);
  if (arity != HloOpcodeFacts::kVariadic && arity != operands) {
    Object(name, absl::StrCat(AbslView(name), " takes ", arity,
                              arity == 1 ? " operand" : " operands", ", not ",
                              operands));
  }
  if (opcode.needs_operand && operands == 0) {
    Object(name, absl::StrCat(AbslView(name), " must have an operand"));
  }
  const bool is_even = operands % 2 == 0;
  if (opcode.parity == Parity::kEven && !is_even) {
    Object(name,
           absl::StrCat(AbslView(name),
                        " takes an even number of operands, not ", operands));
  } else if (opcode.parity == Parity::kOdd && is_even) {
    Object(name,
           absl::StrCat(AbslView(name),
                        " takes an odd number of operands, not ", operands));
  }
}

void Judge::CheckOperands(HloInstruction instruction) {
  const bool may_be_missing = MayLackOperands(instruction);
  for (const HloOperand operand : instruction.all_operands()) {
    if (may_be_missing && !operand.name().empty()) {
      CheckMissingOperand(operand);
      continue;
    }
    if (operand.is_plain_name()) continue;
    if (!operand.opcode().empty()) {
      const OpcodeRules& opcode =
          nested_opcodes_.try_emplace(operand.opcode(), operand.opcode())
              .first->second;
      CheckOperandCount(operand.opcode(), opcode, operand.operands(),
                        MayHaveShapes(instruction));
      // It has no attributes, not even those that it must have.
      CheckRequiredAttributes(operand.opcode(), opcode, {}, &objections_);
    } else if (!operand.name().empty()) {
      CheckOperand(operand);
    } else if (operand.shape_text() != operand.text()) {
      Object(operand.text(), "this is not an operand");
    }
  }
}

void Judge::CheckOperand(HloOperand operand) {
  const std::optional<HloInstruction> instruction = operand.instruction();
  if (!instruction.has_value() || !instruction->has_shape()) return;
  // The usual case: as the instruction has it.
  if (operand.tuple_path().empty() &&
      operand.shape_text() == instruction->shape_text()) {
    return;
  }
  const Shape* const shape = SelectedShape(operand);
  if (shape == nullptr) {
    Object(operand.text(), absl::StrCat("'", AbslView(operand.tuple_path()),
                                        "' does not name an element of ",
                                        instruction->shape()->ToString()));
    return;
  }
  if (operand.shape_text().empty()) return;
  CheckGivenShape(operand, *shape);
}

// XLA makes a parameter of the first operand of each name, for which it needs
// the shape.
void Judge::CheckMissingOperand(HloOperand operand) {
  const auto made = made_parameters_.find(operand.name());
  const bool is_made = made != made_parameters_.end();
  if (operand.shape_text().empty()) {
    if (is_made) return;
    Object(operand.text(),
           absl::StrCat("the operand '", AbslView(operand.name()),
                        "' of a text of one instruction must have a shape"));
  } else if (is_made && operand.tuple_path().empty()) {
    CheckGivenShape(operand, *made->second);
  } else if (const Shape* given = shape_judge_.Read(operand.shape_text())) {
    made_parameters_.try_emplace(operand.name(), given);
  }
}

void Judge::CheckGivenShape(HloOperand operand, const Shape& shape) {
  const Shape* const given = shape_judge_.Read(operand.shape_text());
  if (given != nullptr && !Compatible(*given, shape)) {
    Object(operand.shape_text(),
           absl::StrCat("the operand is ", shape.ToString(), ", not ",
                        given->ToString()));
  }
}

}  // namespace

std::vector<HloObjection> FindHloObjections(const HloDump& dump,
                                            int64_t limit) {
  return Judge(dump, limit).Find();
}

}  // namespace tessera
