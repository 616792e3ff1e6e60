#include "tessera/hlo/strict/hlo_objection.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "tessera/base/text/diagnostic.h"

namespace tessera {
namespace hlo_internal {

std::optional<HloObjection> ObjectionOf(const absl::Status& status,
                                        std::string_view text) {
  if (status.ok()) return std::nullopt;
  const std::optional<Diagnostic> diagnostic = DiagnosticOf(status);
  if (!diagnostic.has_value()) {
    return HloObjection{text, std::string(status.message())};
  }
  const size_t offset = diagnostic->offset;
  return HloObjection{text.substr(std::min(offset, text.size())),
                      diagnostic->message};
}

}  // namespace hlo_internal
}  // namespace tessera
