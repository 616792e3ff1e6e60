#include "tessera/transport/grpc_transport.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "proto/layout_service_rpc.grpc.pb.h"
#include "tessera/service/error.h"

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
  absl::Duration batch_timeout;
};

// One call of AskStream. A request is read when the one before it has been
// answered, so that a stream takes the room of one request. Every step is begun
// by the end of another, and the last one is OnDone.
class Stream : public grpc::ServerBidiReactor<Request, Response> {
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
    const absl::Status status = answering_.work->Add(
        request_.SpaceUsedLong(), [this] { AnswerRequest(); });
    if (!status.ok()) {
      response_.Clear();
      response_.set_id(request_.id());
      *response_.mutable_error() = ToError(status);
      StartWrite(&response_);
    }
  }

  void OnWriteDone(bool is_written) override {
    if (is_written) {
      StartRead(&request_);
    } else {
      Finish(ToGrpcStatus(absl::CancelledError("nobody reads the answers")));
    }
  }

  void OnDone() override { delete this; }

 private:
  void AnswerRequest() {
    const absl::Status status = CheckIsWanted(context_);
    if (!status.ok()) {
      Finish(ToGrpcStatus(status));
      return;
    }
    response_ = answering_.service->Answer(request_);
    StartWrite(&response_);
  }

  const Answering answering_;
  const CallbackServerContext& context_;
  Request request_;
  Response response_;
};

class Service : public rpc::LayoutService::CallbackService {
 public:
  explicit Service(const Answering& answering) : answering_(answering) {}

  grpc::ServerUnaryReactor* Ask(CallbackServerContext* context,
                                const Request* request,
                                Response* response) override {
    return Answer(context, request->SpaceUsedLong(), [this, request, response] {
      *response = answering_.service->Answer(*request);
    });
  }

  grpc::ServerUnaryReactor* AskBatch(CallbackServerContext* context,
                                     const BatchRequest* batch,
                                     BatchResponse* responses) override {
    return Answer(
        context, batch->SpaceUsedLong(), [this, context, batch, responses] {
          const absl::Time deadline = absl::Now() + answering_.batch_timeout;
          *responses = answering_.service->AnswerBatch(*batch, [&] {
            if (absl::Now() > deadline) {
              return absl::DeadlineExceededError(
                  absl::StrCat("the batch has taken ",
                               absl::FormatDuration(answering_.batch_timeout)));
            }
            return CheckIsWanted(*context);
          });
        });
  }

  grpc::ServerBidiReactor<Request, Response>* AskStream(
      CallbackServerContext* context) override {
    return new Stream(answering_, context);  // which deletes itself
  }

 private:
  // The call whose answer `answer` computes, once there is a thread for it.
  grpc::ServerUnaryReactor* Answer(CallbackServerContext* context,
                                   int64_t bytes,
                                   std::function<void()> answer) {
    grpc::ServerUnaryReactor* const call = context->DefaultReactor();
    const absl::Status status = answering_.work->Add(
        bytes, [context, call, answer = std::move(answer)] {
          absl::Status status = CheckIsWanted(*context);
          if (status.ok()) {
            answer();
            status = CheckIsWanted(*context);
          }
          call->Finish(ToGrpcStatus(status));
        });
    if (!status.ok()) call->Finish(ToGrpcStatus(status));
    return call;
  }

  const Answering answering_;
};

class Transport : public GrpcTransport {
 public:
  explicit Transport(const Answering& answering) : service_(answering) {}

  ~Transport() override {
    if (server_ != nullptr) Shutdown(absl::Now());
  }

  bool Listen(const GrpcOptions& options) {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    grpc::ResourceQuota quota;
    quota.Resize(options.transport_bytes);
    quota.SetMaxThreads(options.housekeeping_threads);
    grpc::ServerBuilder builder;
    builder.SetResourceQuota(quota);
    builder.SetMaxReceiveMessageSize(options.message_bytes);
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS,
                               options.calls_per_connection);
    builder.AddChannelArgument(
        GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS,
        absl::ToInt64Milliseconds(options.handshake_timeout));
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS,
                               kKeepaliveMilliseconds);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
                               kKeepaliveTimeoutMilliseconds);
    // Two servers on one port would take turns, and nobody be told.
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    const bool is_ipv6 = absl::StrContains(options.host, ":");
    builder.AddListeningPort(absl::StrCat(is_ipv6 ? "[" : "", options.host,
                                          is_ipv6 ? "]:" : ":", options.port),
                             grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    if (server_ == nullptr || port_ <= 0) return false;
    server_->GetHealthCheckService()->SetServingStatus(
        rpc::LayoutService::service_full_name(), true);
    return true;
  }

  int port() const override { return port_; }

  void Shutdown(absl::Time deadline) override {
    server_->GetHealthCheckService()->Shutdown();
    server_->Shutdown(absl::ToChronoTime(deadline));
    server_->Wait();
  }

 private:
  Service service_;
  std::unique_ptr<grpc::Server> server_;
  int port_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<GrpcTransport>> GrpcTransport::Start(
    const LayoutService* service, WorkQueue* work, const GrpcOptions& options) {
  auto transport = std::make_unique<Transport>(
      Answering{service, work, options.batch_timeout});
  if (!transport->Listen(options)) {
    return absl::UnavailableError(absl::StrCat(
        "gRPC cannot listen on ", options.host, " port ", options.port));
  }
  return transport;
}

}  // namespace tessera
