// Decides who may ask over HTTP. A browser sends requests on behalf of any page
// that its user has open. These checks keep pages of other origins from asking.
//
//   IsAllowedHost("localhost:8080", {});          // true
//   IsAllowedHost("attacker.example:8080", {});   // false
//   IsOwnOrigin("http://localhost:8080", "localhost:8080");   // true
//   IsOwnOrigin("http://attacker.example", "localhost:8080"); // false
//
// The header Host names the host that a page was loaded from, even if this name
// has been pointed at this machine since (DNS rebinding). The header Origin
// names it if the page asks another host.

#ifndef TESSERA_SERVICE_TRANSPORT_HTTP_GUARD_H_
#define TESSERA_SERVICE_TRANSPORT_HTTP_GUARD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "httplib.h"

namespace tessera {

// Returns whether `host`, the value of a Host header, is a name of the loopback
// interface or one of `allowed`. Ignores the case of letters, and the port,
// since a tunnel may have another port at its other end. IPv6 numbers have
// brackets in `host`, and may have them in `allowed`.
bool IsAllowedHost(std::string_view host,
                   absl::Span<const std::string> allowed);

// Returns whether `origin`, the value of an Origin header, is a page of this
// server, which the same request calls `host`.
bool IsOwnOrigin(std::string_view origin, std::string_view host);

// Checks a line of a head, which may end in a carriage return and has no line
// feed; the request line if `is_first`. cpp-httplib is lenient where proxies
// are strict, and the two must not see different requests. Errors:
// kInvalidArgument if a header has a blank before its colon or continues the
// one before it, for control characters, for an origin that is empty, and for
// escapes in a host, an origin or a length.
absl::Status CheckHeadLine(std::string_view line, bool is_first);

// Returns the length that a request gives for its body; 0 if it does not give
// one; nullopt if the end of the body is ambiguous.
std::optional<int64_t> BodyLength(const httplib::Request& request);

struct HttpRefusal {
  int status;
  absl::Status reason;
};

// Returns the reason to reject a request by its head alone; nullopt if there is
// none. The reasons are another origin, a body that is too large, and a body
// that cpp-httplib would read without a limit.
std::optional<HttpRefusal> RefusalOf(
    const httplib::Request& request,
    absl::Span<const std::string> allowed_hosts, int64_t body_bytes);

}  // namespace tessera

#endif  // TESSERA_SERVICE_TRANSPORT_HTTP_GUARD_H_
