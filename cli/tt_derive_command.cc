#include "tessera/cli/tt_derive_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/cli/console.h"
#include "tessera/cli/index_text.h"
#include "tessera/cli/json.h"
#include "tessera/cli/message.h"
#include "tessera/cli/output_format.h"
#include "tessera/cli/tt_options.h"
#include "tessera/tenstorrent/derive/derivation.h"
#include "tessera/tenstorrent/element_type_parser.h"

namespace tessera {
namespace {

using tenstorrent::MetalTensor;

constexpr char kFooter[] =
    R"(Prints the attribute of a tensor of that shape over that grid. Intervals of
--collapse are half-open, and negative bounds count from the end; 0,-1 is taken
if none is given, and () stands for none at all. --align bumps strides: what is
inside of a dimension takes a multiple of its number. --collapse-rule
reference-2024 is what tt-mlir's constructor did until 2025-06, which leaves
dimensions in several results where others were collapsed away.

Examples:
  tessera tt derive --shape 2x3x64x128 --grid 2x4 --collapse 0,-1
      --element bf16 --memory-space l1 --oob undef
  tessera tt derive --shape 53x63 --grid 3x2 --element 'tile<32x32,bf16>'
  tessera tt derive --shape 2x8x32 --grid 1x2 --align 1,32,1 --tensor)";

struct Options {
  absl::optional<std::vector<int64_t>> shape, grid;
  tenstorrent::ElementType element;
  tenstorrent::DerivationOptions derivation;
  // Those of `derivation` if none is given.
  absl::optional<std::vector<tenstorrent::CollapseInterval>> intervals;
  bool tensor = false;
  OutputFormat format = OutputFormat::kText;
};

// What is wrong with the options; "" if nothing is.
std::string UsageError(const Options& options) {
  return options.shape.has_value() && options.grid.has_value()
             ? ""
             : "--shape and --grid are needed";
}

bool Run(const Options& options, Console* console) {
  tenstorrent::DerivationOptions derivation = options.derivation;
  if (options.intervals.has_value()) {
    derivation.collapse_intervals = *options.intervals;
  }
  const absl::StatusOr<MetalTensor> tensor = tenstorrent::DeriveMetalTensor(
      *options.shape, options.element, *options.grid, derivation);
  if (!tensor.ok()) {
    PrintError({kArgumentName}, tensor.status(), console);
    return false;
  }
  if (options.format == OutputFormat::kJson) {
    *console->out << JsonLine({{"layout", tensor->layout.ToString()},
                               {"tensor", tensor->ToString()},
                               {"map", tensor->layout.linear.ToString()},
                               {"memref", tensor->layout.memref.ToString()}});
  } else {
    *console->out << (options.tensor ? tensor->ToString()
                                     : tensor->layout.ToString())
                  << "\n";
  }
  return true;
}

std::string ReadInterval(
    const std::string& text,
    absl::optional<std::vector<tenstorrent::CollapseInterval>>* intervals) {
  if (!intervals->has_value()) intervals->emplace();
  if (text == "()") return "";
  const absl::StatusOr<IndexText> bounds = ParseIndex(text);
  if (!bounds.ok() || bounds->entries.size() != 2) {
    return absl::StrCat(text, " is not of the form BEGIN,END");
  }
  (*intervals)->push_back({bounds->entries[0], bounds->entries[1]});
  return "";
}

std::string ReadElement(const std::string& text, Options* options) {
  const absl::StatusOr<tenstorrent::ElementType> element =
      tenstorrent::ParseElementType(text);
  if (!element.ok()) return std::string(element.status().message());
  options->element = *element;
  return "";
}

std::string ReadRule(const std::string& text, tenstorrent::CollapseRule* rule) {
  if (text == "specification") {
    *rule = tenstorrent::CollapseRule::kSpecification;
  } else if (text == "reference-2024") {
    *rule = tenstorrent::CollapseRule::kReference2024;
  } else {
    return absl::StrCat(text, " not in {specification,reference-2024}");
  }
  return "";
}

}  // namespace

void AddTtDeriveCommand(SubcommandGroup* group) {
  auto options = std::make_shared<Options>();
  tenstorrent::DerivationOptions* derivation = &options->derivation;
  Subcommand command =
      group->Add("derive", "Print the layout of a tensor over a grid", kFooter);
  command.Value("--shape", "SIZES", "of the tensor: 2x3x64x128; () for rank 0",
                ReadSizesInto(&options->shape));
  command.Value("--grid", "SIZES", "of the grid: 2x4",
                ReadSizesInto(&options->grid));
  command.Values("--collapse", "BEGIN,END",
                 "an interval of dimensions to join (0,-1); may be repeated",
                 [options](const std::string& text) {
                   return ReadInterval(text, &options->intervals);
                 });
  command.Value("--collapse-rule", "specification|reference-2024",
                "how intervals become a map (specification)",
                [derivation](const std::string& text) {
                  return ReadRule(text, &derivation->collapse_rule);
                });
  command.Value("--align", "A,B,...", "bump strides by these alignments",
                [derivation](const std::string& text) -> std::string {
                  const absl::StatusOr<IndexText> index = ParseIndex(text);
                  if (!index.ok()) {
                    return absl::StrCat(text, " is not of the form A,B,...");
                  }
                  derivation->alignments = index->entries;
                  return "";
                });
  command.Value("--element", "TYPE",
                "of the memory: bf16, tile<32x32,bf16>, ... (f32)",
                [options](const std::string& text) {
                  return ReadElement(text, options.get());
                });
  command.Value("--memory-space", "system|mmio|dram|l1|dst",
                "where it lies (l1)", [derivation](const std::string& text) {
                  return TakeKeyword(text, tenstorrent::MemorySpaceOf(text),
                                     &derivation->memory_space);
                });
  command.Value("--oob", "undef|zero|one|inf|neginf",
                "what padding is filled with (undef)",
                [derivation](const std::string& text) {
                  return TakeKeyword(text, tenstorrent::OobValueOf(text),
                                     &derivation->oob_value);
                });
  command.Flag("--tensor", "print the tensor around the attribute as well",
               &options->tensor);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run([options](Console* console) { return Run(*options, console); },
              [options] { return UsageError(*options); });
}

}  // namespace tessera
