// The tensor argument of a `tessera tt` command.
//
//   const std::optional<tenstorrent::VerifiedTensor> tensor =
//       ReadTtTensorArgument("tensor<53x63xf32, #tt.metal_layout<...>>",
//                            OutputFormat::kText, console);

#ifndef TESSERA_CLI_LAYOUT_TT_TENSOR_H_
#define TESSERA_CLI_LAYOUT_TT_TENSOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "proto/layout_questions.pb.h"
#include "tessera/cli/output/console.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/output_format.h"
#include "tessera/tenstorrent/tensor.h"

namespace tessera::cli {

// Reads the tensor of an argument. The result has a placement, which locations
// need. Returns nullopt, after a message, if the text has none.
std::optional<tenstorrent::VerifiedTensor> ReadTtTensorArgument(
    const std::string& text, OutputFormat format, Console* console);

// "memref-shape: the memref is ..."
std::string FindingText(const RuleFinding& finding);

// "warning memref-shape: the memref is ..."
std::string WarningText(const RuleFinding& warning, const Display& display);

// Like WarningText, but for an error: "error memref-shape: the memref is ...".
std::string ErrorText(const RuleFinding& error, const Display& display);

// Returns "2x4", or "()" without sizes.
std::string SizesText(absl::Span<const int64_t> sizes);

// Reads "2x4". Errors: kInvalidArgument, with its place.
absl::StatusOr<std::vector<int64_t>> ParseSizes(std::string_view text);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_TT_TENSOR_H_
