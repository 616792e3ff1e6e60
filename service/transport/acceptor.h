// A thread that accepts connections, even if they exceed the number of files
// that the process may open.
//
//   Acceptor acceptor({socket}, [](int connection) { close(connection); });
//   acceptor.Stop();

#ifndef TESSERA_SERVICE_TRANSPORT_ACCEPTOR_H_
#define TESSERA_SERVICE_TRANSPORT_ACCEPTOR_H_

#include <functional>
#include <thread>
#include <vector>

#include "tessera/service/transport/listening_socket.h"

namespace tessera {

class Acceptor {
 public:
  // Takes ownership of `sockets`, and passes every connection to `take`, which
  // must close it. The descriptor of a connection does not block.
  Acceptor(std::vector<ListeningSocket> sockets,
           std::function<void(int connection)> take);
  // Calls Stop().
  ~Acceptor();
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  // Hands over the connections that have arrived. Returns when no more will be
  // accepted.
  void Stop();

 private:
  void AcceptConnections();

  const std::vector<ListeningSocket> sockets_;
  const std::function<void(int connection)> take_;
  const int stop_event_;
  std::thread thread_;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_TRANSPORT_ACCEPTOR_H_
