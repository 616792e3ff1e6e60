#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/layout_questions.pb.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cli/command/answer_each.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/layout/buffer_text.h"
#include "tessera/cli/layout/index_text.h"
#include "tessera/cli/layout/tensor_argument.h"
#include "tessera/cli/layout/tt_tensor.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/fact.h"
#include "tessera/cli/tt/tt_options.h"
#include "tessera/index_map/index_map.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/service/questions/tenstorrent/tensor_questions.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {
namespace {

constexpr char kTtIndexFooter[] =
    R"(An answer has these parts:
  physical   the results of the map, in elements
  cell       the cell of the grid
  offset     the offset in the shard of the cell, in elements
  tile       the tile of the memref; its last two entries are a tile of the
             shard
  in_tile    the row and column in the tile
  face       the face of the tile: its number, the row and column in it, and the
             position in the tile when faces are stored one after the other
  linear     the number of the element in its shard, tiles row-major, each tile
             row-major
  byte       the byte of the shard at which the element begins, tiles row-major,
             each tile by faces, as the hardware stores it; block floats follow
             the exponents of their tile
  page       the page of the tensor, a tile or a row, and the byte in it
  bank       the bank of an interleaved tensor, and the offset there
  core       the core of a sharded tensor, its shard, and the offset there
An interleaved tensor does not have cells: its pages lie in the banks in turn.
The number of banks is the usual one unless --banks gives it. In JSON "linear"
is "linear_in_shard", and "in_tile" has the face. If an answer leaves something
out, 'warning RULE: ...' follows it.

If TEXT is -, standard input has one text per line, with a single INDEX. If
INDEX is -, standard input has one index per line.

Examples:
  tessera tt index 'tensor<2x3x64x128xf32, #tt.metal_layout<(d0, d1, d2, d3) ->
      (d0 * 192 + d1 * 64 + d2, d3), undef, <2x4>, memref<192x32xf32,
      #tt.memory_space<l1>>>>' 1,1,6,100)";

struct TtIndexOptions {
  std::string text;
  std::vector<std::string> indices;
  TtCardOptions card;
  std::optional<std::string> aliases;
  std::optional<int64_t> base;
  OutputFormat format = OutputFormat::kText;
};

// Returns names and values. The single cell of an interleaved tensor is not a
// place.
Facts ToFacts(const TensorLocation& location, const LocateResult& result) {
  const bool is_in_cell = !result.has_buffer() || result.buffer().is_sharded();
  Facts facts = {{"physical", InParentheses(location.physical())}};
  if (is_in_cell) {
    facts.push_back({"cell", InParentheses(location.cell())});
    facts.push_back({"offset", InParentheses(location.offset())});
  }
  if (location.has_in_tile()) {
    const TileLocation& in_tile = location.in_tile();
    facts.push_back({"tile", InParentheses(location.tile())});
    facts.push_back(
        {"in_tile", InParentheses({in_tile.row(), in_tile.column()})});
    facts.push_back(
        {"face", absl::StrCat(
                     in_tile.face(), " at ",
                     InParentheses({in_tile.face_row(), in_tile.face_column()}),
                     ", position ", in_tile.position())});
  }
  if (is_in_cell) {
    facts.push_back({"linear", absl::StrCat(location.linear_in_shard())});
    facts.push_back({"byte", absl::StrCat(location.byte())});
    if (location.bit() != 0) {
      absl::StrAppend(&facts.back().second, ", bit ", location.bit());
    }
    if (location.has_exponent_byte()) {
      facts.push_back(
          {"exponent", absl::StrCat("byte ", location.exponent_byte())});
    }
  }
  if (location.has_on_card()) {
    const Facts on_card =
        BufferLocationFacts(location.on_card(), result.buffer());
    facts.insert(facts.end(), on_card.begin(), on_card.end());
    if (!is_in_cell && location.bit() != 0) {
      absl::StrAppend(&facts.back().second, ", bit ", location.bit());
    }
  }
  return facts;
}

void AppendText(const LocateResult& result, bool is_line,
                const Display& display, std::string* out) {
  constexpr size_t kNameWidth = 10;
  const Facts facts = ToFacts(result.locations(0), result);
  out->append(is_line ? absl::StrJoin(facts, "; ", absl::PairFormatter(" "))
                      : FactsToText(facts, kNameWidth, display));
  for (const RuleFinding& warning : result.warnings()) {
    absl::StrAppend(out, is_line ? "; " : "", WarningText(warning, display),
                    is_line ? "" : "\n");
  }
  if (is_line) out->push_back('\n');
}

absl::Status AnswerIndex(const TtIndexOptions& options,
                         const tenstorrent::VerifiedTensor& tensor,
                         std::string_view text, bool is_line,
                         const Display& display, std::string* out) {
  const absl::StatusOr<IndexText> index = ParseIndex(text);
  const IndexMap& map = tensor.verification.placement->map();
  absl::Status status =
      index.ok() ? CheckRank(*index, text, map.rank()) : index.status();
  if (!status.ok()) return InField("indices", status);
  LocateRequest request;
  SetNumbers(index->entries, request.mutable_indices());
  *request.mutable_card() = options.card.ToCard();
  if (options.base.has_value()) request.set_base(*options.base);
  LocateResult result;
  status = AnswerLocate(ServiceOptions::Unlimited(), tensor, request, &result);
  if (!status.ok()) return AtBadEntry(map, *index, text, status);
  if (options.format == OutputFormat::kJson) {
    out->append(JsonLineOf(result));
  } else {
    AppendText(result, is_line, display, out);
  }
  return absl::OkStatus();
}

// Answers one index for many texts.
bool RunTexts(const TtIndexOptions& options, Console* console) {
  return AnswerEach(
      {std::string(kStdinArgument)}, options.format, console,
      [&](const Question& question, std::string* out) {
        TESSERA_ASSIGN_OR_RETURN(
            const tenstorrent::VerifiedTensor tensor,
            ReadPlacedTensor(question.text, ServiceOptions::Unlimited()));
        return AnswerIndex(options, tensor, options.indices[0],
                           /*is_line=*/true, console->out_display, out);
      });
}

// Returns an error message about the arguments; "" if there is none.
std::string TtIndexUsageError(const TtIndexOptions& options) {
  return options.text == kStdinArgument &&
                 (options.indices.size() != 1 ||
                  options.indices[0] == kStdinArgument)
             ? "texts that are read one per line take one INDEX"
             : "";
}

bool RunTtIndex(const TtIndexOptions& options, Console* console) {
  if (options.text == kStdinArgument) return RunTexts(options, console);
  std::string text = options.text;
  if (!ExpandTensorArgument(options.aliases, options.format, console, &text)) {
    return false;
  }
  const std::optional<tenstorrent::VerifiedTensor> tensor =
      ReadTtTensorArgument(text, options.format, console);
  if (!tensor.has_value()) return false;
  return AnswerEach(options.indices, options.format, console,
                    [&](const Question& question, std::string* out) {
                      return AnswerIndex(options, *tensor, question.text,
                                         question.is_line, console->out_display,
                                         out);
                    });
}

}  // namespace

void AddTtIndexCommand(SubcommandGroup* group) {
  auto options = std::make_shared<TtIndexOptions>();
  Subcommand command = group->Add(
      "index", "Print the cell of an element and its place in the shard",
      kTtIndexFooter);
  command.Argument(
      "TEXT", "a tensor with its layout, or FILE:LINE; - reads one per line",
      &options->text);
  command.Arguments("INDEX", "I,J,...; () for rank 0; - reads one per line",
                    Subcommand::kRequired, &options->indices);
  AddAliasesOption(&command, &options->aliases);
  AddCardOptions(&command, &options->card);
  AddBaseOption(&command, &options->base);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(options, RunTtIndex, TtIndexUsageError);
}

}  // namespace tessera::cli
