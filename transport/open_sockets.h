// File: transport/open_sockets.h
//
// How many sockets are open, of those that something else closes without a
// word?
//
//   OpenSockets sockets(/*limit=*/100);
//   if (sockets.HasRoom()) {
//     sockets.Add(socket);
//     server->Take(socket);
//   }

#ifndef TESSERA_TRANSPORT_OPEN_SOCKETS_H_
#define TESSERA_TRANSPORT_OPEN_SOCKETS_H_

#include <sys/types.h>

#include <vector>

namespace tessera {

class OpenSockets {
 public:
  explicit OpenSockets(int limit) : limit_(limit) {}

  // Whether fewer than `limit` are open.
  bool HasRoom();

  // Precondition: `descriptor` is open.
  void Add(int descriptor);

 private:
  struct Socket {
    int descriptor;
    // Another socket may get the descriptor, but has an inode of its own.
    ino_t inode;
  };

  const size_t limit_;
  // Those that were open when last looked at.
  std::vector<Socket> sockets_;
};

}  // namespace tessera

#endif  // TESSERA_TRANSPORT_OPEN_SOCKETS_H_
