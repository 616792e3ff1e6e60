#include "tessera/cli/tt/tt_check_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/layout_questions.pb.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cli/command/answer_each.h"
#include "tessera/cli/layout/tt_tensor.h"
#include "tessera/cli/output/console.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/questions/tensor_questions.h"
#include "tessera/service/service_options.h"

namespace tessera {
namespace cli {
namespace {

constexpr char kTtCheckFooter[] =
    R"(Prints ok or the broken rules, each as 'error RULE: ...'; other findings,
each as 'warning RULE: ...'; and the memref by the rules. The exit code is 1 if
a rule is broken. Each text from standard input gets one line.

Examples:
  tessera tt check 'tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1),
      undef, <3x2>, memref<32x32xf32, #tt.memory_space<l1>>>>'
  tessera tt check --format=json - < tensors.txt)";

struct TtCheckOptions {
  std::vector<std::string> texts;
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

bool RunTtCheck(const TtCheckOptions& options, Console* console) {
  bool all_ok = true;
  const auto answer = [&](const Question& question, std::string* out) {
    CheckRequest request;
    request.set_tensor(std::string(question.text));
    CheckResult result;
    TESSERA_RETURN_IF_ERROR(
        AnswerCheck(ServiceOptions::Unlimited(), request, &result));
    all_ok = all_ok && result.ok();
    if (options.format == OutputFormat::kJson) {
      out->append(JsonLineOf(result));
    } else {
      absl::StrAppend(out,
                      absl::StrJoin(ToLines(result, console->out_display),
                                    question.is_line ? "; " : "\n"),
                      "\n");
    }
    return absl::OkStatus();
  };
  return AnswerEach(options.texts, options.format, console, answer) && all_ok;
}

}  // namespace

void AddTtCheckCommand(SubcommandGroup* group) {
  auto options = std::make_shared<TtCheckOptions>();
  Subcommand command = group->Add(
      "check", "Print which rules a tensor layout breaks", kTtCheckFooter);
  command.Arguments("TEXT", "tensors with their layout; - reads one per line",
                    Subcommand::kRequired, &options->texts);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(
      [options](Console* console) { return RunTtCheck(*options, console); });
}

}  // namespace cli
}  // namespace tessera
