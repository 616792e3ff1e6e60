#include "tessera/service/transport/http_connection.h"

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "gtest/gtest.h"
#include "tessera/service/transport/http_connection_limits.h"

namespace tessera {
namespace {

// Two ends of a connection.
struct Ends {
  Ends() {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
                         sockets),
              0);
  }
  ~Ends() { close(client()); }

  int server() const { return sockets[0]; }  // the connection closes it
  int client() const { return sockets[1]; }

  void Send(const std::string& text) const {
    EXPECT_EQ(send(client(), text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }

  int sockets[2];
};

// Up to `size` bytes, or until there are no more.
std::string Read(HttpConnection* connection, size_t size) {
  std::string text;
  char c;
  while (text.size() < size && connection->read(&c, 1) == 1) text.push_back(c);
  return text;
}

TEST(HttpConnection, Example) {
  const Ends ends;
  HttpConnectionsState state;
  HttpConnection connection(ends.server(), HttpConnectionLimits(), &state);
  ends.Send("head;body;next");
  ASSERT_TRUE(connection.WaitForRequest());
  EXPECT_EQ(Read(&connection, 5), "head;");
  EXPECT_FALSE(connection.HasReadRequest());
  connection.BeginBody(5);
  EXPECT_FALSE(connection.HasReadRequest());
  EXPECT_EQ(Read(&connection, 100), "body;");
  EXPECT_TRUE(connection.HasReadRequest());
  ASSERT_TRUE(connection.WaitForRequest());
  EXPECT_EQ(Read(&connection, 4), "next");
  EXPECT_EQ(connection.write("answer", 6), 6);
  char answer[6];
  EXPECT_EQ(recv(ends.client(), answer, 6, 0), 6);
  EXPECT_EQ(std::string(answer, 6), "answer");
  shutdown(ends.client(), SHUT_WR);
  EXPECT_FALSE(connection.WaitForRequest());
}

TEST(HttpConnectionLimits, EndAHeadAndALine) {
  HttpConnectionLimits limits;
  limits.head_bytes = 10;
  limits.line_bytes = 4;
  HttpConnectionsState state;
  const Ends lines;
  HttpConnection connection(lines.server(), limits, &state);
  lines.Send("1\n22\n333\n4444\n");
  ASSERT_TRUE(connection.WaitForRequest());
  EXPECT_EQ(Read(&connection, 100), "1\n22\n333\n4");
  EXPECT_FALSE(connection.HasReadRequest());

  const Ends line;
  HttpConnection other(line.server(), limits, &state);
  line.Send("1\n55555\n");
  ASSERT_TRUE(other.WaitForRequest());
  EXPECT_EQ(Read(&other, 100), "1\n5555");
}

TEST(HttpConnection, ABodyWithoutAnEndIsNotRead) {
  const Ends ends;
  HttpConnectionsState state;
  HttpConnection connection(ends.server(), HttpConnectionLimits(), &state);
  ends.Send("head;body;");
  ASSERT_TRUE(connection.WaitForRequest());
  EXPECT_EQ(Read(&connection, 5), "head;");
  connection.BeginBody(std::nullopt);
  EXPECT_EQ(Read(&connection, 100), "");
  EXPECT_FALSE(connection.HasReadRequest());
}

TEST(HttpConnection, WaitsNoLongerThanItMay) {
  HttpConnectionLimits limits;
  limits.idle_timeout = limits.request_timeout = absl::Hours(1);
  limits.busy_timeout = absl::Milliseconds(10);
  // Others wait.
  {
    const Ends ends;
    HttpConnectionsState state;
    state.waiting_connections = 1;
    HttpConnection connection(ends.server(), limits, &state);
    EXPECT_FALSE(connection.WaitForRequest());
  }
  // The server stops: what has not begun is not waited for...
  {
    const Ends ends;
    HttpConnectionsState state;
    state.is_stopping = true;
    limits.busy_timeout = absl::Hours(1);
    HttpConnection connection(ends.server(), limits, &state);
    EXPECT_FALSE(connection.WaitForRequest());
  }
  // ... and what has, not for ever.
  {
    const Ends ends;
    HttpConnectionsState state;
    HttpConnection connection(ends.server(), limits, &state);
    ends.Send("h");
    EXPECT_TRUE(connection.WaitForRequest());
    state.is_stopping = true;
    state.stop_time = 0;
    EXPECT_EQ(Read(&connection, 100), "h");
    EXPECT_FALSE(connection.is_readable());
  }
}

// Writes `bytes` to a client that receives `rate` bytes each ten milliseconds.
bool WritesTo(const HttpConnectionLimits& limits, size_t bytes, size_t rate) {
  const Ends ends;
  HttpConnectionsState state;
  HttpConnection connection(ends.server(), limits, &state);
  std::atomic<bool> has_ended = {false};
  std::thread client([&] {
    std::string received(rate + 1, 0);
    while (!has_ended) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (rate > 0) (void)!recv(ends.client(), &received[0], rate, 0);
    }
  });
  const std::string answer(bytes, 'x');
  const bool is_written = connection.write(answer.data(), answer.size()) ==
                          static_cast<ssize_t>(answer.size());
  has_ended = true;
  client.join();
  return is_written;
}

// The system takes some hundred kilobytes at once.
TEST(HttpConnection, ASlowClientGetsItsAnswerAndOneThatTakesNothingDoesNot) {
  HttpConnectionLimits limits;
  limits.answer_timeout = absl::Milliseconds(100);
  limits.answer_bytes_per_second = int64_t{1} << 20;
  constexpr size_t kBytes = size_t{4} << 20;
  EXPECT_FALSE(WritesTo(limits, kBytes, 0));
  // 10 MB a second, with room for a machine that is busy.
  EXPECT_TRUE(WritesTo(limits, kBytes, 100'000));
}

TEST(HttpConnection, KnowsWhetherItsClientIsGone) {
  const Ends ends;
  HttpConnectionsState state;
  const HttpConnection connection(ends.server(), HttpConnectionLimits(),
                                  &state);
  EXPECT_FALSE(connection.IsGone(false));
  ends.Send("next");
  EXPECT_FALSE(connection.IsGone(false));
  char bytes[4];
  EXPECT_EQ(recv(ends.server(), bytes, 4, 0), 4);
  shutdown(ends.client(), SHUT_WR);
  EXPECT_FALSE(connection.IsGone(true));
  EXPECT_TRUE(connection.IsGone(false));
}

}  // namespace
}  // namespace tessera
