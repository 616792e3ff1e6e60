#include "tessera/cli/shape_argument.h"

#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/variant.h"
#include "tessera/any_layout/nearest_shape.h"
#include "tessera/cli/argument_error.h"
#include "tessera/cli/message.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/text/cursor.h"
#include "tessera/text/diagnostic.h"

namespace tessera {
namespace {

// Where in the text of an array its first `?` stands, which is nowhere but in
// dimensions.
int64_t UnboundedDimensionOffset(absl::string_view text) {
  absl::string_view rest = text;
  while (true) {
    const absl::string_view token = Cursor(rest).NextToken();
    const int64_t offset = token.data() - text.data();
    if (token == "?" || token.empty()) return offset;
    rest = text.substr(offset + token.size());
  }
}

absl::StatusOr<MappedShape> ReadMappedShape(const std::string& text,
                                            const ParseOptions& options) {
  absl::StatusOr<Shape> shape = ParseShapeWithHint(text, options);
  if (!shape.ok()) return shape.status();
  absl::StatusOr<IndexMap> map = ToIndexMap(*shape);
  if (!map.ok()) return WithPlaceInShape(text, *shape, map.status());
  return MappedShape{*std::move(shape), *std::move(map)};
}

}  // namespace

absl::Status WithPlaceInShape(absl::string_view text, const Shape& shape,
                              const absl::Status& error) {
  if (!shape.has_unbounded_dimension()) return WithPlace(text, error);
  return DiagnosticError(text, UnboundedDimensionOffset(text), error.message(),
                         error.code());
}

absl::Status WithPlaceInLayout(absl::string_view text, const AnyLayout& layout,
                               const absl::Status& error) {
  const Shape* shape = absl::get_if<Shape>(&layout);
  return shape == nullptr ? WithPlace(text, error)
                          : WithPlaceInShape(text, *shape, error);
}

void AddLenientFlag(ParseOptions* options, Subcommand* command) {
  options->upper_case_types = true;
  command->Flag("--lenient", "also read {} after an array", &options->lenient);
}

absl::optional<MappedShape> ReadShapeArgument(const std::string& text,
                                              const ParseOptions& options,
                                              Console* console) {
  absl::StatusOr<MappedShape> shape = ReadMappedShape(text, options);
  if (!shape.ok()) {
    PrintArgumentError(text, shape.status(), console);
    return absl::nullopt;
  }
  return *std::move(shape);
}

}  // namespace tessera
