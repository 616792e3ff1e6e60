#include "tessera/service/transport/http_transport.h"

#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"
#include "httplib.h"
#include "nlohmann/json.hpp"
#include "tessera/service/json.h"
#include "tessera/tests/service/conformance_requests.h"
#include "tessera/tests/status_matchers.h"
#include "tests/service/transport/answering.h"
#include "tests/service/transport/raw_connection.h"

namespace tessera {
namespace {

using Json = nlohmann::json;

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kJson[] = "application/json";
constexpr char kQuestion[] =
    R"({"id":"1","linearize":{"layout":"f32[3,5]{1,0:T(2,2)}","indices":[2,3]}})";
constexpr char kAnswer[] = R"({"id":"1","linearize":{"linear_indices":[17]}})";

std::unique_ptr<HttpTransport> Started(Answering* answering,
                                       const HttpOptions& options = {}) {
  absl::StatusOr<std::unique_ptr<HttpTransport>> transport =
      HttpTransport::Start(&answering->service, &answering->work, options);
  EXPECT_THAT(transport, IsOk());
  return *std::move(transport);
}

httplib::Client Connect(const HttpTransport& transport) {
  httplib::Client client("127.0.0.1", transport.port());
  client.set_keep_alive(true);
  client.set_tcp_nodelay(true);
  client.set_read_timeout(60);
  return client;
}

// Status and body.
using Answered = std::pair<int, std::string>;

Answered Post(httplib::Client* client, const char* path,
              const std::string& body, const httplib::Headers& headers = {}) {
  const httplib::Result result = client->Post(path, headers, body, kJson);
  EXPECT_TRUE(result) << to_string(result.error());
  return result ? Answered(result->status, result->body) : Answered();
}

Answered Get(httplib::Client* client, const char* path,
             const httplib::Headers& headers = {}) {
  const httplib::Result result = client->Get(path, headers);
  EXPECT_TRUE(result) << to_string(result.error());
  return result ? Answered(result->status, result->body) : Answered();
}

// The status of a response, as docs/server.md has it.
int StatusOf(const Response& response) {
  if (!response.has_error()) return 200;
  switch (response.error().code()) {
    case Error::RESOURCE_EXHAUSTED:
      return 413;
    case Error::UNIMPLEMENTED:
      return 422;
    default:
      return 400;
  }
}

void ExpectAnswers(const HttpTransport& transport) {
  httplib::Client client = Connect(transport);
  EXPECT_EQ(Post(&client, "/v1/ask", kQuestion),
            Answered(200, absl::StrCat(kAnswer, "\n")));
}

std::string Refused(const char* code, const std::string& message) {
  return absl::StrCat(R"({"id":"","error":{"code":")", code, R"(","message":")",
                      message, R"(","field":"","position":null}})", "\n");
}

// A request as its bytes; the server is to hang up after it.
std::string Raw(const std::string& head, const std::string& body = "") {
  return absl::StrCat(
      head, "\r\nHost: localhost\r\nConnection: close\r\n",
      body.empty() ? ""
                   : absl::StrCat("Content-Type: ", kJson,
                                  "\r\nContent-Length: ", body.size(), "\r\n"),
      "\r\n", body);
}

TEST(HttpTransport, AnswersQuestionsAndBatchesAndIsHealthy) {
  const LayoutService service;
  WorkQueue work(WorkQueue::Options{});
  absl::StatusOr<std::unique_ptr<HttpTransport>> transport =
      HttpTransport::Start(&service, &work, HttpOptions());
  ASSERT_THAT(transport, IsOk());
  ASSERT_GT((*transport)->port(), 0);
  httplib::Client client = Connect(**transport);
  EXPECT_EQ(
      Post(&client, "/v1/ask",
           R"({"linearize":{"layout":"f32[3,5]","indices":[2,3]}})"),
      Answered(200, "{\"id\":\"\",\"linearize\":{\"linear_indices\":[13]}}\n"));
  EXPECT_EQ(
      Post(&client, "/v1/batch",
           R"({"requests":[{"parse":{"text":"f32[2]"}}]})"),
      Answered(
          200,
          "{\"responses\":[{\"id\":\"\",\"parse\":{\"kind\":\"XLA_SHAPE\","
          "\"canonical\":\"f32[2]{0}\",\"form\":\"array\",\"shape\":null}}],"
          "\"error\":null}\n"));
  EXPECT_EQ(Get(&client, "/healthz"), Answered(200, "ok\n"));
  (*transport)->Shutdown(absl::Now() + absl::Seconds(10));
}

TEST(HttpTransport, ConformanceOfSingleRequests) {
  Answering answering;
  const auto transport = Started(&answering);
  httplib::Client client = Connect(*transport);
  for (const Request& request : ConformanceRequests()) {
    const Response response = answering.service.Answer(request);
    const Answered got = Post(&client, "/v1/ask", ProtoToJson(request));
    EXPECT_EQ(got.second, ProtoToJson(response, JsonFields::kAll) + "\n");
    EXPECT_EQ(got.first, StatusOf(response)) << got.second;
    EXPECT_EQ(
        Post(&client, "/v1/ask?json=proto3",
             ProtoToJson(request, JsonFields::kProto3)),
        Answered(got.first, ProtoToJson(response, JsonFields::kProto3) + "\n"));
  }
}

// The statuses that docs/server.md lists.
TEST(HttpTransport, ErrorsHaveAStatus) {
  ServiceOptions limits;
  limits.batch_requests = 1;
  limits.text_bytes = 100;
  const LayoutService service(limits);
  WorkQueue work(WorkQueue::Options{});
  const absl::StatusOr<std::unique_ptr<HttpTransport>> transport =
      HttpTransport::Start(&service, &work, HttpOptions());
  ASSERT_THAT(transport, IsOk());
  httplib::Client client = Connect(**transport);
  const struct {
    const char* path;
    std::string body;
    int status;
    const char* code;
  } cases[] = {
      {"/v1/ask", R"({"parse":{"text":"f32["}})", 400, "INVALID_ARGUMENT"},
      {"/v1/ask", "{", 400, "INVALID_ARGUMENT"},
      {"/v1/ask", R"({"linearize":{"layout":"f32[2]","indices":[2]}})", 400,
       "OUT_OF_RANGE"},
      {"/v1/ask", R"js({"linearize":{"layout":"(f32[2], s32[])"}})js", 400,
       "FAILED_PRECONDITION"},
      {"/v1/ask",
       absl::StrCat(R"({"parse":{"text":")", std::string(101, ' '), R"("}})"),
       413, "RESOURCE_EXHAUSTED"},
      {"/v1/batch", R"({"requests":[{},{}]})", 413, "RESOURCE_EXHAUSTED"},
      {"/v1/batch", R"({"requests":7})", 400, "INVALID_ARGUMENT"},
      {"/v1/batch", R"({"requests":[{}]})", 200, "INVALID_ARGUMENT"},
      {"/v1/ask?json=xml", R"({"parse":{"text":"f32[2]"}})", 400,
       "json = 'xml' is neither tessera nor proto3"},
  };
  for (const auto& c : cases) {
    const Answered got = Post(&client, c.path, c.body);
    EXPECT_EQ(got.first, c.status) << got.second;
    EXPECT_THAT(got.second, HasSubstr(c.code));
  }
}

// Every question has an example, and the server answers it.
TEST(HttpTransport, ListsTheQuestions) {
  Answering answering;
  const auto transport = Started(&answering);
  httplib::Client client = Connect(*transport);
  const Answered list = Get(&client, "/v1");
  ASSERT_EQ(list.first, 200);
  const Json parsed = Json::parse(list.second);
  std::vector<std::string> names;
  for (const Json& question : parsed["questions"]) {
    const std::string name = question["question"];
    names.push_back(name);
    EXPECT_TRUE(question["example"].contains(name)) << question;
    EXPECT_FALSE(question["asks"].get<std::string>().empty()) << name;
    const Answered answer =
        Post(&client, "/v1/ask", question["example"].dump());
    EXPECT_EQ(answer.first, 200) << answer.second;
    EXPECT_TRUE(Json::parse(answer.second).contains(name)) << answer.second;
  }
  std::vector<std::string> questions;
  const google::protobuf::OneofDescriptor& kinds =
      *Request::descriptor()->FindOneofByName("question");
  for (int i = 0; i < kinds.field_count(); ++i) {
    questions.push_back(kinds.field(i)->name());
  }
  EXPECT_THAT(names, ::testing::UnorderedElementsAreArray(questions));

  const Answered open_api = Get(&client, "/v1/openapi.json");
  ASSERT_EQ(open_api.first, 200);
  const Json api = Json::parse(open_api.second);
  EXPECT_EQ(api["openapi"], "3.1.0");
  EXPECT_EQ(api["info"]["version"], parsed["version"]);
  EXPECT_EQ(api["components"]["schemas"]["Request"]["oneOf"].size(),
            questions.size());
}

TEST(HttpTransport, ConformanceOfABatch) {
  Answering answering;
  const auto transport = Started(&answering);
  BatchRequest batch;
  for (const Request& request : ConformanceRequests()) {
    *batch.add_requests() = request;
  }
  httplib::Client client = Connect(*transport);
  EXPECT_EQ(Post(&client, "/v1/batch", ProtoToJson(batch)),
            Answered(200, ProtoToJson(answering.service.AnswerBatch(batch),
                                      JsonFields::kAll) +
                              "\n"));
}

TEST(HttpTransport, WhatIsNoRequestIsAnsweredAllTheSame) {
  Answering answering;
  const auto transport = Started(&answering);
  httplib::Client client = Connect(*transport);
  EXPECT_EQ(
      Post(&client, "/v1/ask", "{\n\"id\":7}"),
      Answered(
          400,
          "{\"id\":\"\",\"error\":{\"code\":\"INVALID_ARGUMENT\",\"message\":"
          "\"id: expected a string, found an "
          "integer\",\"field\":\"\",\"position\":"
          "{\"offset\":7,\"line\":2,\"column\":6,\"excerpt\":"
          "\"\\\"id\\\":7}\\n     ^\"}}}\n"));
  EXPECT_THAT(
      Post(&client, "/v1/batch", "[]").second,
      StartsWith("{\"responses\":[],\"error\":{\"code\":\"INVALID_ARGUMENT\","
                 "\"message\":\"expected an object"));
  EXPECT_THAT(Post(&client, "/v1/ask", "").second,
              StartsWith("{\"id\":\"\",\"error\":"));
}

TEST(HttpTransport, ABatchThatTakesTooLongIsAnsweredInPart) {
  Answering answering;
  HttpOptions options;
  options.batch_timeout = absl::ZeroDuration();
  const auto transport = Started(&answering, options);
  httplib::Client client = Connect(*transport);
  EXPECT_EQ(
      Post(&client, "/v1/batch", R"({"requests":[{"id":"1"},{"id":"2"}]})"),
      Answered(200, R"({"responses":[{"id":"1","error":{"code":)"
                    R"("DEADLINE_EXCEEDED","message":"the batch has taken 0",)"
                    R"("field":"","position":null}})"
                    R"(,{"id":"2","error":{"code":"DEADLINE_EXCEEDED",)"
                    "\"message\":\"the batch has taken "
                    "0\",\"field\":\"\",\"position\":null}}],"
                    "\"error\":null}\n"));
}

TEST(HttpTransport, AQuestionThatTakesTooLong) {
  Answering answering;
  HttpOptions options;
  options.question_timeout = absl::ZeroDuration();
  const auto transport = Started(&answering, options);
  httplib::Client client = Connect(*transport);
  EXPECT_EQ(Post(&client, "/v1/ask", kQuestion).first, 504);
}

TEST(HttpTransport, IsReadyUnlessRequestsWouldBeRefused) {
  WorkQueue::Options work;
  work.waiting_requests = 1;
  Answering answering(work);
  const auto transport = Started(&answering);
  httplib::Client client = Connect(*transport);
  EXPECT_EQ(Get(&client, "/readyz"), Answered(200, "ok\n"));
  BusyThread busy(&answering.work);
  EXPECT_THAT(answering.work.Add(1, [] {}), IsOk());
  EXPECT_EQ(Get(&client, "/readyz"),
            Answered(503, Refused("UNAVAILABLE", "requests would be refused")));
  EXPECT_EQ(Get(&client, "/healthz"), Answered(200, "ok\n"));
  busy.End();
}

TEST(HttpTransport, CountsItsRequests) {
  Answering answering;
  Traffic traffic;
  HttpOptions options;
  options.traffic = &traffic;
  const auto transport = Started(&answering, options);
  httplib::Client client = Connect(*transport);
  Post(&client, "/v1/ask", kQuestion);
  Post(&client, "/v1/ask", "{");
  Get(&client, "/nope");
  const std::string metrics = Get(&client, "/metrics").second;
  for (const char* line : {"{transport=\"http\",code=\"OK\"} 1\n",
                           "{transport=\"http\",code=\"INVALID_ARGUMENT\"} 1\n",
                           "{transport=\"http\",code=\"NOT_FOUND\"} 1\n"}) {
    EXPECT_THAT(metrics, HasSubstr(line));
  }
}

TEST(HttpTransport, WhatIsNotThere) {
  Answering answering;
  const auto transport = Started(&answering);
  httplib::Client client = Connect(*transport);
  const Answered not_found(
      404, Refused("NOT_FOUND",
                   "there is nothing at this path; GET /v1 lists the "
                   "questions"));
  for (const char* path :
       {"/", "/v1/", "/v2", "/v1/openapi", "/../etc/passwd",
        "/..%2f..%2fetc/passwd", "//healthz", "/healthz/", "/%00"}) {
    EXPECT_EQ(Get(&client, path), not_found) << path;
  }
  EXPECT_EQ(Post(&client, "/v1/asks", "{}"), not_found);
}

TEST(HttpTransport, MethodsThatAPathDoesNotHave) {
  Answering answering;
  const auto transport = Started(&answering);
  httplib::Client client = Connect(*transport);
  for (const char* path : {"/v1/ask", "/v1/batch"}) {
    const httplib::Result result = client.Get(path);
    ASSERT_TRUE(result) << path;
    EXPECT_EQ(result->status, 405) << path;
    EXPECT_EQ(result->get_header_value("Allow"), "POST") << path;
    EXPECT_EQ(result->body,
              Refused("UNIMPLEMENTED",
                      "GET is not supported at this path; use POST"));
  }
  for (const char* path : {"/v1", "/v1/openapi.json", "/healthz"}) {
    const httplib::Result result = client.Post(path, "{}", kJson);
    ASSERT_TRUE(result) << path;
    EXPECT_EQ(result->status, 405) << path;
    EXPECT_EQ(result->get_header_value("Allow"), "GET, HEAD") << path;
    EXPECT_EQ(Get(&client, path).first, 200) << path;
  }
  for (const char* method : {"PUT", "DELETE", "OPTIONS", "PATCH"}) {
    httplib::Request request;
    request.method = method;
    request.path = "/v1/ask";
    const httplib::Result result = client.send(request);
    ASSERT_TRUE(result) << method << ": " << to_string(result.error());
    EXPECT_EQ(result->status, 405) << method;
    EXPECT_EQ(result->get_header_value("Allow"), "POST") << method;
  }
}

TEST(HttpTransport, Assets) {
  Answering answering;
  HttpOptions options;
  const std::string page =
      std::string("<p>\0</p>", 8) + std::string(10000, 'x');
  options.assets = {{"/", "text/html; charset=utf-8", page},
                    {"/a.js", "text/javascript", "1"}};
  const auto transport = Started(&answering, options);
  httplib::Client client = Connect(*transport);
  const httplib::Result result = client.Get("/?layout=f32%5B2%5D");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 200);
  EXPECT_EQ(result->body, page);
  EXPECT_EQ(result->get_header_value("Content-Type"),
            "text/html; charset=utf-8");
  EXPECT_EQ(Get(&client, "/a.js"), Answered(200, "1"));
  EXPECT_EQ(Get(&client, "/aXjs").first, 404);
  EXPECT_EQ(Post(&client, "/", "{}").first, 405);
  const httplib::Result head = client.Head("/");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->get_header_value("Content-Length"), "10008");
  EXPECT_EQ(head->body, "");
  // All of it, whatever part is asked for, and how often.
  EXPECT_EQ(Get(&client, "/", {{"Range", "bytes=0-,0-,0-,1-2"}}),
            Answered(200, page));
  // And as it is.
  for (const char* coding : {"gzip", "br"}) {
    const httplib::Result result =
        client.Get("/", {{"Accept-Encoding", coding}});
    ASSERT_TRUE(result);
    EXPECT_FALSE(result->has_header("Content-Encoding"));
    EXPECT_EQ(result->body, page);
  }
}

TEST(HttpTransport, HeadersKeepPagesWhereTheyBelong) {
  Answering answering;
  const auto transport = Started(&answering);
  httplib::Client client = Connect(*transport);
  for (const char* path : {"/healthz", "/nothing"}) {
    const httplib::Result result = client.Get(path);
    ASSERT_TRUE(result);
    EXPECT_THAT(result->get_header_value("Content-Security-Policy"),
                StartsWith("default-src 'self'; "));
    EXPECT_EQ(result->get_header_value("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(result->get_header_value("Cross-Origin-Resource-Policy"),
              "same-origin");
    EXPECT_FALSE(result->has_header("Access-Control-Allow-Origin"));
  }
}

TEST(HttpTransport, WhoMayAsk) {
  Answering answering;
  HttpOptions options;
  options.allowed_hosts = {"tessera.example"};
  const auto transport = Started(&answering, options);
  httplib::Client client = Connect(*transport);
  const Answered other_host(
      421, Refused("PERMISSION_DENIED",
                   "this server is not called 'attacker.example'; "
                   "--allow-host adds a name"));
  const Answered other_origin(
      403, Refused("PERMISSION_DENIED",
                   "requests from pages of other origins are refused"));
  const std::string own = absl::StrCat("localhost:", transport->port());
  const struct {
    httplib::Headers headers;
    Answered answered;
  } cases[] = {
      {{{"Host", own}}, {200, "ok\n"}},
      {{{"Host", "tessera.example"}}, {200, "ok\n"}},
      {{{"Host", own}, {"Origin", absl::StrCat("http://", own)}},
       {200, "ok\n"}},
      {{{"Host", "attacker.example"}}, other_host},
      {{{"Host", own}, {"Origin", "http://attacker.example"}}, other_origin},
      {{{"Host", own}, {"Origin", "null"}}, other_origin},
  };
  for (const auto& [headers, answered] : cases) {
    EXPECT_EQ(Get(&client, "/healthz", headers), answered);
  }
  EXPECT_EQ(Post(&client, "/v1/ask", kQuestion,
                 {{"Origin", "http://attacker.example"}}),
            other_origin);
  const RawConnection no_host(transport->port());
  no_host.Send("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(no_host.ReadAll(), StartsWith("HTTP/1.1 400 "));
}

TEST(HttpTransport, BodiesThatAreTooLarge) {
  Answering answering;
  HttpOptions options;
  options.body_bytes = 1000;
  const auto transport = Started(&answering, options);
  httplib::Client client = Connect(*transport);
  const auto too_large = [](int64_t bytes) {
    return Answered(413,
                    Refused("RESOURCE_EXHAUSTED",
                            absl::StrCat("body_bytes: ", bytes,
                                         " bytes exceed the limit of 1000")));
  };
  // Enough for the server to be refusing while it is sent.
  EXPECT_EQ(Post(&client, "/v1/ask", std::string(900'000, ' ')),
            too_large(900'000));
  EXPECT_EQ(Post(&client, "/v1/ask", std::string(1001, ' ')), too_large(1001));
  EXPECT_EQ(Post(&client, "/v1/ask",
                 kQuestion + std::string(1000 - strlen(kQuestion), ' ')),
            Answered(200, absl::StrCat(kAnswer, "\n")));
}

TEST(HttpTransport, BodiesWithoutAnEnd) {
  Answering answering;
  const auto transport = Started(&answering);
  const struct {
    const char* headers;
    int status;
  } cases[] = {
      {"Transfer-Encoding: chunked\r\n", 411},
      {"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", 411},
      {"Connection: close\r\n", 411},
      {"Content-Length: 2\r\nContent-Length: 3\r\n", 411},
      {"Content-Length: -2\r\n", 411},
      {"Content-Length: 99999999999999999999\r\n", 411},
      {"Content-Length: 2\r\nContent-Encoding: gzip\r\n", 415},
      {"Content-Length: 9223372036854775807\r\n", 413},
  };
  for (const auto& [headers, status] : cases) {
    const RawConnection connection(transport->port());
    connection.Send(absl::StrCat(
        "POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: ", kJson,
        "\r\n", headers, "\r\n{}"));
    EXPECT_THAT(connection.ReadAll(),
                StartsWith(absl::StrCat("HTTP/1.1 ", status, " ")))
        << headers;
  }
}

TEST(HttpTransport, HeadsThatAreTooLong) {
  Answering answering;
  const auto transport = Started(&answering);
  const std::string line = std::string(5000, 'x');
  std::string many = "GET /healthz HTTP/1.1\r\n";
  for (int i = 0; i < 5000; ++i) absl::StrAppend(&many, "X", i, ": y\r\n");
  std::string ranges = "bytes=0-1";
  for (int i = 0; i < 990; ++i) ranges += ",0-1";
  const struct {
    std::string head;
    const char* answer;
  } cases[] = {
      {Raw("GET /" + line + " HTTP/1.1"), ""},
      {Raw("GET /healthz HTTP/1.1\r\nX: " + line), "HTTP/1.1 431 "},
      {line + line + line, ""},
      {many, "HTTP/1.1 431 "},
      {"\r\n\r\n", "HTTP/1.1 400 "},
      {std::string(100, '\0') + "\r\n\r\n", "HTTP/1.1 400 "},
      {"GET\r\n\r\n", "HTTP/1.1 400 "},
      {Raw("GET /healthz HTTP/1.1\r\nRange: " + ranges), "HTTP/1.1 200 "},
      {Raw("GET /healthz HTTP/1.1\r\nRange: bytes=99999999999999999999-"),
       "HTTP/1.1 416 "},
  };
  for (const auto& [head, answer] : cases) {
    const RawConnection connection(transport->port());
    connection.Send(head);
    connection.EndSending();
    EXPECT_THAT(connection.ReadAll(), StartsWith(answer))
        << head.substr(0, 100);
  }
  ExpectAnswers(*transport);
}

// Several requests in one piece, one of them in two.
TEST(HttpTransport, RequestsBehindOneAnother) {
  Answering answering;
  const auto transport = Started(&answering);
  const RawConnection connection(transport->port());
  connection.Send(absl::StrCat(
      "POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: ", kJson,
      "\r\nContent-Length: ", strlen(kQuestion), "\r\n\r\n", kQuestion,
      "GET /healthz HTTP/1.1\r\nHo"));
  connection.Send("st: localhost\r\nConnection: close\r\n\r\n");
  const std::string all = connection.ReadAll();
  EXPECT_THAT(all, HasSubstr(absl::StrCat(kAnswer, "\nHTTP/1.1 200 OK\r\n")));
  EXPECT_THAT(all, EndsWith("\r\n\r\nok\n"));
}

// After what is refused unread, nothing of it is taken for a request.
TEST(HttpTransport, ARefusedBodyIsNoRequest) {
  Answering answering;
  const auto transport = Started(&answering);
  const std::string body = Raw("GET /healthz HTTP/1.1");
  for (const char* head :
       {"GET /nothing HTTP/1.1\r\nHost: localhost\r\n",
        "POST /v1/ask HTTP/1.1\r\nHost: attacker.example\r\n",
        "PUT /v1/ask HTTP/1.1\r\nHost: localhost\r\n"}) {
    const RawConnection connection(transport->port());
    connection.Send(
        absl::StrCat(head, "Content-Length: ", body.size(), "\r\n\r\n", body));
    const std::string answer = connection.ReadAll();
    EXPECT_THAT(answer, HasSubstr("\"error\"")) << head;
    EXPECT_THAT(answer, Not(HasSubstr("ok\n"))) << head;
  }
}

TEST(HttpTransport, TooManyRequestsAtOnce) {
  WorkQueue::Options work;
  work.waiting_requests = 1;
  Answering answering(work);
  const auto transport = Started(&answering);
  BusyThread busy(&answering.work);
  EXPECT_THAT(answering.work.Add(1, [] {}), IsOk());
  httplib::Client client = Connect(*transport);
  const httplib::Result result = client.Post("/v1/ask", kQuestion, kJson);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 503);
  EXPECT_EQ(result->get_header_value("Retry-After"), "1");
  EXPECT_EQ(result->body,
            Refused("RESOURCE_EXHAUSTED",
                    "waiting_requests: 2 requests exceed the limit of 1"));
  // The body has been read, so that the connection can go on.
  EXPECT_EQ(result->get_header_value("Connection"), "");
  EXPECT_EQ(Get(&client, "/healthz"), Answered(200, "ok\n"));
  busy.End();
  while (answering.work.waiting() > 0) absl::SleepFor(absl::Milliseconds(1));
  ExpectAnswers(*transport);
}

// More half-open connections than the server reads from at a time.
TEST(HttpTransport, WhoSaysNothingMakesRoomForOthers) {
  Answering answering;
  HttpOptions options;
  options.connections = 2;
  options.connection_limits.idle_timeout = absl::Hours(1);
  options.connection_limits.request_timeout = absl::Hours(1);
  options.connection_limits.busy_timeout = absl::Milliseconds(100);
  const auto transport = Started(&answering, options);
  std::vector<RawConnection> half_open;
  for (const char* text :
       {"", "GET", "GET /healthz HTTP/1.1\r\nHost: loc",
        "POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
        "application/json\r\nContent-Length: 100\r\n\r\n{\"id",
        "", "x"}) {
    half_open.emplace_back(transport->port());
    half_open.back().Send(text);
  }
  ExpectAnswers(*transport);
  ExpectAnswers(*transport);
}

TEST(HttpTransport, WhoIsSlowIsHungUpOn) {
  Answering answering;
  HttpOptions options;
  options.connection_limits.idle_timeout = absl::Milliseconds(100);
  options.connection_limits.request_timeout = absl::Milliseconds(200);
  const auto transport = Started(&answering, options);
  const RawConnection silent(transport->port());
  EXPECT_EQ(silent.ReadAll(), "");
  // A byte now and then does not help.
  const RawConnection dripping(transport->port());
  dripping.Send("GET /");
  while (dripping.Send("x")) absl::SleepFor(absl::Milliseconds(10));
  const RawConnection body(transport->port());
  body.Send(absl::StrCat("POST /v1/ask HTTP/1.1\r\nHost: localhost\r\n",
                         "Content-Type: ", kJson,
                         "\r\nContent-Length: 100\r\n\r\n{}"));
  const std::string late = body.ReadAll();
  EXPECT_THAT(late, StartsWith("HTTP/1.1 408 "));
  EXPECT_THAT(late, HasSubstr("the request did not arrive within 200ms, or"));
  // Nor does a request after the first.
  const RawConnection second(transport->port());
  second.Send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_THAT(second.ReadAll(), EndsWith("\r\n\r\nok\n"));
  ExpectAnswers(*transport);
}

// Answers that nobody reads.
TEST(HttpTransport, WhoDoesNotReadIsHungUpOn) {
  Answering answering;
  HttpOptions options;
  options.connections = 1;
  options.connection_limits.answer_timeout = absl::Milliseconds(100);
  const std::string large(100'000'000, 'x');
  options.assets = {{"/large", "application/octet-stream", large}};
  const auto transport = Started(&answering, options);
  const RawConnection connection(transport->port());
  connection.Send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ExpectAnswers(*transport);
}

TEST(HttpTransport, ClientsThatAreKilled) {
  Answering answering;
  HttpOptions options;
  options.connections = 2;
  const auto transport = Started(&answering, options);
  for (int i = 0; i < 50; ++i) {
    for (const std::string& text : {std::string(), std::string("POST /v1/a"),
                                    Raw("POST /v1/ask HTTP/1.1", kQuestion)}) {
      RawConnection connection(transport->port());
      connection.Send(text);
      connection.Kill();
    }
  }
  BusyThread busy(&answering.work);
  RawConnection waiting(transport->port());
  waiting.Send(Raw("POST /v1/ask HTTP/1.1", kQuestion));
  while (answering.work.waiting() < 1) absl::SleepFor(absl::Milliseconds(1));
  waiting.Kill();
  busy.End();
  ExpectAnswers(*transport);
}

TEST(HttpTransport, MoreConnectionsThanMayWait) {
  Answering answering;
  HttpOptions options;
  options.connections = 1;
  options.waiting_connections = 1;
  const auto transport = Started(&answering, options);
  BusyThread busy(&answering.work);
  const RawConnection first(transport->port());
  first.Send(Raw("POST /v1/ask HTTP/1.1", kQuestion));
  while (answering.work.waiting() < 1) absl::SleepFor(absl::Milliseconds(1));
  const RawConnection second(transport->port());
  second.Send(Raw("POST /v1/ask HTTP/1.1", kQuestion));
  EXPECT_EQ(RawConnection(transport->port()).ReadAll(),
            "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n"
            "Retry-After: 1\r\nConnection: close\r\n\r\n");
  busy.End();
  EXPECT_THAT(first.ReadAll(), EndsWith(absl::StrCat(kAnswer, "\n")));
  EXPECT_THAT(second.ReadAll(), EndsWith(absl::StrCat(kAnswer, "\n")));
}

TEST(HttpTransport, ManyClientsAtOnce) {
  WorkQueue::Options work;
  work.threads = 3;
  Answering answering(work);
  const auto transport = Started(&answering);
  std::vector<std::future<void>> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(std::async(std::launch::async, [&] {
      httplib::Client client = Connect(*transport);
      for (int j = 0; j < 100; ++j) {
        EXPECT_EQ(Post(&client, "/v1/ask", kQuestion).first, 200);
      }
    }));
  }
  for (std::future<void>& client : clients) client.get();
}

TEST(HttpTransport, ShutdownFinishesWhatIsUnderWay) {
  Answering answering;
  const auto transport = Started(&answering);
  httplib::Client idle = Connect(*transport);
  EXPECT_EQ(Get(&idle, "/healthz").first, 200);
  BusyThread busy(&answering.work);
  const RawConnection waiting(transport->port());
  waiting.Send(absl::StrCat(
      "POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: ", kJson,
      "\r\nContent-Length: ", strlen(kQuestion), "\r\n\r\n", kQuestion));
  while (answering.work.waiting() < 1) absl::SleepFor(absl::Milliseconds(1));
  const RawConnection half_open(transport->port());
  half_open.Send("GET /heal");

  auto shutdown = std::async(std::launch::async, [&] {
    transport->Shutdown(absl::Now() + absl::Seconds(60));
  });
  // Hung up on, as no more of it comes.
  half_open.ReadAll();
  busy.End();
  EXPECT_THAT(waiting.ReadAll(), EndsWith(absl::StrCat(kAnswer, "\n")));
  shutdown.get();
  httplib::Client late("127.0.0.1", transport->port());
  EXPECT_EQ(late.Get("/healthz").error(), httplib::Error::Connection);
}

TEST(HttpTransport, ShutdownBreaksOffAtItsDeadline) {
  Answering answering;
  HttpOptions options;
  options.connection_limits.busy_timeout = absl::Hours(1);
  options.connection_limits.request_timeout = absl::Hours(1);
  const auto transport = Started(&answering, options);
  const RawConnection half_open(transport->port());
  half_open.Send("GET /heal");
  transport->Shutdown(absl::Now() + absl::Milliseconds(50));
}

TEST(HttpTransport, WhatHasNotBegunByTheDeadlineIsRefused) {
  Answering answering;
  const auto transport = Started(&answering);
  BusyThread busy(&answering.work);
  const RawConnection waiting(transport->port());
  waiting.Send(Raw("POST /v1/ask HTTP/1.1", kQuestion));
  while (answering.work.waiting() < 1) absl::SleepFor(absl::Milliseconds(1));
  auto shutdown =
      std::async(std::launch::async, [&] { transport->Shutdown(absl::Now()); });
  httplib::Client late("127.0.0.1", transport->port());
  while (late.Get("/healthz")) absl::SleepFor(absl::Milliseconds(1));
  busy.End();
  const std::string answer = waiting.ReadAll();
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(answer,
              EndsWith(Refused("UNAVAILABLE", "the server is shutting down")));
  shutdown.get();
}

TEST(HttpTransport, WhereItCannotListen) {
  Answering answering;
  const auto transport = Started(&answering);
  HttpOptions options;
  options.port = transport->port();
  EXPECT_EQ(HttpTransport::Start(&answering.service, &answering.work, options)
                .status()
                .message(),
            absl::StrCat("HTTP cannot listen on 127.0.0.1 port ", options.port,
                         ": Address already in use"));
  options.host = "no.such.host.invalid";
  EXPECT_THAT(
      HttpTransport::Start(&answering.service, &answering.work, options),
      StatusIs(absl::StatusCode::kUnavailable));
}

}  // namespace
}  // namespace tessera
