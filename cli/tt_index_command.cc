#include "tessera/cli/tt_index_command.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/cli/answer_each.h"
#include "tessera/cli/console.h"
#include "tessera/cli/display.h"
#include "tessera/cli/fact.h"
#include "tessera/cli/index_text.h"
#include "tessera/cli/json.h"
#include "tessera/cli/output_format.h"
#include "tessera/cli/tt_tensor.h"

namespace tessera {
namespace {

using tenstorrent::Finding;
using tenstorrent::Location;
using tenstorrent::Placement;

constexpr char kFooter[] =
    R"(  physical   the results of the map, in elements
  cell       of the grid
  offset     in the shard of the cell, in elements
  tile       of the memref; in its last two dimensions a tile of the shard
  in_tile    row and column in the tile
  face       of the tile: its number, row and column in it, and the position in
             the tile when faces are stored one after the other
  linear     the number of the element in its shard, tiles row-major, each tile
             row-major
  byte       where it begins in its shard, in bytes, tiles row-major, each tile
             by faces, as the hardware stores it; of a block float, behind the
             exponents of its tile
Where an answer leaves something out, 'warning CODE: ...' behind it says what.
Where TEXT is -, texts are read one a line, and INDEX is one; where INDEX is -,
indices are.

Examples:
  tessera tt index 'tensor<2x3x64x128xf32, #tt.metal_layout<(d0, d1, d2, d3) ->
      (d0 * 192 + d1 * 64 + d2, d3), undef, <2x4>, memref<192x32xf32,
      #tt.memory_space<l1>>>>' 1,1,6,100)";

struct Options {
  std::string text;
  std::vector<std::string> indices;
  OutputFormat format = OutputFormat::kText;
};

Json ToJson(const std::vector<int64_t>& index, const Location& location,
            bool is_tiled, const std::vector<Finding>& warnings) {
  Json json = {{"index", index},
               {"physical", location.physical()},
               {"cell", location.cell()},
               {"offset", location.offset()}};
  if (is_tiled) {
    const tenstorrent::InFace& face = location.in_face();
    json["tile"] = location.tile();
    json["in_tile"] = {location.in_tile().row, location.in_tile().column};
    json["face"] = {{"number", face.face},
                    {"row", face.row},
                    {"column", face.column},
                    {"position", face.position}};
  } else {
    json["tile"] = nullptr;
    json["in_tile"] = nullptr;
    json["face"] = nullptr;
  }
  json["linear"] = location.linear();
  json["byte"] = location.byte();
  if (location.exponent_byte().has_value()) {
    json["bit"] = location.bit();
    json["exponent_byte"] = *location.exponent_byte();
  }
  json["warnings"] = FindingsToJson(warnings);
  return json;
}

// Names and values.
std::vector<std::pair<std::string, std::string>> ToFacts(
    const Location& location, bool is_tiled) {
  std::vector<std::pair<std::string, std::string>> facts = {
      {"physical", InParentheses(location.physical())},
      {"cell", InParentheses(location.cell())},
      {"offset", InParentheses(location.offset())}};
  if (is_tiled) {
    const tenstorrent::InFace& face = location.in_face();
    facts.push_back({"tile", InParentheses(location.tile())});
    facts.push_back({"in_tile", InParentheses({location.in_tile().row,
                                               location.in_tile().column})});
    facts.push_back(
        {"face",
         absl::StrCat(face.face, " at ", InParentheses({face.row, face.column}),
                      ", position ", face.position)});
  }
  facts.push_back({"linear", absl::StrCat(location.linear())});
  facts.push_back({"byte", absl::StrCat(location.byte())});
  if (location.bit() != 0) {
    absl::StrAppend(&facts.back().second, ", bit ", location.bit());
  }
  if (location.exponent_byte().has_value()) {
    facts.push_back(
        {"exponent", absl::StrCat("byte ", *location.exponent_byte())});
  }
  return facts;
}

absl::Status AnswerIndex(const Options& options, const Placement& placement,
                         const std::vector<Finding>& warnings,
                         absl::string_view text, bool is_line,
                         const Display& display, std::string* out) {
  const absl::StatusOr<IndexText> index = ParseIndex(text);
  if (!index.ok()) return index.status();
  const absl::StatusOr<Location> location = placement.Locate(index->entries);
  if (!location.ok()) {
    return AtBadEntry(placement.map(), *index, text, location.status());
  }
  const bool is_tiled = placement.geometry().element.is_tile();
  if (options.format == OutputFormat::kJson) {
    out->append(
        JsonLine(ToJson(index->entries, *location, is_tiled, warnings)));
    return absl::OkStatus();
  }
  constexpr size_t kNameWidth = 10;
  const char* separator = "";
  for (const auto& [name, fact] : ToFacts(*location, is_tiled)) {
    if (is_line) {
      absl::StrAppend(out, separator, name, " ", fact);
      separator = "; ";
    } else {
      AppendFact(name, fact, kNameWidth, display, out);
    }
  }
  for (const Finding& warning : warnings) {
    absl::StrAppend(out, separator, WarningText(warning, display),
                    is_line ? "" : "\n");
  }
  if (is_line) out->push_back('\n');
  return absl::OkStatus();
}

// Of many texts, one index.
bool RunTexts(const Options& options, Console* console) {
  return AnswerEach(
      {std::string(kStdinArgument)}, options.format, console,
      [&](const Question& question, std::string* out) {
        const absl::StatusOr<tenstorrent::VerifiedTensor> tensor =
            tenstorrent::ReadVerifiedTensor(question.text);
        if (!tensor.ok()) return tensor.status();
        const absl::StatusOr<const Placement*> placement = PlacementOf(*tensor);
        if (!placement.ok()) return placement.status();
        return AnswerIndex(
            options, **placement, LocationWarnings(tensor->verification),
            options.indices[0], /*is_line=*/true, console->out_display, out);
      });
}

// What is wrong with the arguments; "" if nothing is.
std::string UsageError(const Options& options) {
  return options.text == kStdinArgument &&
                 (options.indices.size() != 1 ||
                  options.indices[0] == kStdinArgument)
             ? "texts that are read one a line take one INDEX"
             : "";
}

bool Run(const Options& options, Console* console) {
  if (options.text == kStdinArgument) return RunTexts(options, console);
  const absl::optional<tenstorrent::VerifiedTensor> tensor =
      ReadTtTensorArgument(options.text, console);
  if (!tensor.has_value()) return false;
  const Placement& placement = *tensor->verification.placement;
  const std::vector<Finding> warnings = LocationWarnings(tensor->verification);
  return AnswerEach(options.indices, options.format, console,
                    [&](const Question& question, std::string* out) {
                      return AnswerIndex(options, placement, warnings,
                                         question.text, question.is_line,
                                         console->out_display, out);
                    });
}

}  // namespace

void AddTtIndexCommand(SubcommandGroup* group) {
  auto options = std::make_shared<Options>();
  Subcommand command = group->Add(
      "index", "Print on which core, and where there, an element lies",
      kFooter);
  command.Argument("TEXT", "a tensor with its layout; - reads one a line",
                   &options->text);
  command.Arguments("INDEX", "I,J,...; () for rank 0; - reads one a line",
                    Subcommand::kRequired, &options->indices);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run([options](Console* console) { return Run(*options, console); },
              [options] { return UsageError(*options); });
}

}  // namespace tessera
