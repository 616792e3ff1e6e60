#include "tessera/hlo/strict_rules.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
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

// Whether `tables` has a table of this name. A string in a row may have it,
// too.
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

// If shapes may not be operands, XLA ignores a shape: add(x, f32[2], y) has two
// operands.
int64_t CountOperands(HloOperands list, bool may_be_shapes) {
  if (may_be_shapes) return list.size();
  int64_t count = 0;
  for (const HloOperand operand : list) {
    count += operand.is_plain_name() || operand.text() != operand.shape_text();
  }
  return count;
}

// Returns the place after `shape` in `text`, which may lack its layouts;
// nullptr if it has another spelling, or a physical shape.
const char* PastShape(std::string_view text, std::string_view shape) {
  const char* const end = text.data() + text.size();
  while (true) {
    const size_t layout = std::min(shape.find('{'), shape.size());
    if (!ConsumePrefix(&text, shape.substr(0, layout))) return nullptr;
    shape.remove_prefix(layout);
    if (shape.empty()) return end - text.size();
    const size_t close = shape.find('}');
    if (close == shape.npos || shape.find('{', 1) < close) return nullptr;
    if (StartsWith(text, "{")) {
      if (!ConsumePrefix(&text, shape.substr(0, close + 1))) return nullptr;
    }
    shape.remove_prefix(close + 1);
  }
}

}  // namespace

namespace hlo_internal {

class StrictJudge {
 public:
  // `is_watching` is whether a StrictWatcher has judged attributes already.
  StrictJudge(const HloDump& dump, int64_t limit, bool is_watching)
      : dump_(dump),
        is_watching_(is_watching),
        scanner_(dump.text()),
        objections_(limit),
        shape_judge_(&objections_) {}

  // Checks the module without its computations.
  void CheckHeader(HloModule module);
  // `has_entry` is whether an earlier computation is marked ENTRY.
  void CheckMark(HloComputation computation, bool* has_entry);
  void Check(HloComputation computation);
  // Returns the rules for this opcode, an index in HloDump::opcodes().
  const OpcodeRules& RulesOf(uint32_t opcode) {
    while (opcodes_.size() <= opcode) {
      opcodes_.emplace_back(dump_.opcodes()[opcodes_.size()]);
    }
    return opcodes_[opcode];
  }
  std::vector<HloObjection> Take() { return objections_.Take(); }

 private:
  void Check(HloInstruction instruction, const OpcodeRules& opcode);
  void CheckAliases(HloModule module);
  void CheckFrameTables(std::string_view tables);
  void CheckNoComma(std::string_view text);
  // Numbers `parameters_`, and sorts them.
  void CheckParameters();
  void CheckProgramShape(HloComputation computation);
  // Whether the header repeats the texts of the shapes of `parameters_` and the
  // root, as it usually does. Those shapes are checked elsewhere.
  bool IsSpeltAsBelow(std::string_view program_shape,
                      HloInstruction root) const;
  void CheckName(HloInstruction instruction);
  void CheckShape(HloInstruction instruction, const OpcodeRules& opcode);
  void CheckLiteral(HloInstruction instruction);
  void CheckOperands(HloInstruction instruction);
  void CheckOperand(HloOperand operand);
  void CheckMissingOperand(HloOperand operand);
  // Objects unless the text gives the operand a shape like this one.
  void CheckGivenShape(HloOperand operand, const Shape& shape);
  // Whether shapes may replace its operands, as in `add(f32[2], f32[2])`.
  bool MayHaveShapes(HloInstruction instruction) const {
    return instruction.name().empty() || MayLackOperands(instruction);
  }
  bool MayLackOperands(HloInstruction instruction) const {
    return dump_.is_one_instruction() && !instruction.computation().is_inline();
  }
  void CheckOperandCount(std::string_view name, const OpcodeRules& opcode,
                         int64_t operands);
  void CheckCalls(HloInstruction instruction);

  void Object(std::string_view at, std::string message) {
    objections_.Add(at, std::move(message));
  }

  const HloDump& dump_;
  const bool is_watching_;
  const HloScanner scanner_;  // of the whole dump
  HloObjections objections_;
  ShapeJudge shape_judge_;
  // The rules for opcodes, by HloInstruction::opcode_index.
  std::vector<OpcodeRules> opcodes_;
  // The rules for the opcodes of nested operands.
  TextMap<std::string_view, OpcodeRules> nested_opcodes_;
  // By HloInstruction::shape_index.
  std::vector<bool> is_spelling_checked_;
  // The parameters of the current computation, by number.
  std::vector<std::pair<int64_t, HloInstruction>> parameters_;
  // For a text of one instruction, by the name of the operand.
  TextMap<std::string_view, const Shape*> made_parameters_;
};

void StrictJudge::CheckHeader(HloModule module) {
  if (module.has_header()) {
    const HloAttributes attributes = module.attributes();
    CheckAttributes(attributes, &objections_);
    CheckAliases(module);
    CheckNoComma(attributes.empty() ? module.name() : attributes.back().value);
  }
  CheckFrameTables(module.frame_tables_text());
}

void StrictJudge::CheckMark(HloComputation computation, bool* has_entry) {
  if (computation.is_entry() && *has_entry) {
    Object(computation.name(), "another computation is marked ENTRY");
  }
  *has_entry |= computation.is_entry();
}

void StrictJudge::CheckAliases(HloModule module) {
  const std::optional<std::string_view> aliases =
      module.attribute("input_output_alias");
  if (!aliases.has_value()) return;
  std::optional<HloComputation> entry = module.entry_computation();
  if (!entry.has_value()) {
    // It is the last one, as in XLA, because the text is complete.
    for (const HloComputation computation : module.computations()) {
      if (!computation.is_inline()) entry = computation;
    }
  }
  const std::optional<HloInstruction> root =
      entry.has_value() ? entry->root() : std::nullopt;
  objections_.Add(hlo_internal::FindObjectionToAliases(
      *aliases, root.has_value() ? root->shape() : nullptr));
}

void StrictJudge::CheckFrameTables(std::string_view tables) {
  if (tables.empty()) return;
  for (std::string_view table :
       {"FileNames", "FunctionNames", "FileLocations", "StackFrames"}) {
    if (!HasFrameTable(tables, table)) {
      Object(tables, absl::StrCat("the table ", AbslView(table),
                                  " is missing, but there are others"));
    }
  }
}

// Only an attribute may follow a comma after `text`.
void StrictJudge::CheckNoComma(std::string_view text) {
  if (text.empty()) return;
  const char* const p = scanner_.PastBlanks(text.data() + text.size());
  if (scanner_.Sees(p, ',')) {
    Object(std::string_view(p, 1), "no attribute follows the comma");
  }
}

void StrictJudge::Check(HloComputation computation) {
  bool has_root = false;
  parameters_.clear();
  for (const HloInstruction instruction : computation.instructions()) {
    if (instruction.is_root() && has_root) {
      Object(instruction.text(), "another instruction is marked ROOT");
    }
    has_root |= instruction.is_root();
    const OpcodeRules& opcode = RulesOf(instruction.opcode_index());
    Check(instruction, opcode);
    if (opcode.is_parameter) parameters_.emplace_back(-1, instruction);
  }
  if (!computation.is_inline() && computation.is_closed()) {
    CheckAttributes(computation.attributes(), &objections_);
    CheckNoComma(computation.attributes_text());
  }
  if (computation.name().empty() && !computation.is_inline()) {
    // An instruction outside a computation is a text of its own.
    if (computation.instructions().size() > 1) {
      Object(computation.instructions()[1].text(),
             "instructions outside a computation are read one at a time");
    }
    return;
  }
  CheckParameters();
  CheckProgramShape(computation);
  if (computation.instructions().empty()) {
    // An inline one has a place, but no name.
    Object(computation.is_inline() ? computation.attributes_text()
                                   : computation.name(),
           "the computation has no instruction");
  }
}

void StrictJudge::CheckParameters() {
  for (auto& [number, instruction] : parameters_) {
    number = instruction.parameter_number().value_or(-1);
    if (number < 0) {
      Object(instruction.operand_text(),
             "this is not the number of a parameter");
    }
  }
  const auto has_no_number = [](const auto& parameter) {
    return parameter.first < 0;
  };
  parameters_.erase(
      std::remove_if(parameters_.begin(), parameters_.end(), has_no_number),
      parameters_.end());
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

bool StrictJudge::IsSpeltAsBelow(std::string_view program_shape,
                                 HloInstruction root) const {
  const HloScanner scanner(program_shape);
  // Returns nullptr unless `token` is next, after blanks, or if `p` is nullptr.
  const auto past = [&scanner](const char* p, std::string_view token) {
    if (p == nullptr || token.empty()) return static_cast<const char*>(nullptr);
    p = scanner.PastBlanks(p);
    return StartsWith(HloScanner::Between(p, scanner.end()), token)
               ? p + token.size()
               : nullptr;
  };
  const auto past_shape = [&](const char* p, std::string_view shape) {
    if (p == nullptr || shape.empty()) return static_cast<const char*>(nullptr);
    return PastShape(HloScanner::Between(scanner.PastBlanks(p), scanner.end()),
                     shape);
  };
  const char* p = scanner.begin() + 1;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    if (i > 0 && (p = past(p, ",")) == nullptr) return false;
    p = scanner.PastBlanks(p);
    // Names with '%' take the slow path.
    if (scanner.Sees(p, '%')) return false;
    p = past_shape(scanner.PastName(p), parameters_[i].second.shape_text());
    if (p == nullptr) return false;
  }
  return past_shape(past(past(p, ")"), "->"), root.shape_text()) ==
         scanner.end();
}

void StrictJudge::CheckProgramShape(HloComputation computation) {
  const std::string_view text = computation.program_shape_text();
  if (text.empty()) return;
  const std::optional<HloInstruction> root = computation.root();
  if (root.has_value() && IsSpeltAsBelow(text, *root)) return;
  const Shape* const result = shape_judge_.ResultOfProgram(text);
  if (result == nullptr || !root.has_value() || !root->has_shape() ||
      Compatible(*result, *root->shape())) {
    return;
  }
  Object(text,
         absl::StrCat("the result of the computation is ", result->ToString(),
                      ", but its root is ", root->shape()->ToString()));
}

void StrictJudge::Check(HloInstruction instruction, const OpcodeRules& opcode) {
  CheckName(instruction);
  const HloRange<HloOperand> operands = instruction.all_operands();
  const bool are_plain =
      std::all_of(operands.begin(), operands.end(),
                  [](HloOperand operand) { return operand.is_plain_name(); });
  CheckOperandCount(instruction.opcode(), opcode,
                    are_plain ? operands.size()
                              : CountOperands(instruction.operands(),
                                              MayHaveShapes(instruction)));
  CheckShape(instruction, opcode);
  if (opcode.is_constant && instruction.has_shape()) CheckLiteral(instruction);
  if (!is_watching_ || instruction.has_attribute_to_judge() ||
      instruction.repeats_attribute()) {
    CheckAttributes(instruction, opcode, &objections_);
  }
  if (opcode.is_conditional) CheckConditional(instruction, &objections_);
  CheckNoComma(instruction.text());
  if (!are_plain || dump_.is_one_instruction()) CheckOperands(instruction);
  if (dump_.is_one_instruction() || instruction.calls().size() > 1) {
    CheckCalls(instruction);
  }
}

void StrictJudge::CheckName(HloInstruction instruction) {
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

void StrictJudge::CheckShape(HloInstruction instruction,
                             const OpcodeRules& opcode) {
  if (!instruction.has_shape()) {
    if (opcode.facts.has_value() && opcode.facts->needs_shape) {
      Object(instruction.opcode(),
             absl::StrCat("the shape of a ", AbslView(instruction.opcode()),
                          " must be given"));
    }
    return;
  }
  const size_t index = instruction.shape_index();
  if (is_spelling_checked_.size() <= index) {
    is_spelling_checked_.resize(dump_.shapes().size());
  }
  if (instruction.is_shape_inferred() || is_spelling_checked_[index]) return;
  is_spelling_checked_[index] = true;
  shape_judge_.CheckSpelling(instruction.shape_text());
}

void StrictJudge::CheckLiteral(HloInstruction instruction) {
  const std::string_view literal = instruction.operand_text();
  if (literal.empty()) {
    Object(instruction.opcode(), "a constant must have a literal");
    return;
  }
  objections_.Add(
      hlo_internal::FindObjectionToLiteral(literal, *instruction.shape()));
}

void StrictJudge::CheckCalls(HloInstruction instruction) {
  // XLA prints several names after calls=, but reads only one.
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

void StrictJudge::CheckOperandCount(std::string_view name,
                                    const OpcodeRules& opcode,
                                    int64_t operands) {
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

void StrictJudge::CheckOperands(HloInstruction instruction) {
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
      CheckOperandCount(
          operand.opcode(), opcode,
          CountOperands(operand.operands(), MayHaveShapes(instruction)));
      // It does not have attributes, not even required ones.
      CheckRequiredAttributes(operand.opcode(), opcode, {}, &objections_);
    } else if (!operand.name().empty()) {
      CheckOperand(operand);
    } else if (operand.shape_text() != operand.text()) {
      Object(operand.text(), "this is not an operand");
    }
  }
}

void StrictJudge::CheckOperand(HloOperand operand) {
  const std::optional<HloInstruction> instruction = operand.instruction();
  if (!instruction.has_value() || !instruction->has_shape()) return;
  // Usually, it is the shape of the instruction.
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

// XLA makes a parameter for the first operand of each name, and needs its
// shape.
void StrictJudge::CheckMissingOperand(HloOperand operand) {
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

void StrictJudge::CheckGivenShape(HloOperand operand, const Shape& shape) {
  const Shape* const given = shape_judge_.Read(operand.shape_text());
  if (given != nullptr && !Compatible(*given, shape)) {
    Object(operand.shape_text(),
           absl::StrCat("the operand is ", shape.ToString(), ", not ",
                        given->ToString()));
  }
}

StrictWatcher::StrictWatcher(const HloDump& dump)
    : dump_(dump),
      judge_(std::make_unique<StrictJudge>(dump, /*limit=*/1,
                                           /*is_watching=*/true)) {}

StrictWatcher::~StrictWatcher() = default;

bool StrictWatcher::HasAttributeToJudge(
    uint32_t opcode, absl::Span<const HloAttribute> attributes) {
  return MayObject(judge_->RulesOf(opcode), attributes);
}

void StrictWatcher::OnComputations(int64_t first) {
  const HloRange<HloComputation> all = dump_.computations();
  for (int64_t i = first; i < all.size(); ++i) {
    judge_->Check(all[i]);
    if (!all[i].is_entry()) continue;
    const int64_t module = all[i].module().index();
    has_second_entry_ |= module == entry_module_;
    entry_module_ = module;
  }
  judged_computations_ += all.size() - first;
}

bool StrictWatcher::Approves() {
  if (dump_.is_one_instruction() ||
      judged_computations_ != dump_.computations().size()) {
    return false;
  }
  for (const HloModule module : dump_.modules()) judge_->CheckHeader(module);
  return !has_second_entry_ && judge_->Take().empty();
}

}  // namespace hlo_internal

std::vector<HloObjection> FindHloObjections(const HloDump& dump,
                                            int64_t limit) {
  hlo_internal::StrictJudge judge(dump, limit, /*is_watching=*/false);
  for (const HloModule module : dump.modules()) {
    judge.CheckHeader(module);
    bool has_entry = false;
    for (const HloComputation computation : module.computations()) {
      judge.CheckMark(computation, &has_entry);
      judge.Check(computation);
    }
  }
  return judge.Take();
}

}  // namespace tessera
