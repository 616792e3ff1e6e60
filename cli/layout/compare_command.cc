#include "tessera/cli/layout/compare_command.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "proto/layout_service.pb.h"
#include "tessera/cli/command/answer_each.h"
#include "tessera/cli/layout/index_option.h"
#include "tessera/cli/layout/layout_argument.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/fact.h"
#include "tessera/cli/output/json_line.h"
#include "tessera/cli/output/output_format.h"
#include "tessera/cli/output/units.h"
#include "tessera/math/status_macros.h"
#include "tessera/service/questions/compare_question.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/service/service_options.h"

namespace tessera {
namespace cli {
namespace {

constexpr char kCompareFooter[] =
    R"(The positions are the same if every index has the same position in both
layouts. A bitcast moves nothing: the buffer of one layout is read as the other.
A relayout reads one buffer and writes the other, in stretches of bytes that are
contiguous in both. 'unknown' means that the answer takes too long, or that
there is none: layouts of different bounds have no positions to compare, and
only XLA arrays have bitcasts.

Examples:
  tessera compare 'bf16[8,256]{1,0}' 'bf16[8,256]{1,0:T(8,128)}'
  tessera compare 'f32[128,256]' 'f32[256,128]' --to-dimensions 1,0
  tessera compare '(8,4):(1,8)' '(8,4):(4,1)' --element-bits 16 --format=json)";

struct CompareOptions {
  std::string from;
  std::vector<std::string> to;
  absl::optional<std::vector<int64_t>> to_dimensions;
  int64_t element_bits = 0;
  bool lenient = false;
  OutputFormat format = OutputFormat::kText;
};

std::string AnswerText(bool is_known, bool answer) {
  return !is_known ? "unknown" : answer ? "yes" : "no";
}

std::string RelayoutText(const CompareResult& result) {
  if (!result.has_relayout()) return result.no_relayout();
  const RelayoutCost& cost = result.relayout();
  return absl::StrCat("reads ", Counted(cost.from_bytes(), "byte"), ", writes ",
                      cost.to_bytes(), ", moves ", cost.moved_bytes(), ", ",
                      cost.contiguous_bytes(), " at a time",
                      cost.has_loops() ? "" : ", element by element");
}

std::vector<std::pair<std::string, std::string>> ToFacts(
    const CompareResult& result) {
  return {
      {"same text", AnswerText(true, result.same_text())},
      {"same positions",
       AnswerText(result.has_same_positions(), result.same_positions())},
      {"bitcast", AnswerText(result.has_is_bitcast(), result.is_bitcast())},
      {"relayout", RelayoutText(result)},
  };
}

std::string ToLine(const CompareResult& result) {
  std::vector<std::string> facts;
  for (const auto& [name, fact] : ToFacts(result)) {
    facts.push_back(absl::StrCat(name, ": ", fact));
  }
  return absl::StrCat(absl::StrJoin(facts, "; "), "\n");
}

std::string ToText(const CompareResult& result, const Display& display) {
  constexpr size_t kNameWidth = 16;
  std::string text;
  for (const auto& [name, fact] : ToFacts(result)) {
    AppendFact(name, fact, kNameWidth, display, &text);
  }
  return text;
}

bool RunCompare(const CompareOptions& options, Console* console) {
  const absl::optional<MappedLayout> from = ReadLayoutArgument(
      options.from, {"from", options.lenient}, options.format, console);
  if (!from.has_value()) return false;
  CompareRequest request;
  if (options.to_dimensions.has_value()) {
    SetNumbers(*options.to_dimensions, request.mutable_to_dimensions());
  }
  request.set_element_bits(options.element_bits);
  bool is_first = true;
  const auto answer = [&](const Question& question, std::string* out) {
    TESSERA_ASSIGN_OR_RETURN(
        const MappedLayout to,
        ReadMappedLayoutText(question.text, {"to", options.lenient},
                             question.source, console));
    CompareResult result;
    TESSERA_RETURN_IF_ERROR(AnswerCompare(ServiceOptions::Unlimited(), *from,
                                          to, request, &result));
    if (options.format == OutputFormat::kJson) {
      out->append(JsonLineOf(result));
    } else if (question.is_line) {
      out->append(ToLine(result));
    } else {
      if (!is_first) out->append("\n");
      is_first = false;
      out->append(ToText(result, console->out_display));
    }
    return absl::OkStatus();
  };
  return AnswerEach(options.to, options.format, console, answer);
}

}  // namespace

void AddCompareCommand(CommandLine* command_line) {
  auto options = std::make_shared<CompareOptions>();
  Subcommand command = command_line->Add(
      "compare", "Tell whether layouts are the same, and what a relayout costs",
      kCompareFooter);
  command.Argument("FROM", "a layout of any family", &options->from);
  command.Arguments("TO", "layouts of any family; - reads one per line",
                    Subcommand::kRequired, &options->to);
  command.Value("--to-dimensions", "I,J,...",
                "for each dimension of FROM, the dimension of TO (0,1,...)",
                ReadIndexInto(&options->to_dimensions));
  command.Count("--element-bits",
                "the bits of an element, unless both are XLA arrays; 0 for "
                "what the texts say, or else 32 (0)",
                &options->element_bits);
  AddLenientFlag(&options->lenient, &command);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(
      [options](Console* console) { return RunCompare(*options, console); });
}

}  // namespace cli
}  // namespace tessera
