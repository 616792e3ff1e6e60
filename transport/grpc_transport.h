// File: transport/grpc_transport.h
//
// The service over gRPC: proto/layout_service_rpc.proto, with health checking
// (grpc.health.v1) and reflection.
//
//   const LayoutService service;
//   WorkQueue work(WorkQueue::Options{});
//   absl::StatusOr<std::unique_ptr<GrpcTransport>> transport =
//       GrpcTransport::Start(&service, &work, GrpcOptions());
//   (*transport)->port();   // where it listens
//   (*transport)->Shutdown(absl::Now() + absl::Seconds(10));
//
// An answer with an error in it is an answer: the call's own status is OK. It
// is DEADLINE_EXCEEDED where the deadline has passed before a thread was free,
// and RESOURCE_EXHAUSTED for a message that is too large, where too many
// requests wait, where clients leave too many answers unread, and where there
// is no memory; of a stream, the request that finds no room is answered so, and
// the stream goes on. An answer may be larger than the 4 MiB that a client
// takes unless it says otherwise. A call is CANCELLED if its client is too slow
// to take the answer.

#ifndef TESSERA_TRANSPORT_GRPC_TRANSPORT_H_
#define TESSERA_TRANSPORT_GRPC_TRANSPORT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tessera/service/layout_service.h"
#include "tessera/transport/work_queue.h"

namespace tessera {

struct GrpcOptions {
  // A name or a number, IPv6 without brackets. There is neither encryption nor
  // a check of who asks.
  std::string host = "127.0.0.1";
  int port = 0;  // any that is free
  // Of one message that comes in; answers are bounded by the service's limits.
  int message_bytes = 16 << 20;
  // Of all connections together, for messages on their way.
  int64_t transport_bytes = int64_t{256} << 20;
  // Of answers that clients have not taken yet, of all connections together;
  // while there are more, requests are refused.
  int64_t unread_bytes = int64_t{256} << 20;
  // Connections at a time, and no more than half of the files that the process
  // may have open; further ones are hung up on.
  int connections = 2048;
  // Calls at a time of one connection; further ones wait in their client.
  int calls_per_connection = 100;
  // Of the threads that answer about health and by reflection.
  int housekeeping_threads = 16;
  // For a connection's first words; who says none is hung up on.
  absl::Duration handshake_timeout = absl::Seconds(10);
  // To take in an answer.
  absl::Duration answer_timeout = absl::Seconds(20);
  // A batch that takes longer is answered with errors from there on.
  absl::Duration batch_timeout = absl::Seconds(60);
};

class GrpcTransport {
 public:
  // Listens and answers from here on. `service` and `work` outlive it. Errors:
  // kUnavailable if it cannot listen there. Throws std::system_error if the
  // system starts no more threads.
  static absl::StatusOr<std::unique_ptr<GrpcTransport>> Start(
      const LayoutService* service, WorkQueue* work,
      const GrpcOptions& options);
  virtual ~GrpcTransport() = default;

  virtual int port() const = 0;
  // What is held of answers that clients have not taken yet.
  virtual int64_t unread_bytes() const = 0;

  // Says NOT_SERVING to who asks about health, takes no more calls, finishes
  // those under way and breaks off what of them is left at `deadline`. Returns
  // when nothing is. Without it the destructor breaks everything off.
  virtual void Shutdown(absl::Time deadline) = 0;
};

}  // namespace tessera

#endif  // TESSERA_TRANSPORT_GRPC_TRANSPORT_H_
