#include "tessera/cli/coords_command.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/cli/answer_each.h"
#include "tessera/cli/console.h"
#include "tessera/cli/index_text.h"
#include "tessera/cli/json.h"
#include "tessera/cli/output_format.h"
#include "tessera/cli/shape_argument.h"
#include "tessera/index_util/tiled_index.h"

namespace tessera {
namespace {

constexpr char kFooter[] = R"(Examples:
  tessera coords 'f32[3,5]{1,0:T(2,2)}' 17
  tessera coords 'f32[3,5]{1,0:T(2,2)}' 9 --explain
  seq 0 23 | tessera coords 'f32[3,5]{1,0:T(2,2)}' -)";

struct Options {
  std::string shape;
  std::vector<std::string> positions;
  ParseOptions parse;
  bool explain = false;
  OutputFormat format = OutputFormat::kText;
};

using FailedBound = IndexMap::FailedBound;

// "dimension 1 (5 >= 5)".
std::string ToText(const FailedBound& failed) {
  std::string whose;
  if (failed.dimensions.empty()) {
    whose = "the tile has more dimensions than the array";
  } else {
    whose = absl::StrCat(
        failed.dimensions.size() == 1 ? "dimension " : "dimensions ",
        absl::StrJoin(failed.dimensions, ","));
  }
  return absl::StrCat(whose, " (", failed.value, " >= ", failed.bound, ")");
}

Json ToJson(const std::vector<FailedBound>& failed_bounds) {
  Json array = Json::array();
  for (const FailedBound& failed : failed_bounds) {
    array.push_back({{"dimensions", failed.dimensions},
                     {"value", failed.value},
                     {"bound", failed.bound}});
  }
  return array;
}

absl::Status AnswerPosition(const Options& options, const IndexMap& map,
                            const Question& question, std::string* out) {
  absl::StatusOr<int64_t> position = ParsePosition(question.text);
  if (!position.ok()) return position.status();
  std::vector<int64_t> index(map.rank());
  absl::StatusOr<PositionKind> kind =
      map.MultidimensionalIndex(*position, absl::MakeSpan(index));
  if (!kind.ok()) return kind.status();
  std::vector<FailedBound> failed_bounds;
  if (options.explain) {
    absl::StatusOr<std::vector<FailedBound>> failed =
        map.FailedBounds(*position);
    if (!failed.ok()) return failed.status();
    failed_bounds = *std::move(failed);
  }

  const bool is_element = *kind == PositionKind::kElement;
  if (options.format == OutputFormat::kJson) {
    Json json = {{"linear_index", *position},
                 {"kind", JsonString(PositionKindName(*kind))}};
    if (is_element) json["index"] = index;
    if (options.explain) json["failed_bounds"] = ToJson(failed_bounds);
    out->append(JsonLine(json));
    return absl::OkStatus();
  }
  absl::StrAppend(out,
                  is_element ? IndexToText(index) : PositionKindName(*kind));
  absl::string_view separator = ": ";
  for (const FailedBound& failed : failed_bounds) {
    absl::StrAppend(out, separator, ToText(failed));
    separator = ", ";
  }
  out->push_back('\n');
  return absl::OkStatus();
}

bool Run(const Options& options, Console* console) {
  const absl::optional<MappedShape> shape =
      ReadShapeArgument(options.shape, options.parse, console);
  if (!shape.has_value()) return false;
  return AnswerEach(options.positions, options.format, console,
                    [&](const Question& question, std::string* out) {
                      return AnswerPosition(options, shape->map, question, out);
                    });
}

}  // namespace

void AddCoordsCommand(CommandLine* command_line) {
  auto options = std::make_shared<Options>();
  Subcommand command = command_line->Add(
      "coords", "Print which element lies at a linear index, or which padding",
      kFooter);
  command.Argument("SHAPE", "an array shape with its layout", &options->shape);
  command.Arguments("POSITION",
                    "a linear index, in elements; - reads one a line",
                    Subcommand::kRequired, &options->positions);
  command.Flag("--explain",
               "say which bounds a position of padding is outside of",
               &options->explain);
  AddLenientFlag(&options->parse, &command);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run([options](Console* console) { return Run(*options, console); });
}

}  // namespace tessera
