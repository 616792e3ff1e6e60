// The service over gRPC: proto/layout_service_rpc.proto, with health checking
// (grpc.health.v1) and reflection.
//
//   const LayoutService service;
//   WorkQueue work(WorkQueue::Options{});
//   absl::StatusOr<std::unique_ptr<GrpcTransport>> transport =
//       GrpcTransport::Start(&service, &work, GrpcOptions());
//   (*transport)->port() > 0;   // true: where it listens
//   (*transport)->Shutdown(absl::Now() + absl::Seconds(10));
//
// If the answer to Ask is an error, the status of the call has its code and
// message. The details of the status (grpc-status-details-bin, a
// google.rpc.Status) have the whole Error, without its position if that is
// long. The same is true for a batch that is refused as a whole. In a batch and
// in a stream, an error is a response like others.
//
// The status is DEADLINE_EXCEEDED if the deadline passes before there is an
// answer. It is RESOURCE_EXHAUSTED if a message is too large, too many requests
// wait, clients leave too many answers unread, or there is no memory. In a
// stream, a request that does not fit is answered with this error, and the
// stream continues. An answer may be larger than the 4 MiB that a client
// accepts by default. A call is CANCELLED if its client is too slow to receive
// the answer.

#ifndef TESSERA_SERVICE_TRANSPORT_GRPC_TRANSPORT_H_
#define TESSERA_SERVICE_TRANSPORT_GRPC_TRANSPORT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tessera/service/layout_service.h"
#include "tessera/service/transport/traffic.h"
#include "tessera/service/transport/work_queue.h"

namespace tessera {

struct GrpcOptions {
  // A host name or address, IPv6 without brackets. There is neither encryption
  // nor authentication.
  std::string host = "127.0.0.1";
  int port = 0;  // 0 for any free port
  // The most bytes of one incoming message. The limits of the service bound
  // answers.
  int message_bytes = 16 << 20;
  // The most bytes of messages in transit, over all connections.
  int64_t transport_bytes = int64_t{256} << 20;
  // The most bytes of answers that clients have not received yet, over all
  // connections. While there are more, requests are refused.
  int64_t unread_bytes = int64_t{256} << 20;
  // The most connections at a time, and at most half of the files that the
  // process may have open. Further connections are closed.
  int connections = 2048;
  // The most calls at a time on one connection. Further calls wait in the
  // client.
  int calls_per_connection = 100;
  // The most threads that answer health checks and reflection.
  int housekeeping_threads = 16;
  // How long a new connection may stay silent before it is closed.
  absl::Duration handshake_timeout = absl::Seconds(10);
  // In each such time, a client must receive an answer at 64 KiB per second, or
  // the rest of it.
  absl::Duration answer_timeout = absl::Seconds(20);
  // If a question takes longer, it is answered with an error; if a batch does,
  // the rest of it is. Both count from the arrival of the request.
  absl::Duration question_timeout = absl::Seconds(30);
  absl::Duration batch_timeout = absl::Seconds(60);
  // Counts and logs requests. Outlives the transport. Optional.
  Traffic* traffic = nullptr;
};

class GrpcTransport {
 public:
  // Starts to listen and answer. `service` and `work` must outlive the
  // transport. Errors: kUnavailable if it cannot listen there. Throws
  // std::system_error if the system cannot start more threads.
  static absl::StatusOr<std::unique_ptr<GrpcTransport>> Start(
      const LayoutService* service, WorkQueue* work,
      const GrpcOptions& options);
  virtual ~GrpcTransport() = default;

  virtual int port() const = 0;
  // Returns the bytes of answers that clients have not received yet.
  virtual int64_t unread_bytes() const = 0;

  // Answers health checks with NOT_SERVING, accepts no more calls, finishes the
  // calls in progress and cancels those that are left at `deadline`. Returns
  // when no call is left. Without Shutdown, the destructor cancels all calls.
  virtual void Shutdown(absl::Time deadline) = 0;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_TRANSPORT_GRPC_TRANSPORT_H_
