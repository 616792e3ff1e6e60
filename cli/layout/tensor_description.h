// The text about a Tenstorrent tensor that the service has described.
//
//   TensorDescriptionToLine(result.tensor());
//   // "shape 53x63; extent 53x63; grid 3x2, grid first, then tiles; ..."

#ifndef TESSERA_CLI_LAYOUT_TENSOR_DESCRIPTION_H_
#define TESSERA_CLI_LAYOUT_TENSOR_DESCRIPTION_H_

#include <string>

#include "proto/layout_questions.pb.h"
#include "tessera/report/text/display.h"

namespace tessera::cli {

// Returns facts, a table of cells and the warnings; each line is indented by
// two blanks.
std::string TensorDescriptionToText(const TensorDescription& tensor,
                                    const Display& display);
// Returns the facts on one line, without a line break.
std::string TensorDescriptionToLine(const TensorDescription& tensor);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_TENSOR_DESCRIPTION_H_
