#include "tests/fuzz/shape_text.h"

#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tessera/parser/parser.h"
#include "tessera/shape/validate_shape.h"
#include "tests/fuzz/array_positions.h"
#include "tests/fuzz/property.h"

namespace tessera {
namespace {

// What a good text may be refused with: an array may have no layout of TPU.
absl::Span<const absl::StatusCode> OtherCodes(const ParseOptions& options) {
  static constexpr absl::StatusCode kOfTpuLayouts[] = {
      absl::StatusCode::kFailedPrecondition, absl::StatusCode::kUnimplemented,
      absl::StatusCode::kOutOfRange};
  if (!options.tpu_layouts) return {};
  return kOfTpuLayouts;
}

// That parse(text) is refused with a position, or that what it returns prints
// as a text from which parse makes an equal value.
template <typename Parse>
std::string RoundTripProblem(std::string_view text, const ParseOptions& options,
                             const Parse& parse) {
  const auto value = parse(text);
  if (!value.ok()) {
    return ProblemWithRefusal(value.status(), text, OtherCodes(options));
  }
  const std::string printed = value->ToString();
  const auto again = parse(printed);
  if (!again.ok()) {
    return absl::StrCat("printed as ", printed,
                        ", which is refused: ", again.status().message());
  }
  if (*again != *value) {
    return absl::StrCat("printed as ", printed, ", which reads back as ",
                        again->ToString());
  }
  return "";
}

// A program shape prints without layouts, so that only its text is the same.
struct ProgramShapeText {
  std::string text;
  std::string ToString() const { return text; }
  bool operator!=(const ProgramShapeText& other) const {
    return text != other.text;
  }
};

// That ConsumeShape reads what ParseShape reads, and no less.
std::string ConsumeProblem(std::string_view text, const ParseOptions& options,
                           const absl::StatusOr<Shape>& parsed) {
  std::string_view rest = text;
  const absl::StatusOr<Shape> consumed = ConsumeShape(&rest, options);
  if (!consumed.ok()) {
    if (parsed.ok()) return "parsed but not consumed";
    if (rest != text) return "refused, but the text has changed";
    return ProblemWithRefusal(consumed.status(), text, OtherCodes(options));
  }
  if (rest.size() >= text.size()) return "consumed nothing";
  if (parsed.ok() && *consumed != *parsed) return "consumed what differs";
  return "";
}

std::string ShapeTextProblem(std::string_view text,
                             const ParseOptions& options) {
  const absl::StatusOr<Shape> shape = ParseShape(text, options);
  if (shape.ok()) {
    const absl::Status status = ValidateShape(*shape);
    if (!status.ok()) return absl::StrCat("not valid: ", status.ToString());
    const std::string problem = ArrayPositionsProblem(*shape);
    if (!problem.empty()) return problem;
  }
  std::string problem = ConsumeProblem(text, options, shape);
  if (!problem.empty()) return problem;
  problem = RoundTripProblem(text, options, [&options](std::string_view t) {
    return ParseShape(t, options);
  });
  if (!problem.empty()) return problem;
  return RoundTripProblem(
      text, options,
      [&options](std::string_view t) -> absl::StatusOr<ProgramShapeText> {
        const absl::StatusOr<ProgramShape> program =
            ParseProgramShape(t, options);
        if (!program.ok()) return program.status();
        return ProgramShapeText{program->ToString()};
      });
}

std::vector<ParseOptions> EveryOption() {
  std::vector<ParseOptions> options(5);
  options[1].lenient = true;
  options[2].nesting_limit = 2;
  options[3].upper_case_types = true;
  options[4].tpu_layouts = true;
  return options;
}

}  // namespace

std::string ShapeTextProblem(std::string_view text) {
  for (const ParseOptions& options : EveryOption()) {
    const std::string problem = ShapeTextProblem(text, options);
    if (!problem.empty()) return problem;
  }
  return "";
}

std::string LayoutTextProblem(std::string_view text) {
  for (const ParseOptions& options : EveryOption()) {
    const std::string problem = RoundTripProblem(
        text, options,
        [&options](std::string_view t) { return ParseLayout(t, options); });
    if (!problem.empty()) return problem;
  }
  return RoundTripProblem(text, ParseOptions(), ParseTile);
}

}  // namespace tessera
