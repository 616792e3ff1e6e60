// File: cli/shape_argument.h
//
// The SHAPE of `tessera index SHAPE ...` and `tessera coords SHAPE ...`.

#ifndef TESSERA_CLI_SHAPE_ARGUMENT_H_
#define TESSERA_CLI_SHAPE_ARGUMENT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/cli/command_line.h"
#include "tessera/cli/console.h"
#include "tessera/index_map/index_map.h"
#include "tessera/parser/parse_options.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Makes a command read upper-case type names, and adds the flag --lenient for
// {} after an array.
void AddLenientFlag(ParseOptions* options, Subcommand* command);

// Returns what keeps `shape`, read from `text`, from having a map, with its
// place: that of the first `?` if the shape is unbounded.
absl::Status WithPlaceInShape(absl::string_view text, const Shape& shape,
                              const absl::Status& error);

// The same for a layout of any family, read from `text`.
absl::Status WithPlaceInLayout(absl::string_view text, const AnyLayout& layout,
                               const absl::Status& error);

struct MappedShape {
  Shape shape;
  IndexMap map;
};

// Reads an array shape and makes its map. Nullopt, after a message, where it is
// none.
absl::optional<MappedShape> ReadShapeArgument(const std::string& text,
                                              const ParseOptions& options,
                                              Console* console);

}  // namespace tessera

#endif  // TESSERA_CLI_SHAPE_ARGUMENT_H_
