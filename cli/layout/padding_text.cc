#include "tessera/cli/layout/padding_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tessera {
namespace cli {

absl::string_view PaddingCauseName(PaddingCause cause) {
  switch (cause) {
    case PaddingCause::kNone:
      return "";
    case PaddingCause::kDimensions:
      return "dimension";
    case PaddingCause::kTile:
      return "tile";
    case PaddingCause::kTail:
      return "tail";
  }
  return "";
}

std::string HumanBlame(const PaddingBlame& blame, absl::string_view arrow) {
  if (blame.cause == PaddingCause::kNone) return "";
  const std::string cause =
      blame.cause == PaddingCause::kDimensions
          ? absl::StrCat("dim ", absl::StrJoin(blame.dimensions, ","))
          : std::string(PaddingCauseName(blame.cause));
  return absl::StrCat(cause, ": ", blame.bound, arrow, blame.padded);
}

}  // namespace cli
}  // namespace tessera
