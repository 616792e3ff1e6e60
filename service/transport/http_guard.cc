#include "tessera/service/transport/http_guard.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "tessera/service/service_options.h"

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

absl::optional<int64_t> BodyLength(const httplib::Request& request) {
  const size_t lengths = request.get_header_value_count("Content-Length");
  if (request.has_header("Transfer-Encoding") || lengths > 1) {
    return absl::nullopt;
  }
  if (lengths == 0) return 0;
  int64_t length = 0;
  const std::string text = request.get_header_value("Content-Length");
  if (!absl::SimpleAtoi(text, &length) || length < 0) return absl::nullopt;
  return length;
}

absl::optional<HttpRefusal> RefusalOf(
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
    return absl::nullopt;
  }
  if (request.method != "POST") {
    return refusal(405,
                   absl::UnimplementedError("only GET and POST are supported"));
  }
  // Neither chunks nor compressed bodies have a limit in httplib.
  const absl::optional<int64_t> length = BodyLength(request);
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
  const absl::string_view media_type =
      absl::string_view(type).substr(0, type.find(';'));
  if (!absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(media_type),
                              "application/json")) {
    return refusal(415, absl::InvalidArgumentError(
                            "a body must have the type application/json"));
  }
  return absl::nullopt;
}

}  // namespace tessera
