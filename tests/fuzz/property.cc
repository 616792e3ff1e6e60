#include "tests/fuzz/property.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/diagnostic.h"

namespace tessera {

int FuzzOneInput(Property property, const uint8_t* data, size_t size) {
  const std::string problem =
      property({reinterpret_cast<const char*>(data), size});
  if (!problem.empty()) {
    std::fprintf(stderr, "%s\n", problem.c_str());
    std::abort();
  }
  return 0;
}

std::string ProblemWithRefusal(const absl::Status& status,
                               std::string_view text,
                               absl::Span<const absl::StatusCode> other_codes) {
  if (status.code() != absl::StatusCode::kInvalidArgument &&
      status.code() != absl::StatusCode::kResourceExhausted &&
      std::find(other_codes.begin(), other_codes.end(), status.code()) ==
          other_codes.end()) {
    return absl::StrCat("refused with the wrong code: ", status.ToString());
  }
  const std::optional<Diagnostic> diagnostic = DiagnosticOf(status);
  if (!diagnostic.has_value()) {
    return absl::StrCat("refused without a diagnostic: ", status.ToString());
  }
  if (diagnostic->offset < 0 ||
      diagnostic->offset > static_cast<int64_t>(text.size())) {
    return absl::StrCat("refused outside the text, at ", diagnostic->offset);
  }
  if (diagnostic->ToString() != status.message()) {
    return absl::StrCat("diagnostic and message differ: ", status.ToString());
  }
  return "";
}

}  // namespace tessera
