#include "tessera/hlo/strict/shape_judge.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "tessera/hlo/reader/bracket_reader.h"
#include "tessera/hlo/strict/shape_spelling.h"

namespace tessera {
namespace hlo_internal {

void ShapeJudge::CheckSpelling(absl::string_view shape) {
  objections_.Add(FindObjectionToSpelling(shape));
}

const Shape* ShapeJudge::Read(absl::string_view text) {
  const int64_t known = shapes_.size();
  const absl::StatusOr<int64_t> index = shapes_.Intern(text);
  if (!index.ok()) {
    objections_.Add(ObjectionOf(index.status(), text));
    return nullptr;
  }
  if (*index == known) CheckSpelling(text);
  return &shapes_.shape(*index);
}

const Shape* ShapeJudge::ResultOfProgram(absl::string_view program_shape) {
  const HloScanner scanner(program_shape);
  const char* p = scanner.PastBlanks(scanner.begin() + 1);
  const auto fail = [&](std::string message) -> const Shape* {
    objections_.Add(HloScanner::Between(p, scanner.end()), std::move(message));
    return nullptr;
  };
  if (!scanner.Sees(p, ')')) {
    while (true) {
      const char* const past = scanner.PastName(p);
      if (past == nullptr) return fail("expected the name of a parameter");
      if (*p == '%' && scanner.Sees(past, ':')) {
        return fail("the name of a parameter has '%' and ':'; XLA reads one");
      }
      p = past;
      if (ReadNext(scanner, &p) == nullptr) return nullptr;
      p = scanner.PastBlanks(p);
      if (!scanner.Sees(p, ',')) break;
      p = scanner.PastBlanks(p + 1);
    }
  }
  if (!scanner.Sees(p, ')')) return fail("expected ',' or ')'");
  p = scanner.PastBlanks(p + 1);
  if (!absl::StartsWith(HloScanner::Between(p, scanner.end()), "->")) {
    return fail("expected '->'");
  }
  p += 2;
  const Shape* const result = ReadNext(scanner, &p);
  if (result == nullptr) return nullptr;
  p = scanner.PastBlanks(p);
  return p == scanner.end() ? result : fail("expected '{'");
}

// The shape behind blanks at `*p`, which is moved past it.
const Shape* ShapeJudge::ReadNext(const HloScanner& scanner, const char** p) {
  const char* const begin = scanner.PastBlanks(*p);
  *p = begin;
  HloFailure failure;
  BracketReader brackets(scanner, &failure);
  if (!scanner.StartsShape(begin) ||
      !brackets.ReadShape(p, /*body_may_follow=*/false)) {
    objections_.Add(HloScanner::Between(begin, scanner.end()),
                    "expected a shape");
    return nullptr;
  }
  return Read(HloScanner::Between(begin, *p));
}

}  // namespace hlo_internal
}  // namespace tessera
