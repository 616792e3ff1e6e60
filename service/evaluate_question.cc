#include "tessera/service/evaluate_question.h"

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/variant.h"
#include "tessera/cute/calculator.h"
#include "tessera/cute/layout_values.h"
#include "tessera/service/error.h"

namespace tessera {
namespace {

struct KindName {
  absl::string_view operator()(const cute::IntTuple& value) const {
    return value.is_integer() ? "integer" : "int tuple";
  }
  absl::string_view operator()(const cute::Layout&) const { return "layout"; }
  absl::string_view operator()(const cute::Tiler&) const { return "tiler"; }
  absl::string_view operator()(const cute::Swizzle&) const { return "swizzle"; }
  absl::string_view operator()(const cute::ComposedLayout&) const {
    return "composed layout";
  }
  absl::string_view operator()(cute::Major) const { return "order"; }
  absl::string_view operator()(bool) const { return "boolean"; }
};

// Writes the first values down. Errors: those of LayoutValues.
absl::Status FillValues(absl::StatusOr<cute::LayoutValues> values, int64_t rows,
                        EvaluateResult* result) {
  if (!values.ok()) return values.status();
  for (; !values->AtEnd(); values->Next()) {
    if (values->coordinate() == rows) {
      result->set_truncated(true);
      break;
    }
    const cute::IntTuple value = values->value();
    if (value.is_integer()) {
      result->add_values(value.value());
    } else {
      result->add_coordinates(value.ToString());
    }
  }
  return absl::OkStatus();
}

// Sizes and values of what is a function.
absl::Status FillFunction(const cute::CalculatorValue& value, int64_t rows,
                          EvaluateResult* result) {
  if (const auto* layout = absl::get_if<cute::Layout>(&value)) {
    result->set_size(layout->size());
    if (!layout->has_basis()) result->set_cosize(layout->cosize());
    if (rows > 0) return FillValues(cute::LayoutValues(*layout), rows, result);
  }
  if (const auto* composed = absl::get_if<cute::ComposedLayout>(&value)) {
    result->set_size(composed->size());
    if (rows > 0) {
      return FillValues(cute::LayoutValues::Create(*composed), rows, result);
    }
  }
  return absl::OkStatus();
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
  cute::CalculatorOptions calculator_options;
  calculator_options.bare_shape_is_column_major = question.bare_shapes();
  cute::Calculator calculator(calculator_options);
  const absl::StatusOr<cute::CalculatorResult> value =
      calculator.Evaluate(question.expression());
  if (!value.ok()) return InField("expression", value.status());

  result->set_value(cute::ToString(value->value));
  result->set_kind(std::string(absl::visit(KindName(), value->value)));
  for (const Diagnostic& note : value->notes) {
    *result->add_notes() = ToTextNote(note);
  }
  return InField("expression", FillFunction(value->value, *rows, result));
}

}  // namespace tessera
