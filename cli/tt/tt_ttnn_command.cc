#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/layout_questions.pb.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/layout/buffer_text.h"
#include "tessera/cli/layout/index_text.h"
#include "tessera/cli/layout/tt_tensor.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/fact.h"
#include "tessera/cli/output/message.h"
#include "tessera/cli/tt/tt_options.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/service/questions/tenstorrent/tensor_questions.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {
namespace {

constexpr char kTtTtnnFooter[] =
    R"(Prints the numbers that follow from TTNN's tensor layout: the rows, the
grid of shards, and the shard padded to whole tiles. Strides are in elements, as
in PyTorch. Without --strides they are those of a row-major array; with --pad
every matrix begins on a new tile. A tile of height 1 means row-major. The grid
is
  [divup(shape[0] * stride[0] / stride[-2], shard_shape[0]),
   divup(stride[-2], shard_shape[1])]
The document lacks the factor shape[0] and divides twice by shard_shape[0].

With --dtype, --memory-config or TEXT, prints the memory that a tensor takes on
a card: pages, bytes of a bank, cores, and the place of each --index. The memory
configuration may have any form that ttnn has printed, the form of Python
programs, or that of tt-mlir. Without one, the tensor is interleaved in DRAM.
TEXT is TensorSpec(...) or ttnn.Tensor(...), or the end of it from "shape=" on;
options replace its parts.

Examples:
  tessera tt ttnn --shape 3x40x70 --dtype bfloat16 --layout tile \
      --memory-config 'MemoryConfig(
      memory_layout=TensorMemoryLayout::INTERLEAVED,
      buffer_type=BufferType::L1, shard_spec=std::nullopt)' \
      --index 2,33,5
  tessera tt ttnn 'shape=Shape([1, 1, 10, 1]), dtype=DataType::BFLOAT16,
      layout=Layout::ROW_MAJOR)'
  tessera tt ttnn --shape 12x12x16 --shard 72x16 --tile 32x32
  tessera tt ttnn --shape 12x12x16 --strides 512,16,1 --shard 96x16
  tessera tt ttnn --shape 12x12x16 --pad --shard 96x16 --format=json)";

struct TtTtnnOptions {
  std::optional<std::string> text, dtype, layout, memory_config;
  std::optional<std::vector<int64_t>> shape, shard, tile, strides;
  std::vector<std::vector<int64_t>> indices;
  TtCardOptions card;
  std::optional<int64_t> base;
  bool pad = false;

  bool is_about_card() const {
    return text.has_value() || dtype.has_value() || memory_config.has_value();
  }
  OutputFormat format = OutputFormat::kText;
};

// Returns an error message about the options; "" if there is none.
std::string TtTtnnUsageError(const TtTtnnOptions& options) {
  if (options.tile.has_value() && options.tile->size() != 2) {
    return "--tile has a height and a width";
  }
  if (options.is_about_card()) {
    if (!options.text.has_value() && !options.shape.has_value()) {
      return "--shape or TEXT is required";
    }
    return options.shard.has_value() || options.strides.has_value() ||
                   options.pad
               ? "--shard, --strides and --pad are not for a card"
               : "";
  }
  if (!options.shape.has_value() || !options.shard.has_value()) {
    return "--shape and --shard are required";
  }
  if (options.shard->size() != 2) return "--shard has rows and columns";
  if (options.strides.has_value() && options.pad) {
    return "give strides by --strides or by --pad";
  }
  return "";
}

TtnnRequest ToTtTtnnRequest(const TtTtnnOptions& options) {
  TtnnRequest request;
  if (options.shape.has_value()) {
    SetNumbers(*options.shape, request.mutable_shape());
  }
  if (options.shard.has_value()) {
    SetNumbers(*options.shard, request.mutable_shard_shape());
  }
  if (options.tile.has_value()) {
    SetNumbers(*options.tile, request.mutable_tile_shape());
  }
  if (options.strides.has_value()) {
    SetNumbers(*options.strides, request.mutable_strides());
  }
  request.set_pad(options.pad);
  request.set_text(options.text.value_or(""));
  request.set_data_type(options.dtype.value_or(""));
  request.set_layout(options.layout.value_or(""));
  request.set_memory_config(options.memory_config.value_or(""));
  for (const std::vector<int64_t>& index : options.indices) {
    request.mutable_indices()->Add(index.begin(), index.end());
  }
  *request.mutable_card() = options.card.ToCard();
  if (options.base.has_value()) request.set_base(*options.base);
  return request;
}

// Returns the memory that a tensor takes on a card, and the places of its
// elements.
std::string BufferToText(const TtTtnnOptions& options, const TtnnResult& result,
                         const Display& display) {
  Facts facts = {{"shape", SizesText(result.shape())},
                 {"data type", result.data_type()},
                 {"layout", result.tile_shape().empty()
                                ? result.layout()
                                : absl::StrCat(result.layout(), " ",
                                               SizesText(result.tile_shape()))},
                 {"memory config", result.memory_config()},
                 {"padded shape", SizesText(result.buffer().padded_shape())}};
  const Facts buffer = BufferFacts(result.buffer());
  facts.insert(facts.end(), buffer.begin(), buffer.end());
  for (int i = 0; i < result.locations_size(); ++i) {
    facts.push_back({"index", absl::StrJoin(options.indices[i], ",")});
    const Facts place =
        BufferLocationFacts(result.locations(i), result.buffer());
    facts.insert(facts.end(), place.begin(), place.end());
  }
  return FactsToText(facts, /*name_width=*/15, display);
}

std::string ToText(const TtnnResult& result, const Display& display) {
  const Facts facts = {
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
  return FactsToText(facts, /*name_width=*/22, display);
}

bool RunTtTtnn(const TtTtnnOptions& options, Console* console) {
  TtnnResult result;
  const absl::Status status = AnswerTtnn(ServiceOptions::Unlimited(),
                                         ToTtTtnnRequest(options), &result);
  if (!status.ok()) {
    return PrintError({kArgumentName}, status, options.format, console);
  }
  *console->out << (options.format == OutputFormat::kJson ? JsonLineOf(result)
                    : options.is_about_card()
                        ? BufferToText(options, result, console->out_display)
                        : ToText(result, console->out_display));
  return true;
}

}  // namespace

void AddTtTtnnCommand(SubcommandGroup* group) {
  auto options = std::make_shared<TtTtnnOptions>();
  Subcommand command = group->Add(
      "ttnn", "Print the shards of a tensor in TTNN's terms", kTtTtnnFooter);
  command.OptionalArgument("TEXT", "a tensor of ttnn", &options->text);
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
  command.Text("--dtype", "NAME", "the data type: bfloat16, BFLOAT8_B, bf16",
               &options->dtype);
  command.Text("--layout", "NAME",
               "tile or row_major, also by ttnn's names: ttnn.TILE_LAYOUT",
               &options->layout);
  command.Text("--memory-config", "TEXT",
               "a memory configuration of ttnn or tt-mlir",
               &options->memory_config);
  command.Values("--index", "I,J,...", "an element whose place is printed",
                 [options](const std::string& text) -> std::string {
                   absl::StatusOr<IndexText> index = ParseIndex(text);
                   if (!index.ok()) {
                     return absl::StrCat(text, " is not of the form I,J,...");
                   }
                   options->indices.push_back(std::move(index->entries));
                   return "";
                 });
  AddCardOptions(&command, &options->card);
  AddBaseOption(&command, &options->base);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(options, RunTtTtnn, TtTtnnUsageError);
}

}  // namespace tessera::cli
