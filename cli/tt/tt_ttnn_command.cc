#include "tessera/cli/tt/tt_ttnn_command.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/layout_questions.pb.h"
#include "tessera/cli/layout/tt_tensor.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/fact.h"
#include "tessera/cli/tt/tt_options.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/service/questions/tensor_questions.h"
#include "tessera/service/service_options.h"

namespace tessera {
namespace cli {
namespace {

constexpr char kTtTtnnFooter[] =
    R"(Prints what follows from the terms of TTNN's tensor layout: the rows, the
grid of shards, and the shard padded to whole tiles. Strides are in elements, as
in PyTorch. Without --strides they are those of a row-major array; with --pad
every matrix begins on a new tile. A tile of height 1 means row-major. The grid
is
  [divup(shape[0] * stride[0] / stride[-2], shard_shape[0]),
   divup(stride[-2], shard_shape[1])]
The document lacks the factor shape[0] and divides twice by shard_shape[0].

Examples:
  tessera tt ttnn --shape 12x12x16 --shard 72x16 --tile 32x32
  tessera tt ttnn --shape 12x12x16 --strides 512,16,1 --shard 96x16
  tessera tt ttnn --shape 12x12x16 --pad --shard 96x16 --format=json)";

struct TtTtnnOptions {
  std::optional<std::vector<int64_t>> shape, shard, tile, strides;
  bool pad = false;
  OutputFormat format = OutputFormat::kText;
};

// What is wrong with the options; "" if nothing is.
std::string TtTtnnUsageError(const TtTtnnOptions& options) {
  if (!options.shape.has_value() || !options.shard.has_value()) {
    return "--shape and --shard are required";
  }
  if (options.shard->size() != 2) return "--shard has rows and columns";
  if (options.tile.has_value() && options.tile->size() != 2) {
    return "--tile has a height and a width";
  }
  if (options.strides.has_value() && options.pad) {
    return "give strides by --strides or by --pad";
  }
  return "";
}

TtnnRequest ToTtTtnnRequest(const TtTtnnOptions& options) {
  TtnnRequest request;
  SetNumbers(*options.shape, request.mutable_shape());
  SetNumbers(*options.shard, request.mutable_shard_shape());
  if (options.tile.has_value()) {
    SetNumbers(*options.tile, request.mutable_tile_shape());
  }
  if (options.strides.has_value()) {
    SetNumbers(*options.strides, request.mutable_strides());
  }
  request.set_pad(options.pad);
  return request;
}

std::string ToText(const TtnnResult& result, const Display& display) {
  const std::vector<std::pair<std::string, std::string>> facts = {
      {"shape", SizesText(result.shape())},
      {"stride", absl::StrJoin(result.strides(), ",")},
      {"rows x width", absl::StrCat(result.rows(), "x", result.width())},
      {"shard_shape", SizesText(result.shard_shape())},
      {"tile_shape",
       absl::StrCat(SizesText(result.tile_shape()),
                    result.layout() == "row_major" ? ", row-major" : "")},
      {"physical_shard_shape", SizesText(result.physical_shard_shape())},
      {"grid_shape", SizesText(result.grid_shape())},
      {"physical_shape", SizesText(result.physical_shape())},
      {"allocated_shape", SizesText(result.allocated_shape())},
      {"map", result.map()},
  };
  constexpr size_t kNameWidth = 22;
  std::string text;
  for (const auto& [name, fact] : facts) {
    AppendFact(name, fact, kNameWidth, display, &text);
  }
  return text;
}

bool RunTtTtnn(const TtTtnnOptions& options, Console* console) {
  TtnnResult result;
  const absl::Status status = AnswerTtnn(ServiceOptions::Unlimited(),
                                         ToTtTtnnRequest(options), &result);
  if (!status.ok()) {
    PrintOptionsError(status, options.format, console);
    return false;
  }
  *console->out << (options.format == OutputFormat::kJson
                        ? JsonLineOf(result)
                        : ToText(result, console->out_display));
  return true;
}

}  // namespace

void AddTtTtnnCommand(SubcommandGroup* group) {
  auto options = std::make_shared<TtTtnnOptions>();
  Subcommand command = group->Add(
      "ttnn", "Print the shards of a tensor in TTNN's terms", kTtTtnnFooter);
  command.Value("--shape", "SIZES", "the shape of the tensor: 12x12x16",
                ReadSizesInto(&options->shape));
  command.Value("--strides", "S,T,...",
                "the strides of its dimensions, in elements",
                ReadIndexInto(&options->strides));
  command.Flag("--pad", "choose strides that begin every matrix on a new tile",
               &options->pad);
  command.Value("--shard", "ROWSxCOLUMNS", "the logical shard",
                ReadSizesInto(&options->shard));
  command.Value("--tile", "HEIGHTxWIDTH", "the tile (32x32)",
                ReadSizesInto(&options->tile));
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(
      [options](Console* console) { return RunTtTtnn(*options, console); },
      [options] { return TtTtnnUsageError(*options); });
}

}  // namespace cli
}  // namespace tessera
