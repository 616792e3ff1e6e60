#include "tessera/cli/hlo/report/taken_text.h"

#include "absl/strings/str_cat.h"
#include "tessera/cli/output/units.h"

namespace tessera {
namespace cli {

std::string TakenText(const TakenSpace& space) {
  return absl::StrCat(HumanBytes(space.bytes()),
                      space.is_assigned() ? " by XLA" : "");
}

}  // namespace cli
}  // namespace tessera
