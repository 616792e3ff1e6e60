#include <algorithm>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/any_layout/layout_family.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/cute/calculator/calculator_value.h"
#include "tessera/cute/parse.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/parser/parser.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/hlo/explain_text_question.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/shape/shape_proto.h"
#include "tessera/strided/parse.h"
#include "tessera/tenstorrent/tensor.h"

namespace tessera {
namespace {

ParseRequest::Kind KindOf(std::string_view text) {
  switch (FamilyOf(text)) {
    case LayoutFamily::kCute:
      return ParseRequest::CUTE;
    case LayoutFamily::kTenstorrent:
      return ParseRequest::TENSOR;
    case LayoutFamily::kStrided:
      return ParseRequest::STRIDED;
    case LayoutFamily::kXla:
      break;
  }
  Cursor cursor(text);
  if (cursor.Take('{')) return ParseRequest::XLA_LAYOUT;
  // No shape has an arrow.
  const bool is_program = cursor.Take('(') && StrContains(text, "->");
  return is_program ? ParseRequest::XLA_PROGRAM_SHAPE : ParseRequest::XLA_SHAPE;
}

void ClearLayouts(ShapeProto* proto) {
  std::vector<ShapeProto*> pending = {proto};
  while (!pending.empty()) {
    ShapeProto& shape = *pending.back();
    pending.pop_back();
    shape.clear_layout();
    for (ShapeProto& element : *shape.mutable_tuple_shapes()) {
      pending.push_back(&element);
    }
  }
}

std::string_view FormOf(const Shape& shape) {
  return shape.IsArray() ? "array" : PrimitiveTypeName(shape.element_type());
}
std::string_view FormOf(const Layout&) { return "layout"; }
std::string_view FormOf(const Tile&) { return "tile"; }
std::string_view FormOf(const ProgramShape&) { return "program shape"; }
std::string_view FormOf(const cute::IntTuple&) { return "int tuple"; }
std::string_view FormOf(const cute::Layout&) { return "layout"; }
std::string_view FormOf(const cute::Tiler&) { return "tiler"; }
std::string_view FormOf(const cute::Swizzle&) { return "swizzle"; }
std::string_view FormOf(const cute::ComposedLayout&) {
  return "composed layout";
}
std::string_view FormOf(const StridedArray& array) {
  return array.notation == StridedArray::Notation::kMemref ? "memref"
                                                           : "strided array";
}
// The names of tt-mlir's attributes.
std::string_view FormOf(const tenstorrent::MetalTensor&) {
  return "tt.metal_layout";
}
std::string_view FormOf(const tenstorrent::AlignedTensor&) {
  return "ttcore.metal_layout";
}
std::string_view FormOf(const tenstorrent::TtnnTensor&) {
  return "ttnn.ttnn_layout";
}

// Sets the form; reuses the string of the message, if it has one.
template <typename Value>
void FillForm(const Value& value, ParseResult* result) {
  const std::string_view form = FormOf(value);
  result->mutable_form()->assign(form.data(), form.size());
}

template <typename Value>
void Fill(const Value& value, ParseResult* result) {
  FillForm(value, result);
  result->set_canonical(value.ToString());
}

template <typename... Values>
void Fill(const std::variant<Values...>& values, ParseResult* result) {
  std::visit([result](const auto& value) { Fill(value, result); }, values);
}

template <typename Value>
absl::Status Fill(const absl::StatusOr<Value>& value, ParseResult* result) {
  if (value.ok()) Fill(*value, result);
  return value.status();
}

// Reads a text in another CuTe notation, without functions and names: a C++
// type, a print, Python source.
std::optional<cute::Term> ReadNotation(std::string_view text) {
  cute::CalculatorOptions options;
  options.functions = false;
  cute::Calculator calculator(options);
  const absl::StatusOr<cute::CalculatorResult> read = calculator.Evaluate(text);
  if (!read.ok()) return std::nullopt;
  return std::visit(
      [](const auto& value) -> std::optional<cute::Term> {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_constructible_v<cute::Term, const Value&> &&
                      !std::is_same_v<Value, bool> &&
                      !std::is_same_v<Value, cute::Major>) {
          return cute::Term(value);
        }
        return std::nullopt;
      },
      read->value);
}

// A single term, or a composed layout.
absl::Status ParsePlainCute(std::string_view text, ParseResult* result) {
  size_t position = 0;
  const absl::StatusOr<cute::Term> term = cute::ReadTerm(text, &position);
  if (!term.ok()) return term.status();
  if (Cursor(text.substr(position)).AtEnd()) return Fill(term, result);
  return Fill(cute::ParseComposedLayout(text), result);
}

absl::Status ParseCute(std::string_view text, ParseResult* result) {
  const absl::Status plain = ParsePlainCute(text, result);
  if (plain.ok()) return plain;
  const std::optional<cute::Term> term = ReadNotation(text);
  if (!term.has_value()) return plain;
  Fill(*term, result);
  return absl::OkStatus();
}

// Also writes the message of a shape, if requested.
absl::Status ParseXlaShape(const ParseRequest& question,
                           const ParseOptions& options, ParseResult* result) {
  TESSERA_ASSIGN_OR_RETURN(const Shape shape,
                           ParseShape(question.text(), options));
  if (question.with_shape_proto()) {
    ShapeToProto(shape, result->mutable_shape());
    if (question.without_layout()) ClearLayouts(result->mutable_shape());
  }
  FillForm(shape, result);
  result->set_canonical(shape.ToString(!question.without_layout()));
  return absl::OkStatus();
}

absl::Status Parse(ParseRequest::Kind kind, const ParseRequest& question,
                   const ParseOptions& options, ParseResult* result) {
  const std::string_view text = question.text();
  switch (kind) {
    case ParseRequest::XLA_SHAPE:
      return ParseXlaShape(question, options, result);
    case ParseRequest::XLA_LAYOUT:
      return Fill(ParseLayout(text, options), result);
    case ParseRequest::XLA_TILE:
      return Fill(ParseTile(text), result);
    case ParseRequest::XLA_PROGRAM_SHAPE:
      return Fill(ParseProgramShape(text, options), result);
    case ParseRequest::CUTE:
      return ParseCute(text, result);
    case ParseRequest::TENSOR:
      return Fill(tenstorrent::ReadTensorText(text), result);
    case ParseRequest::STRIDED:
      return Fill(ParseStridedArray(text), result);
    default:
      return InvalidArgumentError(static_cast<int>(kind),
                                  " is not a kind of text");
  }
}

}  // namespace

absl::Status AnswerParse(const ServiceOptions& options,
                         const ParseRequest& question, ParseResult* result) {
  absl::Status status = CheckTextBytes(options, question.text());
  if (!status.ok()) return InField("text", status);
  const ParseRequest::Kind kind = question.kind() == ParseRequest::ANY
                                      ? KindOf(question.text())
                                      : question.kind();
  ParseOptions parse;
  parse.lenient = question.lenient();
  TESSERA_RETURN_IF_ERROR(SetLayoutTarget(question.target(), &parse));
  if (question.with_shape_proto()) {
    parse.nesting_limit = std::min(parse.nesting_limit, options.shape_nesting);
  }
  status = Parse(kind, question, parse, result);
  if (question.kind() == ParseRequest::ANY) {
    status = RefusalOfLayout(question.text(), status);
  }
  if (parse.nesting_limit < ParseOptions().nesting_limit &&
      absl::IsResourceExhausted(status)) {
    const std::optional<Diagnostic> nesting = DiagnosticOf(status);
    status = DiagnosticError(
        question.text(), nesting->offset,
        absl::StrCat("shape_nesting: ", nesting->message,
                     ", beyond which Protocol Buffers cannot read a message"),
        status.code());
  }
  if (!status.ok()) {
    return InField(ParseRequest::Kind_IsValid(kind) ? "text" : "kind", status);
  }
  result->set_kind(kind);
  return absl::OkStatus();
}

}  // namespace tessera
