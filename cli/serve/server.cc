#include "tessera/cli/serve/server.h"

#include <pthread.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tessera/cli/command/jobs.h"
#include "tessera/cli/output/message.h"
#include "tessera/service/explorer/explorer_assets.h"
#include "tessera/service/layout_service.h"
#include "tessera/service/transport/grpc_transport.h"
#include "tessera/service/transport/http_transport.h"
#include "tessera/service/transport/work_queue.h"

namespace tessera {
namespace cli {
namespace {

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

}  // namespace

bool Serve(const ServeOptions& options, Console* console) {
  GrpcOptions grpc_options;
  grpc_options.host = options.host;
  grpc_options.port = options.grpc_port;
  grpc_options.message_bytes = static_cast<int>(options.message_bytes);
  HttpOptions http_options;
  http_options.host = options.host;
  http_options.port = options.http_port;
  http_options.allowed_hosts = options.allowed_hosts;
  http_options.body_bytes = options.message_bytes;
  http_options.assets = ExplorerAssets();

  // gRPC's own messages would stand among ours, unless they are asked for.
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);
  RaiseFileLimit();
  EndSignals signals;
  const LayoutService service;
  WorkQueue::Options work_options;
  work_options.threads = ThreadsForJobs(options.jobs);
  WorkQueue work(work_options);
  const absl::StatusOr<std::unique_ptr<GrpcTransport>> grpc =
      GrpcTransport::Start(&service, &work, grpc_options);
  if (!grpc.ok()) return Fail(grpc.status(), console);
  const absl::StatusOr<std::unique_ptr<HttpTransport>> http =
      HttpTransport::Start(&service, &work, http_options);
  if (!http.ok()) return Fail(http.status(), console);

  const std::string& host = options.host;
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

}  // namespace cli
}  // namespace tessera
