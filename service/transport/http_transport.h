// The service over HTTP, for browsers and for programs without gRPC.
//
//   const LayoutService service;
//   WorkQueue work(WorkQueue::Options{});
//   absl::StatusOr<std::unique_ptr<HttpTransport>> transport =
//       HttpTransport::Start(&service, &work, HttpOptions());
//   (*transport)->port() > 0;   // true: where it listens
//   // POST /v1/ask    {"linearize":{"layout":"f32[3,5]","indices":[2,3]}}
//   // POST /v1/batch  {"requests":[{"parse":{"text":"f32[2]"}}]}
//   // GET /v1         the questions, each with an example
//   // GET /v1/openapi.json
//   // GET /healthz    ok
//   // GET /readyz     ok, or 503 if requests would be refused
//   // GET /metrics    numbers for Prometheus, if options.traffic is set
//   (*transport)->Shutdown(absl::Now() + absl::Seconds(10));
//
// Requests and answers are JSON (service/answer_json.h); with ?json=proto3 the
// answer has the form of proto3's JSON. An answer has status 200. An error has
// another status, and a response with the error as its body:
//
//   400   INVALID_ARGUMENT, OUT_OF_RANGE, FAILED_PRECONDITION
//   413   RESOURCE_EXHAUSTED: the question or its body exceeds a limit
//   422   UNIMPLEMENTED: the question is valid but not supported
//   500   INTERNAL and the others
//   503   UNAVAILABLE: too many requests wait, or the server is shutting down
//   504   DEADLINE_EXCEEDED
//
// An error within a batch is only in its response. HTTP itself refuses requests
// with 400, 408, 411, 414 and 431 if they cannot be read, 403 and 421 if the
// client may not ask (service/transport/http_guard.h), 404 and 405 if there is
// no such path or method, 415 if the body is not JSON. Pages of another origin
// get no answer.

#ifndef TESSERA_SERVICE_TRANSPORT_HTTP_TRANSPORT_H_
#define TESSERA_SERVICE_TRANSPORT_HTTP_TRANSPORT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tessera/service/layout_service.h"
#include "tessera/service/transport/http_connection_limits.h"
#include "tessera/service/transport/static_asset.h"
#include "tessera/service/transport/traffic.h"
#include "tessera/service/transport/work_queue.h"

namespace tessera {

struct HttpOptions {
  // A host name or address, IPv6 without brackets. There is neither encryption
  // nor authentication, only the check of host names.
  std::string host = "127.0.0.1";
  int port = 0;  // 0 for any free port
  // Names that requests may use for this host, in addition to `host` and
  // loopback names.
  std::vector<std::string> allowed_hosts;
  // Files that are served unchanged.
  std::vector<StaticAsset> assets;
  // The most bytes of a body.
  int64_t body_bytes = int64_t{16} << 20;
  // The number of connections that are read at a time, and the number that may
  // wait.
  int connections = 64;
  int64_t waiting_connections = 256;
  HttpConnectionLimits connection_limits;
  // If a question takes longer, it is answered with an error; if a batch does,
  // the rest of it is. Both count from the arrival of the request.
  absl::Duration question_timeout = absl::Seconds(30);
  absl::Duration batch_timeout = absl::Seconds(60);
  // Counts and logs requests, and makes /metrics. Outlives the transport.
  // Optional.
  Traffic* traffic = nullptr;
};

class HttpTransport {
 public:
  // Starts to listen and answer. `service`, `work` and the assets must outlive
  // the transport. Errors: kUnavailable if it cannot listen there. Throws
  // std::system_error if the system cannot start more threads.
  static absl::StatusOr<std::unique_ptr<HttpTransport>> Start(
      const LayoutService* service, WorkQueue* work,
      const HttpOptions& options);
  virtual ~HttpTransport() = default;

  virtual int port() const = 0;

  // Stops accepting connections, and answers every request that has arrived in
  // part, if the rest arrives before `deadline`; later ones are cancelled.
  // Returns when no request is left. Without Shutdown, the destructor cancels
  // all requests.
  virtual void Shutdown(absl::Time deadline) = 0;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_TRANSPORT_HTTP_TRANSPORT_H_
