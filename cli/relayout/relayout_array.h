// The arrays of `tessera relayout`, in a layout of any family.
//
//   const std::optional<RelayoutArray> host =
//       ReadRelayoutArray("f32[64,64]", {}, std::nullopt, console);
//   host->text;  // "f32[64,64]{1,0}"

#ifndef TESSERA_CLI_RELAYOUT_RELAYOUT_ARRAY_H_
#define TESSERA_CLI_RELAYOUT_RELAYOUT_ARRAY_H_

#include <optional>
#include <string>

#include "tessera/cli/output/console.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/parser/parse_options.h"
#include "tessera/relayout/any_relayout.h"

namespace tessera::cli {

// Reads an array of any family. A layout that names no element type takes
// `type`. Returns nullopt, after a message, if the text is not an array that
// can be moved. Prints warnings about the places of a tensor.
std::optional<RelayoutArray> ReadRelayoutArray(
    const std::string& text, const ParseOptions& options,
    std::optional<PrimitiveType> type, Console* console);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_RELAYOUT_RELAYOUT_ARRAY_H_
