#include "tessera/cli/layout/drawing.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cli/output/argument_error.h"
#include "tessera/cli/output/message.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/service/questions/hlo/explain_text_question.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/tenstorrent/buffer/buffer.h"
#include "tessera/tenstorrent/buffer/layout_buffer.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/viz/layout_picture.h"

namespace tessera {
namespace cli {
namespace {

std::string TitleOf(const std::string& text, const AnyLayout& layout) {
  const std::string canonical = ToString(layout);
  // A CuTe expression stands before its value, unless it binds names: these
  // tell nothing of the layout.
  const bool is_expression = layout.As<CuteLayout>() != nullptr &&
                             text != canonical && !StrContains(text, "=");
  return is_expression ? absl::StrCat(text, " = ", canonical) : canonical;
}

// The cores of the shards, as they lie in the tensor.
std::vector<std::string> CoresOf(const tenstorrent::VerifiedTensor& tensor) {
  constexpr int64_t kListed = 256;
  const absl::StatusOr<tenstorrent::Buffer> buffer =
      tenstorrent::BufferOf(tensor);
  std::vector<std::string> lines;
  if (!buffer.ok() || buffer->shard_grid().size() != 2) return lines;
  const int64_t rows = buffer->shard_grid()[0];
  const int64_t columns = buffer->shard_grid()[1];
  if (rows > kListed || columns > kListed || rows * columns > kListed) {
    return lines;
  }
  for (int64_t row = 0; row < rows; ++row) {
    std::vector<std::string> cores;
    for (int64_t column = 0; column < columns; ++column) {
      const auto core = buffer->CoreOfShard(row * columns + column);
      if (!core.has_value()) return {};
      cores.push_back(absl::StrCat("(", core->x, ",", core->y, ")"));
    }
    lines.push_back(absl::StrJoin(cores, " "));
  }
  return lines;
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
  if (tensor != nullptr) drawing.cores = CoresOf(*tensor);
  return drawing;
}

}  // namespace cli
}  // namespace tessera
