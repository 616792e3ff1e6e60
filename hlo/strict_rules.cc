#include "tessera/hlo/strict_rules.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/hlo_attributes.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_opcode.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/parser/parser.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

class Judge {
 public:
  Judge(const HloDump& dump, int64_t limit) : dump_(dump), limit_(limit) {}

  std::vector<HloObjection> Find() {
    for (const HloModule module : dump_.modules()) Check(module);
    return std::move(objections_);
  }

 private:
  void Check(HloModule module);
  void Check(HloComputation computation);
  void Check(HloInstruction instruction);
  void CheckName(absl::string_view name);
  void CheckAttributes(const HloAttributes& attributes);
  void CheckParameters(HloComputation computation);
  void CheckProgramShape(HloComputation computation);
  void CheckOperands(HloInstruction instruction);
  void CheckOperand(HloOperand operand);
  void CheckOpcode(absl::string_view opcode, int64_t operands,
                   bool has_operands);

  void Object(absl::string_view at, std::string message) {
    if (static_cast<int64_t>(objections_.size()) < limit_) {
      objections_.push_back({at, std::move(message)});
    }
  }

  const HloDump& dump_;
  const int64_t limit_;
  HloShapeTable operand_shapes_;
  std::vector<HloObjection> objections_;
};

void Judge::Check(HloModule module) {
  CheckAttributes(module.attributes());
  const absl::string_view tables = module.frame_tables_text();
  if (!tables.empty()) {
    for (absl::string_view table :
         {"FileNames", "FunctionNames", "FileLocations", "StackFrames"}) {
      if (!absl::StrContains(tables, table)) {
        Object(tables, absl::StrCat("there is no table ", table,
                                    ", but there are others"));
      }
    }
  }
  bool has_entry = false;
  for (const HloComputation computation : module.computations()) {
    if (computation.is_entry() && has_entry) {
      Object(computation.name(), "another computation is marked ENTRY");
    }
    has_entry |= computation.is_entry();
    Check(computation);
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
  CheckAttributes(computation.attributes());
  // Instructions that stand in no computation are a text of their own.
  if (computation.name().empty() && !computation.is_inline()) return;
  CheckParameters(computation);
  CheckProgramShape(computation);
  if (computation.instructions().empty()) {
    Object(computation.name(), "the computation has no instruction");
  }
}

void Judge::CheckParameters(HloComputation computation) {
  std::vector<std::pair<int64_t, HloInstruction>> parameters;
  for (const HloInstruction instruction : computation.instructions()) {
    if (instruction.opcode() != "parameter") continue;
    const absl::optional<int64_t> number = instruction.parameter_number();
    if (!number.has_value() || *number < 0) {
      Object(instruction.operand_text(), "this is no number of a parameter");
    } else {
      parameters.emplace_back(*number, instruction);
    }
  }
  std::stable_sort(
      parameters.begin(), parameters.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < parameters.size(); ++i) {
    const auto& [number, instruction] = parameters[i];
    if (number == static_cast<int64_t>(i)) continue;
    Object(instruction.operand_text(),
           i > 0 && number == parameters[i - 1].first
               ? absl::StrCat("there is another parameter ", number)
               : absl::StrCat("there is no parameter ", i, ", but there is ",
                              number));
    return;
  }
}

void Judge::CheckProgramShape(HloComputation computation) {
  const absl::string_view text = computation.program_shape_text();
  const absl::optional<HloInstruction> root = computation.root();
  if (text.empty() || !root.has_value() || !root->has_shape()) return;
  ParseOptions options;
  options.lenient = true;
  const absl::StatusOr<ProgramShape> program = ParseProgramShape(text, options);
  if (!program.ok()) {
    Object(text,
           "the parameters and the result of the computation cannot be "
           "read");
  } else if (!Compatible(program->result, *root->shape())) {
    Object(text, absl::StrCat("the result of the computation is ",
                              program->result.ToString(), ", but its root is ",
                              root->shape()->ToString()));
  }
}

void Judge::Check(HloInstruction instruction) {
  CheckName(instruction.name());
  const absl::string_view opcode = instruction.opcode();
  CheckOpcode(opcode, instruction.operand_count(),
              opcode != "parameter" && opcode != "constant");
  const absl::optional<HloOpcodeFacts> facts = FindHloOpcode(opcode);
  if (facts.has_value() && facts->needs_shape && !instruction.has_shape()) {
    Object(opcode, absl::StrCat("the shape of a ", opcode, " must be given"));
  }
  if (instruction.literal_text().has_value() && instruction.has_shape() &&
      !instruction.shape()->IsArray() &&
      absl::StrContains(*instruction.literal_text(), "...")) {
    Object(*instruction.literal_text(),
           "the literal of a tuple must be written out");
  }
  CheckAttributes(instruction.attributes());
  CheckOperands(instruction);
  // Several names are printed for calls= and are not read again.
  absl::string_view last_call;
  for (const HloCall call : instruction.calls()) {
    const bool is_single = call.kind() != HloCallKind::kBranchComputations &&
                           call.kind() != HloCallKind::kCalledComputations;
    if (is_single && last_call == HloCallKindName(call.kind())) {
      Object(call.name(), absl::StrCat(last_call, "= takes one computation"));
    }
    last_call = HloCallKindName(call.kind());
  }
}

void Judge::CheckName(absl::string_view name) {
  const bool is_reserved =
      absl::StartsWith(name, "__") && !absl::StartsWith(name, "__xla_");
  if (is_reserved || PrimitiveTypeFromName(name).has_value()) {
    Object(name, absl::StrCat("'", name, "' is no legal name"));
  }
}

void Judge::CheckOpcode(absl::string_view opcode, int64_t operands,
                        bool has_operands) {
  const absl::optional<HloOpcodeFacts> facts = FindHloOpcode(opcode);
  if (!facts.has_value()) {
    Object(opcode, absl::StrCat("'", opcode, "' is no opcode of XLA"));
  } else if (has_operands && facts->arity != HloOpcodeFacts::kVariadic &&
             facts->arity != operands) {
    Object(opcode, absl::StrCat(opcode, " takes ", facts->arity,
                                facts->arity == 1 ? " operand" : " operands",
                                ", not ", operands));
  }
}

void Judge::CheckAttributes(const HloAttributes& attributes) {
  absl::flat_hash_set<absl::string_view> keys;
  for (const HloAttribute& attribute : attributes) {
    if (keys.insert(attribute.key).second) continue;
    Object(attribute.key,
           absl::StrCat("'", attribute.key, "' is given a second time"));
  }
}

void Judge::CheckOperands(HloInstruction instruction) {
  // Nested expressions have operands of their own.
  HloOperands pending = instruction.operands();
  const bool may_be_shapes = instruction.name().empty();
  while (!pending.empty()) {
    const HloOperand operand = pending.back();
    pending.pop_back();
    if (operand.opcode().empty() && operand.name().empty()) {
      if (!may_be_shapes || operand.shape_text() != operand.text()) {
        Object(operand.text(), "this is no operand");
      }
      continue;
    }
    if (operand.opcode().empty()) {
      CheckOperand(operand);
      continue;
    }
    const HloOperands nested = operand.operands();
    CheckOpcode(
        operand.opcode(), nested.size(),
        operand.opcode() != "parameter" && operand.opcode() != "constant");
    pending.insert(pending.end(), nested.begin(), nested.end());
  }
}

void Judge::CheckOperand(HloOperand operand) {
  const absl::optional<HloInstruction> instruction = operand.instruction();
  if (!instruction.has_value() || !instruction->has_shape()) return;
  const Shape* shape = instruction->shape();
  for (const int64_t index : operand.tuple_indices()) {
    if (!shape->IsTuple() || index < 0 ||
        index >= static_cast<int64_t>(shape->tuple_shapes().size())) {
      Object(operand.text(), absl::StrCat("'", operand.tuple_path(),
                                          "' leads to no element of ",
                                          instruction->shape()->ToString()));
      return;
    }
    shape = &shape->tuple_shapes()[index];
  }
  if (operand.shape_text().empty()) return;
  const absl::StatusOr<int64_t> given =
      operand_shapes_.Intern(operand.shape_text());
  if (!given.ok()) {
    Object(operand.shape_text(), "the shape of the operand cannot be read");
  } else if (!Compatible(operand_shapes_.shape(*given), *shape)) {
    Object(operand.shape_text(),
           absl::StrCat("the operand is ", shape->ToString(), ", not ",
                        operand_shapes_.shape(*given).ToString()));
  }
}

}  // namespace

std::vector<HloObjection> FindHloObjections(const HloDump& dump,
                                            int64_t limit) {
  return Judge(dump, limit).Find();
}

}  // namespace tessera
