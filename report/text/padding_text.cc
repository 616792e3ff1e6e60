#include "tessera/report/text/padding_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"

namespace tessera {

namespace {

std::string BlameText(absl::string_view cause,
                      absl::Span<const int64_t> dimensions, int64_t bound,
                      int64_t padded, absl::string_view arrow) {
  if (cause.empty()) return "";
  return absl::StrCat(
      dimensions.empty() ? std::string(cause)
                         : absl::StrCat("dim ", absl::StrJoin(dimensions, ",")),
      ": ", bound, arrow, padded,
      cause == PaddingCauseName(PaddingCause::kElement) ? " bits" : "");
}

}  // namespace

std::string HumanBlame(const PaddingBlame& blame, absl::string_view arrow) {
  return BlameText(PaddingCauseName(blame.cause), blame.dimensions, blame.bound,
                   blame.padded, arrow);
}

std::string HumanBlame(const MostPadded& blame, absl::string_view arrow) {
  return BlameText(blame.cause(), blame.dimensions(), blame.bound(),
                   blame.padded(), arrow);
}

}  // namespace tessera
