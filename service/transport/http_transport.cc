#include "tessera/service/transport/http_transport.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "httplib.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/service/answer_json.h"
#include "tessera/service/transport/acceptor.h"
#include "tessera/service/transport/http_connection.h"
#include "tessera/service/transport/http_guard.h"
#include "tessera/service/transport/listening_socket.h"
#include "tessera/service/within_memory.h"

namespace tessera {
namespace {

constexpr char kJson[] = "application/json";
// A client that asks for ever gives its thread to others now and then.
constexpr int kRequestsPerConnection = 10'000;

constexpr std::string_view kBusy =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n"
    "Retry-After: 1\r\nConnection: close\r\n\r\n";

// What pages may do: nothing but ask this server.
const httplib::Headers& DefaultHeaders() {
  static const auto* const headers = new httplib::Headers{
      {"Content-Security-Policy",
       "default-src 'self'; object-src 'none'; base-uri 'none'; "
       "form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cache-Control", "no-store"}};
  return *headers;
}

void Refuse(const HttpRefusal& refusal, httplib::Response* response) {
  response->status = refusal.status;
  // There may be a body that is not read.
  response->set_header("Connection", "close");
  response->set_content(ErrorJson("", refusal.reason) + "\n", kJson);
}

// What httplib itself refuses, in words.
absl::Status ReasonOf(int status) {
  switch (status) {
    case 404:
      return absl::NotFoundError("there is nothing at this path");
    case 414:
      return absl::ResourceExhaustedError("the path is too long");
    case 500:
      return absl::InternalError("the request cannot be answered");
    default:
      return absl::InvalidArgumentError("the request is not valid HTTP");
  }
}

class HttplibTransport : public HttpTransport, private httplib::Server {
 public:
  HttplibTransport(const LayoutService* service, WorkQueue* work,
                   const HttpOptions& options, const ListeningSocket& socket)
      : service_(*service),
        work_(*work),
        options_(options),
        port_(socket.port),
        acceptor_({socket},
                  [this](int connection) { AddConnection(connection); }) {
    options_.allowed_hosts.push_back(options_.host);
    DeclareHandlers();
  }

  ~HttplibTransport() override { Shutdown(absl::Now()); }

  // Connections that have come by then wait for it. Throws std::system_error if
  // the system starts no more threads.
  void StartThreads() {
    threads_.reserve(options_.connections);
    for (int i = 0; i < options_.connections; ++i) {
      threads_.emplace_back([this] { ServeConnections(); });
    }
  }

  int port() const override { return port_; }

  void Shutdown(absl::Time deadline) override {
    state_.stop_time = absl::ToUnixNanos(deadline);
    state_.is_stopping = true;
    acceptor_.Stop();
    {
      std::lock_guard<std::mutex> lock(mutex_);
      has_all_connections_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  void DeclareHandlers() {
    set_default_headers(DefaultHeaders());
    // What answers say of the connection; it is HttpConnection that keeps it.
    set_keep_alive_max_count(kRequestsPerConnection);
    set_keep_alive_timeout(
        absl::ToInt64Seconds(options_.connection_limits.idle_timeout));
    set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          const std::optional<HttpRefusal> refusal =
              RefusalOf(request, options_.allowed_hosts, options_.body_bytes);
          if (refusal.has_value()) {
            Refuse(*refusal, &response);
            return HandlerResponse::Handled;
          }
          return ServeAsset(request, &response) ? HandlerResponse::Handled
                                                : HandlerResponse::Unhandled;
        });
    set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (!response.body.empty()) return;
      Refuse({response.status, ReasonOf(response.status)}, &response);
    });
    Get("/healthz", [](const httplib::Request&, httplib::Response& response) {
      response.set_content("ok\n", "text/plain");
    });
    Post("/v1/ask",
         [this](const httplib::Request& request, httplib::Response& response) {
           Answer(request, &response,
                  [&] { return AnswerJson(service_, request.body); });
         });
    Post("/v1/batch",
         [this](const httplib::Request& request, httplib::Response& response) {
           Answer(request, &response, [&] {
             const absl::Time deadline = absl::Now() + options_.batch_timeout;
             return AnswerBatchJson(service_, request.body, [&] {
               if (absl::Now() <= deadline) return absl::OkStatus();
               return absl::DeadlineExceededError(
                   absl::StrCat("the batch has taken ",
                                absl::FormatDuration(options_.batch_timeout)));
             });
           });
         });
  }

  bool ServeAsset(const httplib::Request& request,
                  httplib::Response* response) const {
    const auto asset = std::find_if(
        options_.assets.begin(), options_.assets.end(),
        [&](const StaticAsset& asset) { return asset.path == request.path; });
    if (asset == options_.assets.end() || request.method == "POST") {
      return false;
    }
    response->set_content(asset->bytes.data(), asset->bytes.size(),
                          std::string(asset->content_type));
    return true;
  }

  // Whether there is still time to answer.
  absl::Status CheckIsUp() const {
    return absl::Now() <= absl::FromUnixNanos(state_.stop_time)
               ? absl::OkStatus()
               : absl::UnavailableError("the server is shutting down");
  }

  // Answers by what `answer` returns, once there is a thread for it.
  void Answer(const httplib::Request& request, httplib::Response* response,
              absl::FunctionRef<std::string()> answer) {
    std::string json;
    absl::Status status = work_.Run(request.body.size(), [&] {
      if (CheckIsUp().ok()) json = answer() + "\n";
    });
    if (status.ok() && json.empty()) status = CheckIsUp();
    if (!status.ok()) {
      response->set_header("Retry-After", "1");
      Refuse({503, status}, response);
      return;
    }
    response->set_content(std::move(json), kJson);
  }

  void AddConnection(int socket) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (state_.waiting_connections < options_.waiting_connections) {
      ++state_.waiting_connections;
      waiting_.push_back(socket);
      changed_.notify_one();
      return;
    }
    lock.unlock();
    // Nobody has time to wait until it is read.
    send(socket, kBusy.data(), kBusy.size(), MSG_NOSIGNAL);
    close(socket);
  }

  void ServeConnections() {
    while (true) {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(
          lock, [this] { return !waiting_.empty() || has_all_connections_; });
      if (waiting_.empty()) return;
      const int socket = waiting_.front();
      waiting_.pop_front();
      --state_.waiting_connections;
      lock.unlock();
      // One that no memory is left for is hung up on.
      RunWithinMemory([&] { Serve(socket); }).IgnoreError();
    }
  }

  void Serve(int socket) {
    HttpConnection connection(socket, options_.connection_limits, &state_);
    bool is_last = false;
    for (int i = 1; !is_last && connection.WaitForRequest(); ++i) {
      is_last = i == kRequestsPerConnection || state_.is_stopping;
      const bool goes_on = process_request(
          connection, is_last, is_last, [&](httplib::Request& request) {
            connection.BeginBody(BodyLength(request));
            // A server may always answer with the whole, as it is: httplib puts
            // ranges together that overlap, and compresses for seconds.
            request.ranges.clear();
            request.headers.erase("Accept-Encoding");
          });
      is_last = is_last || !goes_on || !connection.HasReadRequest();
    }
  }

  const LayoutService& service_;
  WorkQueue& work_;
  HttpOptions options_;
  const int port_;

  HttpConnectionsState state_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> waiting_;
  bool has_all_connections_ = false;
  std::vector<std::thread> threads_;
  Acceptor acceptor_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<HttpTransport>> HttpTransport::Start(
    const LayoutService* service, WorkQueue* work, const HttpOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(const ListeningSocket socket,
                           ListenOn(options.host, options.port));
  auto transport =
      std::make_unique<HttplibTransport>(service, work, options, socket);
  transport->StartThreads();
  return transport;
}

}  // namespace tessera
