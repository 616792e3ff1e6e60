#include "tessera/hlo/message/memory_message.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

// Every message contains one of these.
constexpr std::string_view kMarks[] = {
    "Ran out of memory in memory space ",
    "Ran out of memory on ",
    "Largest program allocations in ",
    "CompileTimeHbmOom",
    "CompileTimeScopedVmemOom",
    "exceeded scoped ",
    ") would exceed memory (size=",
    "BufferAssignment OOM Debugging",
    "Out of memory while trying to allocate ",
    "Out of memory allocating ",
    "Failed to allocate request for ",
    "That was not possible. There are ",
};

// Returns the text after the first `mark`; nullopt if there is none.
std::optional<std::string_view> Behind(std::string_view text,
                                       std::string_view mark) {
  const size_t at = text.find(mark);
  if (at == text.npos) return std::nullopt;
  return text.substr(at + mark.size());
}

// Returns the text before the first `mark`, or the whole text.
std::string_view Before(std::string_view text, std::string_view mark) {
  return text.substr(0, text.find(mark));
}

// Returns the bytes directly after the first `mark`. A number before a blank
// has lost its unit, and perhaps digits.
std::optional<StatedBytes> BytesBehind(std::string_view text,
                                       std::string_view mark) {
  StatedBytes stated;
  std::optional<std::string_view> rest = Behind(text, mark);
  if (!rest.has_value()) return std::nullopt;
  const size_t size = ReadStatedBytes(*rest, &stated);
  if (size == 0) return std::nullopt;
  const bool has_unit = !absl::ascii_isdigit((*rest)[size - 1]);
  rest->remove_prefix(size);
  ConsumePrefix(&*rest, ".");
  const bool is_cut = rest->empty() || absl::ascii_isspace((*rest)[0]);
  if (!has_unit && is_cut && !StartsWith(*rest, " byte")) return std::nullopt;
  return stated;
}

// Returns the letters, digits and underscores at the start of `text`.
std::string_view WordOf(std::string_view text) {
  const auto end = absl::c_find_if(
      text, [](char c) { return !absl::ascii_isalnum(c) && c != '_'; });
  return text.substr(0, end - text.begin());
}

// Returns the text up to the first white space.
std::string_view UpToBlank(std::string_view text) {
  return text.substr(0, text.find_first_of(" \r\n\t"));
}

// Returns the text without the escapes of a quoted string. Keeps line breaks.
std::string Unescaped(std::string_view text) {
  return absl::StrReplaceAll(
      AbslView(text),
      {{"\\n", "\n"}, {"\\t", "\t"}, {"\\\"", "\""}, {"\\'", "'"}});
}

// Returns the text between the quotes after `key`, such as op_name=; empty if
// it is missing.
std::string QuotedBehind(std::string_view text, std::string_view key) {
  const std::optional<std::string_view> rest =
      Behind(text, absl::StrCat(AbslView(key), "\""));
  if (!rest.has_value()) return "";
  size_t end = 0;
  while (end < rest->size() && (*rest)[end] != '"') {
    end += (*rest)[end] == '\\' ? 2 : 1;
  }
  return std::string(rest->substr(0, end));
}

void ReadMetadata(std::string_view text, StatedAllocation* allocation) {
  // Puts "f[\\n x=1\\n]" on one line.
  allocation->op_name =
      absl::StrReplaceAll(QuotedBehind(text, "op_name="), {{"\\n", " "}});
  const std::string file = QuotedBehind(text, "source_file=");
  if (file.empty()) return;
  const std::string_view line =
      WordOf(Behind(text, "source_line=").value_or(""));
  allocation->source_line =
      line.empty() ? file : absl::StrCat(file, ":", AbslView(line));
}

// Returns "fusion.1" for "%fusion.1 = f32[2]{0} fusion(...)". For a label that
// is not an instruction, returns all of it, up to the comma before the next
// field.
std::string_view InstructionOf(std::string_view label) {
  const size_t equals = label.find(" = ");
  if (equals == label.npos) return label;
  label = label.substr(0, equals);
  ConsumePrefix(&label, "ROOT ");
  ConsumePrefix(&label, "%");
  return label;
}

void ReadWindow(std::string_view tag, StatedAllocation* allocation) {
  const std::optional<std::string_view> window =
      Behind(tag, "window shape is ");
  if (!window.has_value()) return;
  const auto shape = [](std::string_view text) {
    return absl::StrReplaceAll(AbslView(Before(text, "]")), {{" ", ""}}) + "]";
  };
  allocation->window_text = shape(*window);
  if (const auto full = Behind(tag, "full shape is ")) {
    allocation->full_text = shape(*full);
  }
  allocation->buffers = 1;
  if (const auto has = Behind(tag, "This allocation has ")) {
    int64_t buffers = 0;
    if (absl::SimpleAtoi(AbslView(WordOf(*has)), &buffers) && buffers > 0) {
      allocation->buffers = buffers;
    }
  }
}

constexpr std::string_view kFields[] = {
    "Size:",
    "Operator:",
    "Shape:",
    "Entry Parameter Subshape:",
    "Unpadded size:",
    "Extra memory due to padding:",
    "XLA label:",
    "XLA Label:",
    "Allocation type:",
    "Tag:",
};

class ListReader {
 public:
  explicit ListReader(std::vector<StatedAllocation>* allocations)
      : allocations_(*allocations) {}

  void Add(std::string_view line) {
    std::map<size_t, std::string_view> fields;  // by their places
    for (const std::string_view field : kFields) {
      const size_t at = line.find(field);
      if (at != line.npos && (at == 0 || absl::ascii_isspace(line[at - 1]))) {
        fields.emplace(at, field);
      }
    }
    if (fields.empty()) return Continue(line);
    End();
    for (auto field = fields.begin(); field != fields.end();) {
      const auto [at, name] = *field++;
      const size_t begin = at + name.size();
      const size_t end = field == fields.end() ? line.size() : field->first;
      Set(name, StripAsciiWhitespace(line.substr(begin, end - begin)));
    }
    prefix_ = fields.begin()->first;
    while (prefix_ > 0 && absl::ascii_isspace(line[prefix_ - 1])) --prefix_;
  }

  // Called after the last line.
  void End() {
    if (operator_.has_value() && !allocations_.empty()) {
      ReadMetadata(*operator_, &allocations_.back());
    }
    operator_.reset();
  }

 private:
  // An op_name may have line breaks.
  void Continue(std::string_view line) {
    if (!operator_.has_value()) return;
    line.remove_prefix(std::min(line.size(), prefix_));
    line = StripAsciiWhitespace(line);
    if (line.empty() || StartsWith(line, "====")) return End();
    absl::StrAppend(&*operator_, " ", AbslView(line));
  }

  void Set(std::string_view field, std::string_view value) {
    StatedBytes bytes;
    if (field == "Size:") {
      if (ReadStatedBytes(value, &bytes) == 0) return;
      allocations_.emplace_back();
      allocations_.back().size = bytes;
      return;
    }
    if (allocations_.empty()) return;
    StatedAllocation& last = allocations_.back();
    if (field == "Operator:") {
      operator_ = std::string(value);
    } else if (field == "Shape:" || field == "Entry Parameter Subshape:") {
      if (last.shape_text.empty()) last.shape_text = std::string(value);
    } else if (field == "Unpadded size:") {
      if (ReadStatedBytes(value, &bytes) > 0) last.unpadded = bytes;
    } else if (StartsWith(field, "XLA ")) {
      last.instruction = std::string(InstructionOf(value));
    } else if (field == "Allocation type:") {
      last.type = std::string(value);
    } else if (field == "Tag:") {
      last.tag = std::string(value);
      ReadWindow(value, &last);
    }
  }

  std::vector<StatedAllocation>& allocations_;
  // The value of the last "Operator:" while it continues.
  std::optional<std::string> operator_;
  size_t prefix_ = 0;  // of a log, in the line of that
};

// Returns "HLO temp" and 16 GiB for "HLO temp         16.00G (24.2%
// utilization...".
std::optional<StatedPart> PartOf(std::string_view line) {
  line = StripAsciiWhitespace(line);
  // The name ends before the first number that follows a blank.
  for (size_t i = 1; i < line.size(); ++i) {
    if (!absl::ascii_isdigit(line[i]) || !absl::ascii_isspace(line[i - 1])) {
      continue;
    }
    StatedPart part;
    std::string_view name = StripAsciiWhitespace(line.substr(0, i));
    ConsumeSuffix(&name, ":");
    const bool is_name =
        !name.empty() && absl::ascii_isalpha(name[0]) && name.size() < 60;
    if (!is_name || ReadStatedBytes(line.substr(i), &part.bytes) == 0) break;
    part.name = std::string(name);
    return part;
  }
  return std::nullopt;
}

// The first space that is found counts.
void SetSpace(std::string_view space, MemoryMessage* message) {
  if (message->memory_space.empty()) {
    message->memory_space = std::string(space);
  }
}

class PartsReader {
 public:
  explicit PartsReader(MemoryMessage* message) : message_(*message) {}

  void Add(std::string_view line) {
    constexpr std::string_view kHeads[] = {"Total ", "Program ",
                                           "BufferAssignment stats:"};
    for (const std::string_view head : kHeads) {
      const size_t at = line.find(head);
      if (at == line.npos || !IsHead(line.substr(at))) continue;
      prefix_ = at;
      is_in_parts_ = true;
      is_of_program_ = head == "Program ";
      return;
    }
    if (!is_in_parts_) return;
    std::string_view rest = line.substr(std::min(line.size(), prefix_));
    const std::optional<StatedPart> part = PartOf(rest);
    // "arguments       unknown size"
    if (!part.has_value()) {
      is_in_parts_ = StrContains(rest, "unknown size");
      return;
    }
    message_.parts.push_back(*part);
    // The total has a part with the same name: "reserved".
    if (is_of_program_) {
      message_.parts.back().name = absl::StrCat("program: ", part->name);
    }
  }

 private:
  // For "Program hbm requirement 41.22G:", also reads the number.
  bool IsHead(std::string_view head) {
    if (StartsWith(head, "BufferAssignment")) return true;
    const std::string_view space =
        WordOf(head.substr(std::min(head.size(), head.find(' ') + 1)));
    for (const std::string_view words : {" requirement ", " usage >= "}) {
      const std::optional<StatedBytes> bytes =
          BytesBehind(head, absl::StrCat(AbslView(space), AbslView(words)));
      if (space.empty() || !bytes.has_value()) continue;
      SetSpace(space, &message_);
      if (!message_.needed.has_value()) message_.needed = bytes;
      return true;
    }
    return false;
  }

  MemoryMessage& message_;
  size_t prefix_ = 0;  // of a log
  bool is_in_parts_ = false;
  bool is_of_program_ = false;
};

// "Used 41.74G of 16.00G hbm. Exceeded hbm capacity by 25.74G."
void ReadTotals(std::string_view text, MemoryMessage* message) {
  if (const auto space = Behind(text, "Ran out of memory in memory space ")) {
    message->memory_space = std::string(WordOf(*space));
  } else if (const auto on = Behind(text, "Ran out of memory on ")) {
    message->memory_space = absl::AsciiStrToLower(AbslView(WordOf(*on)));
  }
  if (const auto used = Behind(text, "Used ")) {
    StatedBytes needed;
    const size_t size = ReadStatedBytes(*used, &needed);
    if (size > 0 && StartsWith(used->substr(size), " of ")) {
      message->needed = needed;
      message->available = BytesBehind(*used, " of ");
      message->excess = BytesBehind(*used, " capacity by ");
    }
  }
  if (const auto total = Behind(text, "total memory required for ")) {
    message->needed = BytesBehind(*total, "(");
    if (const auto rest = Behind(*total, "exceeds available ")) {
      message->available = BytesBehind(*rest, "(");
    }
  }
  if (const auto name = Behind(text, "HLO module: ")) {
    std::string_view module = UpToBlank(*name);
    // A name without it is cut off.
    if (ConsumeSuffix(&module, ".")) message->module = std::string(module);
  }
}

// Reads "E1000" in "E1000: CompileTimeHbmOom: ...".
void ReadErrorCode(std::string_view text, MemoryMessage* message) {
  constexpr size_t kSize = 5;
  const size_t at = text.find(": CompileTime");
  if (at == text.npos || at < kSize) return;
  const std::string_view code = text.substr(at - kSize, kSize);
  int64_t number = 0;
  if (code[0] == 'E' && absl::SimpleAtoi(AbslView(code.substr(1)), &number)) {
    message->error_code = std::string(code);
  }
}

// "Scoped allocation with size 41.85M and limit 16.00M exceeded scoped vmem
// limit by 25.85M."
void ReadScoped(std::string_view text, MemoryMessage* message) {
  const auto exceeded = Behind(text, "exceeded scoped ");
  const auto stack = Behind(text, "while allocating on stack for ");
  if (!exceeded.has_value() && !stack.has_value() &&
      !StrContains(text, "CompileTimeScopedVmemOom")) {
    return;
  }
  message->kind = MemoryMessage::Kind::kScoped;
  if (exceeded.has_value()) {
    SetSpace(WordOf(*exceeded), message);
    message->excess = BytesBehind(*exceeded, " limit by ");
  }
  if (const auto rest = Behind(text, "Scoped allocation ")) {
    message->needed = BytesBehind(*rest, "size ");
    message->available = BytesBehind(*rest, "limit ");
  }
  if (stack.has_value()) {
    message->instruction_text = std::string(
        StripAsciiWhitespace(Before(*stack, ". Scoped allocation")));
  }
}

// "Allocation (size=268435456) would exceed memory (size=134217728) ::
// #allocation3 [shape = 'u8[268435456]{0}', space=vmem, size = 0x10000000,
// scoped, tag = '...'] :: oom_vmem.1"
void ReadAllocation(std::string_view text, MemoryMessage* message) {
  const size_t at = text.find(") would exceed memory (size=");
  if (at == text.npos) return;
  message->kind = MemoryMessage::Kind::kAllocation;
  message->available = BytesBehind(text.substr(at), "memory (size=");
  const std::string_view before = text.substr(0, at);
  const size_t size = before.rfind("(size=");
  if (size != before.npos)
    message->needed = BytesBehind(text.substr(size), "=");
  const std::string_view rest = text.substr(at);
  SetSpace(WordOf(Behind(rest, "space=").value_or("")), message);
  if (!message->needed.has_value()) return;
  StatedAllocation allocation;
  allocation.size = *message->needed;
  if (const auto shape = Behind(rest, "shape = '")) {
    allocation.shape_text = std::string(Before(*shape, "'"));
  }
  if (const auto tag = Behind(rest, "tag = '")) {
    const size_t end = std::min(tag->find("']"), tag->find("'\n"));
    allocation.tag = std::string(tag->substr(0, end));
    ReadWindow(*tag, &allocation);
  }
  if (StrContains(rest, ", scoped")) allocation.type = "scoped";
  const std::string_view name = UpToBlank(Behind(rest, "] :: ").value_or(""));
  if (!name.empty() && name[0] != '<') {
    allocation.instruction = std::string(name);
  }
  message->allocations.push_back(std::move(allocation));
}

// Reads the message that an allocation failed while a program was loaded or
// ran: "Error loading program 'jit_f': Attempting to reserve 8.57G at the
// bottom of memory. That was not possible. There are 6.20G free".
void ReadRequest(std::string_view text, MemoryMessage* message) {
  for (const std::string_view mark :
       {"Out of memory while trying to allocate ", "Out of memory allocating ",
        "Failed to allocate request for ", "Attempting to reserve ",
        "Attempting to allocate "}) {
    if (message->needed.has_value()) break;
    message->needed = BytesBehind(text, mark);
    if (message->needed.has_value()) {
      message->kind = MemoryMessage::Kind::kRequest;
    }
  }
  if (const auto free =
          BytesBehind(text, "That was not possible. There are ")) {
    message->kind = MemoryMessage::Kind::kRequest;
    message->available = free;
    if (StrContains(text, "HBM")) SetSpace("hbm", message);
  }
  if (const auto name = Behind(text, "Error loading program '")) {
    message->module = std::string(Before(*name, "'"));
    message->kind = MemoryMessage::Kind::kLoad;
  }
}

// Reads everything except sums and lists.
MemoryMessage ReadSentences(std::string_view text) {
  MemoryMessage message;
  ReadErrorCode(text, &message);
  ReadTotals(text, &message);
  ReadScoped(text, &message);
  ReadAllocation(text, &message);
  if (!message.needed.has_value()) ReadRequest(text, &message);
  return message;
}

// Longer texts are logs, whose lines are not wrapped.
constexpr size_t kLongestWrapped = size_t{1} << 16;

bool MayBeWrapped(std::string_view text) {
  return text.size() <= kLongestWrapped && StrContains(text, "\n");
}

// Returns the text with its lines joined. A terminal breaks lines anywhere; a
// mail program breaks them `at_blanks`, which are lost.
std::string WithJoinedLines(std::string_view text, bool at_blanks) {
  std::string joined;
  for (std::string_view line : SplitViews(text, '\n')) {
    ConsumeSuffix(&line, "\r");
    if (line.empty() || StartsWith(line, "See http")) {
      joined += '\n';
    } else if (at_blanks && !joined.empty() &&
               !absl::ascii_isspace(joined.back())) {
      joined += ' ';
    }
    joined.append(line);
  }
  return joined;
}

// Returns whether several lines are as long as the longest, as a terminal makes
// them.
bool HasFullLines(std::string_view text) {
  size_t longest = 0;
  int64_t count = 0;
  for (const std::string_view line : SplitViews(text, '\n')) {
    if (line.size() < longest) continue;
    count = line.size() == longest ? count + 1 : 1;
    longest = line.size();
  }
  return count > 1;
}

// Returns how much of a message was found.
int64_t PartCount(const MemoryMessage& message) {
  int64_t count = message.needed.has_value() + message.available.has_value() +
                  message.excess.has_value();
  count += !message.error_code.empty() + !message.memory_space.empty() +
           !message.module.empty() + !message.instruction_text.empty();
  // A broken line breaks operands and names.
  count -= StrContains(message.instruction_text, "\n");
  for (const StatedAllocation& allocation : message.allocations) {
    count += !allocation.shape_text.empty() + !allocation.window_text.empty() +
             !allocation.full_text.empty() + !allocation.instruction.empty();
    count -= StrContains(allocation.tag, "\n");
  }
  return count;
}

bool HasMark(std::string_view text) {
  return absl::c_any_of(kMarks, [text](std::string_view mark) {
    return StrContains(text, mark);
  });
}

// Reads a text with one message.
MemoryMessage ReadMessage(std::string_view text) {
  MemoryMessage message = ReadSentences(text);
  if (MayBeWrapped(text)) {
    const bool is_full = HasFullLines(text);
    for (const bool at_blanks : {!is_full, is_full}) {
      MemoryMessage joined = ReadSentences(WithJoinedLines(text, at_blanks));
      if (PartCount(joined) > PartCount(message)) message = std::move(joined);
    }
  }
  const bool is_gpu = StrContains(text, "BufferAssignment OOM Debugging");
  const auto space = Behind(text, "Largest program allocations in ");
  if (space.has_value()) SetSpace(WordOf(*space), &message);
  PartsReader parts(&message);
  std::vector<StatedAllocation> listed;
  ListReader list(&listed);
  for (const std::string_view line : SplitViews(text, '\n')) {
    parts.Add(line);
    list.Add(line);
  }
  list.End();
  if (is_gpu) {
    message.kind = MemoryMessage::Kind::kGpuList;
  } else if (!listed.empty() || space.has_value()) {
    message.kind = MemoryMessage::Kind::kTpuList;
  }
  absl::c_move(listed, std::back_inserter(message.allocations));
  return message;
}

// Returns whether `b` says nothing about another failure than `a`.
bool IsSameFailure(const MemoryMessage& a, const MemoryMessage& b) {
  if (!b.needed.has_value()) {
    return b.allocations.empty() && b.instruction_text.empty();
  }
  const bool has_same_names =
      (a.module.empty() || b.module.empty() || a.module == b.module) &&
      a.instruction_text == b.instruction_text;
  return has_same_names && a.needed.has_value() &&
         (a.needed->Covers(b.needed->bytes) ||
          b.needed->Covers(a.needed->bytes));
}

// Returns the part of a text from `begin` on that ends before the line of its
// second error.
std::string_view FirstPart(std::string_view text, size_t begin) {
  constexpr std::string_view kError = "RESOURCE_EXHAUSTED";
  text.remove_prefix(begin);
  const size_t first = text.find(kError);
  if (first == text.npos) return text;
  const size_t second = text.find(kError, first + kError.size());
  const std::string_view part = text.substr(0, second);
  const size_t line_break = part.rfind('\n');
  const bool has_own_line =
      second != text.npos && line_break != text.npos && line_break > first;
  return has_own_line ? part.substr(0, line_break + 1) : part;
}

}  // namespace

bool IsMemoryMessage(std::string_view text) {
  if (HasMark(text)) return true;
  return MayBeWrapped(text) &&
         (HasMark(WithJoinedLines(text, /*at_blanks=*/true)) ||
          HasMark(WithJoinedLines(text, /*at_blanks=*/false)));
}

std::vector<MemoryMessage> ReadMemoryMessages(std::string_view text) {
  std::vector<MemoryMessage> messages;
  if (!IsMemoryMessage(text)) return messages;
  std::string unescaped;
  text = StripAsciiWhitespace(text);
  if (!StrContains(text, "\n") && StrContains(text, "\\n")) {
    unescaped = Unescaped(text);
    text = unescaped;
  }
  constexpr size_t kMostMessages = 100;
  size_t begin = 0;
  while (begin < text.size() && messages.size() < kMostMessages) {
    const std::string_view part = FirstPart(text, begin);
    begin += part.size();
    if (!IsMemoryMessage(part)) continue;
    MemoryMessage message = ReadMessage(part);
    if (messages.empty() || !IsSameFailure(messages.back(), message)) {
      messages.push_back(std::move(message));
    } else if (PartCount(message) > PartCount(messages.back())) {
      messages.back() = std::move(message);
    }
  }
  // The marks of a message may stand in different parts.
  if (messages.empty()) messages.push_back(ReadMessage(text));
  return messages;
}

}  // namespace tessera
