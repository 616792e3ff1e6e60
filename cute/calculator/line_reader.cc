#include "tessera/cute/calculator/line_reader.h"

#include <string_view>

#include "absl/strings/ascii.h"

namespace tessera::cute {

std::string_view LineReader::TakeName() {
  Next();
  const size_t begin = position_;
  if (absl::ascii_isdigit(ByteAt(begin))) return "";
  while (IsWordByte(ByteAt(position_))) ++position_;
  return text_.substr(begin, position_ - begin);
}

std::string_view LineReader::TakeQualifiedName(bool* is_qualified) {
  std::string_view name = TakeName();
  if (is_qualified != nullptr) *is_qualified = false;
  while (!name.empty()) {
    const size_t end = position_;
    if (ByteAt(end) == '.') {
      position_ = end + 1;
    } else if (Next() == ':' && ByteAt(position_ + 1) == ':') {
      position_ += 2;
    } else {
      position_ = end;
      return name;
    }
    name = TakeName();
    if (is_qualified != nullptr) *is_qualified = true;
  }
  return name;
}

bool LineReader::TakeWord(std::string_view word) {
  Next();
  const size_t begin = position_;
  if (TakeName() == word) return true;
  position_ = begin;
  return false;
}

bool LineReader::TakeSign(size_t* site) {
  Next();
  *site = position_;
  return TakeWord("o");
}

std::string LineReader::DescribeNextToken() {
  Next();
  return Cursor(text_.substr(position_)).DescribeNextToken();
}

size_t LineReader::PastShortNumbers(size_t position) const {
  const std::string_view text = text_.substr(position, 64);
  int depth = 0;
  char last = ',';
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(') {
      if (last != '(' && last != ',') return position;
      ++depth;
    } else if (c == ')') {
      if (--depth == 0) return position + i + 1;
    } else if (c == ' ') {
      continue;
    } else if (c != ',' && !absl::ascii_isdigit(c)) {
      return position;
    }
    last = c;
  }
  return position;
}

size_t LineReader::PastLiteral(size_t position) {
  const char c = ByteAt(position);
  if (c == '(' || c == '[' || c == '<') {
    const size_t end = PastShortNumbers(position);
    if (end != position) return end;
    if (!brackets_.has_value()) brackets_.emplace(text_);
    return brackets_->IsLiteral(position) ? brackets_->End(position) : position;
  }
  size_t end = position;
  if (c == '-' || c == '_') ++end;
  if (c == '_' && ByteAt(end) == '-') ++end;
  const bool is_underscore = c == '_' && !IsWordByte(ByteAt(end));
  if (!is_underscore && !absl::ascii_isdigit(ByteAt(end))) return position;
  while (IsWordByte(ByteAt(end))) ++end;
  return end;
}

bool LineReader::IsLiteralAhead(size_t* limit) {
  Next();
  const size_t end = PastLiteral(position_);
  if (end == position_) return false;
  *limit = text_.size();
  // In 8-4, the literal is 8. The reader of literals takes 8-4 as a word.
  if (ByteAt(end) == '-') *limit = end;
  const size_t colon = PastBlanks(end);
  if (ByteAt(colon) != ':') return true;
  // A stride that is not a literal is read later. If there is no stride at all,
  // the reader of literals reports the missing one.
  const size_t stride = PastBlanks(colon + 1);
  const char c = ByteAt(stride);
  const bool may_begin = absl::ascii_isalpha(c) || c == '_' || c == '(';
  const size_t stride_end = PastLiteral(stride);
  if (may_begin && stride_end == stride) *limit = end;
  if (stride_end > stride && ByteAt(stride_end) == '-') *limit = stride_end;
  return true;
}

}  // namespace tessera::cute
