#include "tessera/service/transport/http_guard.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/service/service_options.h"

namespace tessera {
namespace {

// What an error shows of a host.
constexpr size_t kLongestHost = 64;

constexpr std::string_view kLoopbackNames[] = {"localhost", "127.0.0.1", "::1"};

std::string_view WithoutBrackets(std::string_view name) {
  if (name.size() > 2 && name.front() == '[' && name.back() == ']') {
    return name.substr(1, name.size() - 2);
  }
  return name;
}

bool IsNumber(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

bool IsPort(std::string_view text) {
  return IsNumber(text) && text.size() <= 5;
}

// Whether a media type is application/json, in UTF-8 as JSON always is.
bool IsJson(std::string_view type) {
  const std::vector<std::string_view> parts = SplitViews(type, ';');
  if (!EqualsIgnoreCase(StripAsciiWhitespace(parts[0]), "application/json")) {
    return false;
  }
  return std::none_of(
      parts.begin() + 1, parts.end(), [](std::string_view parameter) {
        const size_t sign = parameter.find('=');
        if (sign == std::string_view::npos) return false;
        const std::string_view value =
            StripAsciiWhitespace(parameter.substr(sign + 1));
        return EqualsIgnoreCase(StripAsciiWhitespace(parameter.substr(0, sign)),
                                "charset") &&
               !EqualsIgnoreCase(value, "utf-8") &&
               !EqualsIgnoreCase(value, "\"utf-8\"");
      });
}

// Returns the host without the port; "" if it is not a host and port.
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
  // IPv6 addresses without brackets are ambiguous.
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

absl::Status CheckHeadLine(std::string_view line, bool is_first) {
  if (EndsWith(line, "\r")) line.remove_suffix(1);
  const auto is_control = [](char c) {
    return (absl::ascii_iscntrl(c) && c != '\t') || c == '\0';
  };
  if (std::any_of(line.begin(), line.end(), is_control)) {
    return absl::InvalidArgumentError("the head has a control character");
  }
  if (is_first || line.empty()) return absl::OkStatus();
  const size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  if (colon == std::string_view::npos || name.empty() ||
      std::any_of(name.begin(), name.end(), is_blank)) {
    return absl::InvalidArgumentError(
        "a header must be a name without blanks, a colon and a value");
  }
  const std::string_view value = StripAsciiWhitespace(line.substr(colon + 1));
  const auto is_name = [name](std::string_view other) {
    return EqualsIgnoreCase(name, other);
  };
  // cpp-httplib decodes escapes, and drops empty values.
  if ((is_name("Host") || is_name("Origin") || is_name("Content-Length")) &&
      (StrContains(value, '%') || (is_name("Origin") && value.empty()))) {
    return absl::InvalidArgumentError(
        "a host, an origin or a length must not have escapes");
  }
  return absl::OkStatus();
}

std::optional<int64_t> BodyLength(const httplib::Request& request) {
  const size_t lengths = request.get_header_value_count("Content-Length");
  if (request.has_header("Transfer-Encoding") || lengths > 1) {
    return std::nullopt;
  }
  if (lengths == 0) return 0;
  int64_t length = 0;
  const std::string text = request.get_header_value("Content-Length");
  if (!IsNumber(text) || !absl::SimpleAtoi(text, &length)) return std::nullopt;
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
  if (!has_once("Host")) {
    return refusal(
        400, absl::InvalidArgumentError("a request must have one header Host"));
  }
  if (!IsAllowedHost(host, allowed_hosts)) {
    return refusal(421, absl::PermissionDeniedError(AbslView(StrCat(
                            "this server is not called '",
                            absl::CHexEscape(host.substr(0, kLongestHost)),
                            "'; --allow-host adds a name"))));
  }
  if (request.has_header("Origin") &&
      (!has_once("Origin") ||
       !IsOwnOrigin(request.get_header_value("Origin"), host))) {
    return refusal(403,
                   absl::PermissionDeniedError(
                       "requests from pages of other origins are refused"));
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
  if (!has_once("Content-Type") ||
      !IsJson(request.get_header_value("Content-Type"))) {
    return refusal(415, absl::InvalidArgumentError(
                            "a body must have the type application/json"));
  }
  return std::nullopt;
}

}  // namespace tessera
