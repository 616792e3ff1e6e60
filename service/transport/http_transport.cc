#include "tessera/service/transport/http_transport.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
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
constexpr char kReadyPath[] = "/readyz";
constexpr char kMetricsPath[] = "/metrics";
// The version of Prometheus' text format.
constexpr char kMetricsType[] = "text/plain; version=0.0.4";
constexpr char kQuestionsPath[] = "/v1";
constexpr char kOpenApiPath[] = "/v1/openapi.json";
constexpr char kAskPath[] = "/v1/ask";
constexpr char kBatchPath[] = "/v1/batch";
constexpr std::string_view kPost = "POST";
constexpr size_t kLongestForm = 60;
// A client that asks without end must give up its thread from time to time.
constexpr int kRequestsPerConnection = 10'000;

// The time that a client that has stopped sending is assumed to wait for its
// answer.
constexpr absl::Duration kHalfCloseTimeout = absl::Seconds(1);

constexpr std::string_view kLineTooLong =
    "HTTP/1.1 414 URI Too Long\r\nContent-Length: 0\r\n"
    "Connection: close\r\n\r\n";
constexpr std::string_view kBusy =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n"
    "Retry-After: 1\r\nConnection: close\r\n\r\n";

// The permissions of pages: they may only query this server.
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

// A request on this connection.
struct Exchange {
  Exchange(HttpConnection* connection, uint64_t client)
      : connection(connection), client(client) {}

  HttpConnection* const connection;
  const uint64_t client;
  absl::Duration waited;
  absl::Duration took;
  absl::StatusCode code = absl::StatusCode::kOk;
};

// The exchange that this thread serves. cpp-httplib passes only the request to
// its handlers.
thread_local Exchange* served_exchange = nullptr;

void Refuse(const HttpRefusal& refusal, httplib::Response* response) {
  response->status = refusal.status;
  response->set_content(ErrorJson("", refusal.reason) + "\n", kJson);
}

// The HTTP status of an answer that is an error. Google's mapping of gRPC
// codes, except for two: a question that exceeds a limit would do so again, so
// it is not 429; and one that is not supported is not a fault of the server.
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
    case absl::StatusCode::kCancelled:
      return 499;  // as other servers log it: the client is gone
    default:
      return 500;
  }
}

// The code that is closest to a status.
absl::StatusCode CodeOf(int http_status) {
  switch (http_status) {
    case 200:
    case 206:
      return absl::StatusCode::kOk;
    case 403:
    case 421:
      return absl::StatusCode::kPermissionDenied;
    case 404:
      return absl::StatusCode::kNotFound;
    case 405:
      return absl::StatusCode::kUnimplemented;
    case 408:
      return absl::StatusCode::kDeadlineExceeded;
    case 413:
    case 414:
    case 431:
      return absl::StatusCode::kResourceExhausted;
    case 503:
      return absl::StatusCode::kUnavailable;
    default:
      return absl::StatusCode::kInvalidArgument;
  }
}

// Reads the form of the answers from the query of a request.
absl::Status ReadForm(const httplib::Request& request,
                      JsonAnswerOptions* options) {
  if (!request.has_param("json")) return absl::OkStatus();
  const std::string name = request.get_param_value("json");
  options->proto3 = name == "proto3";
  if (options->proto3 || name == "tessera") return absl::OkStatus();
  return InvalidField("json", "json = '", name.substr(0, kLongestForm),
                      "' is neither tessera nor proto3");
}

// Refuses a method that a path does not have. `methods` are those that it has.
std::optional<HttpRefusal> MethodRefusal(const httplib::Request& request,
                                         std::string_view methods) {
  if (methods.empty() || (request.method == kPost) == (methods == kPost)) {
    return std::nullopt;
  }
  return HttpRefusal{
      405, UnimplementedError(request.method,
                              " is not supported at this path; use ", methods)};
}

// Returns the reason of a rejection by httplib itself.
absl::Status ReasonOf(int status, const HttpConnectionLimits& limits) {
  switch (status) {
    case 404:
      return absl::NotFoundError(
          "there is nothing at this path; GET /v1 lists the questions");
    case 408:
      return absl::DeadlineExceededError(
          StrCat("the request did not arrive within ",
                 absl::FormatDuration(limits.request_timeout), ", or within ",
                 absl::FormatDuration(limits.busy_timeout),
                 " while other clients wait"));
    case 414:
      return absl::ResourceExhaustedError("the path is too long");
    case 431:
      return ResourceExhaustedError("a header exceeds ", limits.line_bytes,
                                    " bytes, or the head exceeds ",
                                    limits.head_bytes);
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

  // Connections that have already arrived wait for it. Throws std::system_error
  // if the system starts no more threads.
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
    // The header of answers about the connection, which HttpConnection keeps.
    set_keep_alive_max_count(kRequestsPerConnection);
    set_keep_alive_timeout(
        absl::ToInt64Seconds(options_.connection_limits.idle_timeout));
    set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          const std::optional<HttpRefusal> refusal = RefusalOfHead(request);
          if (refusal.has_value()) {
            const std::string_view methods = MethodsOf(request.path);
            if (refusal->status == 405 && !methods.empty()) {
              response.set_header("Allow", std::string(methods));
            }
            Refuse(*refusal, &response);
            return HandlerResponse::Handled;
          }
          return ServeAsset(request, &response) ? HandlerResponse::Handled
                                                : HandlerResponse::Unhandled;
        });
    set_error_handler([this](const httplib::Request&,
                             httplib::Response& response) {
      if (!response.body.empty()) return;
      const int refused = served_exchange->connection->refused_status();
      const int status = refused != 0 ? refused : response.status;
      // A request that cannot be read does not have an end.
      if (status != 404) response.set_header("Connection", "close");
      Refuse({status, ReasonOf(status, options_.connection_limits)}, &response);
    });
    set_post_routing_handler(
        [](const httplib::Request&, httplib::Response& response) {
          if (response.get_header_value("Connection") == "close") {
            response.headers.erase("Keep-Alive");
          }
        });
    set_logger([this](const httplib::Request& request,
                      const httplib::Response& response) {
      Record(request, response);
    });
    Get(kHealthPath, [](const httplib::Request&, httplib::Response& response) {
      response.set_content("ok\n", "text/plain");
    });
    Get(kReadyPath,
        [this](const httplib::Request&, httplib::Response& response) {
          if (!state_.is_stopping && work_.HasRoom()) {
            response.set_content("ok\n", "text/plain");
          } else {
            Refuse({503, absl::UnavailableError("requests would be refused")},
                   &response);
          }
        });
    if (options_.traffic != nullptr) {
      Get(kMetricsPath,
          [this](const httplib::Request&, httplib::Response& response) {
            response.set_content(options_.traffic->Metrics(), kMetricsType);
          });
    }
    const auto get_json = [this](const char* path, std::string_view json) {
      Get(path, [json](const httplib::Request&, httplib::Response& response) {
        response.set_content(json.data(), json.size(), kJson);
      });
    };
    get_json(kQuestionsPath, kQuestionsJson);
    get_json(kOpenApiPath, kOpenApiJson);
    Post(kAskPath,
         [this](const httplib::Request& request, httplib::Response& response) {
           Answer(
               request, options_.question_timeout,
               WorkQueue::IsLong(request.body.size()), "the question",
               [&](const JsonAnswerOptions& options, std::string* json) {
                 *json = AnswerJson(service_, request.body, options);
                 return false;
               },
               &response);
         });
    Post(kBatchPath,
         [this](const httplib::Request& request, httplib::Response& response) {
           std::optional<JsonBatchAnswer> batch;
           Answer(
               request, options_.batch_timeout, /*is_long=*/true, "the batch",
               [&](const JsonAnswerOptions& options, std::string* json) {
                 if (!batch.has_value()) {
                   batch.emplace(&service_, request.body, options);
                 }
                 const absl::Time end = absl::Now() + WorkQueue::kPart;
                 bool has_more = true;
                 while (has_more && absl::Now() < end) {
                   has_more = batch->AnswerNext();
                 }
                 if (!has_more) *json = batch->Write();
                 return has_more;
               },
               &response);
         });
  }

  // Why a request is refused by its head alone.
  std::optional<HttpRefusal> RefusalOfHead(
      const httplib::Request& request) const {
    if (!served_exchange->connection->head().ok()) {
      return HttpRefusal{400, served_exchange->connection->head()};
    }
    std::optional<HttpRefusal> refusal =
        RefusalOf(request, options_.allowed_hosts, options_.body_bytes);
    return refusal.has_value()
               ? refusal
               : MethodRefusal(request, MethodsOf(request.path));
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
    const bool is_page =
        path == kHealthPath || path == kReadyPath || path == kQuestionsPath ||
        path == kOpenApiPath ||
        (path == kMetricsPath && options_.traffic != nullptr) ||
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

  // Checks that there is still time to answer.
  absl::Status CheckIsUp() const {
    return absl::Now() <= absl::FromUnixNanos(state_.stop_time)
               ? absl::OkStatus()
               : absl::UnavailableError("the server is shutting down");
  }

  // Writes a part of an answer, or the whole of it. Returns whether there is
  // more.
  using AnswerPart = absl::FunctionRef<bool(const JsonAnswerOptions& options,
                                            std::string* json)>;

  // Answers with the output of `answer_part` when its turn comes. `what` may
  // take `timeout`.
  void Answer(const httplib::Request& request, absl::Duration timeout,
              bool is_long, std::string_view what, AnswerPart answer_part,
              httplib::Response* response) {
    JsonAnswerOptions options;
    if (absl::Status status = ReadForm(request, &options); !status.ok()) {
      Refuse({400, status}, response);
      return;
    }
    absl::StatusCode code = absl::StatusCode::kOk;
    options.code = &code;
    Exchange* const exchange = served_exchange;
    const absl::Time start = absl::Now();
    options.go_on = [&] {
      return CheckIsWanted(*exchange, start, timeout, what);
    };
    std::string json;
    bool has_begun = false;
    WorkQueue::Task task;
    task.bytes = request.body.size();
    task.client = exchange->client;
    task.is_long = is_long;
    task.run_part = [&] {
      if (!has_begun) exchange->waited = absl::Now() - start;
      has_begun = true;
      return CheckIsUp().ok() && answer_part(options, &json);
    };
    absl::Status status = work_.Run(std::move(task));
    exchange->took = absl::Now() - start;
    if (status.ok() && json.empty()) status = CheckIsUp();
    if (!status.ok()) {
      response->set_header("Retry-After", "1");
      Refuse({503, status}, response);
      exchange->code = status.code();
      return;
    }
    exchange->code = code;
    response->status = HttpStatusOf(code);
    response->set_content(json + "\n", kJson);
  }

  // Checks that the client still waits for the answer to a request.
  static absl::Status CheckIsWanted(const Exchange& exchange, absl::Time start,
                                    absl::Duration timeout,
                                    std::string_view what) {
    const absl::Duration passed = absl::Now() - start;
    if (passed > timeout) {
      return absl::DeadlineExceededError(
          StrCat(what, " has taken ", absl::FormatDuration(timeout)));
    }
    if (exchange.connection->IsGone(passed < kHalfCloseTimeout)) {
      return absl::CancelledError("the client is gone");
    }
    return absl::OkStatus();
  }

  void Record(const httplib::Request& request,
              const httplib::Response& response) const {
    if (options_.traffic == nullptr) return;
    const bool is_answered = served_exchange->took > absl::ZeroDuration();
    // The request lacks the client if its head is not valid.
    std::string address;
    int port = 0;
    served_exchange->connection->get_remote_ip_and_port(address, port);
    Traffic::Request record;
    record.transport = "http";
    record.client = absl::StrCat(address, ":", port);
    record.method = request.method;
    record.path = request.path;
    record.status = response.status;
    record.code = absl::StatusCodeToString(
        is_answered ? served_exchange->code : CodeOf(response.status));
    record.bytes_in = request.body.size();
    record.bytes_out = request.method == "HEAD" ? 0 : response.body.size();
    record.waited = served_exchange->waited;
    record.took = served_exchange->took;
    options_.traffic->Add(record);
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
    // No thread waits until it is read.
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
      // If memory runs out, the connection is closed.
      RunWithinMemory([&] { Serve(socket); }).IgnoreError();
    }
  }

  void Serve(int socket) {
    HttpConnection connection(socket, options_.connection_limits, &state_);
    const uint64_t client = ++connection_count_;
    bool is_last = false;
    for (int i = 1; !is_last && connection.WaitForRequest(); ++i) {
      is_last = i == kRequestsPerConnection || state_.is_stopping;
      Exchange exchange(&connection, client);
      served_exchange = &exchange;
      const bool goes_on = process_request(
          connection, is_last, is_last, [&](httplib::Request& request) {
            connection.BeginBody(BodyLength(request));
            // A body that is not read would be taken for the next request.
            if (BodyLength(request) != 0 &&
                (request.method != "POST" ||
                 RefusalOfHead(request).has_value())) {
              request.headers.erase("Connection");
              request.set_header("Connection", "close");
            }
            // A server may always answer with the whole file, unchanged:
            // httplib joins overlapping ranges, and compresses for seconds.
            request.ranges.clear();
            request.headers.erase("Accept-Encoding");
          });
      is_last = is_last || !goes_on || !connection.HasReadRequest();
      if (connection.IsRefusedSilently()) {
        connection.write(kLineTooLong.data(), kLineTooLong.size());
      }
    }
  }

  const LayoutService& service_;
  WorkQueue& work_;
  HttpOptions options_;
  const int port_;

  HttpConnectionsState state_;
  std::atomic<uint64_t> connection_count_ = {0};
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
