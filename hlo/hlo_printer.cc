#include "tessera/hlo/hlo_printer.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_attributes.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/printed_comments.h"
#include "tessera/hlo/reader/hlo_scanner.h"

namespace tessera {
namespace {

class Printer {
 public:
  Printer(std::string_view text, const HloPrintOptions& options,
          std::string* out)
      : scanner_(text), options_(options), out_(*out) {}

  void Print(HloModule module);
  void Print(HloComputation computation);
  void Print(HloInstruction instruction);

 private:
  void PrintAttributes(const HloAttributes& attributes);
  void PrintFrameTables(std::string_view tables);
  // A part of the text with canonical white space and with comments_ in place
  // of its comments.
  void Copy(std::string_view part);
  void CopyBetweenComments(const char* p, const char* end);
  void PrintComment(const hlo_internal::PrintedComment& comment);
  void CopyName(std::string_view name);
  void Append(std::string_view text) { out_.append(text.data(), text.size()); }

  const hlo_internal::HloScanner scanner_;
  hlo_internal::PrintedComments comments_{scanner_};
  const HloPrintOptions& options_;
  std::string& out_;
};

void Printer::Copy(std::string_view part) {
  const char* p = part.data();
  const char* const end = p + part.size();
  const auto& comments = comments_.comments();
  auto comment =
      std::lower_bound(comments.begin(), comments.end(), p,
                       [](const hlo_internal::PrintedComment& comment,
                          const char* place) { return comment.at < place; });
  for (; comment != comments.end() && comment->at < end; ++comment) {
    CopyBetweenComments(p, comment->at);
    PrintComment(*comment);
    p = comment->at;
  }
  CopyBetweenComments(p, end);
}

void Printer::PrintComment(const hlo_internal::PrintedComment& comment) {
  if (comment.level == hlo_internal::PrintedComment::kOfList) {
    absl::StrAppend(&out_, "/*index=", comment.index, "*/");
    return;
  }
  absl::StrAppend(&out_, " /*i", comment.level, "=", comment.index, "*/");
  if (!hlo_internal::HloScanner::Is(hlo_internal::HloScanner::kBlank,
                                    *comment.at)) {
    out_.push_back(' ');
  }
}

void Printer::CopyBetweenComments(const char* p, const char* end) {
  while (true) {
    const char* const stop = std::min(
        end,
        scanner_.FindWithin<hlo_internal::ByteIndex::kQuote,
                            hlo_internal::ByteIndex::kApostropheOrSlash,
                            hlo_internal::ByteIndex::kBackslashOrLineBreak>(
            end - p, p));
    out_.append(p, stop - p);
    if (stop == end) return;
    const char* past = stop + 1;
    switch (*stop) {
      case '"':
      case '\'':
        past = scanner_.PastString(stop);
        if (past == nullptr || past > end) past = end;
        out_.append(stop, past - stop);
        break;
      case '/': {
        const char* const past_blanks = scanner_.PastBlanks(stop, end);
        const std::string_view comment =
            hlo_internal::HloScanner::Between(stop, past_blanks);
        if (past_blanks == stop) {
          out_.push_back('/');
        } else if (StartsWith(comment, "/*index=")) {
          past = stop + comment.find("*/") + 2;
          out_.append(stop, past - stop);
        } else {
          past = past_blanks;
        }
        break;
      }
      case '\n':
        while (!out_.empty() &&
               hlo_internal::HloScanner::Is(hlo_internal::HloScanner::kBlank,
                                            out_.back())) {
          out_.pop_back();
        }
        out_.push_back(' ');
        while (past != end && hlo_internal::HloScanner::Is(
                                  hlo_internal::HloScanner::kBlank, *past))
          ++past;
        break;
      default:
        out_.push_back(*stop);
    }
    p = past;
  }
}

// With the '%' that stands before it, if one does.
void Printer::CopyName(std::string_view name) {
  if (name.data() != scanner_.begin() && name.data()[-1] == '%') {
    out_.push_back('%');
  }
  Append(name);
}

void Printer::PrintAttributes(const HloAttributes& attributes) {
  for (const HloAttribute& attribute : attributes) {
    if (attribute.key == "metadata" && !options_.print_metadata) continue;
    if (attribute.key == "backend_config" && !options_.print_backend_config) {
      continue;
    }
    Append(", ");
    Append(attribute.key);
    out_.push_back('=');
    Copy(attribute.value);
  }
}

void Printer::PrintFrameTables(std::string_view tables) {
  const char* p = tables.data();
  const char* const end = p + tables.size();
  out_.push_back('\n');
  while (p != end) {
    const char* const stop = std::min(
        end,
        scanner_.FindWithin<hlo_internal::ByteIndex::kQuote,
                            hlo_internal::ByteIndex::kBackslashOrLineBreak>(
            end - p, p));
    const char* past = stop;
    if (scanner_.Sees(stop, '"')) {
      past = scanner_.PastString(stop);
      if (past == nullptr || past > end) past = end;
    } else if (stop != end) {
      ++past;
    }
    out_.append(p, past - p);
    if (past[-1] == '\n') {
      while (past != end && (*past == ' ' || *past == '\t')) ++past;
    }
    p = past;
  }
  out_.push_back('\n');
}

void Printer::Print(HloInstruction instruction) {
  comments_.Find(instruction);
  const std::string_view text = instruction.text();
  if (options_.print_metadata && options_.print_backend_config) {
    return Copy(text);
  }
  const std::string_view attributes = instruction.attributes_text();
  Copy(text.substr(0, text.size() - attributes.size()));
  PrintAttributes(instruction.attributes());
}

void Printer::Print(HloComputation computation) {
  const bool has_braces = !computation.name().empty();
  if (has_braces) {
    if (computation.is_entry()) Append("ENTRY ");
    CopyName(computation.name());
    out_.push_back(' ');
    if (!computation.program_shape_text().empty()) {
      comments_.FindInProgramShape(computation.program_shape_text());
      Copy(computation.program_shape_text());
      out_.push_back(' ');
    }
    Append("{\n");
  }
  for (const HloInstruction instruction : computation.instructions()) {
    if (has_braces) Append("  ");
    Print(instruction);
    out_.push_back('\n');
  }
  if (has_braces) {
    out_.push_back('}');
    PrintAttributes(computation.attributes());
    out_.push_back('\n');
  }
}

void Printer::Print(HloModule module) {
  bool is_first = true;
  if (module.has_header()) {
    absl::StrAppend(&out_, "HloModule ", AbslView(module.name()));
    const std::optional<std::string_view> layout =
        module.attribute("entry_computation_layout");
    comments_.FindInEntryLayout(layout.value_or(""));
    PrintAttributes(module.attributes());
    out_.push_back('\n');
    is_first = false;
  }
  if (!module.frame_tables_text().empty()) {
    PrintFrameTables(module.frame_tables_text());
  }
  for (const HloComputation computation : module.computations()) {
    // It is part of the attribute in which it is written.
    if (computation.is_inline()) continue;
    if (!is_first) out_.push_back('\n');
    is_first = false;
    Print(computation);
  }
}

}  // namespace

std::string PrintHlo(const HloDump& dump, const HloPrintOptions& options) {
  std::string out;
  out.reserve(dump.text().size());
  Printer printer(dump.text(), options, &out);
  for (const HloModule module : dump.modules()) {
    if (!out.empty()) out.push_back('\n');
    printer.Print(module);
  }
  return out;
}

void AppendHlo(HloModule module, const HloPrintOptions& options,
               std::string* out) {
  Printer(module.dump_text(), options, out).Print(module);
}

void AppendHlo(HloComputation computation, const HloPrintOptions& options,
               std::string* out) {
  Printer(computation.dump_text(), options, out).Print(computation);
}

void AppendHlo(HloInstruction instruction, const HloPrintOptions& options,
               std::string* out) {
  Printer(instruction.dump_text(), options, out).Print(instruction);
}

}  // namespace tessera
