#include "tessera/cli/shape_argument.h"

#include <utility>

#include "absl/status/statusor.h"
#include "tessera/cli/message.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"

namespace tessera {
namespace {

absl::StatusOr<MappedShape> ReadMappedShape(const std::string& text,
                                            const ParseOptions& options) {
  absl::StatusOr<Shape> shape = ParseShape(text, options);
  if (!shape.ok()) return shape.status();
  absl::StatusOr<IndexMap> map = ToIndexMap(*shape);
  if (!map.ok()) return map.status();
  return MappedShape{*std::move(shape), *std::move(map)};
}

}  // namespace

void AddLenientFlag(ParseOptions* options, Subcommand* command) {
  command->Flag("--lenient", "also read F32[2] and {} after an array",
                &options->lenient);
}

absl::optional<MappedShape> ReadShapeArgument(const std::string& text,
                                              const ParseOptions& options,
                                              Console* console) {
  absl::StatusOr<MappedShape> shape = ReadMappedShape(text, options);
  if (!shape.ok()) {
    PrintError({kArgumentName}, shape.status(), console);
    return absl::nullopt;
  }
  return *std::move(shape);
}

}  // namespace tessera
