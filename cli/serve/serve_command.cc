#include "tessera/cli/serve/serve_command.h"

#include <pthread.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tessera/cli/command/jobs.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/explorer/explorer_assets.h"
#include "tessera/service/layout_service.h"
#include "tessera/transport/grpc_transport.h"
#include "tessera/transport/http_transport.h"
#include "tessera/transport/work_queue.h"

namespace tessera {
namespace cli {
namespace {

constexpr char kFooter[] =
    R"(Answers the requests of proto/layout_service.proto. Over gRPC this is the
service tessera.rpc.LayoutService, with health checking (grpc.health.v1) and
reflection. Over HTTP requests and answers are JSON: POST /v1/ask takes one
request, POST /v1/batch a BatchRequest; GET /healthz says ok, and GET / is a
page that shows layouts. It prints one line for gRPC and one for HTTP when it
listens. Port 0 is any free port.

There is neither encryption nor authentication; only this machine can reach the
default host. HTTP refuses pages of another origin, and requests for a host
other than loopback names, --host and --allow-host.

SIGTERM and SIGINT end the server: it takes no more calls, finishes those under
way within --drain-seconds, and exits with 0. A second signal ends it at once.

Examples:
  tessera serve
  tessera serve --grpc-port 0 --http-port 0 --jobs 4
  curl -H 'Content-Type: application/json' http://127.0.0.1:8080/v1/ask \
    -d '{"linearize":{"layout":"f32[3,5]{1,0:T(2,2)}","indices":[2,3]}}')";

constexpr int64_t kMostDrainSeconds = 3600;

struct ServeOptions {
  GrpcOptions grpc;
  HttpOptions http;
  int64_t jobs = 0;
  int64_t drain_seconds = 10;
};

// Declares an option with a whole number, and where it goes.
void Number(const char* name, const char* placeholder, const char* description,
            int64_t smallest, int64_t largest,
            std::function<void(int64_t number)> set, Subcommand* command) {
  command->Value(name, placeholder, description,
                 [=](const std::string& text) -> std::string {
                   int64_t number = 0;
                   if (!absl::SimpleAtoi(text, &number) || number < smallest ||
                       number > largest) {
                     return absl::StrCat(text, " is not a whole number from ",
                                         smallest, " to ", largest);
                   }
                   set(number);
                   return "";
                 });
}

// SIGTERM and SIGINT, held back from this thread and all that it starts.
class EndSignals {
 public:
  EndSignals() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGTERM);
    sigaddset(&signals_, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  ~EndSignals() { Release(); }

  void Wait() const {
    int signal = 0;
    sigwait(&signals_, &signal);
  }

  // From here on they do what they did before.
  void Release() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t signals_;
  sigset_t before_;
};

bool Fail(const absl::Status& status, Console* console) {
  PrintError({"tessera serve"}, status, console);
  return false;
}

// Connections are files, and a limit that leaves room for few of them is one
// that a process may raise.
void RaiseFileLimit() {
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

bool Serve(const ServeOptions& options, Console* console) {
  // gRPC's own messages would stand among ours, unless they are asked for.
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);
  RaiseFileLimit();
  EndSignals signals;
  const LayoutService service;
  WorkQueue::Options work_options;
  work_options.threads = ThreadsForJobs(options.jobs);
  WorkQueue work(work_options);
  const absl::StatusOr<std::unique_ptr<GrpcTransport>> grpc =
      GrpcTransport::Start(&service, &work, options.grpc);
  if (!grpc.ok()) return Fail(grpc.status(), console);
  const absl::StatusOr<std::unique_ptr<HttpTransport>> http =
      HttpTransport::Start(&service, &work, options.http);
  if (!http.ok()) return Fail(http.status(), console);

  const std::string& host = options.grpc.host;
  const std::string name =
      host.find(':') == std::string::npos ? host : absl::StrCat("[", host, "]");
  *console->out << absl::StrCat("gRPC on ", name, ":", (*grpc)->port(),
                                "\nHTTP on http://", name, ":", (*http)->port(),
                                "/\n")
                << std::flush;
  signals.Wait();
  signals.Release();
  const absl::Time deadline =
      absl::Now() + absl::Seconds(options.drain_seconds);
  std::thread http_shutdown([&] { (*http)->Shutdown(deadline); });
  (*grpc)->Shutdown(deadline);
  http_shutdown.join();
  return true;
}

}  // namespace

void AddServeCommand(CommandLine* command_line) {
  auto options = std::make_shared<ServeOptions>();
  options->grpc.port = 50051;
  options->http.port = 8080;
  options->http.assets = ExplorerAssets();
  Subcommand command =
      command_line->Add("serve", "Answer requests over gRPC and HTTP", kFooter);
  command.Value("--host", "HOST", "the host to listen on (127.0.0.1)",
                [options](const std::string& host) -> std::string {
                  options->grpc.host = host;
                  options->http.host = host;
                  return "";
                });
  constexpr int64_t kLastPort = 65535;
  Number(
      "--grpc-port", "PORT", "the port for gRPC (50051)", 0, kLastPort,
      [options](int64_t port) { options->grpc.port = port; }, &command);
  Number(
      "--http-port", "PORT", "the port for HTTP (8080)", 0, kLastPort,
      [options](int64_t port) { options->http.port = port; }, &command);
  command.Texts(
      "--allow-host", "NAME",
      "another name that HTTP requests may use for this host; may be repeated",
      &options->http.allowed_hosts);
  command.ByteSize("--max-message-bytes",
                   "the largest message or body that may come in (16MiB)",
                   &options->http.body_bytes,
                   {1, std::numeric_limits<int32_t>::max()});
  Number(
      "--jobs", "N", "how many threads answer, up to 256 (one per core)", 0,
      std::numeric_limits<int64_t>::max(),
      [options](int64_t jobs) { options->jobs = jobs; }, &command);
  Number(
      "--drain-seconds", "N",
      "how long calls under way may take at the end (10)", 0, kMostDrainSeconds,
      [options](int64_t seconds) { options->drain_seconds = seconds; },
      &command);
  command.Run([options](Console* console) {
    options->grpc.message_bytes = static_cast<int>(options->http.body_bytes);
    return Serve(*options, console);
  });
}

}  // namespace cli
}  // namespace tessera
