#include "tessera/tenstorrent/mlir_file/layout_file.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/mlir_file/mlir_tokens.h"

namespace tessera::tenstorrent {
namespace {

// The largest text of one type with its aliases replaced.
constexpr size_t kMaxTypeText = MlirTokens::kMaxTypeBytes;

bool IsNameByteOf(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.' || c == '-';
}

bool IsWordByte(char c) { return IsNameByteOf(c) && c != '-' && c != '.'; }

// White space that does not occur in JSON strings.
constexpr char kFilling = '\r';

// Some writers of JSON escape angle brackets: \u003c and \u003e. Returns the
// text with brackets in their place, as long as before.
std::string WithAngleBrackets(std::string_view text) {
  std::string plain(text);
  for (size_t i = 0; i + 5 < plain.size(); ++i) {
    if (plain[i] != '\\') continue;
    const std::string_view escape = text.substr(i + 1, 5);
    const bool opens = EqualsIgnoreCase(escape, "u003c");
    if (opens || EqualsIgnoreCase(escape, "u003e")) {
      plain.replace(i, 6,
                    {opens ? '<' : '>', kFilling, kFilling, kFilling, kFilling,
                     kFilling});
      i += 5;
    } else {
      ++i;  // an escaped character: \\u003c is not a bracket
    }
  }
  return plain;
}

// "\"mesh\"" in a string of JSON is "mesh" with quotes.
std::string Unescaped(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == kFilling) continue;
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain.push_back(text[i]);
      continue;
    }
    const char escape = text[++i];
    plain.push_back(escape == 'n' || escape == 't' || escape == 'r' ? ' '
                                                                    : escape);
  }
  return plain;
}

// Calls `visit` with each name in a type for which an alias may be defined.
template <typename Visit>
void ForEachAlias(std::string_view text, Visit visit) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      // Names in strings are not aliases.
      const size_t end = text.find('"', i + 1);
      if (end == std::string_view::npos) return;
      i = end;
      continue;
    }
    if (text[i] == '/' && i + 1 < text.size() && text[i + 1] == '/') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (text[i] != '#' && text[i] != '!') continue;
    size_t end = i + 1;
    bool has_dialect = false;
    for (; end < text.size() && IsNameByteOf(text[end]); ++end) {
      has_dialect |= text[end] == '.';
    }
    if (!has_dialect && end > i + 1) visit(i, text.substr(i, end - i));
    i = end - 1;
  }
}

// Removes white space and comments that do not separate words, so that texts
// that differ only in these become equal.
std::string Squeezed(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  bool is_blank = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '/' && i + 1 < text.size() && text[i + 1] == '/') {
      i = std::min(text.find('\n', i), text.size());
      is_blank = true;
      continue;
    }
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      is_blank = true;
      continue;
    }
    if (is_blank && !result.empty() && IsWordByte(c) &&
        IsWordByte(result.back())) {
      result.push_back(' ');
    }
    is_blank = false;
    result.push_back(c);
    if (c == ',') result.push_back(' ');
  }
  return result;
}

bool IsLayoutName(std::string_view text) {
  return StartsWith(text, "#ttnn.ttnn_layout<") ||
         StartsWith(text, "#ttnn.ttnn_nd_layout<") ||
         StartsWith(text, "#ttcore.metal_layout<") ||
         StartsWith(text, "#tt.metal_layout<") ||
         StartsWith(text, "#tt.layout<");
}

// Returns whether to keep a definition: a part of a layout may be its alias.
bool IsPartOfLayouts(std::string_view value) {
  return StartsWith(value, "#tt") || StartsWith(value, "!tt") ||
         StartsWith(value, "affine_map<") || StartsWith(value, "memref<") ||
         StartsWith(value, "(");
}

// A dialect whose operations are known by their first word.
bool IsOperationName(std::string_view word) {
  const size_t dot = word.find('.');
  if (dot == std::string_view::npos) return word == "return";
  constexpr std::string_view kDialects[] = {
      "ttnn",          "ttir",   "ttcore",   "tt",      "d2m",
      "memref",        "func",   "scf",      "affine",  "arith",
      "linalg",        "tensor", "ttkernel", "ttmetal", "emitc",
      "bufferization", "cf",     "stablehlo"};
  const std::string_view dialect = word.substr(0, dot);
  return std::find(std::begin(kDialects), std::end(kDialects), dialect) !=
         std::end(kDialects);
}

// Finds the line and column of places in growing order.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}

  FilePlace PlaceOf(const char* at) {
    const int64_t offset = at - text_.data();
    if (offset < counted_) {
      counted_ = line_begin_ = 0;
      line_ = 1;
    }
    while (true) {
      const void* const found =
          std::memchr(text_.data() + counted_, '\n', offset - counted_);
      if (found == nullptr) break;
      counted_ = static_cast<const char*>(found) - text_.data() + 1;
      line_begin_ = counted_;
      ++line_;
    }
    counted_ = offset;
    return {offset, line_, offset - line_begin_ + 1};
  }

 private:
  std::string_view text_;
  int64_t counted_ = 0;
  int64_t line_begin_ = 0;
  int64_t line_ = 1;
};

class LayoutFileReader {
 public:
  LayoutFileReader(std::string_view text, const CardOptions& options)
      : tokens_(text), lines_(text) {
    file_.card = CardMemoryOf(text, options);
  }

  LayoutFile Read();

 private:
  // A value that names may have.
  struct Definition {
    std::string text;   // without aliases; empty for one that is not kept
    int64_t item = -1;  // of a layout or a memref
    bool is_kept = false;
  };

  // The meaning of a text with the definitions that it uses.
  struct Known {
    int64_t item = -1;
    // The layout that is written out in a tensor.
    int64_t layout = -1;
    // The first name that is not defined.
    int64_t undefined = -1;
  };

  void ReadLine();
  void ReadValue(std::string_view value);
  void ReadShaped(std::string_view text);
  void ReadString(std::string_view text);
  void ReadTypeName(std::string_view name);
  // Candidates for results turn out to be operands.
  void FlushCandidates();
  void BeginOperation(std::string_view name, const char* at);
  void BeginFunction(const char* at);
  void EndFunction();

  // Reads "#name = value". Returns whether all of the value is read.
  bool Define(std::string_view name, std::string_view value);
  const Known& Find(FileItem::Kind kind, std::string_view text);
  Known MakeKnown(FileItem::Kind kind, std::string_view text,
                  std::string_view plain);
  int64_t AddItem(FileItem::Kind kind, const std::string& text,
                  std::string_view written);
  // Replaces aliases; nullopt if one is not defined or the text is too long.
  std::optional<std::string> Expand(std::string_view text);
  // Returns the meaning of a name without a definition, or "".
  std::string UsualMeaning(std::string_view name, std::string_view context);
  int64_t UndefinedName(std::string_view name, const char* at);
  // Counts an occurrence.
  void Count(const Known& known);
  void AddNote(std::string note);
  // Returns the beginning of the tensor's encoding, or "".
  static std::string_view EncodingOf(std::string_view tensor);

  MlirTokens tokens_;
  LineCounter lines_;
  LayoutFile file_;

  // By the name with its prefix, the number of the definition.
  TextMap<std::string_view, int64_t> names_;
  std::vector<Definition> definitions_;
  TextMap<std::string, int64_t> definition_of_text_;
  TextMap<std::string, Known> known_;
  TextMap<std::string, int64_t> item_of_text_;
  TextMap<std::string, size_t> undefined_;
  std::string key_;
  int64_t expanded_ = 0;

  FunctionTimeline timeline_;
  bool in_header_ = false;
  bool wants_name_ = false;
  std::string_view argument_;
  std::vector<std::string_view> candidates_;
  bool after_equal_ = false;
};

LayoutFile LayoutFileReader::Read() {
  timeline_.Begin("", {});
  while (true) {
    const MlirToken token = tokens_.Next();
    switch (token.kind) {
      case MlirToken::kEnd:
        FlushCandidates();
        EndFunction();
        AddCallees(absl::MakeSpan(file_.functions));
        return std::move(file_);
      case MlirToken::kLine:
        FlushCandidates();
        timeline_.EndLine();
        ReadLine();
        continue;
      case MlirToken::kValue:
        ReadValue(token.text);
        continue;
      case MlirToken::kComma:
        argument_ = "";
        continue;
      case MlirToken::kColon:
        // "%0:2 = " and "%argument: type".
        if (!candidates_.empty() && tokens_.AtDigit()) continue;
        if (!candidates_.empty() && in_header_) {
          argument_ = candidates_.back();
          candidates_.clear();
          continue;
        }
        FlushCandidates();
        timeline_.DropTypes(/*is_arrow=*/false);
        continue;
      case MlirToken::kEqual: {
        if (candidates_.empty()) continue;
        const char* const at = candidates_.front().data();
        if (tokens_.At('"')) {
          after_equal_ = true;
          continue;
        }
        const std::string_view word = tokens_.TakeWord();
        if (StrContains(word, '.') || word == "constant" || word == "call") {
          BeginOperation(word, at);
        } else {
          FlushCandidates();
        }
        continue;
      }
      case MlirToken::kString:
        ReadString(token.text);
        continue;
      case MlirToken::kShaped:
        FlushCandidates();
        ReadShaped(token.text);
        continue;
      case MlirToken::kType:
        FlushCandidates();
        ReadTypeName(token.text);
        continue;
      case MlirToken::kAttribute:
        FlushCandidates();
        if (IsLayoutName(token.text)) {
          Count(Find(FileItem::kLayout, token.text));
        }
        continue;
      case MlirToken::kSymbol:
        if (wants_name_) {
          timeline_.SetName(token.text);
        } else if (!in_header_) {
          timeline_.AddSymbol(token.text);
        }
        wants_name_ = false;
        continue;
      case MlirToken::kBlock:
        FlushCandidates();
        timeline_.EndStatement();
        continue;
      case MlirToken::kArrow:
        FlushCandidates();
        timeline_.DropTypes(/*is_arrow=*/true);
        continue;
      case MlirToken::kOpen:
        FlushCandidates();
        timeline_.Open();
        continue;
      case MlirToken::kClose:
        FlushCandidates();
        timeline_.Close();
        continue;
    }
  }
}

void LayoutFileReader::ReadLine() {
  if (tokens_.At('#') || tokens_.At('!')) {
    const MlirTokens before = tokens_;
    const MlirToken name = tokens_.Next();
    if ((name.kind == MlirToken::kAttribute || name.kind == MlirToken::kType) &&
        !StrContains(name.text, '.') && tokens_.At('=')) {
      tokens_.Next();
      const std::string_view value = tokens_.TakeAliasValue();
      // Types in the value of another alias count, too.
      if (!Define(name.text, value)) tokens_.MoveTo(value.data());
    } else {
      tokens_ = before;
    }
    return;
  }
  const MlirTokens before = tokens_;
  const std::string_view word = tokens_.TakeWord();
  if (word.empty()) return;
  if (word == "func.func" || word == "func") {
    BeginFunction(word.data());
  } else if (IsOperationName(word) || (word == "call" && tokens_.At('@'))) {
    BeginOperation(word, word.data());
  } else {
    tokens_ = before;
  }
}

void LayoutFileReader::ReadValue(std::string_view value) {
  candidates_.push_back(value);
  // A list of operands is as long, and a list of results shorter.
  constexpr size_t kMaxCandidates = 4096;
  if (candidates_.size() == kMaxCandidates) FlushCandidates();
}

void LayoutFileReader::FlushCandidates() {
  if (candidates_.empty()) return;
  if (!in_header_) {
    for (const std::string_view value : candidates_) timeline_.AddUse(value);
  }
  candidates_.clear();
  after_equal_ = false;
}

void LayoutFileReader::ReadString(std::string_view text) {
  const bool is_operation = tokens_.At('(');
  std::string_view name = text.substr(text[0] == '\\' ? 2 : 1);
  name.remove_suffix(text[0] == '\\' ? 2 : 1);
  if (!is_operation || !StrContains(name, '.')) {
    after_equal_ = false;
    return FlushCandidates();
  }
  if (!after_equal_) FlushCandidates();
  if (name == "func.func") return BeginFunction(text.data());
  BeginOperation(name, after_equal_ ? candidates_.front().data() : text.data());
}

void LayoutFileReader::ReadTypeName(std::string_view name) {
  const auto found = names_.find(name);
  if (found == names_.end()) return;
  const int64_t item = definitions_[found->second].item;
  if (item < 0 || file_.items[item].kind == FileItem::kLayout) return;
  ++file_.items[item].alias_uses;
  if (in_header_) {
    if (!argument_.empty()) timeline_.AddArgument(argument_, item);
    argument_ = "";
  } else {
    timeline_.AddType(item, /*is_memref=*/true);
  }
}

void LayoutFileReader::BeginOperation(std::string_view name, const char* at) {
  in_header_ = false;
  wants_name_ = false;
  timeline_.BeginOperation(name, candidates_, lines_.PlaceOf(at));
  candidates_.clear();
  after_equal_ = false;
}

void LayoutFileReader::BeginFunction(const char* at) {
  candidates_.clear();
  after_equal_ = false;
  EndFunction();
  timeline_.Begin("", lines_.PlaceOf(at));
  in_header_ = true;
  wants_name_ = true;
  argument_ = "";
}

void LayoutFileReader::EndFunction() {
  if (!timeline_.has_operations()) return;
  FunctionMemory memory = timeline_.Finish(file_.items);
  // Text outside of functions contains descriptions of devices, for example.
  if (memory.tensors == 0 && memory.name.empty()) return;
  file_.counts.Add(memory.counts);
  if (memory.tensors == 0) return;
  std::vector<FunctionMemory>& functions = file_.functions;
  functions.push_back(std::move(memory));
  if (functions.size() <= LayoutFile::kMaxFunctions) return;
  ++file_.functions_left_out;
  const auto need = [](const FunctionMemory& function) {
    return std::make_pair(function.l1.peak, function.dram.peak);
  };
  // Keeps the function that needs the most DRAM. Among equal ones, drops the
  // last.
  const auto most_dram =
      std::max_element(functions.begin(), functions.end(),
                       [](const FunctionMemory& a, const FunctionMemory& b) {
                         return a.dram.peak < b.dram.peak;
                       });
  auto least = functions.end();
  for (auto i = functions.begin(); i != functions.end(); ++i) {
    if (i == most_dram) continue;
    if (least == functions.end() || need(*i) <= need(*least)) least = i;
  }
  functions.erase(least);
}

std::string_view LayoutFileReader::EncodingOf(std::string_view tensor) {
  int depth = 0;
  for (size_t i = 0; i < tensor.size(); ++i) {
    const char c = tensor[i];
    if (c == '<') ++depth;
    if (c == '>') --depth;
    if (c != ',' || depth != 1) continue;
    const size_t begin = tensor.find_first_not_of(" \t\r\n", i + 1);
    return begin == std::string_view::npos ? "" : tensor.substr(begin);
  }
  return "";
}

void LayoutFileReader::ReadShaped(std::string_view text) {
  FileItem::Kind kind = FileItem::kMemRef;
  if (text[0] == 't') {
    kind = FileItem::kTensor;
    const std::string_view encoding = EncodingOf(text);
    if (encoding.empty()) return;
  } else if (!StrContains(text, ',')) {
    return;
  }
  const Known known = Find(kind, text);
  Count(known);
  if (in_header_) {
    if (!argument_.empty()) timeline_.AddArgument(argument_, known.item);
    argument_ = "";
  } else {
    timeline_.AddType(known.item, kind == FileItem::kMemRef);
  }
}

bool LayoutFileReader::Define(std::string_view name, std::string_view value) {
  if (StartsWith(value, "loc(")) return false;
  int64_t number = -1;
  if (value.empty() ||
      !(IsPartOfLayouts(value) || value[0] == '#' || value[0] == '!')) {
    // One definition represents all that are not kept.
    number = definition_of_text_.emplace("", definitions_.size()).first->second;
    if (number == static_cast<int64_t>(definitions_.size())) {
      definitions_.emplace_back();
    }
    names_[name] = number;
    return false;
  }
  Definition definition;
  const bool is_item = StartsWith(value, "memref<") || IsLayoutName(value);
  if (is_item) {
    const FileItem::Kind kind =
        value[0] == 'm' ? FileItem::kMemRef : FileItem::kLayout;
    const Known known = Find(kind, value);
    definition.item = known.item;
    Count(known);
  }
  const std::optional<std::string> text =
      IsPartOfLayouts(value) || names_.contains(value)
          ? Expand(tokens_.in_json() ? Unescaped(value) : std::string(value))
          : std::nullopt;
  if (text.has_value()) {
    definition.text = *text;
    definition.is_kept = true;
  }
  const auto [found, is_new] = definition_of_text_.emplace(
      std::string(definition.text), definitions_.size());
  if (is_new) definitions_.push_back(std::move(definition));
  names_[name] = found->second;
  return is_item;
}

std::string LayoutFileReader::UsualMeaning(std::string_view name,
                                           std::string_view context) {
  const bool is_ttnn = StrContains(context, "ttnn_layout") ||
                       StrContains(context, "ttnn_nd_layout") ||
                       StrContains(context, "#ttnn.");
  std::string meaning;
  if (name == "#dram" || name == "#l1") {
    meaning = StrCat(is_ttnn ? "#ttnn.buffer_type<" : "#ttcore.memory_space<",
                     name.substr(1), ">");
  } else if (name == "#system_memory") {
    meaning = is_ttnn ? "#ttnn.buffer_type<system_memory>"
                      : "#ttcore.memory_space<system>";
  } else {
    return "";
  }
  AddNote(StrCat(name, " has no definition: read as ", meaning));
  return meaning;
}

void LayoutFileReader::AddNote(std::string note) {
  if (std::find(file_.notes.begin(), file_.notes.end(), note) ==
      file_.notes.end()) {
    file_.notes.push_back(std::move(note));
  }
}

int64_t LayoutFileReader::UndefinedName(std::string_view name, const char* at) {
  const auto [found, is_new] =
      undefined_.emplace(std::string(name), file_.undefined.size());
  if (is_new) {
    file_.undefined.push_back({std::string(name), 0, lines_.PlaceOf(at)});
  }
  return found->second;
}

void LayoutFileReader::Count(const Known& known) {
  if (known.layout >= 0) ++file_.items[known.layout].uses;
  if (known.item >= 0) ++file_.items[known.item].uses;
  if (known.undefined >= 0) ++file_.undefined[known.undefined].uses;
}

std::optional<std::string> LayoutFileReader::Expand(std::string_view text) {
  std::string expanded;
  size_t copied = 0;
  bool is_whole = true;
  ForEachAlias(text, [&](size_t at, std::string_view name) {
    StrAppend(&expanded, text.substr(copied, at - copied));
    copied = at + name.size();
    const auto found = names_.find(name);
    if (found == names_.end()) {
      const std::string meaning = UsualMeaning(name, text);
      is_whole &= !meaning.empty();
      expanded += meaning;
    } else {
      const Definition& definition = definitions_[found->second];
      is_whole &= definition.is_kept;
      if (expanded.size() + definition.text.size() > kMaxTypeText) {
        is_whole = false;
      } else {
        expanded += definition.text;
      }
    }
  });
  if (!is_whole) return std::nullopt;
  StrAppend(&expanded, text.substr(copied));
  expanded_ += expanded.size();
  if (expanded.size() > kMaxTypeText || expanded_ > LayoutFile::kMaxExpanded) {
    if (expanded_ > LayoutFile::kMaxExpanded) {
      AddNote(absl::StrCat("short forms expand to more than ",
                           LayoutFile::kMaxExpanded,
                           " bytes: some types are left out"));
    }
    return std::nullopt;
  }
  return expanded;
}

const LayoutFileReader::Known& LayoutFileReader::Find(FileItem::Kind kind,
                                                      std::string_view text) {
  // The key is the text and the values of its names.
  key_.assign(text.data(), text.size());
  ForEachAlias(text, [&](size_t, std::string_view name) {
    const auto found = names_.find(name);
    absl::StrAppend(&key_, "\n",
                    found == names_.end() ? int64_t{-1} : found->second);
  });
  const auto found = known_.find(key_);
  if (found != known_.end()) return found->second;
  std::string key = key_;
  return known_
      .emplace(std::move(key), MakeKnown(kind, text,
                                         tokens_.in_json() ? Unescaped(text)
                                                           : std::string(text)))
      .first->second;
}

LayoutFileReader::Known LayoutFileReader::MakeKnown(FileItem::Kind kind,
                                                    std::string_view text,
                                                    std::string_view plain) {
  Known known;
  if (kind == FileItem::kTensor) {
    const std::string_view encoding = EncodingOf(plain);
    if (encoding.empty() || encoding[0] != '#') return known;
    if (IsLayoutName(encoding)) {
      // Up to the '>' of the tensor.
      std::string_view layout = encoding.substr(0, encoding.size() - 1);
      while (!layout.empty() && layout.back() != '>') layout.remove_suffix(1);
      const std::optional<std::string> expanded = Expand(layout);
      if (expanded.has_value()) {
        known.layout = AddItem(FileItem::kLayout, *expanded, EncodingOf(text));
      }
    } else {
      size_t end = 1;
      while (end < encoding.size() && IsNameByteOf(encoding[end])) ++end;
      const std::string_view name = encoding.substr(0, end);
      // Encodings of other dialects are not layouts.
      if (StrContains(name, '.')) return known;
      const auto found = names_.find(name);
      if (found == names_.end()) {
        // The meaning of #dram is not a layout, either.
        if (UsualMeaning(name, "").empty()) {
          known.undefined = UndefinedName(name, text.data());
        }
        return known;
      }
      const Definition& definition = definitions_[found->second];
      if (!definition.is_kept || !IsLayoutName(definition.text)) return known;
    }
  }
  const std::optional<std::string> expanded = Expand(plain);
  if (!expanded.has_value()) {
    ForEachAlias(plain, [&](size_t, std::string_view name) {
      if (!names_.contains(name) && name != "#dram" && name != "#l1" &&
          name != "#system_memory" && known.undefined < 0) {
        known.undefined = UndefinedName(name, text.data());
      }
    });
    return known;
  }
  if (kind == FileItem::kMemRef && !StrContains(*expanded, "#ttcore.") &&
      !StrContains(*expanded, "#tt.") &&
      !StrContains(*expanded, "#ttnn.buffer_type<")) {
    return known;
  }
  known.item = AddItem(kind, *expanded, text);
  return known;
}

int64_t LayoutFileReader::AddItem(FileItem::Kind kind, const std::string& text,
                                  std::string_view written) {
  const std::string squeezed = Squeezed(text);
  const auto [found, is_new] =
      item_of_text_.emplace(std::string(squeezed), file_.items.size());
  if (is_new) {
    file_.items.push_back(ReadFileItem(kind, squeezed, file_.card));
    FileItem& item = file_.items.back();
    item.first = lines_.PlaceOf(written.data());
    item.first_text = std::string(written.substr(0, written.find('\n')));
  }
  return found->second;
}

}  // namespace

int64_t LayoutFile::Uses(FileItem::Kind kind) const {
  int64_t uses = 0;
  for (const FileItem& item : items) {
    if (item.kind == kind) uses += item.uses;
  }
  return uses;
}

LayoutFile ReadLayoutFile(std::string_view text, const CardOptions& options) {
  if (!StrContains(text, "\\u003")) {
    return LayoutFileReader(text, options).Read();
  }
  return LayoutFileReader(WithAngleBrackets(text), options).Read();
}

}  // namespace tessera::tenstorrent
