#include "tessera/cli/tt_ttnn_command.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/cli/console.h"
#include "tessera/cli/display.h"
#include "tessera/cli/fact.h"
#include "tessera/cli/json.h"
#include "tessera/cli/message.h"
#include "tessera/cli/output_format.h"
#include "tessera/cli/tt_options.h"
#include "tessera/cli/tt_tensor.h"
#include "tessera/tenstorrent/derive/ttnn_shape.h"

namespace tessera {
namespace {

using tenstorrent::TtnnShape;
using tenstorrent::TtnnTerms;

constexpr char kFooter[] =
    R"(Prints what follows from the terms of TTNN's tensor layout: rows, the grid of
shards, and the shard padded out to tiles. Strides are PyTorch's, in elements;
without any, those of a row-major array, and with --pad those that begin every
matrix on a new tile. A tile of height 1 means row-major. The grid is
  [divup(shape[0] * stride[0] / stride[-2], shard_shape[0]),
   divup(stride[-2], shard_shape[1])]
where the document lacks the factor shape[0] and divides twice by shard_shape[0].

Examples:
  tessera tt ttnn --shape 12x12x16 --shard 72x16 --tile 32x32
  tessera tt ttnn --shape 12x12x16 --strides 512,16,1 --shard 96x16
  tessera tt ttnn --shape 12x12x16 --pad --shard 96x16 --format=json)";

struct Options {
  absl::optional<std::vector<int64_t>> shape, shard, tile, strides;
  bool pad = false;
  OutputFormat format = OutputFormat::kText;
};

// What is wrong with the options; "" if nothing is.
std::string UsageError(const Options& options) {
  if (!options.shape.has_value() || !options.shard.has_value()) {
    return "--shape and --shard are needed";
  }
  if (options.shard->size() != 2) return "--shard has rows and columns";
  if (options.tile.has_value() && options.tile->size() != 2) {
    return "--tile has a height and a width";
  }
  if (options.strides.has_value() && options.pad) {
    return "strides are given by --strides or by --pad";
  }
  return "";
}

absl::StatusOr<TtnnShape> Derive(const Options& options) {
  TtnnTerms terms;
  terms.shape.assign(options.shape->begin(), options.shape->end());
  terms.shard_shape.assign(options.shard->begin(), options.shard->end());
  if (options.tile.has_value()) {
    terms.tile_shape = {(*options.tile)[0], (*options.tile)[1]};
  }
  if (options.strides.has_value()) {
    terms.strides.assign(options.strides->begin(), options.strides->end());
  } else if (options.pad) {
    absl::StatusOr<tenstorrent::Dimensions> strides =
        tenstorrent::TilePaddedStrides(terms.shape, terms.tile_shape);
    if (!strides.ok()) return strides.status();
    terms.strides = *std::move(strides);
  }
  return tenstorrent::DeriveTtnnShape(terms);
}

Json ToJson(const TtnnShape& shape) {
  return {{"shape", shape.terms.shape},
          {"stride", shape.terms.strides},
          {"rows", shape.rows},
          {"width", shape.width},
          {"shard_shape", shape.terms.shard_shape},
          {"tile_shape",
           {shape.terms.tile_shape.height, shape.terms.tile_shape.width}},
          {"physical_shard_shape", shape.physical_shard_shape},
          {"grid_shape", shape.grid_shape},
          {"physical_shape", shape.physical_shape},
          {"allocated_shape", shape.allocated_shape},
          {"layout", shape.is_row_major() ? "row_major" : "tile"},
          {"map", shape.linear.ToString()}};
}

std::string ToText(const TtnnShape& shape, const Display& display) {
  const std::vector<std::pair<std::string, std::string>> facts = {
      {"shape", SizesText(shape.terms.shape)},
      {"stride", absl::StrJoin(shape.terms.strides, ",")},
      {"rows x width", absl::StrCat(shape.rows, "x", shape.width)},
      {"shard_shape", SizesText(shape.terms.shard_shape)},
      {"tile_shape", absl::StrCat(shape.terms.tile_shape.height, "x",
                                  shape.terms.tile_shape.width,
                                  shape.is_row_major() ? ", row-major" : "")},
      {"physical_shard_shape", SizesText(shape.physical_shard_shape)},
      {"grid_shape", SizesText(shape.grid_shape)},
      {"physical_shape", SizesText(shape.physical_shape)},
      {"allocated_shape", SizesText(shape.allocated_shape)},
      {"map", shape.linear.ToString()},
  };
  constexpr size_t kNameWidth = 22;
  std::string text;
  for (const auto& [name, fact] : facts) {
    AppendFact(name, fact, kNameWidth, display, &text);
  }
  return text;
}

bool Run(const Options& options, Console* console) {
  const absl::StatusOr<TtnnShape> shape = Derive(options);
  if (!shape.ok()) {
    PrintError({kArgumentName}, shape.status(), console);
    return false;
  }
  *console->out << (options.format == OutputFormat::kJson
                        ? JsonLine(ToJson(*shape))
                        : ToText(*shape, console->out_display));
  return true;
}

}  // namespace

void AddTtTtnnCommand(SubcommandGroup* group) {
  auto options = std::make_shared<Options>();
  Subcommand command = group->Add(
      "ttnn", "Print the shards of a tensor in TTNN's terms", kFooter);
  command.Value("--shape", "SIZES", "of the tensor: 12x12x16",
                ReadSizesInto(&options->shape));
  command.Value("--strides", "S,T,...", "of its dimensions, in elements",
                ReadIndexInto(&options->strides));
  command.Flag("--pad", "strides that begin every matrix on a new tile",
               &options->pad);
  command.Value("--shard", "ROWSxCOLUMNS", "the logical shard",
                ReadSizesInto(&options->shard));
  command.Value("--tile", "HEIGHTxWIDTH", "the tile (32x32)",
                ReadSizesInto(&options->tile));
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run([options](Console* console) { return Run(*options, console); },
              [options] { return UsageError(*options); });
}

}  // namespace tessera
