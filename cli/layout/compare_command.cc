#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/layout_questions.pb.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/command/answer_each.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/layout/index_option.h"
#include "tessera/cli/layout/layout_argument.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/fact.h"
#include "tessera/parser/parse_options.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/report/text/units.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {
namespace {

constexpr char kCompareFooter[] =
    R"(The positions are the same if every index has the same position in both
layouts. --to-dimensions maps the dimensions of FROM to those of TO; without it,
layouts of different bounds cannot be compared by position.

A bitcast moves nothing: the buffer of one array is read as the other. It may be
a reshape, which keeps the elements in row-major order, or a transpose, with
dimensions={...} as in XLA: dimension i of TO is dimension dimensions[i] of
FROM. If it is neither alone, it may be both, step by step. Only XLA arrays and
strided arrays in the same memory space have bitcasts.

A relayout reads one buffer and writes the other. "256 at a time" is the number
of bytes that one copy writes, at least, for most of the elements. 'unknown'
means that the answer would take too long.

Examples:
  tessera compare 'bf16[8,256]{1,0}' 'bf16[8,256]{1,0:T(8,128)}'
  tessera compare 'f16[1,2,128,64]' 'f16[1,128,2,64]{3,1,2,0}'
  tessera compare 'f32[128,256]' 'f32[256,128]' --to-dimensions 1,0
  tessera compare '(8,4):(1,8)' '(8,4):(4,1)' --element-bits 16 --format=json)";

struct CompareOptions {
  std::string from;
  std::vector<std::string> to;
  std::optional<std::vector<int64_t>> to_dimensions;
  int64_t element_bits = 0;
  ParseOptions shape;
  OutputFormat format = OutputFormat::kText;
};

// The relation of the bounds of `to` to those of `from`.
enum class Bounds {
  kSame,
  kPermuted,  // the same ones in another order
  kOther,
};

Bounds CompareBounds(const MappedLayout& from, const MappedLayout& to) {
  std::vector<int64_t> a(from.map().bounds().begin(),
                         from.map().bounds().end());
  std::vector<int64_t> b(to.map().bounds().begin(), to.map().bounds().end());
  if (a == b) return Bounds::kSame;
  absl::c_sort(a);
  absl::c_sort(b);
  return a == b ? Bounds::kPermuted : Bounds::kOther;
}

// The parts of the comparison that a CompareResult does not have.
struct Comparison {
  CompareResult result;
  Bounds bounds = Bounds::kSame;
  bool is_by_dimensions = false;  // whether to_dimensions were given
};

std::string AnswerText(bool is_known, bool answer) {
  return !is_known ? "unknown" : answer ? "yes" : "no";
}

template <typename Dimensions>
std::string TransposeText(const Dimensions& dimensions) {
  return absl::StrCat("transpose dimensions={", absl::StrJoin(dimensions, ","),
                      "}");
}

std::string StepsText(const BitcastDecomposition& steps) {
  std::vector<std::string> texts;
  const auto append_transpose = [&](const auto& dimensions) {
    if (absl::c_is_sorted(dimensions)) return;  // which does nothing
    texts.push_back(absl::StrCat("the ", TransposeText(dimensions)));
  };
  append_transpose(steps.first_dimensions());
  texts.push_back(absl::StrCat("the reshape to ", steps.reshaped()));
  append_transpose(steps.last_dimensions());
  return absl::StrJoin(texts, ", then ");
}

// Returns the ways in which the elements keep their places.
std::vector<std::string> WaysOf(const Comparison& comparison) {
  const BitcastAnswers& answers = comparison.result.bitcasts();
  const std::string as_transpose = absl::StrCat(
      answers.dimensions().empty()
          ? "as a transpose"
          : absl::StrCat("as the ", TransposeText(answers.dimensions())),
      " ", AnswerText(answers.has_as_transpose(), answers.as_transpose()));
  if (comparison.is_by_dimensions) return {as_transpose};

  const std::string reshape =
      AnswerText(answers.has_as_reshape(), answers.as_reshape());
  const bool is_one_array = comparison.bounds == Bounds::kSame;
  if (is_one_array && answers.as_reshape()) return {"yes"};
  const bool is_neither =
      reshape == "no" && answers.has_as_transpose() && !answers.as_transpose();
  if (is_neither && is_one_array && !answers.has_steps()) return {"no"};

  std::vector<std::string> ways = {absl::StrCat("as a reshape ", reshape)};
  // Omitted if there cannot be one between these bounds.
  if (comparison.bounds != Bounds::kOther || is_neither) {
    ways.push_back(as_transpose);
  }
  if (answers.has_steps()) {
    ways.push_back(absl::StrCat("as both yes: ", StepsText(answers.steps())));
  }
  return ways;
}

std::string BitcastText(const Comparison& comparison,
                        std::string_view separator) {
  const BitcastAnswers& answers = comparison.result.bitcasts();
  const std::string ways =
      absl::StrJoin(WaysOf(comparison), AbslView(separator));
  if (answers.obstacle().empty()) return ways;
  const bool is_in_place =
      answers.as_reshape() || answers.as_transpose() || answers.has_steps();
  return absl::StrCat(
      "no: ", answers.obstacle(),
      is_in_place ? StrCat(separator, "apart from that ", ways) : "");
}

// Returns whether the buffer of `from` is already that of `to`.
bool MovesNothing(const Comparison& comparison) {
  const CompareResult& result = comparison.result;
  return result.is_bitcast() &&
         (result.same_positions() ||
          (!comparison.is_by_dimensions && comparison.bounds != Bounds::kSame));
}

std::string RelayoutText(const Comparison& comparison) {
  const CompareResult& result = comparison.result;
  const RelayoutCost& cost = result.relayout();
  if (MovesNothing(comparison)) {
    return absl::StrCat(
        "none, moves 0 bytes",
        cost.from_bytes() == cost.to_bytes()
            ? ""
            : absl::StrCat(" of buffers that take ", cost.from_bytes(), " and ",
                           cost.to_bytes()));
  }
  if (!result.has_relayout()) return result.no_relayout();
  return absl::StrCat("reads ", Counted(cost.from_bytes(), "byte"), ", writes ",
                      cost.to_bytes(), ", moves ", cost.moved_bytes(), ", ",
                      cost.contiguous_bytes(), " at a time",
                      cost.has_loops() ? "" : ", element by element");
}

// Returns the facts that apply to the two. `separator` separates the parts of a
// fact.
Facts ToFacts(const Comparison& comparison, std::string_view separator) {
  const CompareResult& result = comparison.result;
  Facts facts = {{"same text", AnswerText(true, result.same_text())}};
  // If the dimensions do not match, there is only the reason.
  const bool has_positions =
      comparison.is_by_dimensions
          ? result.has_relayout() || result.has_bitcasts()
          : comparison.bounds == Bounds::kSame;
  if (result.has_same_positions() || has_positions) {
    facts.emplace_back("same positions", AnswerText(result.has_same_positions(),
                                                    result.same_positions()));
  }
  if (result.has_bitcasts()) {
    facts.emplace_back("bitcast", BitcastText(comparison, separator));
  }
  facts.emplace_back("relayout", RelayoutText(comparison));
  return facts;
}

std::string CompareUsageError(const CompareOptions& options) {
  return options.to_dimensions.has_value()
             ? PermutationError("--to-dimensions", *options.to_dimensions)
             : "";
}

bool RunCompare(const CompareOptions& options, Console* console) {
  const std::optional<MappedLayout> from = ReadLayoutArgument(
      options.from, {"from", options.shape}, options.format, console);
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
        ReadMappedLayoutText(question.text, {"to", options.shape},
                             question.source, console));
    Comparison comparison;
    comparison.bounds = CompareBounds(*from, to);
    comparison.is_by_dimensions = !request.to_dimensions().empty();
    TESSERA_RETURN_IF_ERROR(AnswerCompare(ServiceOptions::Unlimited(), *from,
                                          to, request, &comparison.result));
    if (options.format == OutputFormat::kJson) {
      out->append(JsonLineOf(comparison.result));
    } else if (question.is_line) {
      absl::StrAppend(out,
                      absl::StrJoin(ToFacts(comparison, ", "), "; ",
                                    absl::PairFormatter(": ")),
                      "\n");
    } else {
      if (!is_first) out->append("\n");
      is_first = false;
      constexpr size_t kNameWidth = 16;
      out->append(FactsToText(ToFacts(comparison, "; "), kNameWidth,
                              console->out_display));
    }
    return absl::OkStatus();
  };
  return AnswerEach(options.to, options.format, console, answer);
}

}  // namespace

void AddCompareCommand(CommandLine* command_line) {
  auto options = std::make_shared<CompareOptions>();
  Subcommand command = command_line->Add(
      "compare",
      "Print whether layouts are the same, and what a relayout costs",
      kCompareFooter);
  command.Argument("FROM", "a layout of any family", &options->from);
  command.Arguments("TO", "layouts of any family; - reads one per line",
                    Subcommand::kRequired, &options->to);
  command.Value("--to-dimensions", "I,J,...",
                "for each dimension of FROM, the dimension of TO (0,1,...)",
                ReadIndexInto(&options->to_dimensions));
  command.Count("--element-bits",
                "the bits of an element, unless both are XLA arrays; 0 for the "
                "bits in the texts, or else 32 (0)",
                &options->element_bits);
  AddTargetOption(&options->shape, &command);
  AddLenientFlag(&options->shape, &command);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(options, RunCompare, CompareUsageError);
}

}  // namespace tessera::cli
