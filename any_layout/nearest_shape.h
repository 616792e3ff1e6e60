// Suggests the XLA shape that a misspelled text probably means.
//
//   NearestShape("bfloat16[8]");        // "bf16[8]"
//   NearestShape("f32[3,5]{T(2,2)}");   // "f32[3,5]{1,0:T(2,2)}"
//   NearestShape("g32[2]");             // nullopt
//   ParseShapeWithHint("bfloat16[8]");
//       // in shape: expected a type or '(', found 'bfloat16'; XLA calls it
//       // bf16; did you mean bf16[8]?
//
// Two mistakes are corrected: a type named as in NumPy, PyTorch or MLIR or in
// another case, and a layout that leaves out the order of the dimensions. The
// text is still refused, but the error has a suggestion.

#ifndef TESSERA_ANY_LAYOUT_NEAREST_SHAPE_H_
#define TESSERA_ANY_LAYOUT_NEAREST_SHAPE_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/parser/parse_options.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Returns the text without such mistakes; nullopt if it has none, is longer
// than a line, or is not a shape even without them.
std::optional<std::string> NearestShape(std::string_view text,
                                        const ParseOptions& options = {});

// Like ParseShape, but an error names the nearest shape if there is one.
absl::StatusOr<Shape> ParseShapeWithHint(std::string_view text,
                                         const ParseOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_ANY_LAYOUT_NEAREST_SHAPE_H_
