#include "tessera/cli/layout/tt_tensor.h"

#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cli/output/argument_error.h"
#include "tessera/service/questions/tenstorrent/tensor_questions.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {

std::optional<tenstorrent::VerifiedTensor> ReadTtTensorArgument(
    const std::string& text, OutputFormat format, Console* console) {
  absl::StatusOr<tenstorrent::VerifiedTensor> tensor =
      ReadPlacedTensor(text, ServiceOptions::Unlimited());
  if (tensor.ok()) return *std::move(tensor);
  PrintArgumentError(text, tensor.status(), format, console);
  return std::nullopt;
}

std::string FindingText(const RuleFinding& finding) {
  return absl::StrCat(finding.rule(), ": ", finding.message());
}

std::string WarningText(const RuleFinding& warning, const Display& display) {
  return absl::StrCat(Paint("warning", Color::kYellow, display), " ",
                      FindingText(warning));
}

std::string ErrorText(const RuleFinding& error, const Display& display) {
  return absl::StrCat(Paint("error", Color::kRed, display), " ",
                      FindingText(error));
}

std::string SizesText(absl::Span<const int64_t> sizes) {
  return sizes.empty() ? "()" : absl::StrJoin(sizes, "x");
}

absl::StatusOr<std::vector<int64_t>> ParseSizes(std::string_view text) {
  std::vector<int64_t> sizes;
  if (text == "()") return sizes;
  for (const std::string_view part : SplitViews(text, 'x')) {
    int64_t size;
    if (!absl::SimpleAtoi(AbslView(part), &size) || size < 0) {
      return DiagnosticError(
          text, part.data() - text.data(),
          StrCat("expected sizes such as 2x4, found '", part, "'"));
    }
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace tessera::cli
