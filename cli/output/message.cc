#include "tessera/cli/output/message.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/json_line.h"
#include "tessera/service/error.h"

namespace tessera::cli {
namespace {

constexpr std::string_view kEllipsis = "...";

struct Excerpt {
  std::string text;
  int64_t caret = 0;
};

// Returns the part of an excerpt around the caret that fits on one line of a
// terminal with this many columns.
Excerpt CutToFit(Excerpt excerpt, int64_t columns) {
  constexpr int64_t kEllipsisSize = kEllipsis.size();
  constexpr int64_t kFewest = 20;
  const int64_t room = std::max(columns, kFewest);
  const int64_t size = excerpt.text.size();
  // The caret may be after the end of the text.
  const int64_t needed = std::max(size, excerpt.caret + 1);
  if (needed <= room) return excerpt;
  // The same amount of text before and after the caret, if possible.
  const int64_t begin =
      std::max<int64_t>(std::min(excerpt.caret - room / 2, needed - room), 0);
  excerpt.text = excerpt.text.substr(begin, room);
  excerpt.caret -= begin;
  if (begin > 0) excerpt.text.replace(0, kEllipsisSize, kEllipsis.data());
  if (begin + room < size) {
    excerpt.text.replace(room - kEllipsisSize, kEllipsisSize, kEllipsis.data());
  }
  return excerpt;
}

struct Label {
  std::string_view text;
  Color color;
};

constexpr Label kError = {"error:", Color::kRed};
constexpr Label kWarning = {"warning:", Color::kYellow};
constexpr Label kNote = {"note:", Color::kCyan};

void Print(const TextSource& source, const Label& label, std::string_view text,
           Console* console) {
  std::string message = Printable(source.name);
  if (source.line > 0) absl::StrAppend(&message, ":", source.line);
  absl::StrAppend(&message, ": ",
                  Paint(label.text, label.color, console->err_display), " ");
  // The message may contain names, too, but has its own line breaks.
  for (std::string_view line : SplitViews(text, '\n')) {
    absl::StrAppend(&message, Printable(line), "\n");
  }
  *console->err << message;
}

void Print(const TextSource& source, const Label& label,
           const Diagnostic& diagnostic, Console* console) {
  // An error in a proto has no line (hlo/hlo_module.h).
  if (diagnostic.line == 0) {
    return Print(source, label, diagnostic.message, console);
  }
  const int64_t lines_before = std::max<int64_t>(source.line - 1, 0);
  std::string message =
      absl::StrCat(Printable(source.name), ":", lines_before + diagnostic.line,
                   ":", diagnostic.column, ": ",
                   Paint(label.text, label.color, console->err_display), " ",
                   diagnostic.message, "\n");
  const Excerpt excerpt = CutToFit(
      {diagnostic.excerpt, diagnostic.caret},
      console->err_display.columns - static_cast<int64_t>(kIndent.size()));
  // Also for an empty line, because readers of messages expect three lines.
  StrAppend(&message, kIndent, excerpt.text, "\n", kIndent,
            std::string(excerpt.caret, ' '),
            Paint("^", Color::kGreen, console->err_display), "\n");
  *console->err << message;
}

}  // namespace

absl::Status WithPlace(std::string_view text, const absl::Status& error) {
  if (DiagnosticOf(error).has_value()) return error;
  Cursor cursor(text);
  const bool is_blank = cursor.AtEnd();
  return AtOffset(text, is_blank ? 0 : cursor.position() - text.data(), error);
}

bool PrintError(const TextSource& source, const absl::Status& status,
                Console* console) {
  if (std::optional<Diagnostic> diagnostic = DiagnosticOf(status)) {
    return PrintError(source, *diagnostic, console);
  }
  Print(source, kError, StdView(status.message()), console);
  return false;
}

bool PrintError(const TextSource& source, const Diagnostic& diagnostic,
                Console* console) {
  Print(source, kError, diagnostic, console);
  return false;
}

bool PrintError(const TextSource& source, const absl::Status& status,
                OutputFormat format, Console* console) {
  PrintError(source, status, console);
  if (format == OutputFormat::kJson) *console->out << ErrorLineOf(status);
  return false;
}

void PrintWarning(const TextSource& source, const Diagnostic& diagnostic,
                  Console* console) {
  Print(source, kWarning, diagnostic, console);
}

void PrintNote(const TextSource& source, std::string_view text,
               Console* console) {
  Print(source, kNote, text, console);
}

void PrintNote(const TextSource& source, const Diagnostic& diagnostic,
               Console* console) {
  Print(source, kNote, diagnostic, console);
}

}  // namespace tessera::cli
