#include "tessera/service/transport/grpc_transport.h"

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "proto/layout_service_rpc.grpc.pb.h"
#include "tessera/tests/service/conformance_requests.h"
#include "tests/service/transport/answering.h"
#include "tests/service/transport/http2.h"
#include "tests/service/transport/raw_connection.h"

namespace tessera {
namespace {

using google::protobuf::util::MessageDifferencer;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::unique_ptr<GrpcTransport> Started(Answering* answering,
                                       const GrpcOptions& options = {}) {
  absl::StatusOr<std::unique_ptr<GrpcTransport>> transport =
      GrpcTransport::Start(&answering->service, &answering->work, options);
  EXPECT_TRUE(transport.ok()) << transport.status();
  return *std::move(transport);
}

// A connection of its own.
std::unique_ptr<rpc::LayoutService::Stub> Connect(
    const GrpcTransport& transport) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetMaxReceiveMessageSize(-1);
  return rpc::LayoutService::NewStub(
      grpc::CreateCustomChannel(absl::StrCat("127.0.0.1:", transport.port()),
                                grpc::InsecureChannelCredentials(), arguments));
}

// Asks and expects an answer. An error is one, in the details of the status.
Response Ask(rpc::LayoutService::Stub* stub, const Request& request) {
  grpc::ClientContext context;
  Response response;
  const grpc::Status status = stub->Ask(&context, request, &response);
  if (!status.ok()) {
    rpc::Status details;
    EXPECT_TRUE(details.ParseFromString(status.error_details()))
        << status.error_message();
    EXPECT_EQ(details.code(), status.error_code());
    EXPECT_EQ(details.message(), status.error_message());
    EXPECT_EQ(details.details_size(), 1);
    response.set_id(request.id());
    EXPECT_TRUE(details.details(0).UnpackTo(response.mutable_error()));
    EXPECT_EQ(response.error().code(), +status.error_code());
  }
  return response;
}

void ExpectAnswers(const GrpcTransport& transport) {
  EXPECT_EQ(Ask(Connect(transport).get(), Linearize("1")).ShortDebugString(),
            "id: \"1\" linearize { linear_indices: 17 }");
}

// A call that is under way.
std::future<std::pair<grpc::Status, Response>> AskLater(
    rpc::LayoutService::Stub* stub, const Request& request,
    grpc::ClientContext* context) {
  return std::async(std::launch::async, [stub, request, context] {
    Response response;
    const grpc::Status status = stub->Ask(context, request, &response);
    return std::make_pair(status, response);
  });
}

TEST(GrpcTransport, AnswersOnAnyFreePort) {
  const LayoutService service;
  WorkQueue work(WorkQueue::Options{});
  absl::StatusOr<std::unique_ptr<GrpcTransport>> transport =
      GrpcTransport::Start(&service, &work, GrpcOptions());
  ASSERT_TRUE(transport.ok());
  EXPECT_GT((*transport)->port(), 0);
  ExpectAnswers(**transport);
  (*transport)->Shutdown(absl::Now() + absl::Seconds(10));
}

TEST(GrpcTransport, ConformanceOfSingleRequests) {
  Answering answering;
  const auto transport = Started(&answering);
  const auto stub = Connect(*transport);
  for (const Request& request : ConformanceRequests()) {
    const Response got = Ask(stub.get(), request);
    const Response want = answering.service.Answer(request);
    EXPECT_TRUE(MessageDifferencer::Equals(got, want))
        << got.ShortDebugString() << "\ninstead of " << want.ShortDebugString();
  }
}

// What clients receive of a status is limited to 8 KiB.
TEST(GrpcTransport, LongErrorsAreCut) {
  Answering answering;
  const auto transport = Started(&answering);
  const auto stub = Connect(*transport);
  for (const char* unit : {"x", "\xC3\xA9", "\x01", "%"}) {
    Request request;
    std::string* const text = request.mutable_parse()->mutable_text();
    for (int i = 0; i < 50'000; ++i) absl::StrAppend(text, unit);
    for (const ParseRequest::Kind kind :
         {ParseRequest::ANY, ParseRequest::XLA_SHAPE, ParseRequest::CUTE,
          ParseRequest::TENSOR, ParseRequest::STRIDED}) {
      request.mutable_parse()->set_kind(kind);
      const Response response = Ask(stub.get(), request);
      EXPECT_EQ(response.error().code(), Error::INVALID_ARGUMENT) << unit;
      EXPECT_LE(response.error().message().size(), 600) << unit;
    }
  }
}

// A batch that is refused as a whole is an error, too.
TEST(GrpcTransport, BatchesThatAreTooLong) {
  ServiceOptions limits;
  limits.batch_requests = 1;
  const LayoutService service(limits);
  WorkQueue work(WorkQueue::Options{});
  const absl::StatusOr<std::unique_ptr<GrpcTransport>> transport =
      GrpcTransport::Start(&service, &work, GrpcOptions());
  ASSERT_TRUE(transport.ok());
  BatchRequest batch;
  batch.add_requests();
  batch.add_requests();
  grpc::ClientContext context;
  BatchResponse responses;
  const grpc::Status status =
      Connect(**transport)->AskBatch(&context, batch, &responses);
  EXPECT_EQ(status.error_code(), grpc::RESOURCE_EXHAUSTED);
  EXPECT_EQ(status.error_message(),
            "batch_requests: 2 requests exceed the limit of 1");
}

TEST(GrpcTransport, ConformanceOfABatch) {
  Answering answering;
  const auto transport = Started(&answering);
  BatchRequest batch;
  for (const Request& request : ConformanceRequests()) {
    *batch.add_requests() = request;
  }
  grpc::ClientContext context;
  BatchResponse got;
  ASSERT_TRUE(Connect(*transport)->AskBatch(&context, batch, &got).ok());
  EXPECT_EQ(got.responses_size(), kConformanceRequests);
  EXPECT_TRUE(
      MessageDifferencer::Equals(got, answering.service.AnswerBatch(batch)));
}

// Requests are written by another thread than answers are read by, so that both
// are under way.
TEST(GrpcTransport, ConformanceOfAStream) {
  Answering answering;
  const auto transport = Started(&answering);
  const auto stub = Connect(*transport);
  const std::vector<Request> requests = ConformanceRequests();
  grpc::ClientContext context;
  const auto stream = stub->AskStream(&context);
  const auto writes = std::async(std::launch::async, [&] {
    for (const Request& request : requests) stream->Write(request);
    stream->WritesDone();
  });
  for (const Request& request : requests) {
    Response got;
    ASSERT_TRUE(stream->Read(&got));
    EXPECT_TRUE(
        MessageDifferencer::Equals(got, answering.service.Answer(request)))
        << request.id();
  }
  Response more;
  EXPECT_FALSE(stream->Read(&more));
  writes.wait();
  EXPECT_TRUE(stream->Finish().ok());
}

TEST(GrpcTransport, ManyClientsAtOnce) {
  WorkQueue::Options options;
  options.threads = 3;
  Answering answering(options);
  const auto transport = Started(&answering);
  std::vector<std::future<void>> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(std::async(std::launch::async, [&, i] {
      const auto stub = Connect(*transport);
      for (int j = 0; j < 100; ++j) {
        const std::string id = absl::StrCat(i, ".", j);
        EXPECT_EQ(Ask(stub.get(), Linearize(id.c_str())).id(), id);
      }
    }));
  }
  for (std::future<void>& client : clients) client.get();
}

TEST(GrpcTransport, HealthOfTheServerAndOfTheService) {
  Answering answering;
  const auto transport = Started(&answering);
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  grpc::GenericStub stub(
      grpc::CreateCustomChannel(absl::StrCat("127.0.0.1:", transport->port()),
                                grpc::InsecureChannelCredentials(), arguments));
  // The bytes of a HealthCheckRequest with the name of a service; and the code
  // with those of the response, in which 1 is SERVING.
  const auto check = [&stub](const std::string& name) {
    const std::string bytes =
        name.empty() ? ""
                     : absl::StrCat("\n", std::string(1, name.size()), name);
    const grpc::Slice slice(bytes);
    const grpc::ByteBuffer request(&slice, 1);
    grpc::ByteBuffer response;
    std::promise<grpc::Status> status;
    grpc::ClientContext context;
    stub.UnaryCall(
        &context, "/grpc.health.v1.Health/Check", {}, &request, &response,
        [&status](grpc::Status result) { status.set_value(result); });
    const grpc::Status result = status.get_future().get();
    grpc::Slice text;
    if (result.ok()) {
      EXPECT_TRUE(response.DumpToSingleSlice(&text).ok());
    }
    return std::make_pair(
        result.error_code(),
        std::string(reinterpret_cast<const char*>(text.begin()), text.size()));
  };
  using Pair = std::pair<grpc::StatusCode, std::string>;
  EXPECT_EQ(check(""), Pair(grpc::OK, "\b\1"));
  EXPECT_EQ(check("tessera.rpc.LayoutService"), Pair(grpc::OK, "\b\1"));
  EXPECT_EQ(check("another"), Pair(grpc::NOT_FOUND, ""));
}

TEST(GrpcTransport, ADeadlineThatPassesBeforeThereIsAThread) {
  Answering answering;
  const auto transport = Started(&answering);
  const auto stub = Connect(*transport);
  BusyThread busy(&answering.work);
  grpc::ClientContext context;
  context.set_deadline(
      absl::ToChronoTime(absl::Now() + absl::Milliseconds(50)));
  Response response;
  const grpc::Status status = stub->Ask(&context, Linearize("1"), &response);
  EXPECT_EQ(status.error_code(), grpc::DEADLINE_EXCEEDED);
  busy.End();
  ExpectAnswers(*transport);
}

// As many requests of some milliseconds as a batch may have.
BatchRequest LongBatch(const LayoutService& service) {
  BatchRequest batch;
  for (int64_t i = 0; i < service.options().batch_requests; ++i) {
    batch.add_requests()->mutable_compare()->set_from(
        "f32[1048573,3]{0,1:T(8,128)}");
    batch.mutable_requests(i)->mutable_compare()->set_to(
        "f32[1048573,3]{1,0:T(2,128)(4,2)}");
    batch.mutable_requests(i)->set_id(absl::StrCat(i));
  }
  return batch;
}

TEST(GrpcTransport, ABatchIsNotWorkedOnPastItsDeadline) {
  Answering answering;
  const auto transport = Started(&answering);
  const auto stub = Connect(*transport);
  const BatchRequest batch = LongBatch(answering.service);
  grpc::ClientContext context;
  context.set_deadline(
      absl::ToChronoTime(absl::Now() + absl::Milliseconds(20)));
  BatchResponse responses;
  EXPECT_EQ(stub->AskBatch(&context, batch, &responses).error_code(),
            grpc::DEADLINE_EXCEEDED);
  // Its thread is soon free.
  ExpectAnswers(*transport);
}

TEST(GrpcTransport, ABatchThatTakesTooLongIsAnsweredInPart) {
  Answering answering;
  GrpcOptions options;
  options.batch_timeout = absl::Milliseconds(1);
  const auto transport = Started(&answering, options);
  const BatchRequest batch = LongBatch(answering.service);
  grpc::ClientContext context;
  BatchResponse responses;
  ASSERT_TRUE(Connect(*transport)->AskBatch(&context, batch, &responses).ok());
  ASSERT_EQ(responses.responses_size(), batch.requests_size());
  const Response& last = responses.responses(batch.requests_size() - 1);
  EXPECT_EQ(last.id(), batch.requests(batch.requests_size() - 1).id());
  EXPECT_EQ(last.error().code(), Error::DEADLINE_EXCEEDED);
  EXPECT_EQ(last.error().message(), "the batch has taken 1ms");
}

TEST(GrpcTransport, TooManyRequestsAtOnce) {
  WorkQueue::Options work;
  work.waiting_requests = 1;
  Answering answering(work);
  const auto transport = Started(&answering);
  const auto stub = Connect(*transport);
  BusyThread busy(&answering.work);
  EXPECT_TRUE(answering.work.Add(1, [] {}).ok());

  grpc::ClientContext context;
  Response response;
  const grpc::Status status = stub->Ask(&context, Linearize("1"), &response);
  EXPECT_EQ(status.error_code(), grpc::RESOURCE_EXHAUSTED);
  EXPECT_EQ(status.error_message(),
            "waiting_requests: 2 requests exceed the limit of 1");

  // A stream goes on after it.
  grpc::ClientContext stream_context;
  const auto stream = stub->AskStream(&stream_context);
  stream->Write(Linearize("7"));
  ASSERT_TRUE(stream->Read(&response));
  EXPECT_EQ(response.id(), "7");
  EXPECT_EQ(response.error().code(), Error::RESOURCE_EXHAUSTED);
  busy.End();
  while (answering.work.waiting() > 0) absl::SleepFor(absl::Milliseconds(1));
  stream->Write(Linearize("8"));
  ASSERT_TRUE(stream->Read(&response));
  EXPECT_EQ(response.ShortDebugString(),
            "id: \"8\" linearize { linear_indices: 17 }");
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
}

TEST(GrpcTransport, MessagesThatAreTooLarge) {
  Answering answering;
  GrpcOptions options;
  options.message_bytes = 1000;
  const auto transport = Started(&answering, options);
  const auto stub = Connect(*transport);
  Request request;
  request.mutable_parse()->set_text(std::string(2000, 'x'));
  grpc::ClientContext context;
  Response response;
  const grpc::Status status = stub->Ask(&context, request, &response);
  EXPECT_EQ(status.error_code(), grpc::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("larger than max"));

  grpc::ClientContext stream_context;
  const auto stream = stub->AskStream(&stream_context);
  stream->Write(request);
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_EQ(stream->Finish().error_code(), grpc::RESOURCE_EXHAUSTED);
  EXPECT_EQ(Ask(stub.get(), Linearize("1")).linearize().linear_indices(0), 17);
}

// A question with a long answer.
Request Picture() {
  Request request;
  PictureRequest& picture = *request.mutable_picture();
  picture.set_layout("f32[1000,1000,1000]{2,1,0:T(8,128)(4,1)}");
  picture.mutable_row_window()->set_count(128);
  picture.mutable_column_window()->set_count(128);
  picture.mutable_memory()->set_count(16384);
  return request;
}

// Calls whose client takes `window` bytes of their answers into its hands, and
// reads none.
void AskForPictures(const RawConnection& connection, int calls,
                    uint32_t window) {
  connection.Send(Http2Opening(window));
  for (int i = 0; i < calls; ++i) {
    connection.Send(Http2Call(1 + 2 * i, "/tessera.rpc.LayoutService/Ask",
                              Picture().SerializeAsString()));
  }
}

// Waits, though not for ever, until it is so.
template <typename Predicate>
bool Becomes(const Predicate& is_so) {
  const absl::Time end = absl::Now() + absl::Seconds(30);
  while (!is_so() && absl::Now() < end) absl::SleepFor(absl::Milliseconds(5));
  return is_so();
}

// How another client is refused in the end, "" if it is not.
std::string RefusalOf(rpc::LayoutService::Stub* stub) {
  std::string refusal;
  Becomes([&] {
    grpc::ClientContext context;
    Response response;
    const grpc::Status status = stub->Ask(&context, Linearize("1"), &response);
    if (status.error_code() == grpc::RESOURCE_EXHAUSTED) {
      refusal = status.error_message();
    }
    return !refusal.empty();
  });
  return refusal;
}

// Where a client has no room for answers, and where it says that it has, and
// does not read them: the system takes some megabytes of these.
TEST(GrpcTransport, AnswersThatNobodyReads) {
  for (const uint32_t window : {0u, 0x7fff0000u}) {
    Answering answering;
    GrpcOptions options;
    options.unread_bytes = 4 << 20;
    const auto transport = Started(&answering, options);
    const auto stub = Connect(*transport);
    const int64_t answer_bytes =
        answering.service.Answer(Picture()).ByteSizeLong();
    ASSERT_GT(answer_bytes, 200'000);
    {
      const RawConnection client(transport->port());
      AskForPictures(client, 100, window);
      EXPECT_THAT(RefusalOf(stub.get()), StartsWith("unread_bytes: "));
      // What was computed on the queue's one thread when it became too much.
      EXPECT_LE(transport->unread_bytes(),
                options.unread_bytes + 2 * answer_bytes);
      // Of a stream, the request is refused.
      grpc::ClientContext context;
      const auto stream = stub->AskStream(&context);
      stream->Write(Linearize("7"));
      Response response;
      ASSERT_TRUE(stream->Read(&response));
      EXPECT_EQ(response.id(), "7");
      EXPECT_EQ(response.error().code(), Error::RESOURCE_EXHAUSTED);
      stream->WritesDone();
      EXPECT_TRUE(stream->Finish().ok());
    }
    EXPECT_TRUE(Becomes([&] { return transport->unread_bytes() == 0; }));
    ExpectAnswers(*transport);
  }
}

TEST(GrpcTransport, AnAnswerIsNotHeldForEver) {
  Answering answering;
  GrpcOptions options;
  options.answer_timeout = absl::Milliseconds(300);
  const auto transport = Started(&answering, options);
  const RawConnection client(transport->port());
  AskForPictures(client, 1, 0);
  EXPECT_TRUE(Becomes([&] { return transport->unread_bytes() > 0; }));
  EXPECT_TRUE(Becomes([&] { return transport->unread_bytes() == 0; }));
  // One of a stream is not either, and its client learns of it.
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + absl::Seconds(60)));
  const auto stub = Connect(*transport);
  const auto stream = stub->AskStream(&context);
  // Ends once the call is cancelled.
  while (stream->Write(Picture())) {
  }
  Response response;
  while (stream->Read(&response)) {
  }
  EXPECT_EQ(stream->Finish().error_code(), grpc::CANCELLED);
  ExpectAnswers(*transport);
}

TEST(GrpcTransport, ConnectionsPastTheLimit) {
  Answering answering;
  GrpcOptions options;
  options.connections = 3;
  const auto transport = Started(&answering, options);
  {
    std::vector<RawConnection> clients;
    for (int i = 0; i < 3; ++i) {
      clients.emplace_back(transport->port());
      clients.back().Send(Http2Opening(0));
      EXPECT_FALSE(clients.back().ReadSome().empty());
    }
    EXPECT_EQ(RawConnection(transport->port()).ReadAll(), "");
  }
  EXPECT_TRUE(Becomes([&] {
    const RawConnection client(transport->port());
    return client.Send(Http2Opening(0)) && !client.ReadSome().empty();
  }));
}

TEST(GrpcTransport, TextThatIsNoUtf8) {
  Answering answering;
  const auto transport = Started(&answering);
  Request request;
  request.mutable_parse()->set_text("f32[2\xff]");
  grpc::ClientContext context;
  Response response;
  EXPECT_FALSE(Connect(*transport)->Ask(&context, request, &response).ok());
  ExpectAnswers(*transport);
}

TEST(GrpcTransport, ConnectionsThatSayNothingOrNonsense) {
  Answering answering;
  GrpcOptions options;
  options.handshake_timeout = absl::Milliseconds(200);
  const auto transport = Started(&answering, options);
  std::vector<RawConnection> silent, talking;
  for (int i = 0; i < 20; ++i) {
    silent.emplace_back(transport->port());
    talking.emplace_back(transport->port());
    talking.back().Send("GET / HTTP/1.1\r\n\r\n");
  }
  RawConnection half(transport->port());
  half.Send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  ExpectAnswers(*transport);
  // All are hung up on in the end.
  for (const RawConnection& connection : silent) connection.ReadAll();
  for (const RawConnection& connection : talking) connection.ReadAll();
  half.ReadAll();
  ExpectAnswers(*transport);
}

TEST(GrpcTransport, ClientsThatGo) {
  Answering answering;
  const auto transport = Started(&answering);
  for (int i = 0; i < 20; ++i) {
    RawConnection connection(transport->port());
    connection.Send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    connection.Kill();
  }
  BusyThread busy(&answering.work);
  std::vector<std::future<std::pair<grpc::Status, Response>>> calls;
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  const auto stub = Connect(*transport);
  for (int i = 0; i < 20; ++i) {
    contexts.push_back(std::make_unique<grpc::ClientContext>());
    calls.push_back(AskLater(stub.get(), Linearize("1"), contexts[i].get()));
    contexts[i]->TryCancel();
  }
  // The stream's client is gone with a request under way.
  grpc::ClientContext context;
  const auto stream = stub->AskStream(&context);
  stream->Write(Linearize("1"));
  context.TryCancel();
  for (auto& call : calls) {
    EXPECT_EQ(call.get().first.error_code(), grpc::CANCELLED);
  }
  EXPECT_EQ(stream->Finish().error_code(), grpc::CANCELLED);
  busy.End();
  ExpectAnswers(*transport);
}

TEST(GrpcTransport, ShutdownFinishesWhatIsUnderWay) {
  Answering answering;
  const auto transport = Started(&answering);
  const auto stub = Connect(*transport);
  Ask(stub.get(), Linearize("0"));
  BusyThread busy(&answering.work);
  grpc::ClientContext context, stream_context;
  const auto stream = stub->AskStream(&stream_context);
  stream->Write(Linearize("2"));
  auto call = AskLater(stub.get(), Linearize("1"), &context);
  // Both wait for the thread.
  while (answering.work.waiting() < 2) absl::SleepFor(absl::Milliseconds(1));

  auto shutdown = std::async(
      std::launch::async, [&] { transport->Shutdown(absl::InfiniteFuture()); });
  // Calls of new connections are refused from some time on.
  bool is_refused = false;
  while (!is_refused) {
    grpc::ClientContext late;
    late.set_deadline(absl::ToChronoTime(absl::Now() + absl::Milliseconds(50)));
    Response response;
    is_refused = Connect(*transport)
                     ->Ask(&late, Linearize("9"), &response)
                     .error_code() == grpc::UNAVAILABLE;
  }
  busy.End();
  const auto [status, response] = call.get();
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.linearize().linear_indices(0), 17);
  Response streamed;
  EXPECT_TRUE(stream->Read(&streamed));
  EXPECT_EQ(streamed.id(), "2");
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
  shutdown.get();
}

TEST(GrpcTransport, ShutdownBreaksOffAtItsDeadline) {
  Answering answering;
  const auto transport = Started(&answering);
  const auto stub = Connect(*transport);
  // A stream whose client says nothing more.
  grpc::ClientContext context;
  const auto stream = stub->AskStream(&context);
  Response response;
  stream->Write(Linearize("1"));
  EXPECT_TRUE(stream->Read(&response));
  transport->Shutdown(absl::Now());
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_FALSE(stream->Finish().ok());
}

TEST(GrpcTransport, WhereItCannotListen) {
  Answering answering;
  const auto transport = Started(&answering);
  GrpcOptions options;
  options.port = transport->port();
  EXPECT_EQ(
      GrpcTransport::Start(&answering.service, &answering.work, options)
          .status()
          .message(),
      absl::StrCat("gRPC cannot listen on 127.0.0.1 port ", options.port));
  options.host = "no.such.host.invalid";
  EXPECT_EQ(GrpcTransport::Start(&answering.service, &answering.work, options)
                .status()
                .code(),
            absl::StatusCode::kUnavailable);
}

TEST(GrpcTransport, EveryAddressOfAHost) {
  Answering answering;
  GrpcOptions options;
  options.host = "localhost";
  // Which may be the second one.
  ExpectAnswers(*Started(&answering, options));
}

// Whether this machine has the loopback address of IPv6.
bool HasIpv6() {
  const int socket_of_6 = socket(AF_INET6, SOCK_STREAM, 0);
  if (socket_of_6 < 0) return false;
  sockaddr_in6 address = {};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  const bool is_bound =
      bind(socket_of_6, reinterpret_cast<const sockaddr*>(&address),
           sizeof(address)) == 0;
  close(socket_of_6);
  return is_bound;
}

TEST(GrpcTransport, OverIpv6) {
  Answering answering;
  GrpcOptions options;
  options.host = "::1";
  const auto transport =
      GrpcTransport::Start(&answering.service, &answering.work, options);
  if (HasIpv6()) {
    ASSERT_EQ(transport.status(), absl::OkStatus());
    EXPECT_GT((*transport)->port(), 0);
  } else {
    EXPECT_THAT(transport.status().message(), HasSubstr("::1"));
  }
}

}  // namespace
}  // namespace tessera
