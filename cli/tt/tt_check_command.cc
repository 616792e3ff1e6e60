#include <istream>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/layout_questions.pb.h"
#include "proto/tt_questions.pb.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/command/answer_each.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/layout/tt_tensor.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/cli/tt/tt_files.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/report/text/units.h"
#include "tessera/report/tt/tt_report.h"
#include "tessera/service/questions/tenstorrent/tensor_questions.h"
#include "tessera/service/service_options.h"
#include "tessera/tenstorrent/tensor.h"

namespace tessera::cli {
namespace {

constexpr char kTtCheckFooter[] =
    R"(For a tensor, prints ok or the broken rules, each as 'error RULE: ...';
other findings, each as 'warning RULE: ...'; and the memref by the rules. Each
tensor from standard input gets one line.

For a file, a folder or a log, prints the findings about all types in it, with
the line and a caret; equal messages are printed once. 'tessera tt report
--help' describes the files that are read. The same is printed for an attribute,
a memref or an operation in place of a tensor, and for standard input that does
not begin with a tensor.

The exit code is 1 if a rule is broken or a type cannot be read.

Examples:
  tessera tt check 'tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1),
      undef, <3x2>, memref<32x32xf32, #tt.memory_space<l1>>>>'
  tessera tt check --format=json - < tensors.txt
  tessera tt check model.mlir
  tessera tt check 'memref<1x1x2x4x!ttcore.tile<32x32, f32>,
      #ttcore.shard<16384x4096, 1>, #ttcore.memory_space<l1>>')";

struct TtCheckOptions {
  std::vector<std::string> texts;
  TtFileOptions reading;
  OutputFormat format = OutputFormat::kText;
};

std::vector<std::string> ToLines(const CheckResult& result,
                                 const Display& display) {
  std::vector<std::string> lines;
  if (result.ok()) lines.push_back(Paint("ok", Color::kGreen, display));
  for (const RuleFinding& error : result.errors()) {
    lines.push_back(ErrorText(error, display));
  }
  for (const RuleFinding& warning : result.warnings()) {
    lines.push_back(WarningText(warning, display));
  }
  if (result.has_memref()) lines.push_back(result.memref());
  return lines;
}

// Prints the findings about a file. Returns whether no rule is broken.
bool PrintFindings(const TtReportResult& result, OutputFormat format,
                   Console* console) {
  const bool is_good = result.errors().empty() && result.undefined().empty();
  if (format == OutputFormat::kJson) {
    *console->out << JsonLineOf(result);
    return is_good;
  }
  const Display& display = console->out_display;
  *console->out << TtFindingsToText(result, display);
  for (const TtUndefinedName& name : result.undefined()) {
    *console->out << Printable(result.file()) << ":" << name.line() << ":"
                  << name.column() << ": "
                  << Paint("error", Color::kRed, display) << ": "
                  << Printable(name.name()) << " has no definition\n";
  }
  if (is_good) {
    const TtCounts& counts = result.counts();
    *console->out << Printable(result.file()) << ": "
                  << Paint("ok", Color::kGreen, display) << ", "
                  << HumanQuantity(counts.tensors(), "tensor") << ", "
                  << HumanQuantity(counts.layouts(), "layout") << ", "
                  << HumanQuantity(counts.memrefs(), "memref") << "\n";
  }
  return is_good;
}

bool CheckFiles(const std::string& name, const TtFileOptions& options,
                OutputFormat format, Console* console) {
  bool is_good = true;
  ForEachTtFile(
      FindTtFiles(name, console, &is_good), options, console, &is_good,
      [&](const TtReportResult& result, const tenstorrent::LayoutFile&) {
        is_good &= PrintFindings(result, format, console);
      });
  return is_good;
}

// Returns whether the text is one tensor, possibly with its aliases.
bool IsTensorText(std::string_view text) {
  return StartsWith(StripLeadingAsciiWhitespace(text), "tensor") ||
         tenstorrent::ReadTensorText(text).ok();
}

bool CheckTexts(const std::string& text, OutputFormat format,
                Console* console) {
  bool all_ok = true;
  const auto answer = [&](const Question& question, std::string* out) {
    CheckRequest request;
    request.set_tensor(std::string(question.text));
    CheckResult result;
    TESSERA_RETURN_IF_ERROR(
        AnswerCheck(ServiceOptions::Unlimited(), request, &result));
    all_ok = all_ok && result.ok();
    if (format == OutputFormat::kJson) {
      out->append(JsonLineOf(result));
    } else {
      absl::StrAppend(out,
                      absl::StrJoin(ToLines(result, console->out_display),
                                    question.is_line ? "; " : "\n"),
                      "\n");
    }
    return absl::OkStatus();
  };
  return AnswerEach({text}, format, console, answer) && all_ok;
}

// Reads standard input as a file unless it begins like lines of tensors.
bool CheckStandardInput(const TtFileOptions& options, OutputFormat format,
                        Console* console) {
  const int first = console->in->peek();
  if (first == 't' || first == '\n' ||
      first == std::istream::traits_type::eof()) {
    return CheckTexts(std::string(kStdinArgument), format, console);
  }
  const absl::StatusOr<FileBytes> bytes = FileBytes::OfStream(console->in);
  if (!bytes.ok()) return PrintError({kStdinName}, bytes.status(), console);
  TtReportResult result;
  return AnswerTtText(kStdinName, bytes->text(), options, console, &result) &&
         PrintFindings(result, format, console);
}

bool CheckArgument(const std::string& argument, const TtFileOptions& options,
                   OutputFormat format, Console* console) {
  if (argument == kStdinArgument) {
    return CheckStandardInput(options, format, console);
  }
  if (IsTtFile(argument, console)) {
    return CheckFiles(argument, options, format, console);
  }
  TtReportResult result;
  if (!IsTensorText(argument) &&
      AnswerTtText(kArgumentName, argument, options, console, &result) &&
      (result.counts().layouts() > 0 || result.counts().tensors() > 0 ||
       result.counts().memrefs() > 0)) {
    return PrintFindings(result, format, console);
  }
  return CheckTexts(argument, format, console);
}

bool RunTtCheck(const TtCheckOptions& options, Console* console) {
  TtFileOptions reading = options.reading;
  reading.rows = std::numeric_limits<int64_t>::max();
  bool is_good = true;
  for (const std::string& text : options.texts) {
    is_good &= CheckArgument(text, reading, options.format, console);
  }
  return is_good;
}

}  // namespace

void AddTtCheckCommand(SubcommandGroup* group) {
  auto options = std::make_shared<TtCheckOptions>();
  Subcommand command = group->Add(
      "check", "Print which rules a tensor layout breaks", kTtCheckFooter);
  command.Arguments("TEXT",
                    "tensors with their layout, files or folders; - reads "
                    "standard input",
                    Subcommand::kRequired, &options->texts);
  AddCardOptions(&command, &options->reading);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(options, RunTtCheck);
}

}  // namespace tessera::cli
