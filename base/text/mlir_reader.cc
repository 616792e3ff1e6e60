#include "tessera/base/text/mlir_reader.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"

namespace tessera {

bool MlirReader::Fail(absl::Status status) {
  status_ = std::move(status);
  return false;
}

bool MlirReader::Fail(const char* at, std::string_view message,
                      absl::StatusCode code) {
  return Fail(DiagnosticError(text_, at - text_.data(), message, code));
}

bool MlirReader::FailExpected(std::string_view what) {
  const std::string found = cursor_.DescribeNextToken();
  return Fail(cursor_.position(),
              absl::StrCat("expected ", AbslView(what), ", found ", found));
}

bool MlirReader::FailTooMany(std::string_view message) {
  return Fail(position(), message, absl::StatusCode::kResourceExhausted);
}

bool MlirReader::Expect(char c) {
  return cursor_.Take(c) ||
         FailExpected(absl::StrCat("'", std::string(1, c), "'"));
}

bool MlirReader::ExpectKeyword(std::string_view keyword) {
  return cursor_.TakeKeyword(keyword) ||
         FailExpected(absl::StrCat("'", AbslView(keyword), "'"));
}

bool MlirReader::ReadNumber(std::string_view what, int64_t* number) {
  if (!cursor_.AtDigit()) return FailExpected(what);
  return cursor_.TakeNumber(number) ||
         Fail(position(), "the number exceeds 2^63-1",
              absl::StatusCode::kOutOfRange);
}

bool MlirReader::ReadInteger(std::string_view what, int64_t* integer) {
  const bool is_negative = cursor_.Take('-');
  if (!ReadNumber(what, integer)) return false;
  if (is_negative) *integer = -*integer;
  return true;
}

bool MlirReader::AtSize() {
  const char* const at = position();
  return cursor_.AtDigit() || (at != text_.data() + text_.size() && *at == '?');
}

bool MlirReader::ReadSize(std::string_view what, int64_t* size) {
  const char* const at = position();
  if (!cursor_.AtDigit()) {
    if (cursor_.Take('?')) {
      return Fail(
          at,
          absl::StrCat("a ", AbslView(what),
                       " of '?' is dynamic; only known sizes have a layout"));
    }
    return FailExpected(absl::StrCat("a ", AbslView(what)));
  }
  return cursor_.TakeDecimalNumber(size) ||
         Fail(at, absl::StrCat("the ", AbslView(what), " exceeds 2^63-1"),
              absl::StatusCode::kOutOfRange);
}

bool MlirReader::SkipBrackets() {
  constexpr std::string_view kOpening = "<([{";
  constexpr std::string_view kClosing = ">)]}";
  // The closing brackets of the open ones.
  std::string open;
  do {
    const char* const at = position();
    std::string ignored;
    if (cursor_.TakeArrow() || cursor_.TakeString(&ignored)) continue;
    if (cursor_.AtEnd()) {
      return FailExpected(absl::StrCat("'", open.substr(open.size() - 1), "'"));
    }
    const size_t opening = kOpening.find(*at);
    if (opening != std::string_view::npos) {
      open.push_back(kClosing[opening]);
    } else if (StrContains(kClosing, *at)) {
      if (*at != open.back()) {
        return FailExpected(
            absl::StrCat("'", open.substr(open.size() - 1), "'"));
      }
      open.pop_back();
    }
    cursor_.Take(*at);
  } while (!open.empty());
  return true;
}

}  // namespace tessera
