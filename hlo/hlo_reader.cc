#include "tessera/hlo/hlo_reader.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/hlo/attribute_reader.h"
#include "tessera/hlo/bracket_reader.h"
#include "tessera/hlo/diagnostic_maker.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_scanner.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/text/diagnostic.h"

// How it works. One position moves over the text. Open computations form a
// stack, as a rule one deep: a computation written inline as an attribute's
// value opens above the one whose instruction has the attribute, and that
// instruction waits. Operands and attributes of all of them share one vector
// each, so that reading an instruction allocates nothing.
//
// A function that meets what it cannot read notes it in failure_ and returns
// false. The loop that began the item reports that and looks for the next item
// from the line after the failed one's first: what is wrong is often a quote or
// a bracket that swallowed lines. How much may be read again is bounded by the
// size of the text.

namespace tessera {
namespace {

using Result = BracketReader::Result;

class Reader {
 public:
  Reader(absl::string_view text, HloShapeTable* shapes, HloHandler* handler)
      : scanner_(text),
        brackets_(scanner_, &failure_),
        attribute_reader_(scanner_, &brackets_, &failure_),
        diagnostics_(text),
        shapes_(shapes),
        handler_(handler),
        position_(text.data()),
        delivered_end_(text.data()),
        rescan_budget_(2 * text.size()) {
    constexpr absl::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (absl::StartsWith(text, kByteOrderMark)) {
      position_ += kByteOrderMark.size();
    }
  }

  HloCounts Read() {
    while (open_.empty() ? ReadOutsideComputation() : ReadInComputation()) {
    }
    return counts_;
  }

 private:
  struct OpenComputation {
    HloComputationText computation;
    // Instructions that stand in no computation make one of their own, which is
    // announced with the first of them and closed by whatever comes.
    bool is_implicit = false;
    bool is_announced = false;
    // How much of the common vectors belongs to the computations below.
    size_t operands = 0;
    size_t nested_operands = 0;
    size_t attributes = 0;
    // The instruction being read.
    HloInstructionText instruction;
    const char* instruction_begin = nullptr;
    const char* attributes_begin = nullptr;
    AttributeReader::List list;
  };

  // Each reads or skips one item; false at the end of the text.
  bool ReadOutsideComputation();
  bool ReadInComputation();

  void ReadModule();
  void ReadFrameTable();
  bool ReadComputationHeader();
  OpenComputation& Open();
  void OpenInlineComputation();
  void CloseComputation();
  // Ends every open computation; none of them is closed.
  void LeaveComputations();
  void EndComputation(absl::Span<const HloAttribute> attributes);
  void AnnounceModule();
  void AnnounceComputations();

  // The name, or what stands in its place, is behind ROOT if that is there;
  // `past_name` is null if it is no name.
  void ReadInstruction(const char* name, const char* past_name);
  bool ReadInstructionToOperands(const char* name, const char* past_name);
  bool ReadKnownShape(const char** p, HloInstructionText* instruction);
  bool ReadOperands(const char** p);
  // `*opens_list`: `*p` is in the list of operands of a nested expression.
  bool ReadOperand(const char** p, bool* opens_list);
  bool OpenExpression(const char* begin, const HloOperandText& operand);
  void CloseExpression(const char* past);
  // What stands between this opcode's parentheses are no operands.
  static bool HasLiteral(absl::string_view opcode) {
    return opcode == "parameter" || opcode == "constant";
  }
  // Ends the instruction, or opens a computation written inline, after which
  // the attributes go on.
  void ReadInstructionAttributes();
  void Deliver();
  void ForgetInstruction();

  bool PassBrackets(const char** p) {
    return brackets_.Read(p, HloBraces::kTokens) == Result::kClosed;
  }

  bool Fail(HloFailure failure);
  bool Expected(absl::string_view what, const char* at) {
    return Fail(scanner_.Expected(what, at));
  }
  void Report(const char* at, absl::string_view message);
  // Reports failure_ and moves on from the item that began at `begin`.
  void SkipFailedItem(const char* begin);
  bool LineStartsItem(const char* p) const;

  const HloScanner scanner_;
  HloFailure failure_;
  BracketReader brackets_;
  AttributeReader attribute_reader_;
  DiagnosticMaker diagnostics_;
  HloShapeTable* const shapes_;
  HloHandler* const handler_;

  const char* position_;
  HloModuleText module_;
  bool module_is_announced_ = false;
  std::vector<HloAttribute> module_attributes_;
  std::vector<OpenComputation> open_;
  std::vector<HloOperandText> operands_;
  std::vector<HloOperandText> nested_operands_;
  struct OpenExpressionEntry {
    bool is_nested;  // in nested_operands_, else in operands_
    size_t index;
  };
  std::vector<OpenExpressionEntry> open_expressions_;
  const char* last_operand_ = nullptr;
  std::vector<HloAttribute> attributes_;
  HloCounts counts_;

  // What lies before this was handed over and must not be read again.
  const char* delivered_end_;
  // How many bytes may still be read a second time.
  int64_t rescan_budget_;
};

// Modules and computations.

bool Reader::ReadOutsideComputation() {
  position_ = scanner_.PastBlanks(position_);
  if (position_ == scanner_.end()) return false;
  const char* const begin = position_;
  const absl::string_view word = scanner_.WordAt(begin);
  if (*begin == '#') {
    // `# RUN: ...`, what a file of tests begins with.
    position_ = HloScanner::PastLine(begin, scanner_.end());
  } else if (word == "HloModule") {
    ReadModule();
  } else if (HloScanner::IsFrameTable(word)) {
    ReadFrameTable();
  } else if (scanner_.StartsInstruction(begin) || scanner_.StartsShape(begin)) {
    Open().is_implicit = true;
  } else if (word == "ENTRY" ||
             scanner_.StartsComputation(begin, scanner_.end())) {
    if (!ReadComputationHeader()) SkipFailedItem(begin);
  } else if (*begin == '}') {
    Report(begin, "'}' closes no computation");
    ++position_;
  } else {
    Expected("a module, a computation or an instruction", begin);
    SkipFailedItem(begin);
  }
  return true;
}

void Reader::ReadModule() {
  const char* const begin = position_;
  const char* const name =
      scanner_.PastBlanks(begin + scanner_.WordAt(begin).size());
  const char* const past_name = scanner_.PastName(name);
  if (past_name == nullptr) {
    Expected("the name of the module", name);
    SkipFailedItem(begin);
    return;
  }
  position_ = past_name;
  module_attributes_.clear();
  AttributeReader::List list;
  const Result result =
      attribute_reader_.Read(&position_, &list, &module_attributes_);
  module_.attributes_text = HloScanner::Between(past_name, position_);
  module_.name = HloScanner::BareName(name, past_name);
  module_.attributes = module_attributes_;
  module_is_announced_ = false;
  AnnounceModule();
  if (result == Result::kFailed) SkipFailedItem(begin);
}

void Reader::ReadFrameTable() {
  const char* const begin = position_;
  position_ += scanner_.WordAt(position_).size();
  while (true) {
    const char* const row = scanner_.PastBlanks(position_);
    const char* p = row;
    while (p != scanner_.end() && absl::ascii_isdigit(*p)) ++p;
    if (p == row) {
      AnnounceModule();
      handler_->OnFrameTable(HloScanner::Between(begin, position_));
      return;
    }
    p = scanner_.PastBlanks(p);
    if (scanner_.Sees(p, '{')) {
      if (!PassBrackets(&p)) return SkipFailedItem(row);
    } else if (scanner_.Sees(p, '"')) {
      const char* const past = scanner_.PastString(p);
      if (past == nullptr) {
        Fail(scanner_.EndlessString(p));
        return SkipFailedItem(row);
      }
      p = past;
    }
    position_ = p;
  }
}

bool Reader::ReadComputationHeader() {
  HloComputationText computation;
  const char* p = position_;
  if (scanner_.WordAt(p) == "ENTRY") {
    computation.is_entry = true;
    p = scanner_.PastBlanks(p + scanner_.WordAt(p).size());
  }
  const char* const past_name = scanner_.PastName(p);
  if (past_name == nullptr) return Expected("the name of the computation", p);
  computation.name = HloScanner::BareName(p, past_name);
  p = scanner_.PastBlanks(past_name);
  if (scanner_.Sees(p, '(')) {
    const char* const program_shape = p;
    if (!PassBrackets(&p)) return false;
    p = scanner_.PastBlanks(p);
    if (!absl::StartsWith(HloScanner::Between(p, scanner_.end()), "->")) {
      return Expected("'->'", p);
    }
    p = scanner_.PastBlanks(p + 2);
    if (!scanner_.StartsShape(p)) return Expected("a shape", p);
    if (!brackets_.ReadShape(&p, /*body_may_follow=*/true)) return false;
    computation.program_shape_text = HloScanner::Between(program_shape, p);
    p = scanner_.PastBlanks(p);
  }
  if (!scanner_.Sees(p, '{')) return Expected("'{'", p);
  Open().computation = computation;
  AnnounceComputations();
  position_ = p + 1;
  return true;
}

Reader::OpenComputation& Reader::Open() {
  open_.emplace_back();
  OpenComputation& open = open_.back();
  open.operands = operands_.size();
  open.nested_operands = nested_operands_.size();
  open.attributes = attributes_.size();
  open.list.depth = brackets_.depth();
  open.list.braces = HloBraces::kTokensOrComputation;
  return open;
}

void Reader::OpenInlineComputation() {
  const absl::string_view caller = open_.back().instruction.name;
  const absl::string_view attribute = open_.back().list.key;
  HloComputationText& computation = Open().computation;
  computation.caller = caller;
  computation.caller_attribute = attribute;
  AnnounceComputations();
}

void Reader::CloseComputation() {
  if (open_.back().is_implicit) Report(position_, "'}' closes no computation");
  ++position_;
  if (open_.size() > 1) {
    EndComputation({});
    brackets_.CloseComputation();
    ReadInstructionAttributes();
    return;
  }
  const char* const begin = position_;
  AttributeReader::List list;
  const Result result = attribute_reader_.Read(&position_, &list, &attributes_);
  open_.back().computation.attributes_text =
      HloScanner::Between(begin, position_);
  EndComputation(attributes_);
  if (result == Result::kFailed) SkipFailedItem(begin);
}

void Reader::LeaveComputations() {
  while (!open_.empty()) {
    const HloComputationText& computation = open_.back().computation;
    if (!open_.back().is_implicit) {
      counts_.diagnostics_of_end += position_ == scanner_.end();
      Report(scanner_.BeforeBlanks(position_),
             absl::StrCat(
                 "the computation ",
                 computation.is_inline()
                     ? absl::StrCat("in ", computation.caller_attribute, "=")
                     : absl::StrCat("'", computation.name, "'"),
                 " is not closed before ",
                 position_ == scanner_.end() ? "the text ends"
                                             : "the next item begins"));
    }
    EndComputation({});
  }
  brackets_.Abandon(0);
}

void Reader::EndComputation(absl::Span<const HloAttribute> attributes) {
  if (open_.back().is_announced) {
    handler_->OnComputationEnd(open_.back().computation, attributes);
  }
  operands_.resize(open_.back().operands);
  nested_operands_.resize(open_.back().nested_operands);
  attributes_.resize(open_.back().attributes);
  open_.pop_back();
  delivered_end_ = position_;
}

void Reader::AnnounceModule() {
  if (module_is_announced_) return;
  module_is_announced_ = true;
  ++counts_.modules;
  handler_->OnModule(module_);
}

void Reader::AnnounceComputations() {
  // The one on top is the last to be announced.
  if (open_.back().is_announced) return;
  AnnounceModule();
  for (OpenComputation& open : open_) {
    if (open.is_announced) continue;
    open.is_announced = true;
    open.computation.module = &module_;
    ++counts_.computations;
    handler_->OnComputation(open.computation);
  }
}

// Instructions.

bool Reader::ReadInComputation() {
  position_ = scanner_.PastBlanks(position_);
  const char* const begin = position_;
  const bool is_implicit = open_.back().is_implicit;
  const char* const past_name = scanner_.PastName(begin);
  const char* const next =
      past_name == nullptr ? begin : scanner_.PastBlanks(past_name);
  if (past_name != nullptr && HloScanner::Between(begin, past_name) == "ROOT") {
    ReadInstruction(next, scanner_.PastName(next));
  } else if (past_name != nullptr && scanner_.Sees(next, '=')) {
    ReadInstruction(begin, past_name);
  } else if (scanner_.Sees(begin, '}')) {
    CloseComputation();
  } else if (is_implicit && scanner_.StartsShape(begin)) {
    ReadInstruction(begin, past_name);
  } else if (begin == scanner_.end() || scanner_.StartsItem(begin)) {
    LeaveComputations();
  } else {
    Expected("an instruction or '}'", begin);
    SkipFailedItem(begin);
  }
  return true;
}

void Reader::ReadInstruction(const char* name, const char* past_name) {
  OpenComputation& open = open_.back();
  open.instruction = HloInstructionText();
  open.instruction_begin = position_;
  open.instruction.is_root = name != position_;
  if (ReadInstructionToOperands(name, past_name)) {
    ReadInstructionAttributes();
  } else {
    SkipFailedItem(open.instruction_begin);
  }
}

bool Reader::ReadInstructionToOperands(const char* name,
                                       const char* past_name) {
  HloInstructionText& instruction = open_.back().instruction;
  const char* p = name;
  const char* const equals =
      past_name == nullptr ? p : scanner_.PastBlanks(past_name);
  if (past_name != nullptr && scanner_.Sees(equals, '=')) {
    instruction.name = HloScanner::BareName(name, past_name);
    p = scanner_.PastBlanks(equals + 1);
  } else if (!open_.back().is_implicit || !scanner_.StartsShape(p)) {
    return past_name == nullptr ? Expected("the name of an instruction", p)
                                : Expected("'='", equals);
  }
  if (ReadKnownShape(&p, &instruction)) {
    // Nearly all are.
  } else if (scanner_.StartsShape(p)) {
    const char* const begin = p;
    if (!brackets_.ReadShape(&p, /*body_may_follow=*/false)) return false;
    instruction.shape_text = HloScanner::Between(begin, p);
    const absl::StatusOr<int64_t> index =
        shapes_->Intern(instruction.shape_text);
    if (!index.ok()) {
      // Says where in the shape; counts its lines and columns from there.
      const absl::optional<Diagnostic> diagnostic =
          DiagnosticOf(index.status());
      const char* const at =
          diagnostic.has_value() ? begin + diagnostic->offset : begin;
      return Fail(
          {at,
           std::string(diagnostic.has_value() ? diagnostic->message
                                              : index.status().message()),
           p});
    }
    instruction.shape_index = *index;
    instruction.shape = &shapes_->shape(*index);
    p = scanner_.PastBlanks(p);
  }
  instruction.opcode = scanner_.WordAt(p);
  const char* const opening =
      scanner_.PastBlanks(p + instruction.opcode.size());
  if (instruction.opcode.empty() || !scanner_.Sees(opening, '(')) {
    const bool sees_opcode =
        !instruction.opcode.empty() && !scanner_.StartsInstruction(p);
    if (sees_opcode) return Expected("'(' behind the opcode", opening);
    return Expected(
        instruction.shape == nullptr ? "a shape or an opcode" : "an opcode", p);
  }
  p = opening;
  const char* const operand_text = p + 1;
  if (!(HasLiteral(instruction.opcode) ? PassBrackets(&p) : ReadOperands(&p))) {
    return false;
  }
  instruction.operand_text =
      absl::StripAsciiWhitespace(HloScanner::Between(operand_text, p - 1));
  open_.back().attributes_begin = p;
  position_ = p;
  return true;
}

// A shape that the table has and behind which a blank stands, as XLA prints
// one, need not be read again.
bool Reader::ReadKnownShape(const char** p, HloInstructionText* instruction) {
  const absl::string_view text = scanner_.UpToBlank(*p);
  const int64_t index = shapes_->Find(text);
  if (index < 0) return false;
  const char* const next = scanner_.PastBlanks(text.data() + text.size());
  if (scanner_.Sees(next, '{')) return false;  // its layout
  instruction->shape_text = text;
  instruction->shape_index = index;
  instruction->shape = &shapes_->shape(index);
  *p = next;
  return true;
}

// Nested expressions are operands with operands of their own: those whose lists
// are open form a stack.
bool Reader::ReadOperands(const char** position) {
  open_expressions_.clear();
  const char* p = *position + 1;
  bool after_comma = false;
  while (true) {
    p = scanner_.PastBlanks(p);
    if (!scanner_.Sees(p, ')')) {
      bool opens_list = false;
      if (!ReadOperand(&p, &opens_list)) return false;
      after_comma = false;
      if (opens_list) continue;
    } else if (after_comma) {
      return Expected("an operand", p);
    }
    // Past what closes behind the operand.
    for (p = scanner_.PastBlanks(p); scanner_.Sees(p, ')');
         p = scanner_.PastBlanks(p)) {
      ++p;
      if (open_expressions_.empty()) {
        *position = p;
        return true;
      }
      CloseExpression(p);
    }
    if (scanner_.Sees(p, '=')) return Expected("an operand", last_operand_);
    if (!scanner_.Sees(p, ',')) return Expected("',' or ')'", p);
    ++p;
    after_comma = true;
  }
}

bool Reader::ReadOperand(const char** position, bool* opens_list) {
  const char* const begin = *position;
  const char* const end = scanner_.end();
  last_operand_ = begin;
  HloOperandText operand;
  const char* p = begin;
  const char* past = begin;  // of the operand as far as it is read
  if (scanner_.StartsShape(p)) {
    if (!brackets_.ReadShape(&past, /*body_may_follow=*/false)) return false;
    operand.shape_text = HloScanner::Between(begin, past);
    p = scanner_.PastBlanks(past);
  }
  const char* past_name = scanner_.PastName(p);
  // `...(+3)` and numbers are no names.
  const char* next =
      past_name == nullptr ? scanner_.PastIdentifier(p) : past_name;
  if (next != p) past = next;
  const absl::string_view word = HloScanner::Between(p, next);
  next = scanner_.PastBlanks(next);
  if (scanner_.Sees(next, '(') && past_name != nullptr && *p != '%') {
    operand.opcode = word;
    if (!HasLiteral(word)) {
      *opens_list = true;
      *position = next + 1;
      return OpenExpression(begin, operand);
    }
  }
  if (scanner_.Sees(next, '(') || scanner_.Sees(next, '{')) {
    if (!PassBrackets(&next)) return false;
    past = next;
  } else if (past_name != nullptr) {
    operand.name = HloScanner::BareName(p, past_name);
    const char* const path = next;
    while (scanner_.Sees(next, '#')) {
      const char* const index = scanner_.PastBlanks(next + 1);
      past = index;
      while (past != end && absl::ascii_isdigit(*past)) ++past;
      if (past == index) return Expected("an index behind '#'", index);
      operand.tuple_path = HloScanner::Between(path, past);
      next = scanner_.PastBlanks(past);
    }
  }
  if (past == begin) return Expected("an operand", begin);
  operand.text = HloScanner::Between(begin, past);
  (open_expressions_.empty() ? operands_ : nested_operands_).push_back(operand);
  *position = past;
  return true;
}

bool Reader::OpenExpression(const char* begin, const HloOperandText& operand) {
  if (brackets_.depth() + open_expressions_.size() >=
      BracketReader::kNestingLimit) {
    return Fail(brackets_.TooDeep(begin));
  }
  const bool is_nested = !open_expressions_.empty();
  std::vector<HloOperandText>& list = is_nested ? nested_operands_ : operands_;
  open_expressions_.push_back({is_nested, list.size()});
  list.push_back(operand);
  // The end is not known yet.
  list.back().text = HloScanner::Between(begin, begin);
  list.back().nested_begin =
      nested_operands_.size() - open_.back().nested_operands;
  return true;
}

void Reader::CloseExpression(const char* past) {
  const auto [is_nested, index] = open_expressions_.back();
  open_expressions_.pop_back();
  HloOperandText& operand = (is_nested ? nested_operands_ : operands_)[index];
  operand.text = HloScanner::Between(operand.text.data(), past);
  operand.nested_count = nested_operands_.size() -
                         open_.back().nested_operands - operand.nested_begin;
}

void Reader::ReadInstructionAttributes() {
  OpenComputation& open = open_.back();
  switch (attribute_reader_.Read(&position_, &open.list, &attributes_)) {
    case Result::kClosed:
      Deliver();
      break;
    case Result::kComputation:
      OpenInlineComputation();
      break;
    case Result::kFailed:
      SkipFailedItem(open.instruction_begin);
      break;
  }
}

void Reader::Deliver() {
  AnnounceComputations();
  OpenComputation& open = open_.back();
  HloInstructionText& instruction = open.instruction;
  instruction.computation = &open.computation;
  // Less the comma that the reader of attributes overlooks at the end.
  instruction.text = absl::StripSuffix(
      HloScanner::Between(open.instruction_begin, position_), ",");
  instruction.attributes_text = HloScanner::Between(
      open.attributes_begin, instruction.text.data() + instruction.text.size());
  instruction.operands = absl::MakeConstSpan(operands_).subspan(open.operands);
  instruction.nested_operands =
      absl::MakeConstSpan(nested_operands_).subspan(open.nested_operands);
  instruction.attributes =
      absl::MakeConstSpan(attributes_).subspan(open.attributes);
  ++counts_.instructions;
  counts_.roots += instruction.is_root;
  counts_.operands += instruction.operands.size();
  handler_->OnInstruction(instruction);
  ForgetInstruction();
  delivered_end_ = position_;
}

void Reader::ForgetInstruction() {
  OpenComputation& open = open_.back();
  operands_.resize(open.operands);
  nested_operands_.resize(open.nested_operands);
  attributes_.resize(open.attributes);
  brackets_.Abandon(open.list.depth);
  open.list.key = absl::string_view();
}

// What goes wrong.

bool Reader::Fail(HloFailure failure) {
  failure_ = std::move(failure);
  return false;
}

void Reader::Report(const char* at, absl::string_view message) {
  ++counts_.diagnostics;
  handler_->OnDiagnostic(diagnostics_.At(at - scanner_.begin(), message));
}

bool Reader::LineStartsItem(const char* p) const {
  const char* const end = HloScanner::PastLine(p, scanner_.end());
  p = scanner_.PastBlanks(p, end);
  if (p == end || *p != '}' || open_.size() > 1) {
    return scanner_.StartsItem(p, end);
  }
  // Dictionaries run over lines too: "}}, metadata={" closes no computation.
  p = scanner_.PastBlanks(p + 1, end);
  return p == end ||
         absl::StartsWith(HloScanner::Between(p, end), ", execution_thread=");
}

void Reader::SkipFailedItem(const char* begin) {
  if (open_.empty()) {
    brackets_.Abandon(0);
  } else {
    ForgetInstruction();
  }
  Report(failure_.at, failure_.message);
  const char* p = std::max(begin, delivered_end_);
  const char* const limit = failure_.next != nullptr && failure_.next > p
                                ? failure_.next
                                : scanner_.end();
  const int64_t rescanned = std::max<int64_t>(failure_.reached - p, 0);
  if (rescanned <= rescan_budget_) {
    rescan_budget_ -= rescanned;
  } else {
    p = std::min(failure_.reached, limit);
  }
  do {
    p = HloScanner::PastLine(p, limit);
  } while (p != limit && !LineStartsItem(p));
  position_ = p;
  const bool is_cut_off =
      p == scanner_.end() && failure_.reached == scanner_.end();
  counts_.diagnostics_of_end += is_cut_off;
}

}  // namespace

HloCounts ReadHlo(absl::string_view text, HloShapeTable* shapes,
                  HloHandler* handler) {
  return Reader(text, shapes, handler).Read();
}

}  // namespace tessera
