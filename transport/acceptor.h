// File: transport/acceptor.h
//
// A thread that accepts connections, also where there are more of them than the
// process may have files open.
//
//   Acceptor acceptor({socket}, [](int connection) { close(connection); });
//   acceptor.Stop();

#ifndef TESSERA_TRANSPORT_ACCEPTOR_H_
#define TESSERA_TRANSPORT_ACCEPTOR_H_

#include <functional>
#include <thread>
#include <vector>

#include "tessera/transport/listening_socket.h"

namespace tessera {

class Acceptor {
 public:
  // Takes `sockets`, and hands every connection to `take`, which is to close
  // it. The descriptor of a connection does not block.
  Acceptor(std::vector<ListeningSocket> sockets,
           std::function<void(int connection)> take);
  // Stops.
  ~Acceptor();
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  // Hands on the connections that have come, and returns when no more will be
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

#endif  // TESSERA_TRANSPORT_ACCEPTOR_H_
