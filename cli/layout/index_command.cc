#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/layout_questions.pb.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cli/command/answer_each.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/layout/explanation.h"
#include "tessera/cli/layout/index_text.h"
#include "tessera/cli/layout/layout_argument.h"
#include "tessera/cli/output/console.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {
namespace {

constexpr char kIndexFooter[] =
    R"(A layout is an XLA shape, a CuTe layout or expression, a Tenstorrent
tensor or a strided array. An index has one entry for each dimension, or for
each mode of a CuTe layout. It may be written 2,3 or (2,3) or [2,3] or '2 3'.

In bytes and bits, the position of an element is that of its first byte or bit.
A CuTe layout has neither, since it does not have an element size.

Examples:
  tessera index 'f32[3,5]{1,0:T(2,2)}' 2,3
  tessera index 'f32[3,5]{1,0:T(2,2)}' 2,3 --explain
  tessera index 'f32[3,5]{1,0:T(2,2)}' 2,3 --unit bytes
  tessera index 'bf16[9,130]' 8,129 --target tpu
  tessera index '((2,2),3):((24,2),8)' 3,2 --explain
  tessera index 'u32[]{:T(128)}' '()'
  printf '0,0\n2,4\n' | tessera index 'f32[3,5]{1,0:T(2,2)}' -)";

struct IndexOptions {
  std::string layout;
  std::vector<std::string> indices;
  LayoutReading reading;
  bool explain = false;
  OutputFormat format = OutputFormat::kText;
};

// Answers one index after the other, in the same messages.
class IndexAnswers {
 public:
  IndexAnswers(const IndexOptions& options, const MappedLayout& layout)
      : options_(options), layout_(layout) {
    explain_.set_units(options.reading.units);
  }

  absl::Status Append(const Question& question, std::string* out) {
    const absl::StatusOr<IndexText> index = ParseIndex(question.text);
    absl::Status status =
        index.ok() ? CheckRank(*index, question.text, layout_.map().rank())
                   : index.status();
    if (status.ok()) {
      status = options_.explain ? Explain(*index, question, out)
                                : Linearize(*index, out);
      if (!status.ok()) {
        status = AtBadEntry(layout_.map(), *index, question.text, status);
      }
    }
    return InField(options_.explain ? "index" : "indices", status);
  }

 private:
  absl::Status Linearize(const IndexText& index, std::string* out) {
    SetNumbers(index.entries, linearize_.mutable_indices());
    linearized_.Clear();
    TESSERA_RETURN_IF_ERROR(
        AnswerLinearize(service_, layout_, linearize_, &linearized_));
    if (options_.format == OutputFormat::kJson) {
      out->append(JsonLineOf(linearized_));
    } else {
      absl::StrAppend(out, linearized_.linear_indices(0), "\n");
    }
    return absl::OkStatus();
  }

  absl::Status Explain(const IndexText& index, const Question& question,
                       std::string* out) {
    SetNumbers(index.entries, explain_.mutable_index());
    ExplainResult result;
    TESSERA_RETURN_IF_ERROR(AnswerExplain(layout_, explain_, &result));
    if (options_.format == OutputFormat::kJson) {
      out->append(JsonLineOf(result));
    } else {
      absl::StrAppend(
          out,
          absl::StrJoin(ExplainSteps(result), question.is_line ? "; " : "\n"),
          "\n");
    }
    return absl::OkStatus();
  }

  const IndexOptions& options_;
  const MappedLayout& layout_;
  const ServiceOptions service_ = ServiceOptions::Unlimited();
  LinearizeRequest linearize_;
  LinearizeResult linearized_;
  ExplainRequest explain_;
};

bool RunIndex(const IndexOptions& options, Console* console) {
  const std::optional<MappedLayout> layout = ReadLayoutArgument(
      options.layout, options.reading, options.format, console);
  if (!layout.has_value()) return false;
  IndexAnswers answers(options, *layout);
  return AnswerEach(options.indices, options.format, console,
                    [&](const Question& question, std::string* out) {
                      return answers.Append(question, out);
                    });
}

}  // namespace

void AddIndexCommand(CommandLine* command_line) {
  auto options = std::make_shared<IndexOptions>();
  Subcommand command = command_line->Add(
      "index", "Print where the element at an index lies", kIndexFooter);
  command.Argument("LAYOUT", "a layout of any family", &options->layout);
  command.Arguments("INDEX", "I,J,...; () for rank 0; - reads one per line",
                    Subcommand::kRequired, &options->indices);
  command.Flag("--explain", "show the derivation, step by step",
               &options->explain);
  AddUnitOption(&options->reading.units, &command);
  AddTargetOption(&options->reading.shape, &command);
  AddLenientFlag(&options->reading.shape, &command);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(options, RunIndex);
}

}  // namespace tessera::cli
