#include "tessera/cli/tt_tensor.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "tessera/cli/argument_error.h"
#include "tessera/text/diagnostic.h"

namespace tessera {

absl::optional<tenstorrent::VerifiedTensor> ReadTtTensorArgument(
    const std::string& text, Console* console) {
  absl::StatusOr<tenstorrent::VerifiedTensor> tensor =
      tenstorrent::ReadVerifiedTensor(text);
  absl::Status status = tensor.status();
  if (status.ok()) status = PlacementOf(*tensor).status();
  if (status.ok()) return *std::move(tensor);
  PrintArgumentError(text, status, console);
  return absl::nullopt;
}

Json FindingsToJson(const std::vector<tenstorrent::Finding>& findings) {
  Json array = Json::array();
  for (const tenstorrent::Finding& finding : findings) {
    array.push_back({{"code", JsonString(NameOf(finding.rule))},
                     {"message", finding.message}});
  }
  return array;
}

std::string WarningText(const tenstorrent::Finding& warning,
                        const Display& display) {
  return absl::StrCat(Paint("warning", Color::kYellow, display), " ",
                      FindingText(warning));
}

std::string SizesText(absl::Span<const int64_t> sizes) {
  return sizes.empty() ? "()" : absl::StrJoin(sizes, "x");
}

absl::StatusOr<std::vector<int64_t>> ParseSizes(absl::string_view text) {
  std::vector<int64_t> sizes;
  if (text == "()") return sizes;
  for (const absl::string_view part : absl::StrSplit(text, 'x')) {
    int64_t size;
    if (!absl::SimpleAtoi(part, &size) || size < 0) {
      return DiagnosticError(
          text, part.data() - text.data(),
          absl::StrCat("expected sizes such as 2x4, found '", part, "'"));
    }
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace tessera
