#include "tessera/report/hlo/reserved_text.h"

#include "absl/strings/str_cat.h"
#include "tessera/report/text/units.h"

namespace tessera {

std::string ReservedBytesText(const ReservedBytes& space) {
  return absl::StrCat(HumanBytes(space.bytes()),
                      space.is_assigned() ? " by XLA" : "");
}

}  // namespace tessera
