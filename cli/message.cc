#include "tessera/cli/message.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"

namespace tessera {
namespace {

// "error: ", painted.
std::string ErrorLabel(const Console& console) {
  return absl::StrCat(Paint("error:", Color::kRed, console.err_display), " ");
}

}  // namespace

void PrintError(const TextSource& source, const absl::Status& status,
                Console* console) {
  if (absl::optional<Diagnostic> diagnostic = DiagnosticOf(status)) {
    PrintError(source, *diagnostic, console);
    return;
  }
  std::string message(source.name);
  if (source.line > 0) absl::StrAppend(&message, ":", source.line);
  absl::StrAppend(&message, ": ", ErrorLabel(*console), status.message(), "\n");
  *console->err << message;
}

void PrintError(const TextSource& source, const Diagnostic& diagnostic,
                Console* console) {
  const int64_t lines_before = std::max<int64_t>(source.line - 1, 0);
  std::string message = absl::StrCat(
      source.name, ":", lines_before + diagnostic.line, ":", diagnostic.column,
      ": ", ErrorLabel(*console), diagnostic.message, "\n");
  // A text that breaks off has an empty line at its end.
  if (!diagnostic.excerpt.empty()) {
    absl::StrAppend(&message, "  ", diagnostic.excerpt, "\n  ",
                    std::string(diagnostic.caret, ' '),
                    Paint("^", Color::kGreen, console->err_display), "\n");
  }
  *console->err << message;
}

}  // namespace tessera
