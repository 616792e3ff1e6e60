#include "tessera/cli/tt_check_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/cli/answer_each.h"
#include "tessera/cli/console.h"
#include "tessera/cli/display.h"
#include "tessera/cli/json.h"
#include "tessera/cli/output_format.h"
#include "tessera/cli/tt_tensor.h"

namespace tessera {
namespace {

constexpr char kFooter[] =
    R"(Prints ok or the rules that are broken, each as 'error CODE: ...'; what is worth
knowing, as 'warning CODE: ...'; and the memref that the rules give. Exit code 1
if a rule is broken. Texts of standard input get a line each.

Examples:
  tessera tt check 'tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1),
      undef, <3x2>, memref<32x32xf32, #tt.memory_space<l1>>>>'
  tessera tt check --format=json - < tensors.txt)";

struct Options {
  std::vector<std::string> texts;
  OutputFormat format = OutputFormat::kText;
};

Json ToJson(const tenstorrent::VerifiedTensor& tensor) {
  const tenstorrent::Verification& verification = tensor.verification;
  Json json = {{"tensor", ToString(tensor.text)},
               {"ok", verification.ok()},
               {"errors", FindingsToJson(verification.errors)},
               {"warnings", FindingsToJson(verification.warnings)}};
  if (verification.memref.has_value()) {
    json["memref"] = verification.memref->ToString();
  }
  return json;
}

std::vector<std::string> ToLines(const tenstorrent::VerifiedTensor& tensor,
                                 const Display& display) {
  const tenstorrent::Verification& verification = tensor.verification;
  std::vector<std::string> lines;
  if (verification.ok()) lines.push_back(Paint("ok", Color::kGreen, display));
  for (const tenstorrent::Finding& error : verification.errors) {
    lines.push_back(absl::StrCat(Paint("error", Color::kRed, display), " ",
                                 FindingText(error)));
  }
  for (const tenstorrent::Finding& warning : verification.warnings) {
    lines.push_back(WarningText(warning, display));
  }
  if (verification.memref.has_value()) {
    lines.push_back(verification.memref->ToString());
  }
  return lines;
}

bool Run(const Options& options, Console* console) {
  bool all_ok = true;
  const auto answer = [&](const Question& question, std::string* out) {
    const absl::StatusOr<tenstorrent::VerifiedTensor> tensor =
        tenstorrent::ReadVerifiedTensor(question.text);
    if (!tensor.ok()) return tensor.status();
    all_ok = all_ok && tensor->verification.ok();
    if (options.format == OutputFormat::kJson) {
      out->append(JsonLine(ToJson(*tensor)));
    } else {
      absl::StrAppend(out,
                      absl::StrJoin(ToLines(*tensor, console->out_display),
                                    question.is_line ? "; " : "\n"),
                      "\n");
    }
    return absl::OkStatus();
  };
  return AnswerEach(options.texts, options.format, console, answer) && all_ok;
}

}  // namespace

void AddTtCheckCommand(SubcommandGroup* group) {
  auto options = std::make_shared<Options>();
  Subcommand command =
      group->Add("check", "Print which rules a tensor layout breaks", kFooter);
  command.Arguments("TEXT", "tensors with their layout; - reads one a line",
                    Subcommand::kRequired, &options->texts);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run([options](Console* console) { return Run(*options, console); });
}

}  // namespace tessera
