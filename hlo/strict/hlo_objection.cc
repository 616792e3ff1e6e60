#include "tessera/hlo/strict/hlo_objection.h"

#include <algorithm>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/base/text/diagnostic.h"

namespace tessera {
namespace hlo_internal {

absl::optional<HloObjection> ObjectionOf(const absl::Status& status,
                                         absl::string_view text) {
  if (status.ok()) return absl::nullopt;
  const absl::optional<Diagnostic> diagnostic = DiagnosticOf(status);
  if (!diagnostic.has_value()) {
    return HloObjection{text, std::string(status.message())};
  }
  const size_t offset = diagnostic->offset;
  return HloObjection{text.substr(std::min(offset, text.size())),
                      diagnostic->message};
}

}  // namespace hlo_internal
}  // namespace tessera
