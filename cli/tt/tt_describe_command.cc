#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/repeated_field.h"
#include "proto/layout_questions.pb.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cli/command/answer_each.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/layout/description.h"
#include "tessera/cli/layout/tensor_argument.h"
#include "tessera/cli/layout/tensor_description.h"
#include "tessera/cli/layout/tt_tensor.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/tt/tt_options.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/service/questions/tenstorrent/finding.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {
namespace {

constexpr char kTtDescribeFooter[] =
    R"(The extent is the largest position plus 1. The grid divides it into
shards, rounding up, and tiles divide the shards, or the other way round, as
shown by 'grid'. Padding is counted in elements over all cells: padding from
rounding up to tiles and to shards, and gaps between the positions of indices.
The valid box of a cell is the part of its shard within the extent. In JSON
"cells" has every cell of a grid of at most 4096, and "cell_boxes" has boxes of
equal cells.

A size has up to three values. 'written' is the memref of the text, if it is not
the shard by the rules. 'content' is the pages of the padded tensor. 'taken' is
the aligned pages, including the padding of shards. The runtime allocates as
much in every bank as in the fullest one, in empty banks too. The shape determines how an
interleaved tensor is allocated, and the written shard determines it for a
sharded one. A text that breaks rules is described as far as possible, with the
errors of 'check'.

Examples:
  tessera tt describe 'tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1),
      undef, <3x2>, memref<18x32xf32, #tt.memory_space<l1>>>>'
  tessera tt describe 'tensor<64x64xbf16, #layout>' --aliases model.mlir
  tessera tt describe model.mlir:42)";

struct TtDescribeOptions {
  std::vector<std::string> texts;
  TtCardOptions card;
  std::optional<std::string> aliases;
  OutputFormat format = OutputFormat::kText;
};

using Findings = google::protobuf::RepeatedPtrField<RuleFinding>;

std::string LineOf(const TensorDescription& tensor, const Findings& warnings,
                   const Display& display) {
  std::string line = TensorDescriptionToLine(tensor);
  for (const RuleFinding& error : tensor.errors()) {
    absl::StrAppend(&line, "; ", ErrorText(error, display));
  }
  for (const RuleFinding& warning : warnings) {
    absl::StrAppend(&line, "; ", WarningText(warning, display));
  }
  return line + "\n";
}

bool RunTtDescribe(const TtDescribeOptions& options, Console* console) {
  bool is_first = true;
  const Display& display = console->out_display;
  const auto answer = [&](const Question& question, std::string* out) {
    absl::StatusOr<tenstorrent::VerifiedTensor> tensor =
        ReadTensor(question.text, ServiceOptions::Unlimited());
    if (!tensor.ok()) return InField("layout", tensor.status());
    // A line does not have room for the other findings; the facts contain their
    // number.
    Findings warnings;
    AddFindings(LocationWarnings(tensor->verification), &warnings);
    DescribeResult result;
    TESSERA_RETURN_IF_ERROR(AnswerDescribe(
        ServiceOptions::Unlimited(), question.text,
        AnyLayout(*std::move(tensor)), &result,
        /*is_for_tpu=*/false, /*element_bits=*/0, options.card.ToCard()));
    if (options.format == OutputFormat::kJson) {
      out->append(JsonLineOf(result));
    } else if (question.is_line) {
      out->append(LineOf(result.tensor(), warnings, display));
    } else {
      if (!is_first) out->append("\n");
      absl::StrAppend(out, DescriptionToText(result, display));
    }
    is_first = false;
    return absl::OkStatus();
  };
  std::vector<std::string> texts = options.texts;
  return ExpandTensorArguments(options.aliases, options.format, console,
                               &texts) &&
         AnswerEach(texts, options.format, console, answer);
}

}  // namespace

void AddTtDescribeCommand(SubcommandGroup* group) {
  auto options = std::make_shared<TtDescribeOptions>();
  Subcommand command = group->Add(
      "describe", "Print the shards of a tensor, their bytes and their padding",
      kTtDescribeFooter);
  command.Arguments(
      "TEXT", "tensors with their layout, or FILE:LINE; - reads one per line",
      Subcommand::kRequired, &options->texts);
  AddAliasesOption(&command, &options->aliases);
  AddCardOptions(&command, &options->card);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(options, RunTtDescribe);
}

}  // namespace tessera::cli
