#include "tessera/report/hlo/reserved_text.h"

namespace tessera {

std::string ReservedBytesText(const ReservedBytes& space) {
  return absl::StrCat(HumanBytes(space.bytes()),
                      space.is_assigned() ? " by XLA" : "");
}

}  // namespace tessera
