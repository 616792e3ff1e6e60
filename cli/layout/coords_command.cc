#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/layout_questions.pb.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/command/answer_each.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/layout/index_text.h"
#include "tessera/cli/layout/layout_argument.h"
#include "tessera/cli/output/console.h"
#include "tessera/index_map/position_kind.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/questions/place_kind.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {
namespace {

constexpr char kCoordsFooter[] =
    R"(A position holds an element, whose index is printed, or padding:
  padding (tile)   a tile reaches past the array
  padding (grid)   allocated only by rounding up to whole shards
  padding (gap)    no index has this position
  padding (tail)   the tail padding L, after everything else

In bytes and bits, only the first byte or bit of an element has its index; the
rest counts as a gap. A CuTe layout has neither bytes nor bits.

Examples:
  tessera coords 'f32[3,5]{1,0:T(2,2)}' 17
  tessera coords 'f32[3,5]{1,0:T(2,2)}' 9 --explain
  tessera coords 'f32[3,5]{1,0:T(2,2)}' 68 --unit bytes
  tessera coords '((2,2),3):((24,2),8)' 42
  seq 0 23 | tessera coords 'f32[3,5]{1,0:T(2,2)}' -)";

struct CoordsOptions {
  std::string layout;
  std::vector<std::string> positions;
  LayoutReading reading;
  bool explain = false;
  OutputFormat format = OutputFormat::kText;
};

// "dimension 1 (5 >= 5)".
std::string ToText(const FailedBound& failed) {
  std::string whose;
  if (failed.dimensions().empty()) {
    whose = "the tile has more dimensions than the array";
  } else {
    whose = absl::StrCat(
        failed.dimensions_size() == 1 ? "dimension " : "dimensions ",
        absl::StrJoin(failed.dimensions(), ","));
  }
  return absl::StrCat(whose, " (", failed.value(), " >= ", failed.bound(), ")");
}

void AppendText(const DelinearizeResult& result, std::string* out) {
  if (result.kinds(0) == ELEMENT) {
    absl::StrAppend(out, IndexToText(result.indices()));
  } else {
    StrAppend(out, NameOf(ToPositionKind(result.kinds(0))));
  }
  std::string_view separator = ": ";
  for (const FailedBounds& failed : result.failed_bounds()) {
    for (const FailedBound& bound : failed.bounds()) {
      StrAppend(out, separator, ToText(bound));
      separator = ", ";
    }
  }
  out->push_back('\n');
}

bool RunCoords(const CoordsOptions& options, Console* console) {
  const std::optional<MappedLayout> layout = ReadLayoutArgument(
      options.layout, options.reading, options.format, console);
  if (!layout.has_value()) return false;
  const ServiceOptions service = ServiceOptions::Unlimited();
  DelinearizeRequest request;
  request.set_explain_padding(options.explain);
  DelinearizeResult result;
  const auto answer = [&](const Question& question, std::string* out) {
    const absl::StatusOr<int64_t> position = ParsePosition(question.text);
    if (!position.ok()) return InField("linear_indices", position.status());
    request.clear_linear_indices();
    request.add_linear_indices(*position);
    result.Clear();
    TESSERA_RETURN_IF_ERROR(
        AnswerDelinearize(service, *layout, request, &result));
    if (options.format == OutputFormat::kJson) {
      out->append(JsonLineOf(result));
    } else {
      AppendText(result, out);
    }
    return absl::OkStatus();
  };
  return AnswerEach(options.positions, options.format, console, answer);
}

}  // namespace

void AddCoordsCommand(CommandLine* command_line) {
  auto options = std::make_shared<CoordsOptions>();
  Subcommand command = command_line->Add(
      "coords", "Print which element or padding lies at a linear index",
      kCoordsFooter);
  command.Argument("LAYOUT", "a layout of any family", &options->layout);
  command.Arguments("POSITION", "a linear index; - reads one per line",
                    Subcommand::kRequired, &options->positions);
  command.Flag("--explain", "print the bounds that padding exceeds",
               &options->explain);
  AddUnitOption(&options->reading.units, &command);
  AddTargetOption(&options->reading.shape, &command);
  AddLenientFlag(&options->reading.shape, &command);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(options, RunCoords);
}

}  // namespace tessera::cli
