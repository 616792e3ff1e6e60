#include "tessera/base/text/diagnostic.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

constexpr std::string_view kPayloadUrl =
    "type.googleapis.com/tessera.Diagnostic";

constexpr size_t kLongestExcerpt = 160;
constexpr std::string_view kCut = "...";

// Replaces one byte by one byte, so that carets stay in place. Also replaces
// bytes beyond ASCII: some control a terminal, and JSON writers reject invalid
// UTF-8.
std::string Printable(std::string_view text) {
  std::string printable(text);
  for (char& c : printable) {
    if (absl::ascii_isspace(c)) {
      c = ' ';
    } else if (!absl::ascii_isprint(c)) {
      c = '?';
    }
  }
  return printable;
}

void CutLongLine(std::string_view line, size_t at, Diagnostic* diagnostic) {
  size_t begin = 0;
  if (line.size() > kLongestExcerpt) {
    begin = std::min(at - std::min(at, kLongestExcerpt / 2),
                     line.size() - kLongestExcerpt);
  }
  const std::string_view shown = line.substr(begin, kLongestExcerpt);
  diagnostic->excerpt = Printable(shown);
  diagnostic->caret = at - begin;
  if (begin > 0) diagnostic->excerpt.replace(0, kCut.size(), kCut.data());
  if (begin + shown.size() < line.size()) {
    diagnostic->excerpt.replace(shown.size() - kCut.size(), kCut.size(),
                                kCut.data());
  }
}

// The numbers, then the two strings, which may contain any bytes: the length of
// the message determines the beginning of the excerpt.
std::string Encode(const Diagnostic& d) {
  return absl::StrCat(d.offset, " ", d.line, " ", d.column, " ", d.caret, " ",
                      d.message.size(), " ", d.message, d.excerpt);
}

std::optional<Diagnostic> Decode(std::string_view encoded) {
  std::array<int64_t, 5> numbers;
  for (int64_t& number : numbers) {
    const size_t blank = encoded.find(' ');
    if (blank == std::string_view::npos ||
        !absl::SimpleAtoi(AbslView(encoded.substr(0, blank)), &number) ||
        number < 0) {
      return std::nullopt;
    }
    encoded.remove_prefix(blank + 1);
  }
  const size_t message_size = numbers[4];
  if (message_size > encoded.size()) return std::nullopt;

  Diagnostic diagnostic;
  diagnostic.offset = numbers[0];
  diagnostic.line = numbers[1];
  diagnostic.column = numbers[2];
  diagnostic.caret = numbers[3];
  diagnostic.message = std::string(encoded.substr(0, message_size));
  diagnostic.excerpt = std::string(encoded.substr(message_size));
  if (numbers[3] > static_cast<int64_t>(diagnostic.excerpt.size())) {
    return std::nullopt;
  }
  return diagnostic;
}

}  // namespace

std::string Diagnostic::ToString() const {
  if (line == 0) return message;
  return absl::StrCat(line, ":", column, ": ", message, "\n  ", excerpt, "\n  ",
                      std::string(caret, ' '), "^");
}

Diagnostic MakeDiagnostic(std::string_view text, int64_t offset,
                          std::string_view message) {
  const size_t at =
      std::min(static_cast<size_t>(std::max<int64_t>(offset, 0)), text.size());
  const std::string_view before = text.substr(0, at);
  // npos + 1 is 0, the start of the first line.
  const size_t line_begin = before.rfind('\n') + 1;
  const size_t line_end = std::min(text.find('\n', at), text.size());
  std::string_view line = text.substr(line_begin, line_end - line_begin);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);

  Diagnostic diagnostic;
  diagnostic.offset = at;
  diagnostic.line = 1 + std::count(before.begin(), before.end(), '\n');
  diagnostic.column = 1 + at - line_begin;
  diagnostic.message = Printable(message);
  CutLongLine(line, std::min(at - line_begin, line.size()), &diagnostic);
  return diagnostic;
}

absl::Status DiagnosticError(std::string_view text, int64_t offset,
                             std::string_view message, absl::StatusCode code) {
  return DiagnosticStatus(MakeDiagnostic(text, offset, message), code);
}

absl::Status DiagnosticStatus(const Diagnostic& diagnostic,
                              absl::StatusCode code) {
  absl::Status status(code, diagnostic.ToString());
  status.SetPayload(AbslView(kPayloadUrl), absl::Cord(Encode(diagnostic)));
  return status;
}

std::optional<Diagnostic> DiagnosticOf(const absl::Status& status) {
  const absl::optional<absl::Cord> payload =
      status.GetPayload(AbslView(kPayloadUrl));
  if (!payload.has_value()) return std::nullopt;
  return Decode(std::string(*payload));
}

}  // namespace tessera
