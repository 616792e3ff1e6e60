#include "tessera/cli/layout/drawing.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cli/layout/tt_tensor.h"
#include "tessera/cli/output/argument_error.h"
#include "tessera/cli/output/message.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/service/questions/hlo/explain_text_question.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/tenstorrent/buffer/buffer.h"
#include "tessera/tenstorrent/buffer/layout_buffer.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/viz/layout_picture.h"

namespace tessera::cli {
namespace {

std::string TitleOf(const std::string& text, const AnyLayout& layout) {
  const std::string canonical = ToString(layout);
  // A CuTe expression precedes its value, unless it binds names, which do not
  // describe the layout.
  const bool is_expression = layout.As<CuteLayout>() != nullptr &&
                             text != canonical && !StrContains(text, "=");
  return is_expression ? absl::StrCat(text, " = ", canonical) : canonical;
}

// Adds the cores of the shards, in their places in the tensor, with the
// elements of each.
void AddCores(const tenstorrent::VerifiedTensor& tensor, Drawing* drawing) {
  constexpr int64_t kListed = 256;
  const absl::StatusOr<tenstorrent::Buffer> buffer =
      tenstorrent::BufferOf(tensor);
  if (!buffer.ok() || buffer->shard_grid().size() != 2) return;
  const int64_t rows = buffer->shard_grid()[0];
  const int64_t columns = buffer->shard_grid()[1];
  if (rows > kListed || columns > kListed || rows * columns > kListed) return;
  const tenstorrent::BufferSpec& spec = buffer->spec();
  const tenstorrent::Dimensions& shard = spec.sharding->shard;
  const bool is_matrix = spec.shape.size() == 2 && shard.size() == 2;
  // The part of a shard that lies in the tensor, along one dimension.
  const auto held = [&](int i, int64_t number) {
    return std::clamp<int64_t>(spec.shape[i] - number * shard[i], 0, shard[i]);
  };
  SvgBoxNames names;
  std::vector<std::string> lines = {absl::StrCat(
      "The shards of ", SizesText(shard), " are on the cores x,y",
      is_matrix ? "; after each core, the part that holds elements:" : ":")};
  for (int64_t row = 0; row < rows; ++row) {
    std::vector<std::string> cores;
    names.names.emplace_back();
    for (int64_t column = 0; column < columns; ++column) {
      const auto core = buffer->CoreOfShard(row * columns + column);
      if (!core.has_value()) return;
      const std::string name = absl::StrCat("(", core->x, ",", core->y, ")");
      names.names.back().push_back(absl::StrCat("core ", name));
      cores.push_back(
          is_matrix ? absl::StrCat(name, " ",
                                   SizesText({held(0, row), held(1, column)}))
                    : name);
    }
    lines.push_back(absl::StrJoin(cores, is_matrix ? "  " : " "));
  }
  drawing->cores = std::move(lines);
  if (!is_matrix) return;
  names.rows = shard[0];
  names.columns = shard[1];
  drawing->core_names = std::move(names);
}

}  // namespace

std::optional<Drawing> ReadDrawing(const std::string& text, LayoutFamily family,
                                   const DrawingOptions& options,
                                   Console* console) {
  AnyLayoutOptions parse;
  parse.shape = options.parse;
  parse.cute_expressions = true;
  std::vector<Diagnostic> notes;
  const absl::StatusOr<AnyLayout> layout =
      ParseAnyLayout(text, family, parse, &notes);
  for (const Diagnostic& note : notes) {
    PrintNote({kArgumentName}, note, console);
  }
  if (!layout.ok()) {
    PrintArgumentError(text, RefusalOfLayout(text, layout.status()), console);
    return std::nullopt;
  }
  const PositionUnit unit =
      options.in_bytes ? PositionUnit::kBytes : PositionUnit::kElements;
  const absl::Status status = CheckUnit(*layout, unit);
  if (!status.ok()) {
    PrintError({kArgumentName}, status, console);
    return std::nullopt;
  }
  absl::StatusOr<IndexMap> map = ToIndexMap(*layout, unit);
  if (!map.ok()) {
    PrintArgumentError(text, WithPlaceInLayout(text, *layout, map.status()),
                       console);
    return std::nullopt;
  }
  Drawing drawing;
  drawing.title = TitleOf(text, *layout);
  drawing.map = *std::move(map);
  drawing.options = PictureOptionsFor(*layout, drawing.map, unit);
  const auto* tensor = layout->As<tenstorrent::VerifiedTensor>();
  if (tensor != nullptr) AddCores(*tensor, &drawing);
  return drawing;
}

}  // namespace tessera::cli
