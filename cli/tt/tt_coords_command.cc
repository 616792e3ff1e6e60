#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "proto/layout_questions.pb.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cli/command/answer_each.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/layout/index_text.h"
#include "tessera/cli/layout/tt_tensor.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/tt/tt_options.h"
#include "tessera/index_map/position_kind.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/service/questions/place_kind.h"
#include "tessera/service/questions/tenstorrent/tensor_questions.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {
namespace {

constexpr char kTtCoordsFooter[] =
    R"(A place is an offset in the shard of a cell, in elements, or a tile of
its memref and the row and column in it. It holds an element, or padding:
  padding (tile)   allocated only by rounding up to whole tiles
  padding (grid)   allocated only by rounding up to whole shards
  padding (gap)    within the extent, but no index has this position
A place on a card is a byte: --byte in a --bank, on a --core, or in a --page, as
'tessera tt index' names them. Every byte of an element is the element; bytes
between pages and the exponents of block floats are gaps.
In JSON "oob_value" is the value of padding. If an answer leaves something out,
'warning RULE: ...' follows it.

Examples:
  tessera tt coords 'tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1),
      undef, <3x2>, memref<18x32xf32, #tt.memory_space<l1>>>>' \
      --cell 2,0 --offset 16,5
  tessera tt coords - --cell 0,0 --tile 0,0 --in-tile 31,0 < tensors.txt
  tessera tt coords - --bank 3 --byte 2090 < tensors.txt
  tessera tt coords - --core 1,2 --byte 4096 < tensors.txt)";

struct TtCoordsOptions {
  std::vector<std::string> texts;
  std::optional<std::vector<int64_t>> cell, offset, tile, in_tile, core;
  std::optional<int64_t> bank, page, byte;
  TtCardOptions card;
  OutputFormat format = OutputFormat::kText;
};

// Returns an error message about the options; "" if there is none.
std::string TtCoordsUsageError(const TtCoordsOptions& options) {
  const int named = options.bank.has_value() + options.core.has_value() +
                    options.page.has_value();
  if (options.byte.has_value() || named > 0) {
    if (options.cell.has_value() || options.offset.has_value() ||
        options.tile.has_value() || options.in_tile.has_value()) {
      return "a place is in a --cell, or a --byte on a card";
    }
    if (named > 1) return "--bank, --core and --page name three places";
    if (options.core.has_value() && options.core->size() != 2) {
      return "--core has a column and a row";
    }
    return options.byte.has_value() ? "" : "--byte is missing";
  }
  if (!options.cell.has_value()) return "--cell or --byte is missing";
  if (options.offset.has_value()) {
    return options.tile.has_value() || options.in_tile.has_value()
               ? "give a place by --offset or by --tile and --in-tile"
               : "";
  }
  if (!options.tile.has_value() || !options.in_tile.has_value()) {
    return "--offset, or --tile and --in-tile, is missing";
  }
  return options.in_tile->size() == 2 ? "" : "--in-tile has a row and a column";
}

ClassifyRequest ToTtCoordsRequest(const TtCoordsOptions& options) {
  ClassifyRequest request;
  TensorPlace& place = *request.add_places();
  if (options.byte.has_value()) {
    *request.mutable_card() = options.card.ToCard();
    place.set_byte(*options.byte);
    if (options.bank.has_value()) place.set_bank(*options.bank);
    if (options.page.has_value()) place.set_page(*options.page);
    if (options.core.has_value()) {
      place.mutable_core()->set_x((*options.core)[0]);
      place.mutable_core()->set_y((*options.core)[1]);
    }
    return request;
  }
  SetNumbers(*options.cell, place.mutable_cell());
  if (options.offset.has_value()) {
    SetNumbers(*options.offset, place.mutable_offset());
  } else {
    SetNumbers(*options.tile, place.mutable_tile());
    SetNumbers(*options.in_tile, place.mutable_in_tile());
  }
  return request;
}

std::string ToText(const ClassifyResult& result) {
  return result.kinds(0) == ELEMENT
             ? IndexToText(result.indices())
             : std::string(NameOf(ToPositionKind(result.kinds(0))));
}

bool RunTtCoords(const TtCoordsOptions& options, Console* console) {
  ClassifyRequest request = ToTtCoordsRequest(options);
  const auto answer = [&](const Question& question, std::string* out) {
    request.set_tensor(std::string(question.text));
    ClassifyResult result;
    TESSERA_RETURN_IF_ERROR(
        AnswerClassify(ServiceOptions::Unlimited(), request, &result));
    if (options.format == OutputFormat::kJson) {
      out->append(JsonLineOf(result));
      return absl::OkStatus();
    }
    out->append(ToText(result));
    for (const RuleFinding& warning : result.warnings()) {
      absl::StrAppend(out, question.is_line ? "; " : "\n",
                      WarningText(warning, console->out_display));
    }
    out->push_back('\n');
    return absl::OkStatus();
  };
  return AnswerEach(options.texts, options.format, console, answer);
}

}  // namespace

void AddTtCoordsCommand(SubcommandGroup* group) {
  auto options = std::make_shared<TtCoordsOptions>();
  Subcommand command =
      group->Add("coords", "Print which element or padding lies at a place",
                 kTtCoordsFooter);
  command.Arguments("TEXT", "tensors with their layout; - reads one per line",
                    Subcommand::kRequired, &options->texts);
  command.Value("--cell", "I,J,...", "the cell of the grid",
                ReadIndexInto(&options->cell));
  command.Value("--offset", "R,C,...", "the offset in its shard, in elements",
                ReadIndexInto(&options->offset));
  command.Value("--tile", "A,B,...", "the tile of its memref",
                ReadIndexInto(&options->tile));
  command.Value("--in-tile", "R,C", "the row and column in the tile",
                ReadIndexInto(&options->in_tile));
  command.Value("--bank", "N", "a bank, for --byte",
                ReadCountInto(&options->bank));
  command.Value("--core", "X,Y", "a core's column and row, for --byte",
                ReadIndexInto(&options->core));
  command.Value("--page", "N", "a page of the tensor, for --byte",
                ReadCountInto(&options->page));
  command.Value("--byte", "N",
                "the byte, from the start of the tensor there, or of the page",
                ReadCountInto(&options->byte));
  AddCardOptions(&command, &options->card);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(options, RunTtCoords, TtCoordsUsageError);
}

}  // namespace tessera::cli
