#include "tests/fuzz/http_text.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "httplib.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/service/transport/http_connection.h"
#include "tessera/service/transport/http_connection_limits.h"
#include "tessera/service/transport/http_guard.h"

namespace tessera {
namespace {

constexpr int64_t kBodyBytes = 4096;

// Reads requests as the transport does, and answers them with their body.
class Server : private httplib::Server {
 public:
  Server() {
    set_pre_routing_handler(
        [](const httplib::Request& request, httplib::Response& response) {
          const std::optional<HttpRefusal> refusal =
              RefusalOf(request, {}, kBodyBytes);
          if (!refusal.has_value()) return HandlerResponse::Unhandled;
          response.status = refusal->status;
          response.set_content("refused\n", "text/plain");
          return HandlerResponse::Handled;
        });
    Post(".*",
         [this](const httplib::Request& request, httplib::Response& response) {
           LookAtBody(request);
           LookAtHead(request);
           response.set_content(request.body, "text/plain");
         });
    Get(".*",
        [this](const httplib::Request& request, httplib::Response& response) {
          LookAtHead(request);
          response.set_content("ok\n", "text/plain");
        });
  }

  void Serve(int socket, const HttpConnectionLimits& limits) {
    HttpConnectionsState state;
    HttpConnection connection(socket, limits, &state);
    bool is_last = false;
    while (!is_last && connection.WaitForRequest()) {
      const bool goes_on = process_request(
          connection, is_last, is_last, [&](httplib::Request& request) {
            connection.BeginBody(BodyLength(request));
            request.ranges.clear();
            request.headers.erase("Accept-Encoding");
          });
      is_last = is_last || !goes_on || !connection.HasReadRequest();
    }
  }

  const std::string& problem() const { return problem_; }

 private:
  // That of a GET is left unread, and the connection closed.
  void LookAtBody(const httplib::Request& request) {
    const std::optional<int64_t> length = BodyLength(request);
    if (!length.has_value() ||
        *length != static_cast<int64_t>(request.body.size()) ||
        *length > kBodyBytes) {
      problem_ = absl::StrCat("a body of ", request.body.size(),
                              " bytes, said to be of ", length.value_or(-1));
    }
  }

  void LookAtHead(const httplib::Request& request) {
    const std::string host = request.get_header_value("Host");
    if (request.get_header_value_count("Host") != 1 ||
        !IsAllowedHost(host, {})) {
      problem_ = absl::StrCat("a request to the host ", host);
    }
    if (request.has_header("Origin") &&
        !IsOwnOrigin(request.get_header_value("Origin"), host)) {
      problem_ = "a request of another origin";
    }
  }

  std::string problem_;
};

}  // namespace

std::string HttpTextProblem(std::string_view bytes) {
  // More than a socket holds would have to be sent in turns with reading.
  constexpr size_t kMostBytes = 32768;
  bytes = bytes.substr(0, kMostBytes);
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
                 sockets) != 0) {
    return "no socket";
  }
  if (send(sockets[1], bytes.data(), bytes.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(bytes.size())) {
    return "not sent";
  }
  shutdown(sockets[1], SHUT_WR);
  HttpConnectionLimits limits;
  limits.answer_timeout = absl::Milliseconds(1);
  Server server;
  server.Serve(sockets[0], limits);
  std::string answers;
  char block[65536];
  for (ssize_t got; (got = recv(sockets[1], block, sizeof(block), 0)) > 0;) {
    answers.append(block, got);
  }
  close(sockets[1]);
  if (!server.problem().empty()) return server.problem();
  return answers.empty() || StartsWith(answers, "HTTP/1.1 ")
             ? ""
             : absl::StrCat("answered ", answers);
}

}  // namespace tessera
