#include "tessera/cli/hlo/report/reserved_text.h"

#include "absl/strings/str_cat.h"
#include "tessera/cli/output/units.h"

namespace tessera {
namespace cli {

std::string ReservedBytesText(const ReservedBytes& space) {
  return absl::StrCat(HumanBytes(space.bytes()),
                      space.is_assigned() ? " by XLA" : "");
}

}  // namespace cli
}  // namespace tessera
