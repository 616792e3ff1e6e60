// File: transport/http_connection.h
//
// One connection of the HTTP transport, as cpp-httplib reads and writes it, but
// with an end to everything: httplib's own gives every single byte of a request
// a timeout of its own, and a request as many bytes as it likes.
//
//   HttpConnection connection(socket, limits, &state);
//   while (connection.WaitForRequest()) {
//     // httplib::Server::process_request(connection, ...), which calls:
//     connection.BeginBody(content_length);
//     if (!connection.HasReadRequest()) break;
//   }

#ifndef TESSERA_TRANSPORT_HTTP_CONNECTION_H_
#define TESSERA_TRANSPORT_HTTP_CONNECTION_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "httplib.h"
#include "tessera/transport/http_connection_limits.h"

namespace tessera {

// What the connections of a server have in common.
struct HttpConnectionsState {
  std::atomic<int64_t> waiting_connections = {0};
  // From then on only requests whose first byte has come are answered...
  std::atomic<bool> is_stopping = {false};
  // ... and those only until this, in nanoseconds since the epoch.
  std::atomic<int64_t> stop_time = {std::numeric_limits<int64_t>::max()};
};

class HttpConnection : public httplib::Stream {
 public:
  // Takes `socket`, which must not block, and closes it. `state` outlives it.
  HttpConnection(int socket, const HttpConnectionLimits& limits,
                 const HttpConnectionsState* state);
  ~HttpConnection() override;

  // Waits for the first byte of the next request. False if there is none.
  bool WaitForRequest();
  // The head has been read, and `bytes` are to follow, or nobody knows how
  // many.
  void BeginBody(absl::optional<int64_t> bytes);
  // Whether the request has been read to its end, and no further.
  bool HasReadRequest() const { return has_end_ && budget_ == 0; }

  bool is_readable() const override;
  bool is_writable() const override;
  // -1 if no more comes in time, or is allowed.
  ssize_t read(char* to, size_t size) override;
  ssize_t write(const char* from, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  // How long to wait: for as long as nothing else is the matter, while other
  // connections wait for a thread, and while the server stops.
  struct Patience {
    absl::Duration normal;
    absl::Duration busy;
    absl::Duration stopping;
  };

  Patience WithRequest() const;
  Patience WithAnswer() const;
  // Whether one of `events` comes soon enough after `start`.
  bool WaitFor(int16_t events, absl::Time start,
               const Patience& patience) const;
  // Receives into the empty buffer. False if nothing comes soon enough.
  bool Receive(absl::Time start, const Patience& patience);
  // Has the other side read what was written before it learns that what it
  // still sends is not wanted.
  void Linger();

  const int socket_;
  const HttpConnectionLimits limits_;
  const HttpConnectionsState& state_;
  char buffer_[4096];
  size_t begin_ = 0;
  size_t end_ = 0;
  absl::Time request_start_;
  // What may still be read of the head, or is to be read of the body.
  int64_t budget_ = 0;
  int64_t line_size_ = 0;
  bool is_in_body_ = false;
  bool has_end_ = false;
  bool is_broken_ = false;
};

}  // namespace tessera

#endif  // TESSERA_TRANSPORT_HTTP_CONNECTION_H_
