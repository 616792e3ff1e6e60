#include "tessera/service/transport/open_sockets.h"

#include <sys/stat.h>

#include <algorithm>

namespace tessera {
namespace {

// 0 if it is not open.
ino_t InodeOf(int descriptor) {
  struct stat status = {};
  return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

}  // namespace

bool OpenSockets::HasRoom() {
  if (sockets_.size() < limit_) return true;
  sockets_.erase(std::remove_if(sockets_.begin(), sockets_.end(),
                                [](const Socket& socket) {
                                  return InodeOf(socket.descriptor) !=
                                         socket.inode;
                                }),
                 sockets_.end());
  return sockets_.size() < limit_;
}

void OpenSockets::Add(int descriptor) {
  sockets_.push_back({descriptor, InodeOf(descriptor)});
}

}  // namespace tessera
