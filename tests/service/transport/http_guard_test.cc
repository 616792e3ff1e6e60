#include "tessera/service/transport/http_guard.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace tessera {
namespace {

constexpr int64_t kBodyBytes = 1000;

TEST(HttpGuard, Example) {
  EXPECT_TRUE(IsAllowedHost("localhost:8080", {}));
  EXPECT_FALSE(IsAllowedHost("attacker.example:8080", {}));
  EXPECT_TRUE(IsOwnOrigin("http://localhost:8080", "localhost:8080"));
  EXPECT_FALSE(IsOwnOrigin("http://attacker.example", "localhost:8080"));
}

TEST(HttpGuard, Hosts) {
  const std::vector<std::string> allowed = {"Tessera.Example", "fd00::1",
                                            "[fd00::2]", ""};
  const struct {
    const char* host;
    bool is_allowed;
  } cases[] = {
      {"localhost", true},
      {"LOCALHOST:1", true},
      {"127.0.0.1:65535", true},
      {"[::1]", true},
      {"[::1]:80", true},
      {"tessera.example", true},
      {"tessera.EXAMPLE:80", true},
      {"[fd00::1]:80", true},
      {"[FD00::2]", true},
      {"", false},
      {":80", false},
      {"[]", false},
      {"[]:80", false},
      {"::1", false},
      {"fd00::1", false},
      {"[::2]", false},
      {"localhost:", false},
      {"localhost:x", false},
      {"localhost:123456", false},
      {"localhost.", false},
      {"localhost.attacker.example", false},
      {"attacker.example:80:localhost", false},
      {"localhost@attacker.example", false},
      {"127.0.0.1.attacker.example", false},
      {"127.0.0.2", false},
      {"0.0.0.0", false},
  };
  for (const auto& [host, is_allowed] : cases) {
    EXPECT_EQ(IsAllowedHost(host, allowed), is_allowed) << host;
  }
  EXPECT_FALSE(IsAllowedHost("tessera.example", {}));
}

TEST(HttpGuard, Origins) {
  EXPECT_TRUE(IsOwnOrigin("http://[::1]:8080", "[::1]:8080"));
  EXPECT_TRUE(IsOwnOrigin("http://LocalHost", "localhost"));
  for (const char* origin :
       {"", "null", "http://", "localhost:8080", "https://localhost:8080",
        "http://localhost", "http://localhost:80", "http://localhost:8080/",
        "http://localhost:8080.attacker.example",
        "http://attacker.example:8080"}) {
    EXPECT_FALSE(IsOwnOrigin(origin, "localhost:8080")) << origin;
  }
}

httplib::Request Post(
    std::vector<std::pair<std::string, std::string>> changes) {
  httplib::Request request;
  request.method = "POST";
  request.headers = {{"Host", "localhost"},
                     {"Content-Type", "application/json"},
                     {"Content-Length", "2"}};
  for (auto& [name, value] : changes) {
    request.headers.erase(name);
    if (!value.empty()) request.headers.emplace(name, value);
  }
  return request;
}

TEST(HttpGuard, WhatIsAnswered) {
  const httplib::Request requests[] = {
      Post({}), Post({{"Content-Type", "Application/JSON ; charset=utf-8"}}),
      Post({{"Origin", "http://localhost"}}), Post({{"Content-Length", "0"}}),
      Post({{"Content-Length", "1000"}})};
  for (const httplib::Request& request : requests) {
    EXPECT_FALSE(RefusalOf(request, {}, kBodyBytes).has_value());
  }
  httplib::Request get;
  get.method = "GET";
  get.headers = {{"Host", "localhost"}};
  EXPECT_FALSE(RefusalOf(get, {}, kBodyBytes).has_value());
  get.method = "HEAD";
  EXPECT_FALSE(RefusalOf(get, {}, kBodyBytes).has_value());
}

TEST(HttpGuard, WhatIsRefused) {
  httplib::Request two_hosts = Post({});
  two_hosts.headers.emplace("Host", "localhost");
  httplib::Request two_origins = Post({{"Origin", "http://localhost"}});
  two_origins.headers.emplace("Origin", "http://attacker.example");
  httplib::Request two_lengths = Post({});
  two_lengths.headers.emplace("Content-Length", "3");
  httplib::Request two_types = Post({});
  two_types.headers.emplace("Content-Type", "text/plain");
  httplib::Request put = Post({});
  put.method = "PUT";
  const struct {
    httplib::Request request;
    int status;
    const char* message;
  } cases[] = {
      {Post({{"Host", ""}}), 400, "a request must have one header Host"},
      {Post({{"Host", "a.example:80"}}), 421,
       "this server is not called 'a.example:80'; "
       "--allow-host adds a name"},
      {two_hosts, 400, "a request must have one header Host"},
      {Post({{"Origin", "null"}}), 403,
       "requests from pages of other origins are refused"},
      {two_origins, 403, "requests from pages of other origins are refused"},
      {put, 405, "only GET and POST are supported"},
      {Post({{"Transfer-Encoding", "chunked"}}), 411,
       "a body needs its length in bytes"},
      {Post({{"Content-Length", ""}}), 411, "a body needs its length in bytes"},
      {two_lengths, 411, "a body needs its length in bytes"},
      {Post({{"Content-Length", "-1"}}), 411,
       "a body needs its length in bytes"},
      {Post({{"Content-Length", "99999999999999999999"}}), 411,
       "a body needs its length in bytes"},
      {Post({{"Content-Length", "1001"}}), 413,
       "body_bytes: 1001 bytes exceed the limit of 1000"},
      {Post({{"Content-Encoding", "gzip"}}), 415,
       "a compressed body is not supported"},
      {Post({{"Content-Type", ""}}), 415,
       "a body must have the type application/json"},
      {Post({{"Content-Type", "text/plain"}}), 415,
       "a body must have the type application/json"},
      {Post({{"Content-Type", "application/jsonx"}}), 415,
       "a body must have the type application/json"},
      {Post({{"Content-Type", "application/json; charset=utf-16"}}), 415,
       "a body must have the type application/json"},
      {two_types, 415, "a body must have the type application/json"},
  };
  for (const auto& [request, status, message] : cases) {
    const std::optional<HttpRefusal> refusal =
        RefusalOf(request, {}, kBodyBytes);
    ASSERT_TRUE(refusal.has_value()) << message;
    EXPECT_EQ(refusal->status, status);
    EXPECT_EQ(refusal->reason.message(), message);
  }
}

TEST(HttpGuard, LinesOfAHead) {
  for (const char* line :
       {"Host: localhost:80\r", "X-Any:\tvalue", "Accept: */*; q=0.1", "\r", "",
        "Referer: http://localhost/a%20b", "Content-Length: 17"}) {
    EXPECT_TRUE(CheckHeadLine(line, /*is_first=*/false).ok()) << line;
  }
  EXPECT_TRUE(CheckHeadLine("GET /a%20b HTTP/1.1\r", /*is_first=*/true).ok());
  const struct {
    std::string_view line;
    const char* message;
  } cases[] = {
      {"Transfer-Encoding : chunked\r",
       "a header must be a name without blanks, a colon and a value"},
      {" folded: yes",
       "a header must be a name without blanks, a colon and a value"},
      {"no colon",
       "a header must be a name without blanks, a colon and a value"},
      {": value",
       "a header must be a name without blanks, a colon and a value"},
      {std::string_view("X: a\0b", 6), "the head has a control character"},
      {"X: a\rb", "the head has a control character"},
      {"host: localhos%74",
       "a host, an origin or a length must not have escapes"},
      {"Origin:\r", "a host, an origin or a length must not have escapes"},
      {"Content-Length: 1%37",
       "a host, an origin or a length must not have escapes"},
  };
  for (const auto& [line, message] : cases) {
    EXPECT_EQ(CheckHeadLine(line, /*is_first=*/false),
              absl::InvalidArgumentError(message));
  }
  EXPECT_FALSE(
      CheckHeadLine(std::string_view("GET /\0 HTTP/1.1", 15), true).ok());
}

TEST(HttpGuard, LengthOfTheBody) {
  EXPECT_EQ(BodyLength(Post({{"Content-Length", ""}})), 0);
  EXPECT_EQ(BodyLength(Post({{"Content-Length", "17"}})), 17);
  for (const char* length : {"x", "+17", "-17", "0x11", "17 "}) {
    EXPECT_EQ(BodyLength(Post({{"Content-Length", length}})), std::nullopt)
        << length;
  }
  EXPECT_EQ(BodyLength(Post({{"Transfer-Encoding", "chunked"}})), std::nullopt);
  httplib::Request two_lengths = Post({});
  two_lengths.headers.emplace("Content-Length", "2");
  EXPECT_EQ(BodyLength(two_lengths), std::nullopt);
}

}  // namespace
}  // namespace tessera
