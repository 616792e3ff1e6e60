#include "tessera/cli/tt_describe_command.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "google/protobuf/repeated_field.h"
#include "proto/layout_service.pb.h"
#include "tessera/cli/answer_each.h"
#include "tessera/cli/console.h"
#include "tessera/cli/display.h"
#include "tessera/cli/fact.h"
#include "tessera/cli/json_line.h"
#include "tessera/cli/output_format.h"
#include "tessera/cli/table.h"
#include "tessera/cli/tt_tensor.h"
#include "tessera/cli/units.h"
#include "tessera/service/describe_question.h"
#include "tessera/service/error.h"
#include "tessera/service/finding.h"
#include "tessera/service/layout_source.h"
#include "tessera/service/service_options.h"

namespace tessera {
namespace {

constexpr char kFooter[] =
    R"(The extent is how far positions reach; the grid divides it into shards, rounding
up, and tiles divide these, or the other way round: 'grid' says which. Padding
is counted in elements over all cells: what the rounding up to tiles adds, what
that to shards adds, and gaps between the positions of indices. The valid box of
a cell is what of its shard lies below the extent. In JSON "cells" has every cell
of a grid that has no more than 4096, and "cell_boxes" those that are alike.

Examples:
  tessera tt describe 'tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1),
      undef, <3x2>, memref<18x32xf32, #tt.memory_space<l1>>>>')";

struct Options {
  std::vector<std::string> texts;
  OutputFormat format = OutputFormat::kText;
};

// "0..1", "2".
std::string RangeText(int64_t first, int64_t last) {
  return first == last ? absl::StrCat(first) : absl::StrCat(first, "..", last);
}

std::string PaddingText(int64_t count, const TensorDescription& tensor) {
  if (count == 0) return "none";
  return absl::StrCat(count, " (", HumanPercent(count, tensor.position_count()),
                      ")");
}

std::string GridText(const TensorDescription& tensor) {
  return absl::StrCat(SizesText(tensor.grid()),
                      tensor.tiles_first() ? ", tiles first, then grid"
                                           : ", grid first, then tiles");
}

std::string ShardText(const TensorDescription& tensor) {
  const std::string shard = SizesText(tensor.shard());
  if (tensor.tile_shape().empty()) return shard;
  return absl::StrCat(shard, ", in ", SizesText(tensor.memref()), " tiles of ",
                      SizesText(tensor.tile_shape()));
}

std::string BytesText(const TensorDescription& tensor) {
  std::string text = absl::StrCat(tensor.bytes_per_shard(), " per shard");
  if (tensor.exponent_bytes() > 0) {
    absl::StrAppend(&text, ", tiles of ", tensor.element_bytes(), " = ",
                    tensor.element_bytes() - tensor.exponent_bytes(), " and ",
                    tensor.exponent_bytes(), " of exponents");
  }
  return absl::StrCat(text, "; ", tensor.bytes(), " in all",
                      tensor.bytes() >= 1024
                          ? absl::StrCat(" (", HumanBytes(tensor.bytes()), ")")
                          : "");
}

std::vector<std::pair<std::string, std::string>> ToFacts(
    const TensorDescription& tensor) {
  int64_t cells = 1;
  for (const int64_t size : tensor.grid()) cells *= size;
  return {
      {"shape", SizesText(tensor.shape())},
      {"extent", SizesText(tensor.extent())},
      {"grid", GridText(tensor)},
      {"shard", ShardText(tensor)},
      {"bytes", BytesText(tensor)},
      {"memory space", tensor.memory_space_name()},
      {"elements",
       absl::StrCat(
           tensor.elements(), " of ", tensor.position_count(), " positions, ",
           absl::StrFormat("%.6gx allocated", tensor.padding_factor()))},
      {"tile padding", PaddingText(tensor.tile_padding(), tensor)},
      {"grid padding", PaddingText(tensor.grid_padding(), tensor)},
      {"gaps", PaddingText(tensor.gaps(), tensor)},
      {"padding holds",
       tensor.has_oob_value() ? tensor.oob_value() : "not said"},
      {"empty cells", absl::StrCat(tensor.empty_cells(), " of ", cells)},
  };
}

std::string BoxesText(const TensorDescription& tensor, const Display& display) {
  Table table({{"cells", Table::kLeft},
               {"number", Table::kRight},
               {"valid box", Table::kRight}});
  for (const CellBoxSizes& box : tensor.cell_boxes()) {
    std::vector<std::string> ranges;
    int64_t count = 1;
    for (int i = 0; i < box.first_size(); ++i) {
      ranges.push_back(RangeText(box.first(i), box.last(i)));
      count *= box.last(i) - box.first(i) + 1;
    }
    const bool is_empty = std::find(box.valid().begin(), box.valid().end(),
                                    0) != box.valid().end();
    table.AddRow({absl::StrCat("(", absl::StrJoin(ranges, ", "), ")"),
                  absl::StrCat(count),
                  is_empty ? "empty" : SizesText(box.valid())});
  }
  return table.ToString("  ", display);
}

void AppendText(const DescribeResult& result, const Display& display,
                std::string* out) {
  constexpr size_t kNameWidth = 16;
  const TensorDescription& tensor = result.tensor();
  absl::StrAppend(out, Paint(result.canonical(), Color::kBold, display), "\n");
  for (const auto& [name, fact] : ToFacts(tensor)) {
    out->append("  ");
    AppendFact(name, fact, kNameWidth, display, out);
  }
  absl::StrAppend(out, "\n", BoxesText(tensor, display));
  for (const RuleFinding& warning : tensor.warnings()) {
    absl::StrAppend(out, "\n  ", WarningText(warning, display));
  }
  if (!tensor.warnings().empty()) out->push_back('\n');
}

using Findings = google::protobuf::RepeatedPtrField<RuleFinding>;

void AppendLine(const TensorDescription& tensor, const Findings& warnings,
                const Display& display, std::string* out) {
  std::vector<std::string> facts;
  for (const auto& [name, fact] : ToFacts(tensor)) {
    facts.push_back(absl::StrCat(name, " ", fact));
  }
  for (const RuleFinding& warning : warnings) {
    facts.push_back(WarningText(warning, display));
  }
  absl::StrAppend(out, absl::StrJoin(facts, "; "), "\n");
}

bool Run(const Options& options, Console* console) {
  bool is_first = true;
  const Display& display = console->out_display;
  const auto answer = [&](const Question& question, std::string* out) {
    absl::StatusOr<tenstorrent::VerifiedTensor> tensor =
        ReadTensor(question.text, ServiceOptions::Unlimited());
    if (!tensor.ok()) return InField("layout", tensor.status());
    // A line has no room for the others: the facts count what these name.
    Findings warnings;
    AddFindings(LocationWarnings(tensor->verification), &warnings);
    DescribeResult result;
    const absl::Status status =
        AnswerDescribe(ServiceOptions::Unlimited(), question.text,
                       *std::move(tensor), &result);
    if (!status.ok()) return status;
    if (options.format == OutputFormat::kJson) {
      out->append(JsonLineOf(result));
    } else if (question.is_line) {
      AppendLine(result.tensor(), warnings, display, out);
    } else {
      if (!is_first) out->append("\n");
      AppendText(result, display, out);
    }
    is_first = false;
    return absl::OkStatus();
  };
  return AnswerEach(options.texts, options.format, console, answer);
}

}  // namespace

void AddTtDescribeCommand(SubcommandGroup* group) {
  auto options = std::make_shared<Options>();
  Subcommand command = group->Add(
      "describe", "Print the shards of a tensor, their bytes and their padding",
      kFooter);
  command.Arguments("TEXT", "tensors with their layout; - reads one a line",
                    Subcommand::kRequired, &options->texts);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run([options](Console* console) { return Run(*options, console); });
}

}  // namespace tessera
