#include "tessera/service/transport/listening_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"

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

// The port of an address, in the order of bytes of the network.
in_port_t& PortIn(sockaddr* address) {
  return address->sa_family == AF_INET6
             ? reinterpret_cast<sockaddr_in6*>(address)->sin6_port
             : reinterpret_cast<sockaddr_in*>(address)->sin_port;
}

int PortOf(int descriptor) {
  sockaddr_storage address = {};
  socklen_t size = sizeof(address);
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(PortIn(reinterpret_cast<sockaddr*>(&address)));
}

// Listens on no more than `limit` addresses of `host`, and at least on one.
absl::StatusOr<std::vector<ListeningSocket>> ListenOnSome(
    const std::string& host, int port, size_t limit) {
  const auto failed = [&](std::string_view reason) {
    return absl::UnavailableError(
        StrCat("HTTP cannot listen on ", host, " port ", port, ": ", reason));
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
  std::vector<ListeningSocket> sockets;
  for (const addrinfo* address = found;
       address != nullptr && sockets.size() < limit;
       address = address->ai_next) {
    if (!sockets.empty()) {
      PortIn(address->ai_addr) = htons(sockets.front().port);
    }
    const int descriptor = TryToListen(*address);
    if (descriptor >= 0) sockets.push_back({descriptor, PortOf(descriptor)});
  }
  if (sockets.empty()) return failed(strerror(errno));
  return sockets;
}

}  // namespace

absl::StatusOr<ListeningSocket> ListenOn(const std::string& host, int port) {
  TESSERA_ASSIGN_OR_RETURN(const std::vector<ListeningSocket> sockets,
                           ListenOnSome(host, port, 1));
  return sockets.front();
}

absl::StatusOr<std::vector<ListeningSocket>> ListenOnAll(
    const std::string& host, int port) {
  return ListenOnSome(host, port, std::numeric_limits<size_t>::max());
}

}  // namespace tessera
