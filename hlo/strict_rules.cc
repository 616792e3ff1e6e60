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
#include "tessera/hlo/reader/bracket_reader.h"
#include "tessera/hlo/reader/hlo_scanner.h"
#include "tessera/parser/parser.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

// Whether `tables` has a table of this name. A string in a row may hold it too.
bool HasFrameTable(absl::string_view tables, absl::string_view name) {
  const hlo_internal::HloScanner scanner(tables);
  const char* p = scanner.begin();
  while (p != scanner.end()) {
    if (*p == '"') {
      const char* const past = scanner.PastString(p);
      p = past == nullptr ? scanner.end() : past;
      continue;
    }
    const absl::string_view word = scanner.WordAt(p);
    if (word == name) return true;
    p += std::max<size_t>(word.size(), 1);
  }
  return false;
}

class Judge {
 public:
  Judge(const HloDump& dump, int64_t limit)
      : dump_(dump),
        limit_(limit),
        opcodes_(dump.opcodes().begin(), dump.opcodes().end()) {}

  std::vector<HloObjection> Find() {
    for (const HloModule module : dump_.modules()) Check(module);
    return std::move(objections_);
  }

 private:
  // What the rules ask about an opcode, found once for each.
  struct Opcode {
    explicit Opcode(absl::string_view name)
        : facts(FindHloOpcode(name)),
          is_parameter(name == "parameter"),
          is_constant(name == "constant") {}
    absl::optional<HloOpcodeFacts> facts;
    bool is_parameter;
    bool is_constant;
  };

  void Check(HloModule module);
  void Check(HloComputation computation);
  void Check(HloInstruction instruction);
  void CheckAttributes(const HloAttributes& attributes);
  void CheckParameters(HloComputation computation);
  void CheckProgramShape(HloComputation computation);
  void CheckOperands(HloInstruction instruction);
  void CheckOperand(HloOperand operand);
  void CheckOpcode(absl::string_view name, const Opcode& opcode,
                   int64_t operands);
  void CheckCalls(HloInstruction instruction);
  const Shape* ResultOfProgram(absl::string_view program_shape);

  void Object(absl::string_view at, std::string message) {
    if (static_cast<int64_t>(objections_.size()) < limit_) {
      objections_.push_back({at, std::move(message)});
    }
  }

  const HloDump& dump_;
  const int64_t limit_;
  std::vector<Opcode> opcodes_;  // of the dump, by HloInstruction::opcode_index
  // The shapes of operands and in the headers of computations.
  HloShapeTable shapes_;
  // The parameters of the computation being checked, by number.
  std::vector<std::pair<int64_t, HloInstruction>> parameters_;
  std::vector<HloObjection> objections_;
};

void Judge::Check(HloModule module) {
  CheckAttributes(module.attributes());
  const absl::string_view tables = module.frame_tables_text();
  if (!tables.empty()) {
    for (absl::string_view table :
         {"FileNames", "FunctionNames", "FileLocations", "StackFrames"}) {
      if (!HasFrameTable(tables, table)) {
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
  if (!computation.attributes_text().empty()) {
    CheckAttributes(computation.attributes());
  }
  // Instructions that stand in no computation are a text of their own.
  if (computation.name().empty() && !computation.is_inline()) return;
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
    const absl::optional<int64_t> number = instruction.parameter_number();
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
  const Shape* const result = ResultOfProgram(text);
  if (result != nullptr && Compatible(*result, *root->shape())) return;
  // The same again, to say what is wrong.
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

// The result of `(x: f32[2], y: s32[]) -> f32[2]`, as XLA prints it; nullptr
// for text that takes a closer look. A dump repeats few shapes in many headers,
// so each is read once.
const Shape* Judge::ResultOfProgram(absl::string_view program_shape) {
  const hlo_internal::HloScanner scanner(program_shape);
  hlo_internal::HloFailure failure;
  hlo_internal::BracketReader brackets(scanner, &failure);
  // The shape at `*p`.
  const auto read_shape = [&](const char** p) -> const Shape* {
    const char* const begin = *p;
    if (!scanner.StartsShape(begin) ||
        !brackets.ReadShape(p, /*body_may_follow=*/false)) {
      return nullptr;
    }
    const absl::StatusOr<int64_t> index =
        shapes_.Intern(hlo_internal::HloScanner::Between(begin, *p));
    return index.ok() ? &shapes_.shape(*index) : nullptr;
  };
  const char* p = scanner.begin() + 1;
  while (!scanner.Sees(p, ')')) {
    p = scanner.PastName(p);
    if (p == nullptr || p[-1] != ':' || !scanner.Sees(p, ' ')) return nullptr;
    if (read_shape(&++p) == nullptr) return nullptr;
    if (!scanner.Sees(p, ',')) continue;
    ++p;
    if (!scanner.Sees(p, ' ')) return nullptr;
    p = scanner.PastIndexComment(p + 1);
  }
  const absl::string_view rest =
      hlo_internal::HloScanner::Between(p, scanner.end());
  constexpr absl::string_view kArrow = ") -> ";
  if (!absl::StartsWith(rest, kArrow)) return nullptr;
  p += kArrow.size();
  const Shape* const result = read_shape(&p);
  return p == scanner.end() ? result : nullptr;
}

void Judge::Check(HloInstruction instruction) {
  if (!instruction.has_legal_name()) {
    Object(instruction.name(),
           absl::StrCat("'", instruction.name(), "' is not a legal name"));
  }
  const Opcode& opcode = opcodes_[instruction.opcode_index()];
  CheckOpcode(instruction.opcode(), opcode, instruction.operand_count());
  if (opcode.facts.has_value() && opcode.facts->needs_shape &&
      !instruction.has_shape()) {
    Object(instruction.opcode(),
           absl::StrCat("the shape of a ", instruction.opcode(),
                        " must be given"));
  }
  if (opcode.is_constant && instruction.has_shape() &&
      !instruction.shape()->IsArray() &&
      absl::StrContains(instruction.operand_text(), "...")) {
    Object(instruction.operand_text(),
           "the literal of a tuple must be written out");
  }
  if (instruction.repeats_attribute()) {
    CheckAttributes(instruction.attributes());
  }
  CheckOperands(instruction);
  CheckCalls(instruction);
}

void Judge::CheckCalls(HloInstruction instruction) {
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

void Judge::CheckOpcode(absl::string_view name, const Opcode& opcode,
                        int64_t operands) {
  if (!opcode.facts.has_value()) {
    Object(name, absl::StrCat("'", name, "' is not an opcode of XLA"));
    return;
  }
  const int64_t arity = opcode.facts->arity;
  if (opcode.is_parameter || opcode.is_constant ||
      arity == HloOpcodeFacts::kVariadic || arity == operands) {
    return;
  }
  Object(name, absl::StrCat(name, " takes ", arity,
                            arity == 1 ? " operand" : " operands", ", not ",
                            operands));
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
  const bool may_be_shapes = instruction.name().empty();
  for (const HloOperand operand : instruction.all_operands()) {
    if (operand.is_plain_name()) continue;
    if (!operand.opcode().empty()) {
      CheckOpcode(operand.opcode(), Opcode(operand.opcode()),
                  operand.operands().size());
    } else if (!operand.name().empty()) {
      CheckOperand(operand);
    } else if (!may_be_shapes || operand.shape_text() != operand.text()) {
      Object(operand.text(), "this is not an operand");
    }
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
  const absl::StatusOr<int64_t> given = shapes_.Intern(operand.shape_text());
  if (!given.ok()) {
    Object(operand.shape_text(), "the shape of the operand cannot be read");
  } else if (!Compatible(shapes_.shape(*given), *shape)) {
    Object(operand.shape_text(),
           absl::StrCat("the operand is ", shape->ToString(), ", not ",
                        shapes_.shape(*given).ToString()));
  }
}

}  // namespace

std::vector<HloObjection> FindHloObjections(const HloDump& dump,
                                            int64_t limit) {
  return Judge(dump, limit).Find();
}

}  // namespace tessera
