#include "tessera/hlo/reader/window_reader.h"

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
#include "tessera/hlo/hlo_attributes.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/hlo/reader/attribute_reader.h"
#include "tessera/hlo/reader/bracket_reader.h"
#include "tessera/hlo/reader/hlo_scanner.h"
#include "tessera/text/diagnostic.h"

namespace tessera {
namespace {

constexpr absl::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

// Modules and computations.

bool WindowReader::ReadOutsideComputation() {
  if (!PassBlanks() || scanner_.IsEnd(position_)) return false;
  const char* const begin = position_;
  const absl::string_view word = scanner_.WordAt(begin);
  if (*begin == '#') {
    // `# RUN: ...`, what a file of tests begins with.
    position_ = scanner_.PastLine(begin, scanner_.end());
    if (Waits(begin)) return false;
  } else if (word == "HloModule") {
    ReadModule();
  } else if (HloScanner::IsFrameTable(word)) {
    ReadFrameTable();
  } else if (scanner_.StartsInstruction(begin) || scanner_.StartsShape(begin)) {
    if (!Waits(begin)) Open().is_implicit = true;
  } else if (word == "ENTRY" ||
             scanner_.StartsComputation(begin, scanner_.end())) {
    if (!ReadComputationHeader()) SkipFailedItem(begin);
  } else if (*begin != '}') {
    Expected("a module, a computation or an instruction", begin);
    SkipFailedItem(begin);
  } else if (!WaitsToReport(begin, begin)) {
    Report(begin, "'}' closes no computation");
    ++position_;
  }
  return !waits_;
}

bool WindowReader::PassBlanks() {
  const char* const begin = position_;
  position_ = scanner_.PastBlanks(begin);
  // A comment may go on.
  return !Waits(begin);
}

void WindowReader::ReadModule() {
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
  if (result == Result::kFailed ? WaitsToReport(begin, failure_.at)
                                : Waits(begin)) {
    return;
  }
  retained_of_module_.clear();
  // Without what could not be read.
  const char* past_attributes = past_name;
  if (!module_attributes_.empty()) {
    const HloAttribute& last = module_attributes_.back();
    const absl::string_view end = last.value.empty() ? last.key : last.value;
    past_attributes = end.data() + end.size() + last.value.empty();
  }
  module_.attributes_text =
      RetainForModule(HloScanner::Between(past_name, past_attributes));
  module_.name = RetainForModule(HloScanner::BareName(name, past_name));
  if (is_stream_) {
    // The same list again, in what is retained.
    module_attributes_.clear();
    for (const HloAttribute& attribute :
         ReadHloAttributes(module_.attributes_text)) {
      module_attributes_.push_back(attribute);
    }
  }
  module_.attributes = module_attributes_;
  module_is_announced_ = false;
  AnnounceModule();
  if (result == Result::kFailed) SkipFailedItem(begin);
}

void WindowReader::ReadFrameTable() {
  const char* const begin = position_;
  position_ += scanner_.WordAt(position_).size();
  while (true) {
    const char* const row = scanner_.PastBlanks(position_);
    const char* p = row;
    while (!scanner_.IsEnd(p) && absl::ascii_isdigit(*p)) ++p;
    if (p == row) {
      if (Waits(begin)) return;
      AnnounceModule();
      if (!is_stream_) {
        handler_->OnFrameTable(HloScanner::Between(begin, position_));
      }
      return;
    }
    p = scanner_.PastBlanks(p);
    if (scanner_.Sees(p, '{')) {
      if (!PassBrackets(&p)) {
        if (!WaitsToReport(begin, failure_.at)) SkipFailedItem(row);
        return;
      }
    } else if (scanner_.Sees(p, '"')) {
      const char* const past = scanner_.PastString(p);
      if (past == nullptr) {
        Fail(scanner_.EndlessString(p));
        if (!WaitsToReport(begin, failure_.at)) SkipFailedItem(row);
        return;
      }
      p = past;
    }
    position_ = p;
  }
}

bool WindowReader::ReadComputationHeader() {
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
    if (!scanner_.Sees(p, '-') || !scanner_.Sees(p + 1, '>')) {
      return Expected("'->'", p);
    }
    p = scanner_.PastBlanks(p + 2);
    if (!scanner_.StartsShape(p)) return Expected("a shape", p);
    if (!brackets_.ReadShape(&p, /*body_may_follow=*/true)) return false;
    computation.program_shape_text = HloScanner::Between(program_shape, p);
    p = scanner_.PastBlanks(p);
  }
  if (!scanner_.Sees(p, '{')) return Expected("'{'", p);
  if (Waits(position_)) return true;
  if (is_stream_) retained_.clear();
  computation.name = Retain(computation.name);
  computation.program_shape_text = Retain(computation.program_shape_text);
  Open().computation = computation;
  AnnounceComputations();
  position_ = p + 1;
  return true;
}

WindowReader::OpenComputation& WindowReader::Open() {
  open_.emplace_back();
  OpenComputation& open = open_.back();
  open.operands = operands_.size();
  open.nested_operands = nested_operands_.size();
  open.attributes = attributes_.size();
  open.list.depth = brackets_.depth();
  open.list.braces = HloBraces::kTokensOrComputation;
  return open;
}

void WindowReader::OpenInlineComputation() {
  const absl::string_view caller = open_.back().instruction.name;
  const absl::string_view attribute = open_.back().list.key;
  HloComputationText& computation = Open().computation;
  computation.caller = caller;
  computation.caller_attribute = attribute;
  AnnounceComputations();
}

void WindowReader::CloseComputation() {
  const char* const brace = position_;
  ++position_;
  if (open_.size() > 1) {
    open_.back().computation.attributes_text =
        HloScanner::Between(position_, position_);
    EndComputation({});
    brackets_.CloseComputation();
    open_.back().is_half_told = true;
    ReadInstructionAttributes();
    return;
  }
  const char* const begin = position_;
  AttributeReader::List list;
  const Result result = attribute_reader_.Read(&position_, &list, &attributes_);
  const bool is_implicit = open_.back().is_implicit;
  if (result == Result::kFailed ? WaitsToReport(brace, failure_.at)
      : is_implicit             ? WaitsToReport(brace, brace)
                                : Waits(brace)) {
    attributes_.resize(open_.back().attributes);
    return;
  }
  if (is_implicit) Report(brace, "'}' closes no computation");
  open_.back().computation.attributes_text =
      HloScanner::Between(begin, position_);
  EndComputation(attributes_);
  if (result == Result::kFailed) SkipFailedItem(begin);
}

void WindowReader::LeaveComputations() {
  if (WaitsToReport(position_, position_)) return;
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

void WindowReader::EndComputation(absl::Span<const HloAttribute> attributes) {
  if (open_.back().is_announced) {
    handler_->OnComputationEnd(open_.back().computation, attributes);
  }
  operands_.resize(open_.back().operands);
  nested_operands_.resize(open_.back().nested_operands);
  attributes_.resize(open_.back().attributes);
  open_.pop_back();
  delivered_end_ = position_;
}

void WindowReader::AnnounceModule() {
  if (module_is_announced_) return;
  module_is_announced_ = true;
  ++counts_.modules;
  handler_->OnModule(module_);
}

void WindowReader::AnnounceComputations() {
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

bool WindowReader::ReadInComputation() {
  if (!PassBlanks()) return false;
  const char* const begin = position_;
  const bool is_implicit = open_.back().is_implicit;
  if (open_.size() == 1 && !is_implicit && has_plain_reader_ &&
      ReadPlainInstruction()) {
    return true;
  }
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
  } else if (scanner_.IsEnd(begin) || scanner_.StartsItem(begin)) {
    LeaveComputations();
  } else {
    Expected("an instruction or '}'", begin);
    SkipFailedItem(begin);
  }
  return !waits_;
}

bool WindowReader::ReadPlainInstruction() {
  OpenComputation& open = open_.back();
  const char* const past = plain_reader_.Read(position_, &open.instruction,
                                              &operands_, &attributes_);
  if (past == nullptr) {
    ForgetInstruction();
    return false;
  }
  open.instruction_begin = position_;
  open.attributes_begin = open.instruction.attributes_text.data();
  position_ = past;
  Deliver();
  return true;
}

void WindowReader::ReadInstruction(const char* name, const char* past_name) {
  OpenComputation& open = open_.back();
  open.instruction = HloInstructionText();
  open.instruction_begin = position_;
  open.is_half_told = false;
  open.instruction.is_root = name != position_;
  if (ReadInstructionToOperands(name, past_name)) {
    ReadInstructionAttributes();
  } else {
    SkipFailedItem(open.instruction_begin);
  }
}

bool WindowReader::ReadInstructionToOperands(const char* name,
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
  if (!(HloHasLiteral(instruction.opcode) ? PassBrackets(&p)
                                          : ReadOperands(&p))) {
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
bool WindowReader::ReadKnownShape(const char** p,
                                  HloInstructionText* instruction) {
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
bool WindowReader::ReadOperands(const char** position) {
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

bool WindowReader::ReadOperand(const char** position, bool* opens_list) {
  const char* const begin = *position;
  // Most are nothing but a name.
  if (!scanner_.IsEnd(begin) && *begin == '%' && open_expressions_.empty()) {
    const char* const past = scanner_.PastIdentifier(begin + 1);
    if (past != begin + 1 && !scanner_.IsEnd(past) &&
        (*past == ',' || *past == ')')) {
      last_operand_ = begin;
      operands_.emplace_back();
      operands_.back().text = HloScanner::Between(begin, past);
      operands_.back().name = HloScanner::Between(begin + 1, past);
      *position = past;
      return true;
    }
  }
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
    if (!HloHasLiteral(word)) {
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

bool WindowReader::OpenExpression(const char* begin,
                                  const HloOperandText& operand) {
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

void WindowReader::CloseExpression(const char* past) {
  const auto [is_nested, index] = open_expressions_.back();
  open_expressions_.pop_back();
  HloOperandText& operand = (is_nested ? nested_operands_ : operands_)[index];
  operand.text = HloScanner::Between(operand.text.data(), past);
  operand.nested_count = nested_operands_.size() -
                         open_.back().nested_operands - operand.nested_begin;
}

void WindowReader::ReadInstructionAttributes() {
  OpenComputation& open = open_.back();
  const char* const begin = position_;
  const AttributeReader::List list = open.list;
  const size_t attributes = attributes_.size();
  // Only where computations are written inline do brackets stay open.
  std::vector<const char*> brackets;
  if (open.is_half_told && !is_last_) brackets = brackets_.open_brackets();
  const Result result =
      attribute_reader_.Read(&position_, &open.list, &attributes_);
  if (result == Result::kFailed ? IsUncertain(failure_.at)
                                : !is_last_ && scanner_.has_seen_end()) {
    waits_ = true;
    if (open.is_half_told) {
      position_ = begin;
      open.list = list;
      attributes_.resize(attributes);
      brackets_.open_brackets() = std::move(brackets);
      open.awaits_attributes = true;
    } else {
      ForgetInstruction();
      WaitAt(open.instruction_begin);
    }
    return;
  }
  switch (result) {
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

void WindowReader::Deliver() {
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
  // A stream may have any number of shapes. Nobody refers to them now.
  constexpr int64_t kShapeTextLimit = 1 << 24;
  if (is_stream_ && open_.size() == 1 &&
      shapes_->text_bytes() > kShapeTextLimit) {
    shapes_->Clear();
  }
}

void WindowReader::ForgetInstruction() {
  OpenComputation& open = open_.back();
  operands_.resize(open.operands);
  nested_operands_.resize(open.nested_operands);
  attributes_.resize(open.attributes);
  brackets_.Abandon(open.list.depth);
  open.list.key = absl::string_view();
  open.list.comma = nullptr;
}

// What goes wrong.

bool WindowReader::Fail(HloFailure failure) {
  failure_ = std::move(failure);
  return false;
}

void WindowReader::Report(const char* at, absl::string_view message) {
  ++counts_.diagnostics;
  handler_->OnDiagnostic(diagnostics_.At(at - scanner_.begin(), message));
}

bool WindowReader::LineStartsItem(const char* p) const {
  const char* const end = scanner_.PastLine(p, scanner_.end());
  p = scanner_.PastBlanks(p, end);
  if (p == end || *p != '}' || open_.size() > 1) {
    return scanner_.StartsItem(p, end);
  }
  // Dictionaries run over lines too: "}}, metadata={" closes no computation.
  p = scanner_.PastBlanks(p + 1, end);
  return p == end ||
         absl::StartsWith(HloScanner::Between(p, end), ", execution_thread=");
}

void WindowReader::SkipFailedItem(const char* begin) {
  if (open_.empty()) {
    brackets_.Abandon(0);
  } else {
    ForgetInstruction();
  }
  if (WaitsToReport(begin, failure_.at)) return;
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
  SkipLines(p, /*is_line_start=*/false, limit);
  const bool is_cut_off =
      is_last_ && scanner_.IsEnd(position_) && scanner_.IsEnd(failure_.reached);
  counts_.diagnostics_of_end += is_cut_off;
}

void WindowReader::SkipLines(const char* p, bool is_line_start,
                             const char* limit) {
  scanner_.ForgetEnd();
  while (true) {
    if (!is_line_start) {
      p = scanner_.PastLine(p, limit);
      is_line_start = p != scanner_.begin() && p[-1] == '\n';
    }
    if (p == limit || (is_line_start && LineStartsItem(p))) break;
    if (!is_last_ && scanner_.has_seen_end()) break;
    is_line_start = false;
  }
  position_ = p;
  skips_ = !is_last_ && scanner_.has_seen_end();
  skips_from_line_start_ = is_line_start;
}

// Windows.

bool WindowReader::IsUncertain(const char* reported_at) const {
  // More than the excerpt in a diagnostic shows behind the place.
  constexpr int kExcerpt = 512;
  return !is_last_ &&
         (scanner_.has_seen_end() || scanner_.end() - reported_at < kExcerpt);
}

bool WindowReader::Waits(const char* begin) {
  if (is_last_ || !scanner_.has_seen_end()) return false;
  WaitAt(begin);
  return true;
}

bool WindowReader::WaitsToReport(const char* begin, const char* at) {
  if (!IsUncertain(at)) return false;
  WaitAt(begin);
  return true;
}

void WindowReader::WaitAt(const char* begin) {
  position_ = begin;
  brackets_.Abandon(open_.empty() ? 0 : open_.back().list.depth);
  waits_ = true;
}

absl::string_view WindowReader::Retain(absl::string_view view) {
  if (!is_stream_ || view.empty()) return view;
  retained_.emplace_back(view);
  return retained_.back();
}

absl::string_view WindowReader::RetainForModule(absl::string_view view) {
  if (!is_stream_ || view.empty()) return view;
  retained_of_module_.emplace_back(view);
  return retained_of_module_.back();
}

void WindowReader::MoveTo(absl::string_view window) {
  const char* const old_begin = kept_;
  const char* const old_end = window_.data() + window_.size();
  const auto move = [&](const char** p) {
    // What is retained is elsewhere.
    if (*p == nullptr || *p < old_begin || *p > old_end) return;
    *p = window.data() + (*p - old_begin);
  };
  const auto move_view = [&](absl::string_view* view) {
    const char* p = view->data();
    move(&p);
    if (p != nullptr) *view = absl::string_view(p, view->size());
  };
  const auto move_attributes = [&](std::vector<HloAttribute>* attributes) {
    for (HloAttribute& attribute : *attributes) {
      move_view(&attribute.key);
      move_view(&attribute.value);
    }
  };
  const auto move_operands = [&](std::vector<HloOperandText>* operands) {
    for (HloOperandText& operand : *operands) {
      move_view(&operand.text);
      move_view(&operand.shape_text);
      move_view(&operand.name);
      move_view(&operand.tuple_path);
      move_view(&operand.opcode);
    }
  };
  move(&position_);
  // What lies further back is not asked for.
  delivered_end_ = std::max(delivered_end_, old_begin);
  move(&delivered_end_);
  for (OpenComputation& open : open_) {
    move_view(&open.computation.caller);
    move_view(&open.computation.caller_attribute);
    move_view(&open.instruction.name);
    move_view(&open.instruction.shape_text);
    move_view(&open.instruction.opcode);
    move_view(&open.instruction.operand_text);
    move(&open.instruction_begin);
    move(&open.attributes_begin);
    move_view(&open.list.key);
    move(&open.list.value_begin);
    move(&open.list.comma);
    move_view(&open.list.next_key);
  }
  move_operands(&operands_);
  move_operands(&nested_operands_);
  move_attributes(&attributes_);
  for (const char*& bracket : brackets_.open_brackets()) move(&bracket);
  scanner_ = HloScanner(window);
  plain_reader_.Forget();
  diagnostics_.Continue(window);
  rescan_budget_ +=
      2 * std::max<int64_t>(window.size() - (old_end - old_begin), 0);
  window_ = window;
}

size_t WindowReader::Read(absl::string_view window, bool is_last) {
  is_last_ = is_last;
  if (kept_ == nullptr) {
    if (window.size() < kByteOrderMark.size() && !is_last) return 0;
    is_stream_ = !is_last;
    window_ = window;
    kept_ = position_ = delivered_end_ = window.data();
    MoveTo(window);
    rescan_budget_ = 2 * window.size();
    if (absl::StartsWith(window, kByteOrderMark)) {
      position_ += kByteOrderMark.size();
    }
  } else {
    MoveTo(window);
  }
  waits_ = false;
  while (handler_->goes_on() && ReadItem()) {
  }
  const bool is_within_instruction =
      open_.size() > 1 || (!open_.empty() && open_[0].awaits_attributes);
  // What is missing is reported before the blanks.
  kept_ = scanner_.BeforeBlanks(
      is_within_instruction ? open_[0].instruction_begin : position_);
  if (!is_last) diagnostics_.Drop(kept_ - window.data());
  return kept_ - window.data();
}

bool WindowReader::ReadItem() {
  scanner_.ForgetEnd();
  if (skips_) {
    SkipLines(position_, skips_from_line_start_, scanner_.end());
    return !skips_;
  }
  if (open_.empty()) return ReadOutsideComputation();
  if (!open_.back().awaits_attributes) return ReadInComputation();
  open_.back().awaits_attributes = false;
  ReadInstructionAttributes();
  return !waits_;
}

void WindowReader::GiveUp(absl::string_view message) {
  // As if the text went on with nothing that changes what has been seen.
  while (open_.size() > 1) EndComputation({});
  brackets_.Abandon(0);
  if (!open_.empty()) {
    open_.back().awaits_attributes = false;
    ForgetInstruction();
  }
  Report(position_, message);
  position_ = scanner_.end();
  delivered_end_ = position_;
  skips_ = true;
  skips_from_line_start_ = false;
  diagnostics_.Drop(position_ - kept_);
  kept_ = position_;
}

}  // namespace tessera
