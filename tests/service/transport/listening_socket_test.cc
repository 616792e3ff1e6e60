#include "tessera/service/transport/listening_socket.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/status_matchers.h"
#include "tests/service/transport/raw_connection.h"

namespace tessera {
namespace {

TEST(ListeningSocket, Example) {
  const absl::StatusOr<ListeningSocket> socket = ListenOn("127.0.0.1", 0);
  ASSERT_THAT(socket, IsOk());
  ASSERT_GT(socket->port, 0);
  // Nobody is there, and that is no reason to wait.
  EXPECT_EQ(accept4(socket->descriptor, nullptr, nullptr, SOCK_CLOEXEC), -1);
  EXPECT_EQ(errno, EAGAIN);
  const RawConnection client(socket->port);
  const int accepted =
      accept4(socket->descriptor, nullptr, nullptr, SOCK_CLOEXEC);
  EXPECT_GE(accepted, 0);
  close(accepted);
  EXPECT_EQ(client.ReadAll(), "");
  close(socket->descriptor);
}

TEST(ListeningSocket, OnePortIsOfOneSocket) {
  const absl::StatusOr<ListeningSocket> first = ListenOn("localhost", 0);
  ASSERT_THAT(first, IsOk());
  const absl::StatusOr<ListeningSocket> second =
      ListenOn("localhost", first->port);
  // Where localhost has two addresses, the other one may still be free.
  if (second.ok()) {
    EXPECT_THAT(ListenOn("localhost", first->port),
                StatusIs(absl::StatusCode::kUnavailable));
    close(second->descriptor);
  } else {
    EXPECT_EQ(second.status().message(),
              absl::StrCat("HTTP cannot listen on localhost port ", first->port,
                           ": Address already in use"));
  }
  close(first->descriptor);
}

TEST(ListeningSocket, EveryAddressOfAHost) {
  const auto sockets = ListenOnAll("localhost", 0);
  ASSERT_THAT(sockets, IsOk());
  for (const ListeningSocket& socket : *sockets) {
    EXPECT_EQ(socket.port, sockets->front().port);
  }
  // Whichever of its addresses came first.
  const RawConnection client(sockets->front().port);
  EXPECT_TRUE(client.Send("x"));
  for (const ListeningSocket& socket : *sockets) close(socket.descriptor);
  EXPECT_THAT(ListenOnAll("192.0.2.1", 0),
              StatusIs(absl::StatusCode::kUnavailable));
}

TEST(ListeningSocket, HostsThatAreNotHere) {
  // Of those that are kept for documentation.
  EXPECT_EQ(ListenOn("192.0.2.1", 0).status().message(),
            "HTTP cannot listen on 192.0.2.1 port 0: Cannot assign requested "
            "address");
  EXPECT_THAT(ListenOn("no.such.host.invalid", 0),
              StatusIs(absl::StatusCode::kUnavailable));
}

}  // namespace
}  // namespace tessera
