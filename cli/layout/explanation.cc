#include "tessera/cli/layout/explanation.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "tessera/cli/layout/index_text.h"

namespace tessera::cli {
namespace {

using Numbers = absl::Span<const int64_t>;

bool EndsWith(Numbers numbers, Numbers end) {
  return numbers.size() >= end.size() &&
         numbers.subspan(numbers.size() - end.size()) == end;
}

std::string Within(const IndexWithinBounds& index) {
  return absl::StrCat(InParentheses(index.index()), " within ",
                      InParentheses(index.bounds()));
}

// "((1*3+1)*2+0)*2+1"; of a single axis, its index.
std::string Horner(const IndexWithinBounds& axes) {
  const int rank = axes.index_size();
  std::string sum(rank > 2 ? rank - 2 : 0, '(');
  for (int i = 0; i < rank; ++i) {
    if (i > 1) sum.push_back(')');
    if (i > 0) absl::StrAppend(&sum, "*", axes.bounds(i), "+");
    absl::StrAppend(&sum, axes.index(i));
  }
  return sum;
}

void ExplainTile(const TileStep& tile, const IndexWithinBounds& before,
                 std::vector<std::string>* steps) {
  const std::string name = absl::StrCat("tile ", tile.tile());
  // Otherwise it joins axes, or prepends some.
  const bool takes_axes_as_they_are =
      EndsWith(before.bounds(), tile.tiled().bounds()) &&
      EndsWith(before.index(), tile.tiled().index());
  if (!takes_axes_as_they_are) {
    steps->push_back(
        absl::StrCat(name, " reads the index as ", Within(tile.tiled())));
  }
  const Numbers axes = tile.expanded().index();
  const size_t cut = tile.divisors_size();
  const std::string index = InParentheses(tile.tiled().index());
  const std::string divisors = InParentheses(tile.divisors());
  steps->push_back(absl::StrCat(
      name, ": ", index, " div ", divisors, " = ",
      InParentheses(axes.subspan(axes.size() - 2 * cut, cut)), ", ", index,
      " mod ", divisors, " = ", InParentheses(axes.last(cut))));
  steps->push_back(absl::StrCat("index ", Within(tile.expanded())));
}

std::vector<std::string> TilingSteps(const ExplainResult& result) {
  const TilingDerivation& tiling = result.tiling();
  std::vector<std::string> steps = {
      absl::StrCat("physical index ", Within(tiling.physical()))};
  const IndexWithinBounds* before = &tiling.physical();
  for (const TileStep& tile : tiling.tiles()) {
    ExplainTile(tile, *before, &steps);
    before = &tile.expanded();
  }
  std::string sum =
      absl::StrCat("linear_index(", InParentheses(before->index()), ", ",
                   InParentheses(before->bounds()), ") = ");
  if (before->index_size() > 1) absl::StrAppend(&sum, Horner(*before), " = ");
  steps.push_back(absl::StrCat(sum, result.linear_index()));
  return steps;
}

// "i0", "i0 div 2", "c1 div 2 mod 3".
std::string DigitText(const DigitOf& digit) {
  const CoordinateName& name = digit.coordinate();
  std::string text = name.has_computed() ? absl::StrCat("c", name.computed())
                                         : absl::StrCat("i", name.dimension());
  if (digit.divisor() != 1) absl::StrAppend(&text, " div ", digit.divisor());
  if (digit.modulus() != 0) absl::StrAppend(&text, " mod ", digit.modulus());
  return text;
}

// "(i0 mod 2) * 24", "i1", and the same with the digit's value.
std::string TermText(const DigitOf& digit, int64_t factor) {
  const std::string text = DigitText(digit);
  if (factor == 1) return text;
  return absl::StrCat(
      text.find(' ') == std::string::npos ? text : absl::StrCat("(", text, ")"),
      " * ", factor);
}

std::string ValueText(const DigitOf& digit, int64_t factor) {
  return factor == 1 ? "" : absl::StrCat(digit.digit(), " * ", factor, " = ");
}

std::string ComputedStep(const ComputedCoordinate& computed, int number) {
  std::vector<std::string> terms;
  for (const DigitPiece& piece : computed.pieces()) {
    terms.push_back(TermText(piece.digit(), piece.multiplier()));
  }
  if (computed.offset() != 0 || terms.empty()) {
    terms.push_back(absl::StrCat(computed.offset()));
  }
  return absl::StrCat("c", number, " = ", absl::StrJoin(terms, " + "), " = ",
                      computed.value());
}

std::vector<std::string> SumSteps(const ExplainResult& result) {
  std::vector<std::string> steps;
  for (int i = 0; i < result.computed_size(); ++i) {
    steps.push_back(ComputedStep(result.computed(i), i));
  }
  std::vector<int64_t> terms;
  if (result.base() != 0) {
    terms.push_back(result.base());
    steps.push_back(absl::StrCat("base = ", result.base()));
  }
  for (const DigitStep& step : result.digits()) {
    const DigitOf& digit = step.digit();
    terms.push_back(digit.digit() * step.stride());
    steps.push_back(absl::StrCat(TermText(digit, step.stride()), " = ",
                                 ValueText(digit, step.stride()),
                                 terms.back()));
  }
  const std::string sum =
      terms.size() > 1 ? absl::StrCat(absl::StrJoin(terms, "+"), " = ") : "";
  if (!result.has_swizzle()) {
    steps.push_back(
        absl::StrCat("linear_index = ", sum, result.linear_index()));
    return steps;
  }
  const SwizzleStep& swizzle = result.swizzle();
  steps.push_back(absl::StrCat("sum = ", sum, swizzle.before()));
  steps.push_back(absl::StrCat(
      "linear_index = Sw<", swizzle.bits(), ",", swizzle.base(), ",",
      swizzle.shift(), ">(", swizzle.before(), ") = ", result.linear_index()));
  return steps;
}

}  // namespace

std::vector<std::string> ExplainSteps(const ExplainResult& result) {
  return result.has_tiling() ? TilingSteps(result) : SumSteps(result);
}

}  // namespace tessera::cli
