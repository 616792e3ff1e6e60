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
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "proto/layout_service_rpc.grpc.pb.h"
#include "tessera/base/text/absl_view.h"
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

// The interval at which a silent connection is pinged, and the time that it has
// to answer.
constexpr int kKeepaliveMilliseconds = 60'000;
constexpr int kKeepaliveTimeoutMilliseconds = 20'000;

grpc::Status ToGrpcStatus(const absl::Status& status) {
  // The numbers of the codes are the same.
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()),
                      std::string(status.message()));
}

// The status of a call that asks one question whose answer is `error`. Clients
// accept 8 KiB of such data, including percent signs and base64; the data also
// contain the error as a message.
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

// Returns the number of files that this process may have open.
int MostFiles() {
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  return std::min<rlim_t>(limit.rlim_cur, std::numeric_limits<int>::max());
}

// Checks that the client still waits for the answer to a call.
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
  const GrpcOptions* options;
};

template <typename Message>
absl::Status Parse(grpc::ByteBuffer bytes, Message* message) {
  return grpc::SerializationTraits<Message>::Deserialize(&bytes, message).ok()
             ? absl::OkStatus()
             : absl::InvalidArgumentError("the request cannot be parsed");
}

// Checks that the client still waits for the answer to a request that arrived
// at `start`.
absl::Status CheckGoesOn(const CallbackServerContext& context, absl::Time start,
                         absl::Duration timeout, std::string_view what) {
  if (absl::Now() - start > timeout) {
    return absl::DeadlineExceededError(
        StrCat(what, " has taken ", absl::FormatDuration(timeout)));
  }
  return CheckIsWanted(context);
}

// The counters of a request.
class Recording {
 public:
  Recording(const Answering& answering, const CallbackServerContext& context,
            std::string_view method)
      : traffic_(answering.options->traffic),
        start_(absl::Now()),
        begin_(absl::InfiniteFuture()) {
    if (traffic_ == nullptr) return;
    request_.transport = "grpc";
    request_.client = context.peer();
    request_.method = "POST";
    request_.path =
        StrCat("/", rpc::LayoutService::service_full_name(), "/", method);
  }

  absl::Time start() const { return start_; }
  bool has_begun() const { return begin_ != absl::InfiniteFuture(); }
  void Begin() { begin_ = std::min(begin_, absl::Now()); }
  void End(grpc::StatusCode code, int64_t bytes_in, int64_t bytes_out) {
    if (traffic_ == nullptr) return;
    const absl::Time now = absl::Now();
    request_.waited = std::min(begin_, now) - start_;
    request_.took = now - start_;
    request_.status = code;
    request_.code =
        absl::StatusCodeToString(static_cast<absl::StatusCode>(code));
    request_.bytes_in = bytes_in;
    request_.bytes_out = bytes_out;
    traffic_->Add(request_);
  }

 private:
  Traffic* const traffic_;
  const absl::Time start_;
  absl::Time begin_;
  Traffic::Request request_;
};

// Clients take turns by their connections.
uint64_t ClientOf(const CallbackServerContext& context) {
  return std::hash<std::string>()(context.peer());
}

// A call of Ask or AskBatch.
class UnaryCall : public grpc::ServerUnaryReactor {
 public:
  // All arguments live until OnDone.
  UnaryCall(const Answering& answering, const CallbackServerContext* context,
            const grpc::ByteBuffer* request, grpc::ByteBuffer* response,
            std::string_view method)
      : answering_(answering),
        context_(*context),
        request_(*request),
        response_(*response),
        recording_(answering, *context, method) {}

  // Call it once the object is complete.
  void Begin(bool is_long) {
    WorkQueue::Task task;
    task.bytes = request_.Length();
    task.client = ClientOf(context_);
    task.is_long = is_long || WorkQueue::IsLong(request_.Length());
    task.run_part = [this] { return RunPart(); };
    const absl::Status status = answering_.work->Add(std::move(task));
    if (!status.ok()) End(ToGrpcStatus(status), 0);
  }

  void OnDone() override {
    if (unread_.has_value()) answering_.unread->End(*unread_);
    delete this;
  }

 protected:
  const Answering& answering() const { return answering_; }
  const grpc::ByteBuffer& request() const { return request_; }

  absl::Status GoesOn(absl::Duration timeout, std::string_view what) const {
    return CheckGoesOn(context_, recording_.start(), timeout, what);
  }

  // Answers the request, or a part of it. Returns whether there is more. At the
  // end, `answer` is the answer or `status` is an error.
  virtual bool AnswerPart(grpc::Status* status, std::string* answer) = 0;

 private:
  // `this` may be gone afterwards, unless there is more.
  bool RunPart() {
    absl::Status status = CheckIsWanted(context_);
    if (status.ok() && !recording_.has_begun()) {
      status = answering_.unread->CheckRoom();
    }
    recording_.Begin();
    bool has_more = false;
    grpc::Status answered;
    std::string answer;
    if (status.ok()) {
      status =
          RunWithinMemory([&] { has_more = AnswerPart(&answered, &answer); });
    }
    if (status.ok() && has_more) return true;
    if (status.ok() && answered.ok()) status = CheckIsWanted(context_);
    if (!status.ok()) answered = ToGrpcStatus(status);
    const int64_t bytes = answer.size();
    if (answered.ok()) {
      const UnreadAnswers::Answer held =
          answering_.unread->Hold(std::move(answer), request_.Length());
      response_ = held.buffer;
      unread_ =
          answering_.unread->Begin(held, [this] { context_.TryCancel(); });
    }
    End(answered, bytes);
    return false;
  }

  void End(const grpc::Status& status, int64_t bytes) {
    recording_.End(status.error_code(), request_.Length(), bytes);
    Finish(status);
  }

  const Answering& answering_;
  const CallbackServerContext& context_;
  const grpc::ByteBuffer& request_;
  grpc::ByteBuffer& response_;
  Recording recording_;
  std::optional<UnreadAnswers::Call> unread_;
};

class AskCall : public UnaryCall {
 public:
  using UnaryCall::UnaryCall;

 private:
  bool AnswerPart(grpc::Status* status, std::string* answer) override {
    Request question;
    const absl::Status parsed = Parse(request(), &question);
    if (!parsed.ok()) {
      *status = ToGrpcStatus(parsed);
      return false;
    }
    const Response response = answering().service->Answer(question, [this] {
      return GoesOn(answering().options->question_timeout, "the question");
    });
    if (response.has_error()) {
      *status = ToGrpcStatus(response.error());
    } else {
      *answer = response.SerializeAsString();
    }
    return false;
  }
};

class BatchCall : public UnaryCall {
 public:
  using UnaryCall::UnaryCall;

 private:
  bool AnswerPart(grpc::Status* status, std::string* answer) override {
    if (!answer_.has_value()) {
      const absl::Status parsed = Parse(request(), &batch_);
      if (!parsed.ok()) {
        *status = ToGrpcStatus(parsed);
        return false;
      }
      answer_.emplace(answering().service, &batch_);
    }
    const absl::Time end = absl::Now() + WorkQueue::kPart;
    bool has_more = true;
    while (has_more && absl::Now() < end) {
      has_more = answer_->AnswerNext([this] {
        return GoesOn(answering().options->batch_timeout, "the batch");
      });
    }
    if (has_more) return true;
    if (answer_->responses().has_error()) {
      *status = ToGrpcStatus(answer_->responses().error());
    } else {
      *answer = answer_->responses().SerializeAsString();
    }
    // The call lives until its client has the answer.
    answer_.reset();
    batch_ = BatchRequest();
    return false;
  }

  BatchRequest batch_;
  std::optional<BatchAnswer> answer_;
};

// One call of AskStream. A request is read when the one before it has been
// answered, so a stream takes the room of one request. The end of each step
// starts the next, and the last one is OnDone.
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
    recording_.emplace(answering_, context_, "AskStream");
    WorkQueue::Task task;
    task.bytes = request_.Length();
    task.client = ClientOf(context_);
    task.is_long = WorkQueue::IsLong(request_.Length());
    task.run_part = [this] {
      AnswerRequest();
      return false;
    };
    const absl::Status status = answering_.work->Add(std::move(task));
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
    recording_->Begin();
    absl::Status status = CheckIsWanted(context_);
    if (!status.ok()) {
      End(status);
      return;
    }
    status = answering_.unread->CheckRoom();
    if (!status.ok()) {
      Refuse(status);
      return;
    }
    Response response;
    std::string answer;
    const absl::Status memory = RunWithinMemory([&] {
      Request request;
      status = Parse(request_, &request);
      if (!status.ok()) return;
      response = answering_.service->Answer(request, [this] {
        return CheckGoesOn(context_, recording_->start(),
                           answering_.options->question_timeout,
                           "the question");
      });
      answer = response.SerializeAsString();
    });
    if (!memory.ok()) {
      Refuse(memory);
    } else if (!status.ok()) {
      End(status);
    } else {
      Write(response, std::move(answer));
    }
  }

  // Ends the call.
  void End(const absl::Status& status) {
    recording_->End(static_cast<grpc::StatusCode>(status.code()),
                    request_.Length(), 0);
    Finish(ToGrpcStatus(status));
  }

  // Answers one request with an error, and continues.
  void Refuse(const absl::Status& status) {
    Request request;
    Response response;
    RunWithinMemory([&] {
      if (Parse(request_, &request).ok()) response.set_id(request.id());
    }).IgnoreError();
    *response.mutable_error() = ToError(status);
    Write(response, response.SerializeAsString());
  }

  void Write(const Response& response, std::string answer) {
    const int64_t bytes = answer.size();
    recording_->End(response.has_error()
                        ? static_cast<grpc::StatusCode>(response.error().code())
                        : grpc::StatusCode::OK,
                    request_.Length(), bytes);
    request_.Clear();
    const UnreadAnswers::Answer held =
        answering_.unread->Hold(std::move(answer), 0);
    response_ = held.buffer;
    unread_ = answering_.unread->Begin(held, [this] { context_.TryCancel(); });
    StartWrite(&response_);
  }

  const Answering& answering_;
  const CallbackServerContext& context_;
  std::optional<Recording> recording_;  // of the request that was read
  grpc::ByteBuffer request_;
  grpc::ByteBuffer response_;
  std::optional<UnreadAnswers::Call> unread_;
};

// Handles the raw bytes of messages, to track how long gRPC holds those of an
// answer.
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
    return Begun(new AskCall(answering_, context, request, response, "Ask"),
                 /*is_long=*/false);
  }

  grpc::ServerUnaryReactor* AskBatch(CallbackServerContext* context,
                                     const grpc::ByteBuffer* request,
                                     grpc::ByteBuffer* response) override {
    return Begun(
        new BatchCall(answering_, context, request, response, "AskBatch"),
        /*is_long=*/true);
  }

  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* AskStream(
      CallbackServerContext* context) override {
    return new Stream(answering_, context);
  }

 private:
  static grpc::ServerUnaryReactor* Begun(UnaryCall* call, bool is_long) {
    call->Begin(is_long);
    return call;
  }

  const Answering answering_;
};

class Transport : public GrpcTransport {
 public:
  Transport(const LayoutService* service, WorkQueue* work,
            const GrpcOptions& options)
      : options_(options),
        unread_(options.unread_bytes, options.answer_timeout),
        service_({service, work, &unread_, &options_}),
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
    // gRPC's own listener stops forever if the process has too many open files
    // (CVE-2023-4785), and does not limit the number of connections.
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
    // gRPC never closes connections that it gets after its end.
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
    // The same option as in gRPC's own listener.
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
