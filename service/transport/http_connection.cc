#include "tessera/service/transport/http_connection.h"

#include <arpa/inet.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "absl/time/clock.h"
#include "tessera/service/transport/http_guard.h"

namespace tessera {
namespace {

// The time after which waiting connections, or a stop of the server, are
// noticed.
constexpr absl::Duration kSlice = absl::Milliseconds(50);
// For a client that has not yet read its rejection.
constexpr absl::Duration kLingerTimeout = absl::Seconds(1);

}  // namespace

HttpConnection::HttpConnection(int socket, const HttpConnectionLimits& limits,
                               const HttpConnectionsState* state)
    : socket_(socket), limits_(limits), state_(*state) {
  // Otherwise the second part of an answer would wait until the client
  // acknowledges the first, which it may delay.
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

HttpConnection::~HttpConnection() {
  if (!is_broken_ && !HasReadRequest()) Linger();
  close(socket_);
}

bool HttpConnection::WaitForRequest() {
  const bool has_bytes =
      begin_ < end_ ||
      Receive(absl::Now(), {limits_.idle_timeout, limits_.busy_timeout,
                            absl::ZeroDuration()});
  request_start_ = absl::Now();
  budget_ = limits_.head_bytes;
  line_.clear();
  lines_ = 0;
  head_ = absl::OkStatus();
  refused_status_ = 0;
  has_written_ = false;
  is_in_body_ = false;
  has_end_ = false;
  return has_bytes;
}

void HttpConnection::BeginBody(std::optional<int64_t> bytes) {
  is_in_body_ = true;
  has_end_ = bytes.has_value();
  budget_ = bytes.value_or(0);
}

bool HttpConnection::is_readable() const {
  return begin_ < end_ ||
         WaitFor(
             POLLIN, [this] { return request_start_; }, WithRequest());
}

bool HttpConnection::is_writable() const {
  return WaitFor(
      POLLOUT, [start = absl::Now()] { return start; }, WithAnswer());
}

bool HttpConnection::IsGone(bool may_half_close) const {
  char byte;
  const ssize_t received =
      recv(socket_, &byte, sizeof(byte), MSG_PEEK | MSG_DONTWAIT);
  if (received < 0) return errno != EAGAIN && errno != EINTR;
  return received == 0 && !may_half_close;
}

ssize_t HttpConnection::read(char* to, size_t size) {
  if (begin_ == end_ && !Receive(request_start_, WithRequest())) {
    return -1;
  }
  const size_t taken =
      std::min({size, end_ - begin_, static_cast<size_t>(budget_)});
  if (taken == 0) {
    if (!is_in_body_) refused_status_ = 431;
    return -1;
  }
  if (!is_in_body_) {
    for (size_t i = begin_; i < begin_ + taken; ++i) {
      if (buffer_[i] != '\n') {
        line_.push_back(buffer_[i]);
        continue;
      }
      if (head_.ok()) head_ = CheckHeadLine(line_, /*is_first=*/lines_ == 0);
      ++lines_;
      line_.clear();
    }
    if (static_cast<int64_t>(line_.size()) > limits_.line_bytes) {
      refused_status_ = lines_ == 0 ? 414 : 431;
      return -1;
    }
  }
  memcpy(to, buffer_ + begin_, taken);
  begin_ += taken;
  budget_ -= taken;
  return taken;
}

ssize_t HttpConnection::write(const char* from, size_t size) {
  has_written_ = true;
  size_t written = 0;
  // The client gets additional time for the bytes that it has received.
  const auto start = [this, &written, first = absl::Now()] {
    const int64_t received =
        std::max<int64_t>(static_cast<int64_t>(written) - UnreceivedBytes(), 0);
    return first + absl::Seconds(static_cast<double>(received) /
                                 limits_.answer_bytes_per_second);
  };
  while (written < size) {
    const ssize_t sent =
        send(socket_, from + written, size - written, MSG_NOSIGNAL);
    if (sent >= 0) {
      written += sent;
      continue;
    }
    const bool goes_on =
        errno == EINTR ||
        (errno == EAGAIN && WaitFor(POLLOUT, start, WithAnswer()));
    if (!goes_on) {
      is_broken_ = true;
      return -1;
    }
  }
  return size;
}

void HttpConnection::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
  sockaddr_storage address = {};
  socklen_t size = sizeof(address);
  if (getpeername(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return;
  }
  const auto* const four = reinterpret_cast<const sockaddr_in*>(&address);
  const auto* const six = reinterpret_cast<const sockaddr_in6*>(&address);
  const bool is_six = address.ss_family == AF_INET6;
  if (!is_six && address.ss_family != AF_INET) return;
  char text[INET6_ADDRSTRLEN] = "";
  inet_ntop(
      address.ss_family,
      is_six ? static_cast<const void*>(&six->sin6_addr) : &four->sin_addr,
      text, sizeof(text));
  ip = text;
  port = ntohs(is_six ? six->sin6_port : four->sin_port);
}

void HttpConnection::get_local_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

HttpConnection::Patience HttpConnection::WithRequest() const {
  return {limits_.request_timeout, limits_.busy_timeout, limits_.busy_timeout};
}

HttpConnection::Patience HttpConnection::WithAnswer() const {
  return {limits_.answer_timeout, limits_.busy_timeout, limits_.answer_timeout};
}

int64_t HttpConnection::UnreceivedBytes() const {
  int bytes = 0;
  return ioctl(socket_, SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

bool HttpConnection::WaitFor(int16_t events,
                             absl::FunctionRef<absl::Time()> start,
                             const Patience& patience) const {
  while (true) {
    const absl::Time end =
        std::min(start() + (state_.is_stopping               ? patience.stopping
                            : state_.waiting_connections > 0 ? patience.busy
                                                             : patience.normal),
                 absl::FromUnixNanos(state_.stop_time));
    const absl::Duration left =
        std::max(end - absl::Now(), absl::ZeroDuration());
    pollfd descriptor = {socket_, events, 0};
    const int ready = poll(&descriptor, 1,
                           absl::ToInt64Milliseconds(absl::Ceil(
                               std::min(left, kSlice), absl::Milliseconds(1))));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (left == absl::ZeroDuration()) return false;
  }
}

bool HttpConnection::Receive(absl::Time start, const Patience& patience) {
  while (true) {
    const ssize_t received = recv(socket_, buffer_, sizeof(buffer_), 0);
    if (received > 0) {
      begin_ = 0;
      end_ = received;
      return true;
    }
    if (received < 0 && errno == EINTR) continue;
    if (received == 0 || errno != EAGAIN) {
      is_broken_ = true;
      return false;
    }
    if (!WaitFor(
            POLLIN, [start] { return start; }, patience)) {
      is_broken_ = true;
      refused_status_ = 408;
      return false;
    }
  }
}

void HttpConnection::Linger() {
  shutdown(socket_, SHUT_WR);
  const absl::Time start = absl::Now();
  while (absl::Now() < start + kLingerTimeout &&
         Receive(start, {kLingerTimeout, kLingerTimeout, kLingerTimeout})) {
  }
}

}  // namespace tessera
