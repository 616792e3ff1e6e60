#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/layout_questions.pb.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/layout/index_text.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/cli/tt/tt_options.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/service/questions/tenstorrent/tensor_questions.h"
#include "tessera/service/service_options.h"
#include "tessera/tenstorrent/element_type_parser.h"
#include "tessera/tenstorrent/metal_layout.h"

namespace tessera::cli {
namespace {

constexpr char kTtDeriveFooter[] =
    R"(Prints the layout attribute of a tensor of this shape over this grid.
Intervals of --collapse are half-open, and negative bounds count from the end.
Without --collapse the interval is 0,-1; () means no interval. --align rounds
strides up: the size of a dimension with those inside it becomes a multiple of
its number. --collapse-rule reference-2024 is the rule of tt-mlir's constructor
until 2025-06: it leaves dimensions in several results if others were collapsed
away.

Examples:
  tessera tt derive --shape 2x3x64x128 --grid 2x4 --collapse 0,-1 \
      --element bf16 --memory-space l1 --oob undef
  tessera tt derive --shape 53x63 --grid 3x2 --element 'tile<32x32,bf16>'
  tessera tt derive --shape 2x8x32 --grid 1x2 --align 1,32,1 --tensor)";

struct TtDeriveOptions {
  std::optional<std::vector<int64_t>> shape, grid;
  DeriveRequest request;
  // --collapse=(); the request has the intervals that are joined after all.
  bool no_collapse = false;
  bool tensor = false;
  OutputFormat format = OutputFormat::kText;
};

// Returns an error message about the options; "" if there is none.
std::string TtDeriveUsageError(const TtDeriveOptions& options) {
  return options.shape.has_value() && options.grid.has_value()
             ? ""
             : "--shape and --grid are required";
}

bool RunTtDerive(const TtDeriveOptions& options, Console* console) {
  DeriveRequest request = options.request;
  SetNumbers(*options.shape, request.mutable_shape());
  SetNumbers(*options.grid, request.mutable_grid());
  request.set_no_collapse(options.no_collapse &&
                          request.collapse_intervals().empty());
  DeriveResult result;
  const absl::Status status =
      AnswerDerive(ServiceOptions::Unlimited(), request, &result);
  if (!status.ok()) {
    return PrintError({kArgumentName}, status, options.format, console);
  }
  if (options.format == OutputFormat::kJson) {
    *console->out << JsonLineOf(result);
  } else {
    *console->out << (options.tensor ? result.tensor() : result.layout())
                  << "\n";
  }
  return true;
}

std::string ReadInterval(const std::string& text, TtDeriveOptions* options) {
  if (text == "()") {
    options->no_collapse = true;
    return "";
  }
  const absl::StatusOr<IndexText> bounds = ParseIndex(text);
  if (!bounds.ok() || bounds->entries.size() != 2) {
    return absl::StrCat(text, " is not of the form BEGIN,END");
  }
  for (const int64_t bound : bounds->entries) {
    options->request.add_collapse_intervals(bound);
  }
  return "";
}

std::string ReadAlignments(const std::string& text, DeriveRequest* request) {
  const absl::StatusOr<IndexText> alignments = ParseIndex(text);
  if (!alignments.ok()) {
    return absl::StrCat(text, " is not of the form A,B,...");
  }
  SetNumbers(alignments->entries, request->mutable_alignments());
  return "";
}

std::string ReadElement(const std::string& text, DeriveRequest* request) {
  const absl::StatusOr<tenstorrent::ElementType> element =
      tenstorrent::ParseElementType(text);
  if (!element.ok()) return std::string(element.status().message());
  request->set_element(text);
  return "";
}

// Accepts a keyword that has a value.
template <typename Enum>
std::string TakeKeyword(const std::string& text, std::optional<Enum> value,
                        std::string* keyword) {
  if (!value.has_value())
    return absl::StrCat(text, " is not one of the keywords");
  *keyword = text;
  return "";
}

}  // namespace

void AddTtDeriveCommand(SubcommandGroup* group) {
  auto options = std::make_shared<TtDeriveOptions>();
  DeriveRequest* request = &options->request;
  Subcommand command = group->Add(
      "derive", "Print the layout of a tensor over a grid", kTtDeriveFooter);
  command.Value("--shape", "SIZES",
                "the shape of the tensor: 2x3x64x128; () for rank 0",
                ReadSizesInto(&options->shape));
  command.Value("--grid", "SIZES", "the grid of cells: 2x4",
                ReadSizesInto(&options->grid));
  command.Values("--collapse", "BEGIN,END",
                 "join this interval of dimensions (0,-1); may be repeated",
                 [options](const std::string& text) {
                   return ReadInterval(text, options.get());
                 });
  command.Choice<bool>(
      "--collapse-rule", {{"specification", false}, {"reference-2024", true}},
      "how intervals become a map (specification)",
      [request](bool is_2024) { request->set_reference_2024(is_2024); });
  command.Value("--align", "A,B,...", "round strides up by these alignments",
                [request](const std::string& text) {
                  return ReadAlignments(text, request);
                });
  command.Value(
      "--element", "TYPE",
      "the element type of the memref: bf16, tile<32x32,bf16>, ... (f32)",
      [request](const std::string& text) {
        return ReadElement(text, request);
      });
  command.Value("--memory-space", "system|mmio|dram|l1|dst",
                "the memory space (l1)", [request](const std::string& text) {
                  return TakeKeyword(text, tenstorrent::MemorySpaceOf(text),
                                     request->mutable_memory_space_name());
                });
  command.Value("--oob", "undef|zero|one|inf|neginf",
                "the value of padding (undef)",
                [request](const std::string& text) {
                  return TakeKeyword(text, tenstorrent::OobValueOf(text),
                                     request->mutable_oob_value());
                });
  command.Flag("--tensor", "print the tensor with the attribute",
               &options->tensor);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(options, RunTtDerive, TtDeriveUsageError);
}

}  // namespace tessera::cli
