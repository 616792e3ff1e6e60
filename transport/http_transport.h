// File: transport/http_transport.h
//
// The service over HTTP, for browsers and for programs without gRPC.
//
//   const LayoutService service;
//   WorkQueue work(WorkQueue::Options{});
//   absl::StatusOr<std::unique_ptr<HttpTransport>> transport =
//       HttpTransport::Start(&service, &work, HttpOptions());
//   (*transport)->port();   // where it listens
//   // POST /v1/ask    {"linearize":{"layout":"f32[3,5]","indices":[2,3]}}
//   // POST /v1/batch  {"requests":[{"parse":{"text":"f32[2]"}}]}
//   // GET /healthz    ok
//
// Requests and answers are JSON (service/json.h), and what the service has
// answered, errors included, has status 200. What HTTP itself refuses has one
// of its own, and a response with the error for its body: 400 and 411 for what
// cannot be read, 403 and 421 for who may not ask (transport/http_guard.h), 404
// and 405 for what is not there, 413 and 415 for a body that is too large or no
// JSON, 503 where too much waits. No page of another origin gets an answer.

#ifndef TESSERA_TRANSPORT_HTTP_TRANSPORT_H_
#define TESSERA_TRANSPORT_HTTP_TRANSPORT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tessera/service/layout_service.h"
#include "tessera/transport/http_connection_limits.h"
#include "tessera/transport/static_asset.h"
#include "tessera/transport/work_queue.h"

namespace tessera {

struct HttpOptions {
  // A name or a number, IPv6 without brackets. There is neither encryption nor
  // a check of who asks, beside that of names.
  std::string host = "127.0.0.1";
  int port = 0;  // any that is free
  // What requests may call this host, beside `host` and loopback names.
  std::vector<std::string> allowed_hosts;
  // Served as they are.
  std::vector<StaticAsset> assets;
  int64_t body_bytes = int64_t{16} << 20;
  // Connections that are read from at a time, and that may wait for that.
  int connections = 64;
  int64_t waiting_connections = 256;
  HttpConnectionLimits connection_limits;
  // A batch that takes longer is answered with errors from there on.
  absl::Duration batch_timeout = absl::Seconds(60);
};

class HttpTransport {
 public:
  // Listens and answers from here on. `service`, `work` and assets outlive it.
  // Errors: kUnavailable if it cannot listen there. Throws std::system_error if
  // the system starts no more threads.
  static absl::StatusOr<std::unique_ptr<HttpTransport>> Start(
      const LayoutService* service, WorkQueue* work,
      const HttpOptions& options);
  virtual ~HttpTransport() = default;

  virtual int port() const = 0;

  // Takes no more connections, answers the requests that have begun to come and
  // does not wait past `deadline` for the rest of them. Returns when nothing is
  // under way. Without it the destructor breaks everything off.
  virtual void Shutdown(absl::Time deadline) = 0;
};

}  // namespace tessera

#endif  // TESSERA_TRANSPORT_HTTP_TRANSPORT_H_
