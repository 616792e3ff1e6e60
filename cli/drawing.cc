#include "tessera/cli/drawing.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/variant.h"
#include "tessera/cli/message.h"
#include "tessera/cli/shape_argument.h"
#include "tessera/cli/tt_tensor.h"
#include "tessera/cute/calculator.h"
#include "tessera/cute/tile_extents.h"
#include "tessera/cute/to_index_map.h"
#include "tessera/index_util/tile_extents.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/text/cursor.h"

namespace tessera {
namespace {

absl::optional<Drawing> Refused(const std::string& text,
                                const absl::Status& status, Console* console) {
  PrintError({kArgumentName}, WithPlace(text, status), console);
  return absl::nullopt;
}

absl::optional<Drawing> ReadXla(const std::string& text,
                                const DrawingOptions& options,
                                Console* console) {
  absl::optional<MappedShape> read =
      ReadShapeArgument(text, options.parse, console);
  if (!read.has_value()) return absl::nullopt;
  Drawing drawing;
  drawing.title = read->shape.ToString();
  drawing.map = std::move(read->map);
  drawing.options.tiles = TileExtents(read->shape);
  if (options.in_bytes) {
    absl::StatusOr<IndexMap> map =
        ToIndexMap(read->shape, PositionUnit::kBytes);
    if (!map.ok()) return Refused(text, map.status(), console);
    drawing.map = *std::move(map);
    drawing.options.unit = "bytes";
    drawing.options.positions = "bytes";
    drawing.options.positions_per_element = StorageBits(read->shape) / 8;
  }
  return drawing;
}

absl::optional<Drawing> ReadCute(const std::string& text, Console* console) {
  cute::Calculator calculator;
  const absl::StatusOr<cute::CalculatorResult> result =
      calculator.Evaluate(text);
  if (!result.ok()) return Refused(text, result.status(), console);
  for (const Diagnostic& note : result->notes) {
    PrintNote({kArgumentName}, note, console);
  }
  Drawing drawing;
  const std::string value = ToString(result->value);
  // A name that is bound tells nothing of the layout.
  const bool is_told = text == value || absl::StrContains(text, "=");
  drawing.title = is_told ? value : absl::StrCat(text, " = ", value);
  const cute::Layout* layout = absl::get_if<cute::Layout>(&result->value);
  absl::StatusOr<IndexMap> map = absl::InvalidArgumentError(
      absl::StrCat("expected a layout, found ", cute::Describe(result->value)));
  if (layout != nullptr) {
    map = cute::ToIndexMap(*layout);
  } else if (const auto* composed =
                 absl::get_if<cute::ComposedLayout>(&result->value)) {
    layout = &composed->layout();
    map = cute::ToIndexMap(*composed);
  }
  if (!map.ok()) return Refused(text, map.status(), console);
  drawing.map = *std::move(map);
  if (drawing.map.rank() >= 2) {
    drawing.options.rows = 0;
    drawing.options.columns = 1;
  }
  std::vector<std::vector<int64_t>> tiles = cute::TileExtents(*layout);
  if (!tiles.empty()) drawing.options.tiles = std::move(tiles);
  return drawing;
}

absl::optional<Drawing> ReadTenstorrent(const std::string& text,
                                        Console* console) {
  const absl::optional<tensor_layout::VerifiedTensor> tensor =
      ReadTtTensorArgument(text, console);
  if (!tensor.has_value()) return absl::nullopt;
  Drawing drawing;
  drawing.title = ToString(tensor->text);
  drawing.map = tensor->verification.placement->map();
  return drawing;
}

}  // namespace

DrawnFamily DrawnFamilyOf(absl::string_view text) {
  absl::string_view first = Cursor(text).NextToken();
  if (absl::StartsWith(first, "#") || absl::StartsWith(first, "!") ||
      first == "tensor") {
    return DrawnFamily::kTenstorrent;
  }
  // Behind `token`, which lies in `text`.
  auto next = [&text](absl::string_view token) {
    return Cursor(text.substr(token.data() - text.data() + token.size()))
        .NextToken();
  };
  while (first == "(") first = next(first);
  const bool is_name =
      !first.empty() &&
      absl::ascii_isalpha(static_cast<unsigned char>(first[0]));
  return is_name && next(first) == "[" ? DrawnFamily::kXla : DrawnFamily::kCute;
}

absl::optional<Drawing> ReadDrawing(const std::string& text, DrawnFamily family,
                                    const DrawingOptions& options,
                                    Console* console) {
  if (options.in_bytes && family != DrawnFamily::kXla) {
    PrintError({kArgumentName},
               absl::InvalidArgumentError(
                   "positions in bytes are those of XLA's arrays: CuTe's "
                   "layouts do not say how large an element is, and "
                   "Tenstorrent's tensors lie in many shards"),
               console);
    return absl::nullopt;
  }
  switch (family) {
    case DrawnFamily::kXla:
      return ReadXla(text, options, console);
    case DrawnFamily::kTenstorrent:
      return ReadTenstorrent(text, console);
    case DrawnFamily::kCute:
      break;
  }
  return ReadCute(text, console);
}

}  // namespace tessera
