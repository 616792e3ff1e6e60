#include "tessera/transport/http_guard.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"

namespace tessera {
namespace {

constexpr absl::string_view kLoopbackNames[] = {"localhost", "127.0.0.1",
                                                "::1"};

absl::string_view WithoutBrackets(absl::string_view name) {
  if (name.size() > 2 && name.front() == '[' && name.back() == ']') {
    return name.substr(1, name.size() - 2);
  }
  return name;
}

bool IsPort(absl::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

// Without the port; "" if it is no host and port.
absl::string_view NameOf(absl::string_view host) {
  const size_t colon = host.rfind(':');
  const size_t bracket = host.rfind(']');
  const bool has_port = colon != absl::string_view::npos &&
                        (bracket == absl::string_view::npos || bracket < colon);
  if (!has_port) return host;
  return IsPort(host.substr(colon + 1)) ? host.substr(0, colon)
                                        : absl::string_view();
}

}  // namespace

bool IsAllowedHost(absl::string_view host,
                   absl::Span<const std::string> allowed) {
  const absl::string_view name = NameOf(host);
  // Whoever names IPv6 without brackets means something else.
  if (name.empty() || (absl::StrContains(name, ":") && name.front() != '[')) {
    return false;
  }
  const auto is_name = [name](absl::string_view other) {
    return absl::EqualsIgnoreCase(WithoutBrackets(name),
                                  WithoutBrackets(other));
  };
  return std::any_of(std::begin(kLoopbackNames), std::end(kLoopbackNames),
                     is_name) ||
         std::any_of(allowed.begin(), allowed.end(), is_name);
}

bool IsOwnOrigin(absl::string_view origin, absl::string_view host) {
  return absl::ConsumePrefix(&origin, "http://") &&
         absl::EqualsIgnoreCase(origin, host);
}

}  // namespace tessera
