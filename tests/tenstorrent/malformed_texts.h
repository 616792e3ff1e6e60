// Tables of texts that are refused, and where.
//
//   ExpectRefused({"{i} -> (^j)", "no dimension or symbol has the name 'j'"},
//                 {{"{i}", "(i)"}}, ParseAffineMap);
//
// The '^' is not part of the text: it stands where the error is. Repeat makes
// the hostile ones.

#ifndef TESSERA_TESTS_TENSTORRENT_MALFORMED_TEXTS_H_
#define TESSERA_TESTS_TENSTORRENT_MALFORMED_TEXTS_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tessera/base/text/diagnostic.h"

namespace tessera::tenstorrent {

struct MalformedText {
  const char* text;
  const char* message;
  absl::StatusCode code = absl::StatusCode::kInvalidArgument;
};

inline std::string Repeat(const std::string& text, int64_t times) {
  std::string repeated;
  for (int64_t i = 0; i < times; ++i) repeated += text;
  return repeated;
}

using Abbreviations = std::vector<std::pair<const char*, const char*>>;

// Expects that `parse` refuses the text, with "line:column: message" as stated.
// The abbreviations stand for what they are paired with, in text and message.
template <typename Parse>
void ExpectRefused(const MalformedText& malformed,
                   const Abbreviations& abbreviations, const Parse& parse) {
  std::string text = absl::StrReplaceAll(malformed.text, abbreviations);
  const std::string message =
      absl::StrReplaceAll(malformed.message, abbreviations);
  const size_t offset = text.find('^');
  ASSERT_NE(offset, std::string::npos) << text;
  text.erase(offset, 1);
  const int64_t line =
      1 + std::count(text.begin(), text.begin() + offset, '\n');
  // npos + 1 is 0, the start of the first line.
  const int64_t column = offset - (text.substr(0, offset).rfind('\n') + 1) + 1;

  const absl::Status status = parse(text).status();
  EXPECT_EQ(status.code(), malformed.code) << text;
  const std::optional<Diagnostic> diagnostic = DiagnosticOf(status);
  ASSERT_TRUE(diagnostic.has_value()) << text << "\n" << status;
  EXPECT_EQ(absl::StrCat(diagnostic->line, ":", diagnostic->column, ": ",
                         diagnostic->message),
            absl::StrCat(line, ":", column, ": ", message))
      << text;
}

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TESTS_TENSTORRENT_MALFORMED_TEXTS_H_
