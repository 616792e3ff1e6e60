// `tessera serve`, the process: what it prints, and how it ends.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/service/transport/http2.h"
#include "tests/service/transport/raw_connection.h"

namespace tessera {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

// A process with what it prints, on both streams together.
class Server {
 public:
  // `limits` are for it, soft and hard, by their names for setrlimit.
  explicit Server(std::vector<std::string> arguments,
                  const std::vector<std::pair<int, rlim_t>>& limits = {}) {
    arguments.insert(arguments.begin(), {"cli/tessera", "serve"});
    std::vector<char*> pointers;
    for (std::string& text : arguments) pointers.push_back(&text[0]);
    pointers.push_back(nullptr);
    int out[2];
    EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
    process_ = fork();
    if (process_ == 0) {
      for (const auto& [name, number] : limits) {
        const rlimit limit = {number, number};
        setrlimit(static_cast<__rlimit_resource>(name), &limit);
      }
      // An arena of malloc for each thread takes address space, as many as
      // there are by chance.
      setenv("MALLOC_ARENA_MAX", "1", /*overwrite=*/1);
      dup2(out[1], STDOUT_FILENO);
      dup2(out[1], STDERR_FILENO);
      execv(pointers[0], pointers.data());
      _exit(127);
    }
    close(out[1]);
    out_ = out[0];
  }
  ~Server() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    close(out_);
  }

  std::string ReadLine() const {
    std::string line;
    char c = 0;
    while (read(out_, &c, 1) == 1 && c != '\n') line.push_back(c);
    return line;
  }

  void Signal(int signal) const { kill(process_, signal); }

  // Its exit code, or the signal that ended it, negative.
  int Wait() {
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t process_ = -1;
  int out_ = -1;
};

int PortIn(const std::string& line) {
  int port = 0;
  EXPECT_TRUE(absl::SimpleAtoi(
      line.substr(line.rfind(':') + 1, line.rfind('/') - line.rfind(':') - 1),
      &port))
      << line;
  return port;
}

TEST(Serve, SaysWhereItListensAndEndsWhenTold) {
  for (const int signal : {SIGTERM, SIGINT}) {
    Server server({"--grpc-port=0", "--http-port=0", "--jobs=2"});
    EXPECT_THAT(server.ReadLine(), MatchesRegex("gRPC on 127.0.0.1:[0-9]+"));
    const std::string http = server.ReadLine();
    EXPECT_THAT(http, MatchesRegex("HTTP on http://127.0.0.1:[0-9]+/"));
    const RawConnection client(PortIn(http));
    client.Send("GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(client.ReadAll(), EndsWith("\r\n\r\nok\n"));
    const RawConnection browser(PortIn(http));
    browser.Send("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(browser.ReadAll(), HasSubstr("<title>Tessera explorer"));
    server.Signal(signal);
    EXPECT_EQ(server.Wait(), 0);
    EXPECT_EQ(server.ReadLine(), "");
  }
}

TEST(Serve, FinishesWhatIsUnderWay) {
  Server server({"--grpc-port=0", "--http-port=0"});
  server.ReadLine();
  const RawConnection client(PortIn(server.ReadLine()));
  const std::string body = R"({"parse":{"text":"f32[2]"}})";
  client.Send(
      absl::StrCat("POST /v1/ask HTTP/1.1\r\nHost: localhost\r\n"
                   "Content-Type: application/json\r\n"
                   "Expect: 100-continue\r\nContent-Length: ",
                   body.size(), "\r\n\r\n"));
  // The head has been read, and the body is waited for.
  EXPECT_THAT(client.ReadSome(), StartsWith("HTTP/1.1 100 "));
  server.Signal(SIGTERM);
  client.Send(body);
  EXPECT_THAT(client.ReadAll(), HasSubstr(R"("canonical":"f32[2]{0}")"));
  EXPECT_EQ(server.Wait(), 0);
}

TEST(Serve, IsNotHeldUpByWhoSaysNothing) {
  Server server({"--grpc-port=0", "--http-port=0", "--drain-seconds=1"});
  const RawConnection grpc(PortIn(server.ReadLine() + "/"));
  grpc.Send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  const RawConnection http(PortIn(server.ReadLine()));
  http.Send("POST /v1/ask HT");
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 0);
}

// Whether a client that opens a connection to gRPC hears of the server.
bool GrpcSpeaks(int port) {
  const RawConnection client(port);
  client.SetTimeout(1);
  return client.Send(Http2Opening(0)) && !client.ReadSome().empty();
}

TEST(Serve, MoreConnectionsThanFiles) {
  Server server({"--grpc-port=0", "--http-port=0"}, {{RLIMIT_NOFILE, 64}});
  const int grpc_port = PortIn(server.ReadLine() + "/");
  const int http_port = PortIn(server.ReadLine());
  EXPECT_TRUE(GrpcSpeaks(grpc_port));
  {
    std::vector<RawConnection> clients;
    for (int i = 0; i < 100; ++i) clients.emplace_back(grpc_port);
    // Files are left for the other transport.
    const RawConnection http(http_port);
    http.SetTimeout(20);
    http.Send("GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(http.ReadAll(), EndsWith("\r\n\r\nok\n"));
    for (int i = 0; i < 100; ++i) clients.emplace_back(http_port);
  }
  bool speaks = false;
  for (int i = 0; i < 20 && !speaks; ++i) {
    speaks = GrpcSpeaks(grpc_port);
    if (!speaks) absl::SleepFor(absl::Milliseconds(100));
  }
  EXPECT_TRUE(speaks);
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 0);
}

// The stacks of the threads alone take more memory than there is.
TEST(Serve, ThreadsThatCannotBeStarted) {
#ifdef TESSERA_SANITIZER
  GTEST_SKIP() << "sanitizers need more memory than is allowed here";
#endif
  for (const char* jobs : {"--jobs=1", "--jobs=100"}) {
    Server server(
        {"--grpc-port=0", "--http-port=0", jobs},
        {{RLIMIT_STACK, rlim_t{32} << 20}, {RLIMIT_AS, rlim_t{3} << 29}});
    EXPECT_EQ(server.ReadLine(),
              "tessera: error: no more threads can be started: Resource "
              "temporarily unavailable");
    EXPECT_EQ(server.Wait(), 1);
  }
}

TEST(Serve, APortThatIsTaken) {
  Server first({"--grpc-port=0", "--http-port=0"});
  const int grpc_port = PortIn(first.ReadLine() + "/");
  const int http_port = PortIn(first.ReadLine());
  Server second({absl::StrCat("--grpc-port=", grpc_port), "--http-port=0"});
  EXPECT_EQ(second.ReadLine(),
            absl::StrCat("tessera serve: error: gRPC cannot listen on "
                         "127.0.0.1 port ",
                         grpc_port));
  EXPECT_EQ(second.Wait(), 1);
  Server third({"--grpc-port=0", absl::StrCat("--http-port=", http_port)});
  EXPECT_EQ(third.ReadLine(),
            absl::StrCat("tessera serve: error: HTTP cannot listen on "
                         "127.0.0.1 port ",
                         http_port, ": Address already in use"));
  EXPECT_EQ(third.Wait(), 1);
}

TEST(Serve, OptionsThatAreWrong) {
  for (const auto& [option, message] :
       std::vector<std::pair<const char*, const char*>>{
           {"--http-port=65536", "65536 is not a whole number from 0 to 65535"},
           {"--grpc-port=x", "x is not a whole number from 0 to 65535"},
           {"--max-message-bytes=0",
            "--max-message-bytes: 0 is not from 1 to 2147483647 bytes"},
           {"--max-message-bytes=2GiB",
            "--max-message-bytes: 2GiB is not from 1 to 2147483647 bytes"},
           {"--jobs=-1", "-1 is not a whole number from 0 to "}}) {
    Server server({option});
    EXPECT_THAT(server.ReadLine(), HasSubstr(message));
    EXPECT_EQ(server.Wait(), 2);
  }
}

}  // namespace
}  // namespace tessera
