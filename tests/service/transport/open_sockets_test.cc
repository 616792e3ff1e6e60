#include "tessera/service/transport/open_sockets.h"

#include <sys/socket.h>
#include <unistd.h>

#include "gtest/gtest.h"

namespace tessera {
namespace {

int Socket() { return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); }

TEST(OpenSockets, Example) {
  OpenSockets sockets(/*limit=*/2);
  const int first = Socket(), second = Socket();
  EXPECT_TRUE(sockets.HasRoom());
  sockets.Add(first);
  EXPECT_TRUE(sockets.HasRoom());
  sockets.Add(second);
  EXPECT_FALSE(sockets.HasRoom());
  close(first);
  EXPECT_TRUE(sockets.HasRoom());
  close(second);
}

TEST(OpenSockets, ADescriptorIsUsedAgain) {
  OpenSockets sockets(/*limit=*/1);
  const int first = Socket();
  sockets.Add(first);
  close(first);
  const int another = Socket();
  ASSERT_EQ(another, first);
  EXPECT_TRUE(sockets.HasRoom());
  sockets.Add(another);
  EXPECT_FALSE(sockets.HasRoom());
  close(another);
}

}  // namespace
}  // namespace tessera
