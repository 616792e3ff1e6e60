#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/files/input_file.h"
#include "tessera/cli/hlo/input/assignment_input.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/questions/hlo/explain_text_question.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {
namespace {

constexpr char kHloExplainFooter[] =
    R"(Reads the texts that people have when a program runs out of memory:
  - a message of XLA, old or new, with a traceback or the prefixes of a log
    around it: E1000, E1001, TPU's list of the largest program allocations,
    GPU's "BufferAssignment OOM Debugging", one allocation that is too large,
    such as the block of a kernel
  - a *-buffer-assignment.txt without its module, with the files next to it
  - one HLO instruction: its bytes, and whether a copy moves anything
  - a layout as JAX prints it, Layout(major_to_minor=...), with a shape or alone
For each array, the report names the dimension that is padded and a better order
of dimensions. If a message has shapes without tiles, the tiles are inferred
from the size that it gives. For a kernel that exceeds its scoped VMEM, the
report has blocks that fit. For StableHLO and HLO text, it gives the next
command.

Examples:
  tessera hlo explain oom.txt
  python train.py 2>&1 | tessera hlo explain -
  tessera hlo explain 'bf16[9,130] Layout(major_to_minor=(0, 1))'
  tessera hlo explain '%c = f16[2,128]{1,0} copy(f16[2,128]{0,1} %p)')";

struct HloExplainOptions {
  std::string text;
  int64_t top = 10;
  OutputFormat format = OutputFormat::kText;
};

// Returns whether the argument can only be a file name: one word with the
// ending of a file name.
bool LooksLikeFile(std::string_view argument) {
  constexpr std::string_view kNotInNames = " \t\n\"'()[]{}=%<>:";
  if (argument.find_first_of(kNotInNames) != argument.npos) return false;
  return StrContains(argument, "/") || StrContains(argument, ".");
}

bool RunHloExplain(const HloExplainOptions& options, Console* console) {
  std::error_code ignored;
  const std::filesystem::file_status status_of_file =
      std::filesystem::status(console->PathOf(options.text), ignored);
  if (std::filesystem::is_directory(status_of_file)) {
    return PrintError(
        HloSource(options.text),
        absl::InvalidArgumentError(
            "this is a folder; 'tessera hlo peak' reads the dumps in it"),
        console);
  }
  const bool is_file = options.text == kStdinArgument ||
                       std::filesystem::exists(status_of_file) ||
                       LooksLikeFile(options.text);
  const TextSource source =
      is_file ? HloSource(options.text) : TextSource{kArgumentName};
  ExplainTextRequest question;
  if (is_file) {
    const absl::StatusOr<FileBytes> bytes =
        OpenInputFile(options.text, {}, console);
    if (!bytes.ok()) return PrintError(source, bytes.status(), console);
    question = QuestionAbout(options.text, bytes->text(), options.top, console);
  } else {
    question.set_text(options.text);
    question.set_rows(options.top);
  }
  ExplainTextResult result;
  const absl::Status status =
      AnswerExplainText(ServiceOptions::Unlimited(), question, &result);
  if (!status.ok()) return PrintError(source, status, console);
  *console->out << (options.format == OutputFormat::kJson
                        ? JsonLineOf(result)
                        : ExplanationToText(result, console->out_display));
  return true;
}

}  // namespace

void AddHloExplainCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<HloExplainOptions>();
  Subcommand command =
      hlo->Add("explain", "Explain a message about memory, or a line of HLO",
               kHloExplainFooter);
  command.Argument("TEXT|FILE",
                   "a text, or a file with it; - for standard input",
                   &options->text);
  AddTopOption(&command, &options->top);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(options, RunHloExplain);
}

}  // namespace tessera::cli
