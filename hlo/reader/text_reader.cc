#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/hlo/hlo_counts.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/hlo/reader/diagnostic_maker.h"
#include "tessera/hlo/reader/hlo_scanner.h"
#include "tessera/hlo/reader/part_reader.h"

namespace tessera {
namespace hlo_internal {
namespace {

class OperandReader {
 public:
  OperandReader(const HloScanner& scanner, PartReader* parts)
      : scanner_(scanner), parts_(*parts) {}

  // Reads the list whose opening parenthesis is at `*p`. Appends its operands
  // to `operands`, and those in nested expressions to `nested`. Moves `*p` past
  // the closing parenthesis. HloOperandText::nested_begin counts from entry
  // `first_nested` of `nested`. On failure, returns false; the vectors then
  // hold the operands before the failure.
  bool Read(const char** position, size_t first_nested,
            std::vector<HloOperandText>* operands,
            std::vector<HloOperandText>* nested) {
    operands_ = operands;
    nested_ = nested;
    first_nested_ = first_nested;
    open_.clear();
    const char* p = *position + 1;
    const char* last_operand = p;
    bool after_comma = false;
    while (true) {
      p = scanner_.PastBlanks(p);
      if (!scanner_.Sees(p, ')')) {
        last_operand = p;
        bool opens_list = false;
        if (!ReadOperand(&p, &opens_list)) return false;
        after_comma = false;
        if (opens_list) continue;
      } else if (after_comma) {
        return parts_.Expected("an operand", p);
      }
      // Move past the closing parentheses after the operand.
      for (p = scanner_.PastBlanks(p); scanner_.Sees(p, ')');
           p = scanner_.PastBlanks(p)) {
        ++p;
        if (open_.empty()) {
          *position = p;
          return true;
        }
        Close(p);
      }
      if (scanner_.Sees(p, '='))
        return parts_.Expected("an operand", last_operand);
      if (!scanner_.Sees(p, ',')) return parts_.Expected("',' or ')'", p);
      ++p;
      after_comma = true;
    }
  }

 private:
  // A nested expression whose list is open: an operand with its own operands.
  struct OpenExpression {
    bool is_nested;  // in nested_, else in operands_
    size_t index;
  };

  // Sets `*opens_list` if `*p` is now in the list of a nested expression.
  bool ReadOperand(const char** position, bool* opens_list) {
    const char* const begin = *position;
    if (const char* const past_name = ReadPlainName(begin)) {
      *position = past_name;
      return true;
    }
    HloOperandText operand;
    const char* p = begin;
    const char* past = begin;  // the end of the part that has been read
    if (scanner_.StartsShape(p)) {
      if (!parts_.ReadShape(&past, /*body_may_follow=*/false)) return false;
      operand.shape_text = HloScanner::Between(begin, past);
      p = scanner_.PastBlanks(past);
    }
    const char* const past_name = scanner_.PastName(p);
    // `...(+3)` and numbers are not names.
    const char* next =
        past_name == nullptr ? scanner_.PastIdentifier(p) : past_name;
    if (next != p) past = next;
    const std::string_view word = HloScanner::Between(p, next);
    next = scanner_.PastBlanks(next);
    if (scanner_.Sees(next, '(') && past_name != nullptr && *p != '%') {
      operand.opcode = word;
      if (!HloHasLiteral(word)) {
        *opens_list = true;
        *position = next + 1;
        return Open(begin, operand);
      }
    }
    if (scanner_.Sees(next, '(') || scanner_.Sees(next, '{')) {
      if (!parts_.ReadBracket(&next)) return false;
      past = next;
    } else if (past_name != nullptr) {
      operand.name = HloScanner::BareName(p, past_name);
      if (!ReadTuplePath(&next, &past, &operand)) return false;
    }
    if (past == begin) return parts_.Expected("an operand", begin);
    operand.text = HloScanner::Between(begin, past);
    list().push_back(operand);
    *position = past;
    return true;
  }

  // Reads an operand that is only `%name`, as most are. Returns nullptr for any
  // other operand.
  const char* ReadPlainName(const char* begin) {
    if (!scanner_.Sees(begin, '%')) return nullptr;
    const char* const past = scanner_.PastIdentifier(begin + 1);
    if (past == begin + 1 ||
        !(scanner_.Sees(past, ',') || scanner_.Sees(past, ')'))) {
      return nullptr;
    }
    HloOperandText& operand = list().emplace_back();
    operand.text = HloScanner::Between(begin, past);
    operand.name = HloScanner::Between(begin + 1, past);
    return past;
  }

  bool ReadTuplePath(const char** p, const char** past,
                     HloOperandText* operand) {
    const char* const path = *p;
    while (scanner_.Sees(*p, '#')) {
      const char* const index = scanner_.PastBlanks(*p + 1);
      *past = index;
      while (*past != scanner_.end() && absl::ascii_isdigit(**past)) ++*past;
      if (*past == index) return parts_.Expected("an index after '#'", index);
      operand->tuple_path = HloScanner::Between(path, *past);
      *p = scanner_.PastBlanks(*past);
    }
    return true;
  }

  bool Open(const char* begin, const HloOperandText& operand) {
    if (!parts_.MayNest(begin, open_.size())) return false;
    std::vector<HloOperandText>& operands = list();
    open_.push_back({!open_.empty(), operands.size()});
    operands.push_back(operand);
    // Close() sets the end.
    operands.back().text = HloScanner::Between(begin, begin);
    operands.back().nested_begin = nested_->size() - first_nested_;
    return true;
  }

  void Close(const char* past) {
    const auto [is_nested, index] = open_.back();
    open_.pop_back();
    HloOperandText& operand = (is_nested ? *nested_ : *operands_)[index];
    operand.text = HloScanner::Between(operand.text.data(), past);
    operand.nested_count =
        nested_->size() - first_nested_ - operand.nested_begin;
  }

  std::vector<HloOperandText>& list() {
    return open_.empty() ? *operands_ : *nested_;
  }

  const HloScanner& scanner_;
  PartReader& parts_;
  // The vectors for the list that is being read.
  std::vector<HloOperandText>* operands_ = nullptr;
  std::vector<HloOperandText>* nested_ = nullptr;
  size_t first_nested_ = 0;
  std::vector<OpenExpression> open_;
};

// One position moves over the text. Open computations form a stack, which
// usually has one entry. A computation written inline as an attribute's value
// opens above the one whose instruction has the attribute, and that instruction
// waits. All of them share one vector each for operands and attributes, so
// reading an instruction allocates nothing.
//
// A function that cannot read an item describes the error in parts_ and
// returns false. The loop that began the item reports the error, and looks for
// the next item from the line after the first line of the failed one, because
// the error is often a quote or a bracket that swallowed lines. The size of the
// text bounds how much may be read again.
class TextReader {
 public:
  // All of these must outlive the reader.
  TextReader(std::string_view text, HloShapeTable* shapes, HloHandler* handler)
      : scanner_(text),
        parts_(scanner_),
        operand_reader_(scanner_, &parts_),
        diagnostics_(text),
        shapes_(shapes),
        handler_(handler),
        position_(scanner_.begin()),
        delivered_end_(scanner_.begin()),
        rescan_budget_(2 * static_cast<int64_t>(text.size())) {}
  TextReader(const TextReader&) = delete;
  TextReader& operator=(const TextReader&) = delete;

  // Reads the text until it ends or the handler stops it. Call it once.
  HloCounts Read();

 private:
  using Result = PartReader::Result;

  struct OpenComputation {
    HloComputationText computation;
    // Instructions outside a computation form their own computation. The first
    // of them announces it, and the next item of another kind closes it.
    bool is_implicit = false;
    bool is_announced = false;
    // The sizes of the common vectors for the computations below.
    size_t operands = 0;
    size_t nested_operands = 0;
    size_t attributes = 0;
    HloInstructionText instruction;
    const char* instruction_begin = nullptr;
    const char* attributes_begin = nullptr;
    PartReader::List list;
  };

  // Each reads or skips one item. Returns false at the end of the text.
  bool ReadOutsideComputation();
  void ReadInComputation();

  void ReadModule();
  void ReadFrameTable();
  bool ReadComputationHeader();
  OpenComputation& Open();
  void OpenInlineComputation();
  void CloseComputation();
  // Ends every open computation without closing it.
  void LeaveComputations();
  void EndComputation(absl::Span<const HloAttribute> attributes);
  void AnnounceModule();
  void AnnounceComputations();

  // The name, or the text in its place, comes after ROOT, if that is present.
  // `past_name` is null if it is not a name.
  void ReadInstruction(const char* name, const char* past_name);
  bool ReadInstructionToOperands(const char* name, const char* past_name);
  bool ReadKnownShape(const char** p, HloInstructionText* instruction);
  // Moves `*p`, at the parenthesis of a parameter or constant, past the closing
  // one.
  bool ReadLiteral(const char** p);
  // Ends the instruction, or opens a computation written inline. The attributes
  // continue after that computation.
  void ReadInstructionAttributes();
  void Deliver();
  void ForgetInstruction();

  void Report(const char* at, std::string_view message);
  // Reports the failure and moves past the item that began at `begin`.
  void SkipFailedItem(const char* begin);
  bool LineStartsItem(const char* p) const;

  const HloScanner scanner_;
  PartReader parts_;
  OperandReader operand_reader_;
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
  std::vector<HloAttribute> attributes_;
  HloCounts counts_;

  // The text before this was passed to the handler and must not be read again.
  const char* delivered_end_;
  // The number of bytes that may still be read a second time.
  int64_t rescan_budget_;
};

bool TextReader::ReadOutsideComputation() {
  position_ = scanner_.PastBlanks(position_);
  if (position_ == scanner_.end()) return false;
  const char* const begin = position_;
  const std::string_view word = scanner_.WordAt(begin);
  if (*begin != '}') counts_.diagnostics_of_last_braces = 0;
  if (*begin == '#') {
    // `# RUN: ...`, the start of a test file.
    position_ = scanner_.PastLine(begin, scanner_.end());
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
    Report(begin, "'}' does not close a computation");
    ++counts_.diagnostics_of_last_braces;
    ++position_;
  } else {
    parts_.Expected("a module, a computation or an instruction", begin);
    SkipFailedItem(begin);
  }
  return true;
}

void TextReader::ReadModule() {
  const char* const begin = position_;
  const char* const name =
      scanner_.PastBlanks(begin + scanner_.WordAt(begin).size());
  const char* const past_name = scanner_.PastName(name);
  if (past_name == nullptr) {
    parts_.Expected("the name of the module", name);
    SkipFailedItem(begin);
    return;
  }
  position_ = past_name;
  module_attributes_.clear();
  PartReader::List list;
  const Result result =
      parts_.ReadAttributes(&position_, &list, &module_attributes_);
  // Leaves out the part that could not be read.
  const char* past_attributes = past_name;
  if (!module_attributes_.empty()) {
    const HloAttribute& last = module_attributes_.back();
    const std::string_view end = last.value.empty() ? last.key : last.value;
    past_attributes = end.data() + end.size() + last.value.empty();
  }
  module_.attributes_text = HloScanner::Between(past_name, past_attributes);
  module_.name = HloScanner::BareName(name, past_name);
  module_.attributes = module_attributes_;
  module_is_announced_ = false;
  AnnounceModule();
  if (result == Result::kFailed) SkipFailedItem(begin);
}

void TextReader::ReadFrameTable() {
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
      if (!parts_.ReadBracket(&p)) {
        SkipFailedItem(row);
        return;
      }
    } else if (scanner_.Sees(p, '"')) {
      const char* const past = scanner_.PastString(p);
      if (past == nullptr) {
        parts_.Fail(scanner_.EndlessString(p));
        SkipFailedItem(row);
        return;
      }
      p = past;
    }
    position_ = p;
  }
}

bool TextReader::ReadComputationHeader() {
  HloComputationText computation;
  const char* p = position_;
  if (scanner_.WordAt(p) == "ENTRY") {
    computation.is_entry = true;
    p = scanner_.PastBlanks(p + scanner_.WordAt(p).size());
  }
  const char* const past_name = scanner_.PastName(p);
  if (past_name == nullptr)
    return parts_.Expected("the name of the computation", p);
  computation.name = HloScanner::BareName(p, past_name);
  p = scanner_.PastBlanks(past_name);
  if (scanner_.Sees(p, '(')) {
    const char* const program_shape = p;
    if (!parts_.ReadBracket(&p)) return false;
    p = scanner_.PastBlanks(p);
    if (!scanner_.Sees(p, '-') || !scanner_.Sees(p + 1, '>')) {
      return parts_.Expected("'->'", p);
    }
    p = scanner_.PastBlanks(p + 2);
    if (!scanner_.StartsShape(p)) return parts_.Expected("a shape", p);
    if (!parts_.ReadShape(&p, /*body_may_follow=*/true)) return false;
    computation.program_shape_text = HloScanner::Between(program_shape, p);
    p = scanner_.PastBlanks(p);
  }
  if (!scanner_.Sees(p, '{')) return parts_.Expected("'{'", p);
  Open().computation = computation;
  AnnounceComputations();
  position_ = p + 1;
  return true;
}

TextReader::OpenComputation& TextReader::Open() {
  open_.emplace_back();
  OpenComputation& open = open_.back();
  open.operands = operands_.size();
  open.nested_operands = nested_operands_.size();
  open.attributes = attributes_.size();
  open.list.depth = parts_.depth();
  open.list.braces.may_be_computation = true;
  return open;
}

void TextReader::OpenInlineComputation() {
  const std::string_view caller = open_.back().instruction.name;
  const std::string_view attribute = open_.back().list.key;
  HloComputationText& computation = Open().computation;
  computation.caller = caller;
  computation.caller_attribute = attribute;
  AnnounceComputations();
}

void TextReader::CloseComputation() {
  const char* const brace = position_;
  ++position_;
  if (open_.size() > 1) {
    open_.back().computation.attributes_text =
        HloScanner::Between(position_, position_);
    EndComputation({});
    parts_.CloseComputation();
    ReadInstructionAttributes();
    return;
  }
  const char* const begin = position_;
  PartReader::List list;
  const Result result = parts_.ReadAttributes(&position_, &list, &attributes_);
  const bool is_implicit = open_.back().is_implicit;
  if (is_implicit) Report(brace, "'}' does not close a computation");
  open_.back().computation.attributes_text =
      HloScanner::Between(begin, position_);
  EndComputation(attributes_);
  if (result == Result::kFailed) SkipFailedItem(begin);
}

void TextReader::LeaveComputations() {
  const char* const place = scanner_.BeforeBlanks(position_);
  while (!open_.empty()) {
    const HloComputationText& computation = open_.back().computation;
    if (!open_.back().is_implicit) {
      counts_.diagnostics_of_end += position_ == scanner_.end();
      Report(place,
             StrCat("the computation ",
                    computation.is_inline()
                        ? StrCat("in ", computation.caller_attribute, "=")
                        : StrCat("'", computation.name, "'"),
                    " is not closed before ",
                    position_ == scanner_.end() ? "the text ends"
                                                : "the next item begins"));
    }
    EndComputation({});
  }
  parts_.Abandon(0);
}

void TextReader::EndComputation(absl::Span<const HloAttribute> attributes) {
  if (open_.back().is_announced) {
    handler_->OnComputationEnd(open_.back().computation, attributes);
  }
  ForgetInstruction();
  open_.pop_back();
  delivered_end_ = position_;
}

void TextReader::AnnounceModule() {
  if (module_is_announced_) return;
  module_is_announced_ = true;
  ++counts_.modules;
  handler_->OnModule(module_);
}

void TextReader::AnnounceComputations() {
  // The topmost one is the last to be announced.
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

void TextReader::ReadInComputation() {
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
    parts_.Expected("an instruction or '}'", begin);
    SkipFailedItem(begin);
  }
}

void TextReader::ReadInstruction(const char* name, const char* past_name) {
  OpenComputation& open = open_.back();
  open.instruction_begin = position_;
  // The other fields are set for every instruction.
  open.instruction.is_root = name != position_;
  open.instruction.name = std::string_view();
  open.instruction.shape = nullptr;
  open.instruction.shape_index = -1;
  open.instruction.shape_text = std::string_view();
  if (ReadInstructionToOperands(name, past_name)) {
    ReadInstructionAttributes();
  } else {
    SkipFailedItem(open.instruction_begin);
  }
}

bool TextReader::ReadInstructionToOperands(const char* name,
                                           const char* past_name) {
  HloInstructionText& instruction = open_.back().instruction;
  const char* p = name;
  const char* const equals =
      past_name == nullptr ? p : scanner_.PastBlanks(past_name);
  if (past_name != nullptr && scanner_.Sees(equals, '=')) {
    instruction.name = HloScanner::BareName(name, past_name);
    p = scanner_.PastBlanks(equals + 1);
  } else if (!open_.back().is_implicit || !scanner_.StartsShape(p)) {
    return past_name == nullptr
               ? parts_.Expected("the name of an instruction", p)
               : parts_.Expected("'='", equals);
  }
  if (ReadKnownShape(&p, &instruction)) {
    // Nearly all shapes are known.
  } else if (scanner_.StartsShape(p)) {
    const char* const begin = p;
    if (!parts_.ReadShape(&p, /*body_may_follow=*/false)) return false;
    instruction.shape_text = HloScanner::Between(begin, p);
    const absl::StatusOr<int64_t> index =
        shapes_->Intern(instruction.shape_text);
    if (!index.ok()) {
      // Reports the place in the shape, which counts its own lines and columns.
      const std::optional<Diagnostic> diagnostic = DiagnosticOf(index.status());
      if (diagnostic.has_value()) {
        parts_.Fail({begin + diagnostic->offset, diagnostic->message, p});
      } else {
        parts_.Fail({begin, std::string(index.status().message()), p});
      }
      return false;
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
    if (sees_opcode) return parts_.Expected("'(' after the opcode", opening);
    return parts_.Expected(
        instruction.shape == nullptr ? "a shape or an opcode" : "an opcode", p);
  }
  p = opening;
  const char* const operand_text = p + 1;
  const bool is_read =
      HloHasLiteral(instruction.opcode)
          ? ReadLiteral(&p)
          : operand_reader_.Read(&p, open_.back().nested_operands, &operands_,
                                 &nested_operands_);
  if (!is_read) return false;
  instruction.operand_text = HloScanner::Between(operand_text, p - 1);
  if (!instruction.operand_text.empty() &&
      (HloScanner::Is(HloScanner::kBlank, *operand_text) ||
       HloScanner::Is(HloScanner::kBlank, p[-2]))) {
    instruction.operand_text = StripAsciiWhitespace(instruction.operand_text);
  }
  open_.back().attributes_begin = p;
  position_ = p;
  return true;
}

// A shape is not read again if it is in the table, and a blank and no layout
// comes after it.
bool TextReader::ReadKnownShape(const char** p,
                                HloInstructionText* instruction) {
  if (*p == scanner_.end()) return false;
  // Few arrays are longer, and a text may have no blanks at all.
  constexpr size_t kUsual = 256;
  const char* const past =
      **p == '(' ? parts_.PastPlainBracket(*p, HloBraces())
                 : scanner_.FindWithin<ByteIndex::kSpace>(kUsual, *p);
  if (past == nullptr || !scanner_.Sees(past, ' ')) return false;
  const std::string_view text = HloScanner::Between(*p, past);
  const int64_t index = shapes_->Find(text);
  if (index < 0) return false;
  const char* const next = scanner_.PastBlanks(past);
  if (scanner_.Sees(next, '{')) return false;  // its layout
  instruction->shape_text = text;
  instruction->shape_index = index;
  instruction->shape = &shapes_->shape(index);
  *p = next;
  return true;
}

bool TextReader::ReadLiteral(const char** p) {
  // Usually a number.
  const char* const past = scanner_.PastIdentifier(*p + 1);
  if (!scanner_.Sees(past, ')')) return parts_.ReadBracket(p);
  *p = past + 1;
  return true;
}

void TextReader::ReadInstructionAttributes() {
  OpenComputation& open = open_.back();
  switch (parts_.ReadAttributes(&position_, &open.list, &attributes_)) {
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

void TextReader::Deliver() {
  AnnounceComputations();
  OpenComputation& open = open_.back();
  HloInstructionText& instruction = open.instruction;
  instruction.computation = &open.computation;
  // Without the final comma that the reader of attributes accepts.
  instruction.text =
      StripSuffix(HloScanner::Between(open.instruction_begin, position_), ",");
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

void TextReader::ForgetInstruction() {
  OpenComputation& open = open_.back();
  operands_.resize(open.operands);
  nested_operands_.resize(open.nested_operands);
  attributes_.resize(open.attributes);
  parts_.Abandon(open.list.depth);
  open.list.key = std::string_view();
  open.list.comma = nullptr;
}

void TextReader::Report(const char* at, std::string_view message) {
  ++counts_.diagnostics;
  handler_->OnDiagnostic(diagnostics_.At(at - scanner_.begin(), message));
}

bool TextReader::LineStartsItem(const char* p) const {
  const char* const end = scanner_.PastLine(p, scanner_.end());
  p = scanner_.PastBlanks(p, end);
  if (p == end || *p != '}' || open_.size() > 1) {
    return scanner_.StartsItem(p, end);
  }
  // Dictionaries may span lines: "}}, metadata={" does not close a computation.
  p = scanner_.PastBlanks(p + 1, end);
  return p == end ||
         StartsWith(HloScanner::Between(p, end), ", execution_thread=");
}

void TextReader::SkipFailedItem(const char* begin) {
  const HloFailure& failure = parts_.failure();
  if (open_.empty()) {
    parts_.Abandon(0);
  } else {
    ForgetInstruction();
  }
  Report(failure.at, failure.message);
  const char* p = std::max(begin, delivered_end_);
  const char* const limit = failure.next != nullptr && failure.next > p
                                ? failure.next
                                : scanner_.end();
  const int64_t rescanned = std::max<int64_t>(failure.reached - p, 0);
  if (rescanned <= rescan_budget_) {
    rescan_budget_ -= rescanned;
  } else {
    p = std::min(failure.reached, limit);
  }
  do {
    p = scanner_.PastLine(p, limit);
  } while (p != limit && !(p[-1] == '\n' && LineStartsItem(p)));
  position_ = p;
  counts_.diagnostics_of_end +=
      position_ == scanner_.end() && failure.reached == scanner_.end();
}

HloCounts TextReader::Read() {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (StartsWith(HloScanner::Between(position_, scanner_.end()),
                 kByteOrderMark)) {
    position_ += kByteOrderMark.size();
  }
  while (handler_->goes_on()) {
    if (!open_.empty()) {
      ReadInComputation();
    } else if (!ReadOutsideComputation()) {
      break;
    }
  }
  return counts_;
}

}  // namespace
}  // namespace hlo_internal

HloCounts ReadHlo(std::string_view text, HloShapeTable* shapes,
                  HloHandler* handler) {
  // Pointers into the text are compared, and a null pointer means none.
  if (text.data() == nullptr) text = std::string_view("", 0);
  return hlo_internal::TextReader(text, shapes, handler).Read();
}

}  // namespace tessera
