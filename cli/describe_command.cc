#include "tessera/cli/describe_command.h"

#include <memory>
#include <string>
#include <vector>

#include "tessera/any_layout/nearest_shape.h"
#include "tessera/cli/answer_each.h"
#include "tessera/cli/console.h"
#include "tessera/cli/description.h"
#include "tessera/cli/json.h"
#include "tessera/cli/output_format.h"
#include "tessera/cli/shape_argument.h"

namespace tessera {
namespace {

constexpr char kFooter[] =
    R"(Positions are what elements and padding have in memory: the tiles cover them,
the tail padding L included. The expanded shape is what all tiles make of the
physical dimensions. In a tuple every array is described by itself; those with
an unbounded dimension count nothing in the sizes of the tuple, which say so (in
JSON "has_unbounded"). Shapes of standard input get a line each.

Examples:
  tessera describe 'bf16[9,130]{1,0:T(8,128)(2,1)}'
  tessera describe '(f32[3,5]{1,0:T(2,2)}, token[])' --format=json
  tessera parse < shapes.txt | tessera describe - --format=json)";

struct Options {
  std::vector<std::string> shapes;
  ParseOptions parse;
  OutputFormat format = OutputFormat::kText;
};

absl::StatusOr<Description> DescribeText(absl::string_view text,
                                         const ParseOptions& options) {
  absl::StatusOr<Shape> shape = ParseShapeWithHint(text, options);
  if (!shape.ok()) return shape.status();
  return Describe(*shape);
}

bool Run(const Options& options, Console* console) {
  bool is_first = true;
  auto answer = [&](const Question& question, std::string* out) {
    absl::StatusOr<Description> description =
        DescribeText(question.text, options.parse);
    if (!description.ok()) return description.status();
    if (options.format == OutputFormat::kJson) {
      out->append(JsonLine(DescriptionToJson(*description)));
    } else if (question.is_line) {
      out->append(DescriptionToLine(*description));
    } else {
      if (!is_first) out->append("\n");
      out->append(DescriptionToText(*description, console->out_display));
      is_first = false;
    }
    return absl::OkStatus();
  };
  return AnswerEach(options.shapes, options.format, console, answer);
}

}  // namespace

void AddDescribeCommand(CommandLine* command_line) {
  auto options = std::make_shared<Options>();
  Subcommand command = command_line->Add(
      "describe", "Print how large an array is, and what of it is padding",
      kFooter);
  command.Arguments("SHAPE", "shapes; - reads one a line",
                    Subcommand::kRequired, &options->shapes);
  AddLenientFlag(&options->parse, &command);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run([options](Console* console) { return Run(*options, console); });
}

}  // namespace tessera
