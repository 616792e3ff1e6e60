#include "tessera/service/transport/acceptor.h"

#include <unistd.h>

#include <atomic>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/status_matchers.h"
#include "tests/service/transport/raw_connection.h"

namespace tessera {
namespace {

TEST(Acceptor, Example) {
  const absl::StatusOr<ListeningSocket> socket = ListenOn("127.0.0.1", 0);
  ASSERT_THAT(socket, IsOk());
  std::atomic<int> taken(0);
  Acceptor acceptor({*socket}, [&taken](int connection) {
    ++taken;
    close(connection);
  });
  EXPECT_EQ(RawConnection(socket->port).ReadAll(), "");
  EXPECT_EQ(taken, 1);
  // What has come is taken.
  const RawConnection first(socket->port), second(socket->port);
  acceptor.Stop();
  EXPECT_EQ(taken, 3);
  // Twice is once.
  acceptor.Stop();
}

}  // namespace
}  // namespace tessera
