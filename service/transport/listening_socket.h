// A socket that waits for connections.
//
//   absl::StatusOr<ListeningSocket> socket = ListenOn("127.0.0.1", 0);
//   socket->port;         // a port that was free
//   accept4(socket->descriptor, nullptr, nullptr, SOCK_CLOEXEC);

#ifndef TESSERA_SERVICE_TRANSPORT_LISTENING_SOCKET_H_
#define TESSERA_SERVICE_TRANSPORT_LISTENING_SOCKET_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tessera {

struct ListeningSocket {
  int descriptor = -1;  // the caller's, to close
  int port = 0;
};

// Listens on the first usable address of `host`, which is a name or a number.
// If `port` is 0, listens on any free port. The descriptor does not block.
// Errors: kUnavailable if no address is usable.
absl::StatusOr<ListeningSocket> ListenOn(const std::string& host, int port);

// Listens on every usable address of `host`, because "localhost" may mean two;
// all have the same port. Errors: as above.
absl::StatusOr<std::vector<ListeningSocket>> ListenOnAll(
    const std::string& host, int port);

}  // namespace tessera

#endif  // TESSERA_SERVICE_TRANSPORT_LISTENING_SOCKET_H_
