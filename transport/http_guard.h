// File: transport/http_guard.h
//
// Who may ask over HTTP? A browser sends requests for any page that its user
// has open; these keep a strange page from asking through it.
//
//   IsAllowedHost("localhost:8080", {});          // true
//   IsAllowedHost("attacker.example:8080", {});   // false
//   IsOwnOrigin("http://localhost:8080", "localhost:8080");   // true
//   IsOwnOrigin("http://attacker.example", "localhost:8080"); // false
//
// The host a page has been loaded from stands in Host even if its name has been
// pointed at this machine since (DNS rebinding), and in Origin when it asks
// another host.

#ifndef TESSERA_TRANSPORT_HTTP_GUARD_H_
#define TESSERA_TRANSPORT_HTTP_GUARD_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "httplib.h"

namespace tessera {

// Whether `host`, the value of a Host header, is a name of the loopback
// interface or one of `allowed`, in any case of letters; with a port or
// without, as a tunnel may have another one at its other end. IPv6 numbers
// stand in brackets in `host`, and in `allowed` may.
bool IsAllowedHost(absl::string_view host,
                   absl::Span<const std::string> allowed);

// Whether `origin`, the value of an Origin header, is a page of this server, to
// which the same request says `host`.
bool IsOwnOrigin(absl::string_view origin, absl::string_view host);

// The length that a request says its body has, 0 if it says nothing; nullopt if
// it is not clear where the body ends.
absl::optional<int64_t> BodyLength(const httplib::Request& request);

struct HttpRefusal {
  int status;
  absl::Status reason;
};

// Why the head of a request is enough not to answer it, if it is: it comes from
// elsewhere, or brings a body that is too large, or that httplib would read
// without a limit.
absl::optional<HttpRefusal> RefusalOf(
    const httplib::Request& request,
    absl::Span<const std::string> allowed_hosts, int64_t body_bytes);

}  // namespace tessera

#endif  // TESSERA_TRANSPORT_HTTP_GUARD_H_
