// A client that does as it likes, on loopback.
//
//   RawConnection connection(port);
//   connection.Send("GET / HT");
//   connection.ReadAll();   // what comes until the server hangs up

#ifndef TESSERA_TESTS_SERVICE_TRANSPORT_RAW_CONNECTION_H_
#define TESSERA_TESTS_SERVICE_TRANSPORT_RAW_CONNECTION_H_

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "gtest/gtest.h"

namespace tessera {

class RawConnection {
 public:
  explicit RawConnection(int port)
      : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address),
                      sizeof(address)),
              0);
  }
  RawConnection(RawConnection&& other)
      : socket_(std::exchange(other.socket_, -1)) {}
  ~RawConnection() {
    if (socket_ >= 0) close(socket_);
  }

  // False if the server has hung up.
  bool Send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t sent =
          send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      text.remove_prefix(sent);
    }
    return true;
  }

  // What is read from here on is what comes within so many seconds at a time.
  void SetTimeout(int seconds) const {
    const timeval timeout = {seconds, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
  }

  // Sends no more.
  void EndSending() const { shutdown(socket_, SHUT_WR); }

  std::string ReadAll() const {
    std::string text;
    char part[4096];
    ssize_t size;
    while ((size = recv(socket_, part, sizeof(part), 0)) > 0) {
      text.append(part, size);
    }
    return text;
  }

  // What has come, and at least something.
  std::string ReadSome() const {
    char part[4096];
    const ssize_t size = recv(socket_, part, sizeof(part), 0);
    return size > 0 ? std::string(part, size) : std::string();
  }

  // Dies without a word: the server gets a reset.
  void Kill() {
    const linger at_once = {1, 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    close(std::exchange(socket_, -1));
  }

 private:
  int socket_;
};

}  // namespace tessera

#endif  // TESSERA_TESTS_SERVICE_TRANSPORT_RAW_CONNECTION_H_
