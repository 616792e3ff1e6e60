#include "tessera/cli/layout/index_text.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/report/text/units.h"
#include "tessera/service/error.h"

namespace tessera::cli {
namespace {

class Reader {
 public:
  // `what` is read, for error messages.
  Reader(std::string_view what, std::string_view text)
      : what_(what), text_(text), cursor_(text) {}

  bool Take(char c) { return cursor_.Take(c); }
  bool TakeInteger(int64_t* value) { return cursor_.TakeInteger(value); }
  bool AtInteger() { return cursor_.AtInteger(); }
  bool AtEnd() { return cursor_.AtEnd(); }

  // Where the next token begins.
  int64_t Offset() {
    cursor_.SkipBlanks();
    return cursor_.position() - text_.data();
  }

  absl::Status Expected(std::string_view expected) {
    return DiagnosticError(text_, Offset(),
                           StrCat("in ", what_, ": expected ", expected,
                                  ", found ", cursor_.DescribeNextToken()));
  }

 private:
  std::string_view what_;
  std::string_view text_;
  Cursor cursor_;
};

constexpr std::string_view kInteger = "a 64-bit integer";

}  // namespace

absl::StatusOr<IndexText> ParseIndex(std::string_view text) {
  Reader reader("index", text);
  IndexText index;
  const char close = reader.Take('(') ? ')' : reader.Take('[') ? ']' : '\0';
  const bool is_bracketed = close != '\0';
  if (!is_bracketed || !reader.Take(close)) {
    do {
      int64_t entry = 0;
      index.offsets.push_back(reader.Offset());
      if (!reader.TakeInteger(&entry)) return reader.Expected(kInteger);
      index.entries.push_back(entry);
    } while (reader.Take(',') || reader.AtInteger());
    if (is_bracketed && !reader.Take(close)) {
      return reader.Expected(
          absl::StrCat("',' or '", std::string(1, close), "'"));
    }
  }
  if (!reader.AtEnd()) {
    return reader.Expected(is_bracketed ? "end of text" : "',' or end of text");
  }
  return index;
}

absl::StatusOr<int64_t> ParsePosition(std::string_view text) {
  Reader reader("position", text);
  int64_t position = 0;
  if (!reader.TakeInteger(&position)) return reader.Expected(kInteger);
  if (!reader.AtEnd()) return reader.Expected("end of text");
  return position;
}

std::string IndexToText(absl::Span<const int64_t> index) {
  return index.empty() ? "()" : absl::StrJoin(index, ",");
}

std::string InParentheses(absl::Span<const int64_t> index) {
  return absl::StrCat("(", absl::StrJoin(index, ","), ")");
}

absl::Status CheckRank(const IndexText& index, std::string_view text,
                       int64_t rank) {
  const int64_t entries = index.entries.size();
  if (entries == rank) return absl::OkStatus();
  return DiagnosticError(
      text, 0,
      absl::StrCat("the index has ", Counted(entries, "entry", "entries"),
                   ", but the array has ", Counted(rank, "dimension")));
}

absl::Status AtBadEntry(const IndexMap& map, const IndexText& index,
                        std::string_view text, const absl::Status& status) {
  TESSERA_RETURN_IF_ERROR(CheckRank(index, text, map.rank()));
  int64_t offset = 0;
  for (int64_t i = 0; i < map.rank(); ++i) {
    const int64_t entry = index.entries[i];
    if (entry < 0 || entry >= map.bounds()[i]) {
      offset = index.offsets[i];
      break;
    }
  }
  return AtOffset(text, offset, status);
}

}  // namespace tessera::cli
