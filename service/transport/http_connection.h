// One connection of the HTTP transport, which cpp-httplib reads and writes.
// Everything in it is bounded. The stream of cpp-httplib itself grants every
// byte of a request a new timeout, and a request any number of bytes.
//
//   HttpConnection connection(socket, limits, &state);
//   while (connection.WaitForRequest()) {
//     // httplib::Server::process_request(connection, ...), which calls:
//     connection.BeginBody(content_length);
//     if (!connection.HasReadRequest()) break;
//   }

#ifndef TESSERA_SERVICE_TRANSPORT_HTTP_CONNECTION_H_
#define TESSERA_SERVICE_TRANSPORT_HTTP_CONNECTION_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "httplib.h"
#include "tessera/service/transport/http_connection_limits.h"

namespace tessera {

// The common state of the connections of a server.
struct HttpConnectionsState {
  std::atomic<int64_t> waiting_connections = {0};
  // Once this is set, only requests whose first byte has arrived are
  // answered...
  std::atomic<bool> is_stopping = {false};
  // ... and only until this time, in nanoseconds since the epoch.
  std::atomic<int64_t> stop_time = {std::numeric_limits<int64_t>::max()};
};

class HttpConnection : public httplib::Stream {
 public:
  // Takes `socket`, which must not block, and closes it. `state` must outlive
  // this.
  HttpConnection(int socket, const HttpConnectionLimits& limits,
                 const HttpConnectionsState* state);
  ~HttpConnection() override;

  // Waits for the first byte of the next request. Returns false if none comes.
  bool WaitForRequest();
  // Records that the head has been read and that `bytes` follow; nullopt if
  // their number is unknown.
  void BeginBody(std::optional<int64_t> bytes);
  // Returns whether the request has been read exactly to its end.
  bool HasReadRequest() const { return has_end_ && budget_ == 0; }
  // Returns the error of the first invalid line of the head, if any
  // (CheckHeadLine).
  const absl::Status& head() const { return head_; }
  // Returns the HTTP status of a request that was not read to its end: 408 if
  // it did not arrive in time, 414 or 431 if its first line or its head is too
  // long. 0 otherwise.
  int refused_status() const { return refused_status_; }
  // Returns whether the request line was too long, and nothing was answered.
  bool IsRefusedSilently() const {
    return refused_status_ == 414 && !has_written_;
  }
  // Returns whether the client seems to have disconnected: it has reset the
  // connection, or has closed it and `may_half_close` is false. A client that
  // has closed only its own half may still read. Any thread may call this.
  bool IsGone(bool may_half_close) const;

  bool is_readable() const override;
  bool is_writable() const override;
  // Returns -1 if nothing comes in time, or if no more is allowed.
  ssize_t read(char* to, size_t size) override;
  ssize_t write(const char* from, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  // How long to wait: normally, while other connections wait for a thread, and
  // while the server stops.
  struct Patience {
    absl::Duration normal;
    absl::Duration busy;
    absl::Duration stopping;
  };

  Patience WithRequest() const;
  Patience WithAnswer() const;
  // Returns whether one of `events` comes soon enough after the time that
  // `start` returns. Calls `start` repeatedly.
  bool WaitFor(int16_t events, absl::FunctionRef<absl::Time()> start,
               const Patience& patience) const;
  // Returns how many bytes the client has not received yet.
  int64_t UnreceivedBytes() const;
  // Receives into the empty buffer. Returns false if nothing comes soon enough.
  bool Receive(absl::Time start, const Patience& patience);
  // Waits until the client has read the answer, because closing the connection
  // aborts the rest of its request.
  void Linger();

  const int socket_;
  const HttpConnectionLimits limits_;
  const HttpConnectionsState& state_;
  char buffer_[4096];
  size_t begin_ = 0;
  size_t end_ = 0;
  absl::Time request_start_;
  // The bytes that may still be read of the head, or that must still be read of
  // the body.
  int64_t budget_ = 0;
  std::string line_;  // of the head, as far as it has been read
  int64_t lines_ = 0;
  absl::Status head_;
  int refused_status_ = 0;
  bool has_written_ = false;
  bool is_in_body_ = false;
  bool has_end_ = false;
  bool is_broken_ = false;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_TRANSPORT_HTTP_CONNECTION_H_
