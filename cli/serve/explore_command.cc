#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/layout/index_option.h"
#include "tessera/cli/layout/picture_answer.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/explorer/saved_page.h"
#include "tessera/service/layout_service.h"

namespace tessera::cli {
namespace {

constexpr char kExploreFooter[] =
    R"(The page is one file that loads nothing. Point at a cell to see its
element, where it lies and why. To type and change layouts, open the page of
'tessera serve'. LAYOUT is an XLA array shape, a CuTe layout or expression, a
Tenstorrent tensor or a strided array. JSON is the answer to the
question "picture" that the page opens with.

Examples:
  tessera explore 'bf16[10,14]{1,0:T(4,4)(2,1)}' -o page.html
  tessera explore 'f32[7,1024,1024]{2,1,0:T(8,128)}' --at 3,0,0 -o page.html)";

struct ExploreOptions {
  std::string layout;
  std::optional<std::string> output;
  std::optional<std::vector<int64_t>> at;
  OutputFormat format = OutputFormat::kText;
};

bool RunExplore(const ExploreOptions& options, Console* console) {
  PictureRequest question;
  question.set_layout(options.layout);
  if (options.at.has_value()) {
    question.mutable_index()->Add(options.at->begin(), options.at->end());
  }
  if (options.format == OutputFormat::kJson) {
    return PrintPictureAnswer(question, console);
  }
  const LayoutService service;
  const absl::StatusOr<std::string> page = SavedPage(service, question);
  if (!page.ok()) return PrintError({kArgumentName}, page.status(), console);
  return WriteOutputFile(options.output.value_or("-"), *page, console);
}

}  // namespace

void AddExploreCommand(CommandLine* command_line) {
  auto options = std::make_shared<ExploreOptions>();
  Subcommand command = command_line->Add(
      "explore", "Save a web page that shows a layout", kExploreFooter);
  command.Argument("LAYOUT", "the layout", &options->layout);
  command.Text("-o,--output", "FILE",
               "write the page to this file (standard output)",
               &options->output);
  command.Value(
      "--at", "I,J,...",
      "the fixed index of the dimensions that are not drawn (0,0,...)",
      ReadIndexInto(&options->at));
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(
      [options](Console* console) { return RunExplore(*options, console); },
      [options]() -> std::string {
        return options->format == OutputFormat::kJson &&
                       options->output.has_value()
                   ? "--output does not go with --format=json"
                   : "";
      });
}

}  // namespace tessera::cli
