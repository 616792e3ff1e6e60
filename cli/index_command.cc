#include "tessera/cli/index_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/cli/answer_each.h"
#include "tessera/cli/console.h"
#include "tessera/cli/explanation.h"
#include "tessera/cli/index_text.h"
#include "tessera/cli/json.h"
#include "tessera/cli/output_format.h"
#include "tessera/cli/shape_argument.h"
#include "tessera/index_util/derivation.h"

namespace tessera {
namespace {

constexpr char kFooter[] = R"(Examples:
  tessera index 'f32[3,5]{1,0:T(2,2)}' 2,3
  tessera index 'f32[3,5]{1,0:T(2,2)}' 2,3 --explain
  tessera index 'u32[]{:T(128)}' '()'
  printf '0,0\n2,4\n' | tessera index 'f32[3,5]{1,0:T(2,2)}' -)";

struct Options {
  std::string shape;
  std::vector<std::string> indices;
  ParseOptions parse;
  bool explain = false;
  OutputFormat format = OutputFormat::kText;
};

absl::Status AnswerIndex(const Options& options, const MappedShape& shape,
                         const Question& question, std::string* out) {
  absl::StatusOr<IndexText> index = ParseIndex(question.text);
  if (!index.ok()) return index.status();
  absl::StatusOr<int64_t> linear_index = shape.map.LinearIndex(index->entries);
  if (!linear_index.ok()) {
    return AtBadEntry(shape.map, *index, question.text, linear_index.status());
  }
  absl::StatusOr<Derivation> derivation;
  if (options.explain) {
    derivation = DeriveLinearIndex(shape.shape, index->entries);
    if (!derivation.ok()) return derivation.status();
  }

  if (options.format == OutputFormat::kJson) {
    Json json = {{"index", index->entries}, {"linear_index", *linear_index}};
    if (options.explain) json["derivation"] = DerivationToJson(*derivation);
    out->append(JsonLine(json));
  } else if (options.explain) {
    absl::StrAppend(out,
                    absl::StrJoin(ExplainSteps(*derivation),
                                  question.is_line ? "; " : "\n"),
                    "\n");
  } else {
    absl::StrAppend(out, *linear_index, "\n");
  }
  return absl::OkStatus();
}

bool Run(const Options& options, Console* console) {
  const absl::optional<MappedShape> shape =
      ReadShapeArgument(options.shape, options.parse, console);
  if (!shape.has_value()) return false;
  return AnswerEach(options.indices, options.format, console,
                    [&](const Question& question, std::string* out) {
                      return AnswerIndex(options, *shape, question, out);
                    });
}

}  // namespace

void AddIndexCommand(CommandLine* command_line) {
  auto options = std::make_shared<Options>();
  Subcommand command = command_line->Add(
      "index", "Print where the element at an index lies", kFooter);
  command.Argument("SHAPE", "an array shape with its layout", &options->shape);
  command.Arguments("INDEX", "I,J,...; () for rank 0; - reads one a line",
                    Subcommand::kRequired, &options->indices);
  command.Flag("--explain", "show the derivation, step by step",
               &options->explain);
  AddLenientFlag(&options->parse, &command);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run([options](Console* console) { return Run(*options, console); });
}

}  // namespace tessera
