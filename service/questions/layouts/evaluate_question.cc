#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "absl/status/statusor.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/calculator/calculator_value.h"
#include "tessera/cute/calculator/typed_text.h"
#include "tessera/cute/layout_values.h"
#include "tessera/cute/text_form.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/layouts/layout_questions.h"

namespace tessera {
namespace {

struct KindName {
  std::string_view operator()(const cute::IntTuple& value) const {
    return value.is_integer() ? "integer" : "int tuple";
  }
  std::string_view operator()(const cute::Layout&) const { return "layout"; }
  std::string_view operator()(const cute::Tiler&) const { return "tiler"; }
  std::string_view operator()(const cute::Swizzle&) const { return "swizzle"; }
  std::string_view operator()(const cute::ComposedLayout&) const {
    return "composed layout";
  }
  std::string_view operator()(const cute::LayoutAfterSwizzle&) const {
    return "layout after swizzle";
  }
  std::string_view operator()(cute::Major) const { return "order"; }
  std::string_view operator()(bool) const { return "boolean"; }
  std::string_view operator()(const cute::Pointer&) const { return "pointer"; }
  std::string_view operator()(const cute::Report& value) const {
    return value.kind;
  }
  std::string_view operator()(const cute::Atom&) const { return "atom"; }
  std::string_view operator()(const cute::BasisStride&) const {
    return "stride";
  }
  std::string_view operator()(const cute::ElementType&) const { return "type"; }
};

// Writes the first values, or the reason why there are none.
void FillValues(const absl::StatusOr<cute::LayoutValues>& computed,
                int64_t max_values, EvaluateResult* result) {
  if (!computed.ok()) {
    result->set_no_values(std::string(computed.status().message()));
    return;
  }
  for (cute::LayoutValues values = *computed; !values.AtEnd(); values.Next()) {
    if (values.coordinate() == max_values) {
      result->set_truncated(true);
      return;
    }
    const cute::IntTuple value = values.value();
    if (value.is_integer()) {
      result->add_values(value.value());
    } else {
      result->add_coordinates(value.ToString());
    }
  }
}

// Fills in the sizes and values of a function.
void FillFunction(const cute::CalculatorValue& value, int64_t max_values,
                  EvaluateResult* result) {
  if (const auto* layout = std::get_if<cute::Layout>(&value)) {
    result->set_size(layout->size());
    if (!layout->has_basis()) result->set_cosize(layout->cosize());
    if (max_values == 0) return;
    FillValues(cute::LayoutValues::Create(*layout), max_values, result);
  }
  if (const auto* composed = std::get_if<cute::ComposedLayout>(&value)) {
    result->set_size(composed->size());
    if (max_values == 0) return;
    FillValues(cute::LayoutValues::Create(*composed), max_values, result);
  }
}

cute::Dialect ToDialect(EvaluateRequest::Dialect dialect) {
  switch (dialect) {
    case EvaluateRequest::IR:
      return cute::Dialect::kIr;
    case EvaluateRequest::DOCUMENTATION:
      return cute::Dialect::kDocumentation;
    default:
      return cute::Dialect::kCpp;
  }
}

cute::Style ToStyle(EvaluateRequest::Style style) {
  switch (style) {
    case EvaluateRequest::CPP_SOURCE:
      return cute::Style::kCpp;
    case EvaluateRequest::PYTHON_SOURCE:
      return cute::Style::kPython;
    default:
      return cute::Style::kPrint;
  }
}

}  // namespace

absl::Status AnswerEvaluate(const ServiceOptions& options,
                            const EvaluateRequest& question,
                            EvaluateResult* result) {
  absl::Status status =
      CheckLimit("expression_bytes", "bytes", question.expression().size(),
                 options.expression_bytes);
  if (!status.ok()) return InField("expression", status);
  const absl::StatusOr<int64_t> rows =
      RowsToAnswer(options, question.max_values(), /*if_not_asked=*/0);
  if (!rows.ok()) return InField("max_values", rows.status());
  if (!EvaluateRequest::Dialect_IsValid(question.dialect())) {
    return InvalidField("dialect", static_cast<int>(question.dialect()),
                        " is not a dialect");
  }
  if (!EvaluateRequest::Style_IsValid(question.style())) {
    return InvalidField("style", static_cast<int>(question.style()),
                        " is not a style");
  }
  cute::CalculatorOptions calculator_options;
  calculator_options.bare_shape_is_column_major = question.bare_shapes();
  calculator_options.explains = question.explain();
  cute::Calculator calculator(calculator_options);
  for (const std::string& binding : question.let()) {
    const absl::Status bound = calculator.Let(binding);
    if (!bound.ok()) return InField("let", bound);
  }
  const absl::StatusOr<cute::CalculatorResult> value =
      calculator.Evaluate(question.expression());
  if (!value.ok()) return InField("expression", value.status());
  FillEvaluateResult(*value, question, result);
  return absl::OkStatus();
}

void FillEvaluateResult(const cute::CalculatorResult& value,
                        const EvaluateRequest& question,
                        EvaluateResult* result) {
  cute::TextForm form;
  form.dialect = ToDialect(question.dialect());
  form.marks_compile_time = question.marks_compile_time();
  form.style = ToStyle(question.style());
  const bool is_plain = question.dialect() == EvaluateRequest::CPP &&
                        !form.marks_compile_time &&
                        form.style == cute::Style::kPrint;
  result->set_value(is_plain && StrContains(question.expression(), '_')
                        ? cute::TextAsTyped(question.expression(), value.value)
                        : cute::ToString(value.value, form));
  result->set_element_bits(value.element_bits);
  const std::string_view kind = std::visit(KindName(), value.value);
  result->set_kind(kind.data(), kind.size());
  for (const Diagnostic& note : value.notes) {
    *result->add_notes() = ToTextNote(note);
  }
  for (const cute::ExplanationStep& step : value.steps) {
    EvaluateStep* filled = result->add_steps();
    filled->set_expression(step.expression);
    filled->set_value(step.value);
    filled->set_reason(step.reason);
  }
  FillFunction(value.value, question.max_values(), result);
}

}  // namespace tessera
