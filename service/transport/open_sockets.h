// Counts the sockets that are still open, among those that other code closes
// without notice.
//
//   OpenSockets sockets(/*limit=*/100);
//   if (sockets.HasRoom()) {
//     sockets.Add(socket);
//     server->Take(socket);
//   }

#ifndef TESSERA_SERVICE_TRANSPORT_OPEN_SOCKETS_H_
#define TESSERA_SERVICE_TRANSPORT_OPEN_SOCKETS_H_

#include <sys/types.h>

#include <vector>

namespace tessera {

class OpenSockets {
 public:
  explicit OpenSockets(int limit) : limit_(limit) {}

  // Returns whether fewer than `limit` are open.
  bool HasRoom();

  // Precondition: `descriptor` is open.
  void Add(int descriptor);

 private:
  struct Socket {
    int descriptor;
    // Another socket may reuse the descriptor, but has its own inode.
    ino_t inode;
  };

  const size_t limit_;
  // The sockets that were open at the last check.
  std::vector<Socket> sockets_;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_TRANSPORT_OPEN_SOCKETS_H_
