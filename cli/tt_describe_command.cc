#include "tessera/cli/tt_describe_command.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "tessera/cli/answer_each.h"
#include "tessera/cli/console.h"
#include "tessera/cli/display.h"
#include "tessera/cli/fact.h"
#include "tessera/cli/index_text.h"
#include "tessera/cli/json.h"
#include "tessera/cli/output_format.h"
#include "tessera/cli/table.h"
#include "tessera/cli/tt_tensor.h"
#include "tessera/cli/units.h"

namespace tessera {
namespace {

using tenstorrent::CellBox;
using tenstorrent::Geometry;
using tenstorrent::Placement;

constexpr char kFooter[] =
    R"(The extent is how far positions reach; the grid divides it into shards, rounding
up, and tiles divide these (or the other way round, which 'order' says). Padding
is counted in elements over all cells: what the rounding up to tiles adds, what
that to shards adds, and gaps between the positions of indices. The valid box of
a cell is what of its shard lies below the extent. In JSON "cells" has every cell
of a grid that is not too large, and "cell_boxes" those that are alike.

Examples:
  tessera tt describe 'tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1),
      undef, <3x2>, memref<18x32xf32, #tt.memory_space<l1>>>>')";

constexpr int64_t kMaxCellBoxes = 4096;
// In a list of cells.
constexpr int64_t kMaxJsonNumbers = 1 << 15;

struct Options {
  std::vector<std::string> texts;
  OutputFormat format = OutputFormat::kText;
};

int64_t CellCount(const Geometry& geometry) {
  int64_t count = 1;
  for (const int64_t size : geometry.grid) count *= size;
  return count;
}

absl::string_view OrderText(tenstorrent::DivisionOrder order) {
  return order == tenstorrent::DivisionOrder::kGridFirst
             ? "grid first, then tiles"
             : "tiles first, then grid";
}

// -- JSON --------------------------------------------------------------------

// Every cell with its valid box.
Json CellsToJson(const Placement& placement) {
  Json cells = Json::array();
  const Geometry& geometry = placement.geometry();
  std::vector<int64_t> cell(geometry.rank(), 0);
  size_t i;
  do {
    cells.push_back({{"cell", cell}, {"valid", *placement.ValidBox(cell)}});
    for (i = cell.size(); i > 0 && ++cell[i - 1] == geometry.grid[i - 1];) {
      cell[--i] = 0;
    }
  } while (i > 0);
  return cells;
}

Json ToJson(const tenstorrent::VerifiedTensor& tensor,
            const Placement& placement, const std::vector<CellBox>& boxes) {
  const Geometry& geometry = placement.geometry();
  const tenstorrent::PlaceCounts& counts = placement.counts();
  Json json = {
      {"tensor", ToString(tensor.text)},
      {"order", JsonString(OrderText(tensor.order))},
      {"shape", geometry.shape},
      {"grid", geometry.grid},
      {"extent", geometry.extent},
      {"shard", geometry.shard},
      {"memref", geometry.memref},
      {"element", geometry.element.ToString()},
      {"element_bytes", *geometry.element.bytes()},
      {"bytes_per_shard", geometry.bytes_per_shard},
      {"bytes", geometry.bytes},
      {"memory_space", tensor.memory_space},
      {"oob_value", tensor.oob_value.has_value()
                        ? Json(JsonString(KeywordOf(*tensor.oob_value)))
                        : Json(nullptr)},
      {"elements", counts.elements},
      {"positions", counts.all()},
      {"padding",
       {{"tile", counts.tile}, {"grid", counts.grid}, {"gap", counts.gap}}},
      {"over_allocation", OverAllocation(geometry)},
      {"empty_cells", placement.empty_cells()},
      {"warnings", FindingsToJson(tensor.verification.warnings)}};
  const int64_t exponents =
      *geometry.element.bytes() - *geometry.element.bytes_without_exponents();
  if (exponents > 0) json["exponent_bytes_per_tile"] = exponents;
  if (CellCount(geometry) <= kMaxJsonNumbers / (2 * geometry.rank() + 1)) {
    json["cells"] = CellsToJson(placement);
  }
  Json array = Json::array();
  for (const CellBox& box : boxes) {
    array.push_back(
        {{"first", box.first}, {"last", box.last}, {"valid", box.valid}});
  }
  json["cell_boxes"] = std::move(array);
  return json;
}

// -- Text --------------------------------------------------------------------

// "0..1", "2".
std::string RangeText(int64_t first, int64_t last) {
  return first == last ? absl::StrCat(first) : absl::StrCat(first, "..", last);
}

std::string PaddingText(int64_t count, const Placement& placement) {
  if (count == 0) return "none";
  return absl::StrCat(count, " (",
                      HumanPercent(count, placement.counts().all()), ")");
}

std::string ShardText(const Geometry& geometry) {
  const std::string shard = SizesText(geometry.shard);
  if (!geometry.element.is_tile()) return shard;
  return absl::StrCat(shard, ", in ", SizesText(geometry.memref), " tiles of ",
                      geometry.element.tile->height, "x",
                      geometry.element.tile->width);
}

std::string BytesText(const Geometry& geometry) {
  std::string text = absl::StrCat(geometry.bytes_per_shard, " per shard");
  const int64_t with = *geometry.element.bytes();
  const int64_t without = *geometry.element.bytes_without_exponents();
  if (with != without) {
    absl::StrAppend(&text, ", tiles of ", with, " = ", without, " and ",
                    with - without, " of exponents");
  }
  return absl::StrCat(text, "; ", geometry.bytes, " in all",
                      geometry.bytes >= 1024
                          ? absl::StrCat(" (", HumanBytes(geometry.bytes), ")")
                          : "");
}

std::vector<std::pair<std::string, std::string>> ToFacts(
    const tenstorrent::VerifiedTensor& tensor, const Placement& placement) {
  const Geometry& geometry = placement.geometry();
  const tenstorrent::PlaceCounts& counts = placement.counts();
  return {
      {"shape", SizesText(geometry.shape)},
      {"extent", SizesText(geometry.extent)},
      {"grid",
       absl::StrCat(SizesText(geometry.grid), ", ", OrderText(tensor.order))},
      {"shard", ShardText(geometry)},
      {"bytes", BytesText(geometry)},
      {"memory space", tensor.memory_space},
      {"elements",
       absl::StrCat(
           counts.elements, " of ", counts.all(), " positions, ",
           absl::StrFormat("%.6gx allocated", OverAllocation(geometry)))},
      {"tile padding", PaddingText(counts.tile, placement)},
      {"grid padding", PaddingText(counts.grid, placement)},
      {"gaps", PaddingText(counts.gap, placement)},
      {"padding holds", tensor.oob_value.has_value()
                            ? std::string(KeywordOf(*tensor.oob_value))
                            : "not said"},
      {"empty cells",
       absl::StrCat(placement.empty_cells(), " of ", CellCount(geometry))},
  };
}

std::string BoxesText(const std::vector<CellBox>& boxes,
                      const Display& display) {
  Table table({{"cells", Table::kLeft},
               {"number", Table::kRight},
               {"valid box", Table::kRight}});
  for (const CellBox& box : boxes) {
    std::vector<std::string> ranges;
    int64_t count = 1;
    for (size_t i = 0; i < box.first.size(); ++i) {
      ranges.push_back(RangeText(box.first[i], box.last[i]));
      count *= box.last[i] - box.first[i] + 1;
    }
    const bool is_empty =
        std::find(box.valid.begin(), box.valid.end(), 0) != box.valid.end();
    table.AddRow({absl::StrCat("(", absl::StrJoin(ranges, ", "), ")"),
                  absl::StrCat(count),
                  is_empty ? "empty" : SizesText(box.valid)});
  }
  return table.ToString("  ", display);
}

void AppendText(const tenstorrent::VerifiedTensor& tensor,
                const Placement& placement, const std::vector<CellBox>& boxes,
                bool is_line, const Display& display, std::string* out) {
  if (is_line) {
    std::vector<std::string> facts;
    for (const auto& [name, fact] : ToFacts(tensor, placement)) {
      facts.push_back(absl::StrCat(name, " ", fact));
    }
    // What the others count stands in the facts.
    for (const tenstorrent::Finding& warning :
         LocationWarnings(tensor.verification)) {
      facts.push_back(WarningText(warning, display));
    }
    absl::StrAppend(out, absl::StrJoin(facts, "; "), "\n");
    return;
  }
  constexpr size_t kNameWidth = 16;
  absl::StrAppend(out, Paint(ToString(tensor.text), Color::kBold, display),
                  "\n");
  for (const auto& [name, fact] : ToFacts(tensor, placement)) {
    out->append("  ");
    AppendFact(name, fact, kNameWidth, display, out);
  }
  absl::StrAppend(out, "\n", BoxesText(boxes, display));
  for (const tenstorrent::Finding& warning : tensor.verification.warnings) {
    absl::StrAppend(out, "\n  ", WarningText(warning, display));
  }
  if (!tensor.verification.warnings.empty()) out->push_back('\n');
}

bool Run(const Options& options, Console* console) {
  bool is_first = true;
  const auto answer = [&](const Question& question, std::string* out) {
    const absl::StatusOr<tenstorrent::VerifiedTensor> tensor =
        tenstorrent::ReadVerifiedTensor(question.text);
    if (!tensor.ok()) return tensor.status();
    const absl::StatusOr<const Placement*> placement = PlacementOf(*tensor);
    if (!placement.ok()) return placement.status();
    const absl::StatusOr<std::vector<CellBox>> boxes =
        (*placement)
            ->CellBoxes(kMaxCellBoxes /
                        (1 + (*placement)->geometry().rank() / 8));
    if (!boxes.ok()) return boxes.status();
    if (options.format == OutputFormat::kJson) {
      out->append(JsonLine(ToJson(*tensor, **placement, *boxes)));
    } else {
      if (!is_first && !question.is_line) out->append("\n");
      AppendText(*tensor, **placement, *boxes, question.is_line,
                 console->out_display, out);
      is_first = false;
    }
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
