#include "tests/hlo/damage.h"

#include <algorithm>
#include <random>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"

namespace tessera {
namespace {

bool IsOfName(char byte) {
  return absl::ascii_isalnum(byte) || byte == '_' || byte == '.' ||
         byte == '-' || byte == '%';
}

// The word at `at`, or the one byte there.
std::pair<size_t, size_t> TokenAt(const std::string& text, size_t at) {
  size_t begin = at, end = at + 1;
  if (IsOfName(text[at])) {
    while (begin > 0 && IsOfName(text[begin - 1])) --begin;
    while (end < text.size() && IsOfName(text[end])) ++end;
  }
  return {begin, end};
}

void SwapTokens(size_t a, size_t b, std::string* text) {
  const auto [begin, end] = TokenAt(*text, std::min(a, b));
  const auto [other_begin, other_end] = TokenAt(*text, std::max(a, b));
  if (end > other_begin) return;
  *text = text->substr(0, begin) +
          text->substr(other_begin, other_end - other_begin) +
          text->substr(end, other_begin - end) +
          text->substr(begin, end - begin) + text->substr(other_end);
}

}  // namespace

void DamageHlo(std::mt19937* random, std::string* text) {
  static constexpr char kBytes[] = "{}()[]\"'/*\\=,%#:\n ROOT";  // and NUL
  auto pick = [random](size_t end) {
    return std::uniform_int_distribution<size_t>(0, end - 1)(*random);
  };
  for (size_t changes = 1 + pick(8); changes > 0 && !text->empty(); --changes) {
    const size_t at = pick(text->size());
    switch (pick(6)) {
      case 0:
        (*text)[at] = kBytes[pick(sizeof(kBytes))];
        break;
      case 1:
        (*text)[at] = static_cast<char>(pick(256));
        break;
      case 2:
        text->erase(at, 1 + pick(30));
        break;
      case 3:
        text->insert(at, 1, kBytes[pick(sizeof(kBytes))]);
        break;
      case 4:
        SwapTokens(at, std::min(at + pick(500), text->size() - 1), text);
        break;
      case 5:
        // Rarely, or little would be left to damage.
        if (pick(20) == 0) text->resize(at);
        break;
    }
  }
}

}  // namespace tessera
