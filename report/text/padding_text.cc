#include "tessera/report/text/padding_text.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_util/padding.h"

namespace tessera {

std::string HumanBlame(const MostPadded& blame, std::string_view arrow) {
  if (blame.cause().empty()) return "";
  return StrCat(
      blame.dimensions().empty()
          ? blame.cause()
          : absl::StrCat("dim ", absl::StrJoin(blame.dimensions(), ",")),
      ": ", blame.bound(), arrow, blame.padded(),
      blame.cause() == PaddingCauseName(PaddingCause::kElement) ? " bits" : "");
}

}  // namespace tessera
