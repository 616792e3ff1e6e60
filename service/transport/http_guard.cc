#include "tessera/service/transport/http_guard.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/service/service_options.h"

namespace tessera {
namespace {

constexpr std::string_view kLoopbackNames[] = {"localhost", "127.0.0.1", "::1"};

std::string_view WithoutBrackets(std::string_view name) {
  if (name.size() > 2 && name.front() == '[' && name.back() == ']') {
    return name.substr(1, name.size() - 2);
  }
  return name;
}

bool IsPort(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

// Without the port; "" if it is no host and port.
std::string_view NameOf(std::string_view host) {
  const size_t colon = host.rfind(':');
  const size_t bracket = host.rfind(']');
  const bool has_port = colon != std::string_view::npos &&
                        (bracket == std::string_view::npos || bracket < colon);
  if (!has_port) return host;
  return IsPort(host.substr(colon + 1)) ? host.substr(0, colon)
                                        : std::string_view();
}

}  // namespace

bool IsAllowedHost(std::string_view host,
                   absl::Span<const std::string> allowed) {
  const std::string_view name = NameOf(host);
  // Whoever names IPv6 without brackets means something else.
  if (name.empty() || (StrContains(name, ":") && name.front() != '[')) {
    return false;
  }
  const auto is_name = [name](std::string_view other) {
    return EqualsIgnoreCase(WithoutBrackets(name), WithoutBrackets(other));
  };
  return std::any_of(std::begin(kLoopbackNames), std::end(kLoopbackNames),
                     is_name) ||
         std::any_of(allowed.begin(), allowed.end(), is_name);
}

bool IsOwnOrigin(std::string_view origin, std::string_view host) {
  return ConsumePrefix(&origin, "http://") && EqualsIgnoreCase(origin, host);
}

std::optional<int64_t> BodyLength(const httplib::Request& request) {
  const size_t lengths = request.get_header_value_count("Content-Length");
  if (request.has_header("Transfer-Encoding") || lengths > 1) {
    return std::nullopt;
  }
  if (lengths == 0) return 0;
  int64_t length = 0;
  const std::string text = request.get_header_value("Content-Length");
  if (!absl::SimpleAtoi(text, &length) || length < 0) return std::nullopt;
  return length;
}

std::optional<HttpRefusal> RefusalOf(
    const httplib::Request& request,
    absl::Span<const std::string> allowed_hosts, int64_t body_bytes) {
  const auto refusal = [](int status, absl::Status reason) {
    return HttpRefusal{status, std::move(reason)};
  };
  const auto has_once = [&request](const char* name) {
    return request.get_header_value_count(name) == 1;
  };
  const std::string host = request.get_header_value("Host");
  if (!has_once("Host") || !IsAllowedHost(host, allowed_hosts)) {
    return refusal(421, absl::PermissionDeniedError(
                            "the host in the request is not this one"));
  }
  if (request.has_header("Origin") &&
      (!has_once("Origin") ||
       !IsOwnOrigin(request.get_header_value("Origin"), host))) {
    return refusal(403, absl::PermissionDeniedError(
                            "pages of other origins are not answered"));
  }
  if (request.method == "GET" || request.method == "HEAD") {
    return std::nullopt;
  }
  if (request.method != "POST") {
    return refusal(405,
                   absl::UnimplementedError("only GET and POST are supported"));
  }
  // Neither chunks nor compressed bodies have a limit in httplib.
  const std::optional<int64_t> length = BodyLength(request);
  if (!length.has_value() || !has_once("Content-Length")) {
    return refusal(
        411, absl::InvalidArgumentError("a body needs its length in bytes"));
  }
  absl::Status status = CheckLimit("body_bytes", "bytes", *length, body_bytes);
  if (!status.ok()) return refusal(413, std::move(status));
  if (request.has_header("Content-Encoding")) {
    return refusal(
        415, absl::InvalidArgumentError("a compressed body is not supported"));
  }
  const std::string type = request.get_header_value("Content-Type");
  const std::string_view media_type =
      std::string_view(type).substr(0, type.find(';'));
  if (!EqualsIgnoreCase(StripAsciiWhitespace(media_type), "application/json")) {
    return refusal(415, absl::InvalidArgumentError(
                            "a body must have the type application/json"));
  }
  return std::nullopt;
}

}  // namespace tessera
