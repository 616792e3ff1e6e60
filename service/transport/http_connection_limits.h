// Limits on the time of an HTTP client, and on the bytes that it sends before a
// body.
//
//   #include "tessera/service/transport/http_transport.h"
//
//   HttpOptions options;
//   options.connection_limits.request_timeout = absl::Seconds(5);

#ifndef TESSERA_SERVICE_TRANSPORT_HTTP_CONNECTION_LIMITS_H_
#define TESSERA_SERVICE_TRANSPORT_HTTP_CONNECTION_LIMITS_H_

#include <cstdint>

#include "absl/time/time.h"

namespace tessera {

struct HttpConnectionLimits {
  // The most bytes of the request line and all headers.
  int64_t head_bytes = int64_t{1} << 15;
  // The most bytes of each of these lines. cpp-httplib matches some of them
  // with std::regex, whose stack grows with the line.
  int64_t line_bytes = int64_t{1} << 12;
  // The most time a client may take before the next request, to send a whole
  // request, and to receive an answer of no bytes. An answer may take as much
  // longer as its received bytes take at the rate below.
  absl::Duration idle_timeout = absl::Seconds(60);
  absl::Duration request_timeout = absl::Seconds(20);
  absl::Duration answer_timeout = absl::Seconds(20);
  int64_t answer_bytes_per_second = int64_t{1} << 16;
  // Replaces the timeouts above while other connections wait for a thread.
  absl::Duration busy_timeout = absl::Seconds(1);
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_TRANSPORT_HTTP_CONNECTION_LIMITS_H_
