#include "tessera/cli/relayout/relayout_array.h"

#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cli/output/argument_error.h"
#include "tessera/cli/output/message.h"
#include "tessera/service/questions/hlo/explain_text_question.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tenstorrent/verification.h"

namespace tessera::cli {
namespace {

absl::StatusOr<RelayoutArray> ReadArray(const std::string& text,
                                        const ParseOptions& options,
                                        std::optional<PrimitiveType> type,
                                        Console* console) {
  AnyLayoutOptions parse;
  parse.shape = options;
  parse.cute_expressions = true;
  const absl::StatusOr<AnyLayout> read = ParseAnyLayout(text, parse);
  if (!read.ok()) return RefusalOfLayout(text, read.status());
  const AnyLayout& layout = *read;
  const absl::StatusOr<IndexMap> map = ToIndexMap(layout);
  if (!map.ok()) return WithPlaceInLayout(text, layout, map.status());
  if (const auto* tensor = layout.As<tenstorrent::VerifiedTensor>()) {
    for (const tenstorrent::Finding& warning :
         LocationWarnings(tensor->verification)) {
      PrintNote({kArgumentName}, FindingText(warning), console);
    }
  }
  return RelayoutArrayOf(layout, type);
}

}  // namespace

std::optional<RelayoutArray> ReadRelayoutArray(
    const std::string& text, const ParseOptions& options,
    std::optional<PrimitiveType> type, Console* console) {
  absl::StatusOr<RelayoutArray> array = ReadArray(text, options, type, console);
  if (array.ok()) return *std::move(array);
  PrintArgumentError(text, array.status(), console);
  return std::nullopt;
}

}  // namespace tessera::cli
