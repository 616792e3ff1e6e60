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
#include "tessera/base/text/absl_view.h"
#include "tessera/service/answer_json.h"
#include "tessera/service/error.h"
#include "tessera/service/transport/acceptor.h"
#include "tessera/service/transport/api_files.h"
#include "tessera/service/transport/http_connection.h"
#include "tessera/service/transport/http_guard.h"
#include "tessera/service/transport/listening_socket.h"
#include "tessera/service/within_memory.h"

namespace tessera {
namespace {

constexpr char kJson[] = "application/json";
constexpr char kHealthPath[] = "/healthz";
constexpr char kQuestionsPath[] = "/v1";
constexpr char kOpenApiPath[] = "/v1/openapi.json";
constexpr char kAskPath[] = "/v1/ask";
constexpr char kBatchPath[] = "/v1/batch";
constexpr std::string_view kPost = "POST";
constexpr size_t kLongestForm = 60;
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

// The HTTP status of an answer that is an error. Google's mapping of gRPC
// codes, except for two: a question that exceeds a limit would do so again, so
// that it is not 429; and one that is not supported is not a fault of the
// server.
int HttpStatusOf(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kOk:
      return 200;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kOutOfRange:
      return 400;
    case absl::StatusCode::kPermissionDenied:
      return 403;
    case absl::StatusCode::kNotFound:
      return 404;
    case absl::StatusCode::kResourceExhausted:
      return 413;
    case absl::StatusCode::kUnimplemented:
      return 422;
    case absl::StatusCode::kUnavailable:
      return 503;
    case absl::StatusCode::kDeadlineExceeded:
      return 504;
    default:
      return 500;
  }
}

// Reads the form of the answers from the query of a request.
absl::Status ReadForm(const httplib::Request& request,
                      JsonAnswerOptions* options) {
  if (!request.has_param("json")) return absl::OkStatus();
  const std::string name = request.get_param_value("json");
  options->proto3 = name == "proto3";
  if (options->proto3 || name == "tessera") return absl::OkStatus();
  return InField("json", absl::InvalidArgumentError(absl::StrCat(
                             "json = '", name.substr(0, kLongestForm),
                             "' is neither tessera nor proto3")));
}

// Refuses a method that a path does not have. `methods` are those that it has.
std::optional<HttpRefusal> MethodRefusal(const httplib::Request& request,
                                         std::string_view methods) {
  if (methods.empty() || (request.method == kPost) == (methods == kPost)) {
    return std::nullopt;
  }
  return HttpRefusal{
      405, absl::UnimplementedError(
               absl::StrCat(request.method, " is not supported at this path, ",
                            AbslView(methods), " is"))};
}

// What httplib itself refuses, in words.
absl::Status ReasonOf(int status) {
  switch (status) {
    case 404:
      return absl::NotFoundError(
          "there is nothing at this path; GET /v1 lists the questions");
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
          std::optional<HttpRefusal> refusal =
              RefusalOf(request, options_.allowed_hosts, options_.body_bytes);
          const std::string_view methods = MethodsOf(request.path);
          if (!refusal.has_value()) refusal = MethodRefusal(request, methods);
          if (refusal.has_value()) {
            if (refusal->status == 405 && !methods.empty()) {
              response.set_header("Allow", std::string(methods));
            }
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
    Get(kHealthPath, [](const httplib::Request&, httplib::Response& response) {
      response.set_content("ok\n", "text/plain");
    });
    const auto get_json = [this](const char* path, std::string_view json) {
      Get(path, [json](const httplib::Request&, httplib::Response& response) {
        response.set_content(json.data(), json.size(), kJson);
      });
    };
    get_json(kQuestionsPath, kQuestionsJson);
    get_json(kOpenApiPath, kOpenApiJson);
    Post(kAskPath,
         [this](const httplib::Request& request, httplib::Response& response) {
           Answer(request, &response, [&](const JsonAnswerOptions& options) {
             return AnswerJson(service_, request.body, options);
           });
         });
    Post(kBatchPath,
         [this](const httplib::Request& request, httplib::Response& response) {
           Answer(request, &response, [&](const JsonAnswerOptions& options) {
             const absl::Time deadline = absl::Now() + options_.batch_timeout;
             const auto go_on = [&] {
               if (absl::Now() <= deadline) return absl::OkStatus();
               return absl::DeadlineExceededError(
                   absl::StrCat("the batch has taken ",
                                absl::FormatDuration(options_.batch_timeout)));
             };
             return AnswerBatchJson(service_, request.body, go_on, options);
           });
         });
  }

  std::vector<StaticAsset>::const_iterator FindAsset(
      std::string_view path) const {
    return std::find_if(
        options_.assets.begin(), options_.assets.end(),
        [path](const StaticAsset& asset) { return asset.path == path; });
  }

  // The methods of a path; "" if there is nothing at it.
  std::string_view MethodsOf(std::string_view path) const {
    if (path == kAskPath || path == kBatchPath) return kPost;
    const bool is_page = path == kHealthPath || path == kQuestionsPath ||
                         path == kOpenApiPath ||
                         FindAsset(path) != options_.assets.end();
    return is_page ? "GET, HEAD" : "";
  }

  bool ServeAsset(const httplib::Request& request,
                  httplib::Response* response) const {
    const auto asset = FindAsset(request.path);
    if (asset == options_.assets.end()) return false;
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
  void Answer(
      const httplib::Request& request, httplib::Response* response,
      absl::FunctionRef<std::string(const JsonAnswerOptions& options)> answer) {
    JsonAnswerOptions options;
    if (absl::Status status = ReadForm(request, &options); !status.ok()) {
      response->status = 400;
      response->set_content(ErrorJson("", status) + "\n", kJson);
      return;
    }
    absl::StatusCode code = absl::StatusCode::kOk;
    options.code = &code;
    std::string json;
    absl::Status status = work_.Run(request.body.size(), [&] {
      if (CheckIsUp().ok()) json = answer(options) + "\n";
    });
    if (status.ok() && json.empty()) status = CheckIsUp();
    if (!status.ok()) {
      response->set_header("Retry-After", "1");
      Refuse({503, status}, response);
      return;
    }
    response->status = HttpStatusOf(code);
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
