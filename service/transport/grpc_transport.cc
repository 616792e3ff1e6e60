#include "tessera/service/transport/grpc_transport.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "proto/layout_service_rpc.grpc.pb.h"
#include "tessera/service/error.h"
#include "tessera/service/transport/acceptor.h"
#include "tessera/service/transport/listening_socket.h"
#include "tessera/service/transport/open_sockets.h"
#include "tessera/service/transport/unread_answers.h"
#include "tessera/service/utf8.h"
#include "tessera/service/within_memory.h"

namespace tessera {
namespace {

using grpc::CallbackServerContext;

// How often a connection without a word is asked whether anyone is there, and
// how long it may take to say so.
constexpr int kKeepaliveMilliseconds = 60'000;
constexpr int kKeepaliveTimeoutMilliseconds = 20'000;

grpc::Status ToGrpcStatus(const absl::Status& status) {
  // The numbers of the codes are the same.
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()),
                      std::string(status.message()));
}

// The status of a call that asks one question whose answer is `error`. Clients
// accept 8 KiB of such data, percent signs and base64 included; there the error
// is as a message, too.
grpc::Status ToGrpcStatus(const Error& error) {
  constexpr size_t kLongestMessage = 512;
  constexpr size_t kLongestDetails = 3072;
  Error detail = error;
  if (detail.message().size() > kLongestMessage) {
    detail.set_message(ToUtf8(
        absl::StrCat(detail.message().substr(0, kLongestMessage), "...")));
  }
  rpc::Status status;
  status.set_code(detail.code());
  status.set_message(detail.message());
  if (detail.ByteSizeLong() > kLongestDetails) detail.clear_position();
  status.add_details()->PackFrom(detail);
  return grpc::Status(static_cast<grpc::StatusCode>(detail.code()),
                      detail.message(), status.SerializeAsString());
}

// How many files this process may have open.
int MostFiles() {
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  return std::min<rlim_t>(limit.rlim_cur, std::numeric_limits<int>::max());
}

// Whether anyone still waits for the answer to a call.
absl::Status CheckIsWanted(const CallbackServerContext& context) {
  if (absl::FromChrono(context.deadline()) < absl::Now()) {
    return absl::DeadlineExceededError("the deadline has passed");
  }
  if (context.IsCancelled()) return absl::CancelledError("the call is gone");
  return absl::OkStatus();
}

struct Answering {
  const LayoutService* service;
  WorkQueue* work;
  UnreadAnswers* unread;
  absl::Duration batch_timeout;
};

template <typename Message>
absl::Status Parse(grpc::ByteBuffer bytes, Message* message) {
  return grpc::SerializationTraits<Message>::Deserialize(&bytes, message).ok()
             ? absl::OkStatus()
             : absl::InternalError("the request cannot be parsed");
}

// A call of Ask or AskBatch.
class UnaryCall : public grpc::ServerUnaryReactor {
 public:
  using Answer = std::function<grpc::Status(const grpc::ByteBuffer& request,
                                            std::string* answer)>;

  // `answer` computes the answer, once there is a thread for it. All but
  // `answer` live until OnDone.
  UnaryCall(const Answering& answering, const CallbackServerContext* context,
            const grpc::ByteBuffer* request, grpc::ByteBuffer* response,
            Answer answer)
      : answering_(answering),
        context_(*context),
        request_(*request),
        response_(*response),
        answer_(std::move(answer)) {
    const absl::Status status = answering_.work->Add(
        request_.Length(), [this] { Finish(AnswerRequest()); });
    if (!status.ok()) Finish(ToGrpcStatus(status));
  }

  void OnDone() override {
    if (unread_.has_value()) answering_.unread->End(*unread_);
    delete this;
  }

 private:
  grpc::Status AnswerRequest() {
    absl::Status status = CheckIsWanted(context_);
    if (status.ok()) status = answering_.unread->CheckRoom();
    if (!status.ok()) return ToGrpcStatus(status);
    std::string answer;
    grpc::Status answered;
    status = RunWithinMemory([&] { answered = answer_(request_, &answer); });
    if (status.ok() && answered.ok()) status = CheckIsWanted(context_);
    if (!status.ok()) return ToGrpcStatus(status);
    if (!answered.ok()) return answered;
    response_ = answering_.unread->Hold(std::move(answer), request_.Length());
    unread_ = answering_.unread->Begin(&context_);
    return grpc::Status::OK;
  }

  const Answering& answering_;
  const CallbackServerContext& context_;
  const grpc::ByteBuffer& request_;
  grpc::ByteBuffer& response_;
  const Answer answer_;
  std::optional<UnreadAnswers::Call> unread_;
};

// One call of AskStream. A request is read when the one before it has been
// answered, so that a stream takes the room of one request. Every step is begun
// by the end of another, and the last one is OnDone.
class Stream
    : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  Stream(const Answering& answering, const CallbackServerContext* context)
      : answering_(answering), context_(*context) {
    StartRead(&request_);
  }

  void OnReadDone(bool has_request) override {
    if (!has_request) {
      Finish(ToGrpcStatus(CheckIsWanted(context_)));
      return;
    }
    const absl::Status status =
        answering_.work->Add(request_.Length(), [this] { AnswerRequest(); });
    if (!status.ok()) Refuse(status);
  }

  void OnWriteDone(bool is_written) override {
    answering_.unread->End(*unread_);
    response_.Clear();
    if (is_written) {
      StartRead(&request_);
    } else {
      Finish(ToGrpcStatus(
          absl::CancelledError("the client does not read the answers")));
    }
  }

  void OnDone() override { delete this; }

 private:
  void AnswerRequest() {
    absl::Status status = CheckIsWanted(context_);
    if (!status.ok()) {
      Finish(ToGrpcStatus(status));
      return;
    }
    status = answering_.unread->CheckRoom();
    if (!status.ok()) {
      Refuse(status);
      return;
    }
    std::string answer;
    const absl::Status memory = RunWithinMemory([&] {
      Request request;
      status = Parse(request_, &request);
      if (status.ok()) {
        answer = answering_.service->Answer(request).SerializeAsString();
      }
    });
    if (!memory.ok()) {
      Refuse(memory);
    } else if (!status.ok()) {
      Finish(ToGrpcStatus(status));
    } else {
      Write(std::move(answer));
    }
  }

  // Answers one request, and goes on.
  void Refuse(const absl::Status& status) {
    Request request;
    Response response;
    RunWithinMemory([&] {
      if (Parse(request_, &request).ok()) response.set_id(request.id());
    }).IgnoreError();
    *response.mutable_error() = ToError(status);
    Write(response.SerializeAsString());
  }

  void Write(std::string answer) {
    request_.Clear();
    response_ = answering_.unread->Hold(std::move(answer), 0);
    unread_ = answering_.unread->Begin(&context_);
    StartWrite(&response_);
  }

  const Answering& answering_;
  const CallbackServerContext& context_;
  grpc::ByteBuffer request_;
  grpc::ByteBuffer response_;
  std::optional<UnreadAnswers::Call> unread_;
};

// Takes and gives the bytes of messages, so that it is seen how long gRPC holds
// those of an answer.
class Service : public rpc::LayoutService::WithRawCallbackMethod_Ask<
                    rpc::LayoutService::WithRawCallbackMethod_AskBatch<
                        rpc::LayoutService::WithRawCallbackMethod_AskStream<
                            rpc::LayoutService::Service>>> {
 public:
  explicit Service(const Answering& answering) : answering_(answering) {}

  // Each of these deletes itself.
  grpc::ServerUnaryReactor* Ask(CallbackServerContext* context,
                                const grpc::ByteBuffer* request,
                                grpc::ByteBuffer* response) override {
    return new UnaryCall(
        answering_, context, request, response,
        [this](const grpc::ByteBuffer& bytes, std::string* answer) {
          Request request;
          const absl::Status status = Parse(bytes, &request);
          if (!status.ok()) return ToGrpcStatus(status);
          const Response response = answering_.service->Answer(request);
          if (response.has_error()) return ToGrpcStatus(response.error());
          *answer = response.SerializeAsString();
          return grpc::Status::OK;
        });
  }

  grpc::ServerUnaryReactor* AskBatch(CallbackServerContext* context,
                                     const grpc::ByteBuffer* request,
                                     grpc::ByteBuffer* response) override {
    return new UnaryCall(
        answering_, context, request, response,
        [this, context](const grpc::ByteBuffer& bytes, std::string* answer) {
          BatchRequest batch;
          const absl::Status status = Parse(bytes, &batch);
          if (!status.ok()) return ToGrpcStatus(status);
          const BatchResponse responses = AnswerBatch(*context, batch);
          if (responses.has_error()) return ToGrpcStatus(responses.error());
          *answer = responses.SerializeAsString();
          return grpc::Status::OK;
        });
  }

  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* AskStream(
      CallbackServerContext* context) override {
    return new Stream(answering_, context);
  }

 private:
  BatchResponse AnswerBatch(const CallbackServerContext& context,
                            const BatchRequest& batch) const {
    const absl::Time deadline = absl::Now() + answering_.batch_timeout;
    return answering_.service->AnswerBatch(batch, [&] {
      if (absl::Now() > deadline) {
        return absl::DeadlineExceededError(
            absl::StrCat("the batch has taken ",
                         absl::FormatDuration(answering_.batch_timeout)));
      }
      return CheckIsWanted(context);
    });
  }

  const Answering answering_;
};

class Transport : public GrpcTransport {
 public:
  Transport(const LayoutService* service, WorkQueue* work,
            const GrpcOptions& options)
      : options_(options),
        unread_(options.unread_bytes, options.answer_timeout),
        service_({service, work, &unread_, options.batch_timeout}),
        connections_(std::min(options.connections, MostFiles() / 2)) {}

  ~Transport() override {
    if (server_ != nullptr) Shutdown(absl::Now());
  }

  bool Listen() {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    grpc::ResourceQuota quota;
    quota.Resize(options_.transport_bytes);
    quota.SetMaxThreads(options_.housekeeping_threads);
    grpc::ServerBuilder builder;
    builder.SetResourceQuota(quota);
    builder.SetMaxReceiveMessageSize(options_.message_bytes);
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS,
                               options_.calls_per_connection);
    builder.AddChannelArgument(
        GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS,
        absl::ToInt64Milliseconds(options_.handshake_timeout));
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS,
                               kKeepaliveMilliseconds);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
                               kKeepaliveTimeoutMilliseconds);
    // gRPC's own listener ends for ever where the process has too many files
    // open (CVE-2023-4785), and takes as many connections as come.
    new_connections_ = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
        grpc::InsecureServerCredentials());
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    if (server_ == nullptr) return false;
    absl::StatusOr<std::vector<ListeningSocket>> sockets =
        ListenOnAll(options_.host, options_.port);
    if (!sockets.ok()) return false;
    port_ = sockets->front().port;
    server_->GetHealthCheckService()->SetServingStatus(
        rpc::LayoutService::service_full_name(), true);
    acceptor_ = std::make_unique<Acceptor>(
        *std::move(sockets),
        [this](int connection) { AddConnection(connection); });
    return true;
  }

  int port() const override { return port_; }
  int64_t unread_bytes() const override { return unread_.bytes(); }

  void Shutdown(absl::Time deadline) override {
    // What gRPC gets past its end, it never closes.
    acceptor_.reset();
    server_->GetHealthCheckService()->Shutdown();
    server_->Shutdown(absl::ToChronoTime(deadline));
    server_->Wait();
  }

 private:
  void AddConnection(int connection) {
    if (!connections_.HasRoom()) {
      close(connection);
      return;
    }
    // As gRPC's own listener has it.
    const int on = 1;
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    setsockopt(connection, IPPROTO_TCP, TCP_USER_TIMEOUT,
               &kKeepaliveTimeoutMilliseconds,
               sizeof(kKeepaliveTimeoutMilliseconds));
    connections_.Add(connection);
    grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters
        parameters;
    parameters.fd = connection;
    new_connections_->HandleNewConnection(&parameters);
  }

  const GrpcOptions options_;
  UnreadAnswers unread_;
  Service service_;
  OpenSockets connections_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor>
      new_connections_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<Acceptor> acceptor_;
  int port_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<GrpcTransport>> GrpcTransport::Start(
    const LayoutService* service, WorkQueue* work, const GrpcOptions& options) {
  auto transport = std::make_unique<Transport>(service, work, options);
  if (!transport->Listen()) {
    return absl::UnavailableError(absl::StrCat(
        "gRPC cannot listen on ", options.host, " port ", options.port));
  }
  return transport;
}

}  // namespace tessera
