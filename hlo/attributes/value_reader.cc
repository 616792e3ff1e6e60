#include "tessera/hlo/attributes/value_reader.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/hlo/hlo_string.h"
#include "tessera/hlo/reader/hlo_scanner.h"

namespace tessera {

bool ValueReader::Fail(size_t offset, std::string_view message,
                       absl::StatusCode code) {
  status_ = DiagnosticError(text_, offset,
                            StrCat("in ", subject_, ": ", message), code);
  return false;
}

bool ValueReader::FailExpected(std::string_view expected) {
  return Fail(offset(), StrCat("expected ", expected, ", found ",
                               cursor_.DescribeNextToken()));
}

bool ValueReader::FailWith(const absl::Status& status, size_t offset) {
  const std::optional<Diagnostic> diagnostic = DiagnosticOf(status);
  if (diagnostic.has_value()) {
    return Fail(offset + diagnostic->offset, diagnostic->message,
                status.code());
  }
  return Fail(offset, StdView(status.message()), status.code());
}

bool ValueReader::Read(char c) {
  return Take(c) || FailExpected(StrCat("'", std::string(1, c), "'"));
}

bool ValueReader::ReadInteger(int64_t* value, std::string_view expected) {
  if (cursor_.TakeInteger(value)) return true;
  const std::string_view token = cursor_.NextToken();
  if (!AtInteger() || token.find_first_not_of("0123456789", 1) != token.npos) {
    return FailExpected(expected);
  }
  return Fail(
      offset(),
      StrCat(cursor_.DescribeNextToken(),
             token[0] == '-' ? " is below the limit -9223372036854775808"
                             : " is above the limit 9223372036854775807"));
}

bool ValueReader::ReadIntegerFrom(int64_t least, std::string_view what,
                                  int64_t* value) {
  const size_t at = offset();
  if (!ReadInteger(value, what)) return false;
  if (*value >= least) return true;
  return Fail(at, StrCat(what, " = ", *value, " is less than ", least));
}

bool ValueReader::ReadString(HloString* string) {
  if (!AtString()) return FailExpected("a string");
  const size_t open = offset();
  const char* const past = scanner_.PastString(text_.data() + open);
  if (past == nullptr) return Fail(open, "the string has no end");
  const size_t end = past - text_.data();
  *string = HloString(text_.substr(open + 1, end - open - 2));
  const size_t bad = string->BadEscape();
  if (bad != std::string_view::npos) {
    return Fail(open + 1 + bad, StrCat("'", string->raw().substr(bad, 2),
                                       "' does not begin a valid escape"));
  }
  MoveTo(end);
  return true;
}

bool ValueReader::ReadName(std::string_view* name) {
  const size_t begin = offset();
  const char* const past = scanner_.PastName(text_.data() + begin);
  if (past == nullptr) return FailExpected("a name");
  *name = hlo_internal::HloScanner::BareName(text_.data() + begin, past);
  MoveTo(past - text_.data());
  return true;
}

bool ValueReader::ReadBool(bool* value) {
  const size_t at = offset();
  const std::string_view word = TakeIdentifier();
  *value = word == "true";
  if (*value || word == "false") return true;
  MoveTo(at);
  return FailExpected("true or false");
}

bool ValueReader::SkipValue() {
  // The closing brackets that are expected, innermost last.
  std::string closing;
  do {
    if (AtString()) {
      HloString string;
      if (!ReadString(&string)) return false;
      continue;
    }
    const std::string_view token = cursor_.NextToken();
    const char first = token.empty() ? '\0' : token[0];
    constexpr std::string_view kOpening = "([{";
    constexpr std::string_view kClosing = ")]}";
    const size_t kind = kOpening.find(first);
    if (kind != kOpening.npos) {
      closing.push_back(kClosing[kind]);
    } else if (StrContains(kClosing, first) && !closing.empty()) {
      if (first != closing.back()) {
        return FailExpected(StrCat("'", std::string(1, closing.back()), "'"));
      }
      closing.pop_back();
    } else if (first == '\0' || token == "/*" ||
               (closing.empty() &&
                (first == ',' || StrContains(kClosing, first)))) {
      return FailExpected("a value");
    }
    MoveTo(offset() + token.size());
  } while (!closing.empty());
  return true;
}

}  // namespace tessera
