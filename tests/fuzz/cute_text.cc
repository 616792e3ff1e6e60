#include "tests/fuzz/cute_text.h"

#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/cute/parse.h"
#include "tessera/cute/text_form.h"
#include "tests/fuzz/cute_laws.h"
#include "tests/fuzz/property.h"

namespace tessera {
namespace {

using cute::Dialect;
using cute::TextForm;

std::vector<TextForm> EveryForm() {
  std::vector<TextForm> forms;
  for (const Dialect dialect :
       {Dialect::kCpp, Dialect::kIr, Dialect::kDocumentation}) {
    for (const bool marks : {false, true}) {
      forms.emplace_back();
      forms.back().dialect = dialect;
      forms.back().marks_compile_time = marks;
    }
  }
  for (const cute::Style style : {cute::Style::kCpp, cute::Style::kPython}) {
    forms.emplace_back();
    forms.back().style = style;
  }
  return forms;
}

template <typename Parse>
std::string EveryFormProblem(std::string_view text, const Parse& parse) {
  const auto value = parse(text);
  if (!value.ok()) {
    return ProblemWithRefusal(value.status(), text, kCodesOfReaders);
  }
  for (const TextForm& form : EveryForm()) {
    const std::string printed = value->ToString(form);
    const auto again = parse(printed);
    if (!again.ok()) {
      return absl::StrCat("printed as ", printed,
                          ", which is refused: ", again.status().message());
    }
    if (*again != *value) {
      return absl::StrCat("printed as ", printed, ", which reads back as ",
                          again->ToString(form));
    }
  }
  return "";
}

std::string TermProblem(std::string_view text) {
  size_t position = 0;
  const absl::StatusOr<cute::Term> term = cute::ReadTerm(text, &position);
  if (!term.ok()) {
    if (position != 0) return "refused a term, but moved on";
    return ProblemWithRefusal(term.status(), text, kCodesOfReaders);
  }
  if (position == 0 || position > text.size()) {
    return absl::StrCat("read a term up to ", position);
  }
  return "";
}

std::string CalculatorProblem(std::string_view text) {
  cute::CalculatorOptions options;
  options.composition.max_evaluations = 1 << 12;
  options.explains = true;
  cute::Calculator calculator(options);
  for (const std::string_view line : SplitViews(text, '\n')) {
    const absl::StatusOr<cute::CalculatorResult> result =
        calculator.Evaluate(line);
    if (!result.ok()) {
      const std::string problem =
          ProblemWithRefusal(result.status(), line, kCodesOfReaders);
      if (!problem.empty()) return problem;
      continue;
    }
    for (const cute::ExplanationStep& step : result->steps) {
      const absl::StatusOr<cute::CalculatorResult> again =
          calculator.Evaluate(step.expression);
      if (!again.ok() || ToString(again->value) != step.value) {
        return absl::StrCat("the step ", step.expression, " is not ",
                            step.value);
      }
    }
    // No expression is written as a truth, a report, or an atom's parts.
    if (std::holds_alternative<bool>(result->value) ||
        std::holds_alternative<cute::Report>(result->value) ||
        std::holds_alternative<cute::Atom>(result->value)) {
      continue;
    }
    const std::string value = ToString(result->value);
    for (const TextForm& form : EveryForm()) {
      const std::string printed = ToString(result->value, form);
      const absl::StatusOr<cute::CalculatorResult> again =
          calculator.Evaluate(printed);
      // Source is nested deeper than what it is computed from.
      if (absl::IsResourceExhausted(again.status())) continue;
      if (!again.ok()) {
        return absl::StrCat("the value ", printed,
                            " is refused: ", again.status().message());
      }
      if (ToString(again->value) != value) {
        return absl::StrCat("the value ", printed, " has the value ",
                            ToString(again->value));
      }
    }
  }
  return "";
}

// Of the layouts on the first two lines.
std::string LawProblem(std::string_view text) {
  const std::vector<std::string_view> lines = SplitViews(text, '\n');
  const absl::StatusOr<cute::Layout> a = cute::ParseLayout(lines[0]);
  if (!a.ok()) return "";
  std::string problem = LayoutLawProblem(*a);
  if (!problem.empty() || lines.size() < 2) return problem;
  const absl::StatusOr<cute::Layout> b = cute::ParseLayout(lines[1]);
  return b.ok() ? PairLawProblem(*a, *b) : "";
}

}  // namespace

std::string CuteTextProblem(std::string_view text) {
  for (const std::string& problem :
       {EveryFormProblem(text, cute::ParseIntTuple),
        EveryFormProblem(
            text, [](std::string_view t) { return cute::ParseLayout(t); }),
        EveryFormProblem(text,
                         [](std::string_view t) {
                           cute::ParseOptions options;
                           options.allow_bare_shape = true;
                           return cute::ParseLayout(t, options);
                         }),
        EveryFormProblem(text, cute::ParseTiler),
        EveryFormProblem(text, cute::ParseSwizzle),
        EveryFormProblem(text, cute::ParseComposedLayout), TermProblem(text),
        CalculatorProblem(text), LawProblem(text)}) {
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace tessera
