#include "tessera/transport/listening_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace tessera {
namespace {

// -1, and errno, if it cannot.
int TryToListen(const addrinfo& address) {
  const int descriptor = socket(
      address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
      address.ai_protocol);
  if (descriptor < 0) return -1;
  const int on = 1;
  // The connections of a server before this one may still be closing.
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 &&
      listen(descriptor, SOMAXCONN) == 0) {
    return descriptor;
  }
  const int error = errno;
  close(descriptor);
  errno = error;
  return -1;
}

int PortOf(int descriptor) {
  sockaddr_storage address = {};
  socklen_t size = sizeof(address);
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<sockaddr_in6*>(&address)->sin6_port
                   : reinterpret_cast<sockaddr_in*>(&address)->sin_port);
}

}  // namespace

absl::StatusOr<ListeningSocket> ListenOn(const std::string& host, int port) {
  const auto failed = [&](absl::string_view reason) {
    return absl::UnavailableError(absl::StrCat("HTTP cannot listen on ", host,
                                               " port ", port, ": ", reason));
  };
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error =
      getaddrinfo(host.c_str(), absl::StrCat(port).c_str(), &hints, &found);
  if (error != 0) return failed(gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> addresses(
      found, &freeaddrinfo);
  for (const addrinfo* address = found; address != nullptr;
       address = address->ai_next) {
    const int descriptor = TryToListen(*address);
    if (descriptor >= 0) return ListeningSocket{descriptor, PortOf(descriptor)};
  }
  return failed(strerror(errno));
}

}  // namespace tessera
