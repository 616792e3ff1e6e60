#include "tessera/service/transport/acceptor.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace tessera {
namespace {

// The time before connections are accepted again if the process has too many
// open files.
constexpr int kRetryMilliseconds = 50;

}  // namespace

Acceptor::Acceptor(std::vector<ListeningSocket> sockets,
                   std::function<void(int connection)> take)
    : sockets_(std::move(sockets)),
      take_(std::move(take)),
      stop_event_(eventfd(0, EFD_CLOEXEC)),
      thread_([this] { AcceptConnections(); }) {}

Acceptor::~Acceptor() {
  Stop();
  close(stop_event_);
}

void Acceptor::Stop() {
  if (!thread_.joinable()) return;
  eventfd_write(stop_event_, 1);
  thread_.join();
}

void Acceptor::AcceptConnections() {
  std::vector<pollfd> descriptors = {{stop_event_, POLLIN, 0}};
  for (const ListeningSocket& socket : sockets_) {
    descriptors.push_back({socket.descriptor, POLLIN, 0});
  }
  bool is_last_time = false;
  while (!is_last_time) {
    poll(descriptors.data(), descriptors.size(), -1);
    is_last_time = descriptors[0].revents != 0;
    bool has_failed = false;
    for (const ListeningSocket& socket : sockets_) {
      int connection;
      while ((connection = accept4(socket.descriptor, nullptr, nullptr,
                                   SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        take_(connection);
      }
      has_failed |= errno != EAGAIN;
    }
    if (has_failed) poll(descriptors.data(), 1, kRetryMilliseconds);
  }
  for (const ListeningSocket& socket : sockets_) close(socket.descriptor);
}

}  // namespace tessera
