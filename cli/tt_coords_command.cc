#include "tessera/cli/tt_coords_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/cli/answer_each.h"
#include "tessera/cli/console.h"
#include "tessera/cli/index_text.h"
#include "tessera/cli/json.h"
#include "tessera/cli/output_format.h"
#include "tessera/cli/tt_options.h"
#include "tessera/cli/tt_tensor.h"

namespace tessera {
namespace {

using tenstorrent::Finding;
using tenstorrent::Place;
using tenstorrent::PlaceContents;
using tenstorrent::Placement;

constexpr char kFooter[] =
    R"(A place is an offset in the shard of a cell, in elements, or a tile of its
memref and the row and column in it. It holds an element, or padding:
  padding (tile)   only the rounding up to whole tiles allocates it
  padding (grid)   only the rounding up to whole shards does
  padding (gap)    it lies before the last index, but is of no index
In JSON padding comes with what it is filled with, "oob_value".
Where an answer leaves something out, 'warning CODE: ...' behind it says what.

Examples:
  tessera tt coords 'tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1),
      undef, <3x2>, memref<18x32xf32, #tt.memory_space<l1>>>>'
      --cell 2,0 --offset 16,5
  tessera tt coords - --cell 0,0 --tile 0,0 --in-tile 31,0 < tensors.txt)";

struct Options {
  std::vector<std::string> texts;
  absl::optional<std::vector<int64_t>> cell, offset, tile, in_tile;
  OutputFormat format = OutputFormat::kText;
};

// What is wrong with the options; "" if nothing is.
std::string UsageError(const Options& options) {
  if (!options.cell.has_value()) return "--cell is missing";
  if (options.offset.has_value()) {
    return options.tile.has_value() || options.in_tile.has_value()
               ? "a place is given by --offset or by --tile and --in-tile"
               : "";
  }
  if (!options.tile.has_value() || !options.in_tile.has_value()) {
    return "--offset, or --tile and --in-tile, are missing";
  }
  return options.in_tile->size() == 2 ? "" : "--in-tile has a row and a column";
}

absl::StatusOr<Place> PlaceOf(const Options& options,
                              const Placement& placement) {
  if (options.offset.has_value()) {
    return placement.At(*options.cell, *options.offset);
  }
  return placement.AtTile(*options.cell, *options.tile,
                          {(*options.in_tile)[0], (*options.in_tile)[1]});
}

Json ToJson(const Options& options, const tenstorrent::VerifiedTensor& tensor,
            const Place& place, const std::vector<Finding>& warnings) {
  Json json = {{"cell", *options.cell}};
  if (options.offset.has_value()) {
    json["offset"] = *options.offset;
  } else {
    json["tile"] = *options.tile;
    json["in_tile"] = *options.in_tile;
  }
  if (place.contents == PlaceContents::kElement) {
    json["index"] = place.index;
  } else {
    json["padding"] = JsonString(NameOf(place.contents));
    if (tensor.oob_value.has_value()) {
      json["oob_value"] = JsonString(KeywordOf(*tensor.oob_value));
    }
  }
  json["warnings"] = FindingsToJson(warnings);
  return json;
}

std::string ToText(const Place& place) {
  return place.contents == PlaceContents::kElement
             ? IndexToText(place.index)
             : absl::StrCat("padding (", NameOf(place.contents), ")");
}

bool Run(const Options& options, Console* console) {
  return AnswerEach(
      options.texts, options.format, console,
      [&](const Question& question, std::string* out) {
        const absl::StatusOr<tenstorrent::VerifiedTensor> tensor =
            tenstorrent::ReadVerifiedTensor(question.text);
        if (!tensor.ok()) return tensor.status();
        const absl::StatusOr<const Placement*> placement = PlacementOf(*tensor);
        if (!placement.ok()) return placement.status();
        const absl::StatusOr<Place> place = PlaceOf(options, **placement);
        if (!place.ok()) return place.status();
        const std::vector<Finding> warnings =
            LocationWarnings(tensor->verification);
        if (options.format == OutputFormat::kJson) {
          out->append(JsonLine(ToJson(options, *tensor, *place, warnings)));
          return absl::OkStatus();
        }
        out->append(ToText(*place));
        for (const Finding& warning : warnings) {
          absl::StrAppend(out, question.is_line ? "; " : "\n",
                          WarningText(warning, console->out_display));
        }
        out->push_back('\n');
        return absl::OkStatus();
      });
}

}  // namespace

void AddTtCoordsCommand(SubcommandGroup* group) {
  auto options = std::make_shared<Options>();
  Subcommand command = group->Add(
      "coords", "Print which element lies at a place, or which padding",
      kFooter);
  command.Arguments("TEXT", "tensors with their layout; - reads one a line",
                    Subcommand::kRequired, &options->texts);
  command.Value("--cell", "I,J,...", "the cell of the grid",
                ReadIndexInto(&options->cell));
  command.Value("--offset", "R,C,...", "the offset in its shard, in elements",
                ReadIndexInto(&options->offset));
  command.Value("--tile", "A,B,...", "the tile of its memref",
                ReadIndexInto(&options->tile));
  command.Value("--in-tile", "R,C", "the row and column in the tile",
                ReadIndexInto(&options->in_tile));
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run([options](Console* console) { return Run(*options, console); },
              [options] { return UsageError(*options); });
}

}  // namespace tessera
