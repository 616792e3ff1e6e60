#include "tessera/cli/serve/server.h"

#include <fcntl.h>
#include <google/protobuf/stubs/logging.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tessera/base/files/system_error.h"
#include "tessera/cli/command/jobs.h"
#include "tessera/cli/output/message.h"
#include "tessera/service/explorer/explorer_assets.h"
#include "tessera/service/layout_service.h"
#include "tessera/service/transport/grpc_transport.h"
#include "tessera/service/transport/http_transport.h"
#include "tessera/service/transport/traffic.h"
#include "tessera/service/transport/work_queue.h"

namespace tessera::cli {
namespace {

// Blocks SIGTERM and SIGINT in this thread and all threads that it starts.
class EndSignals {
 public:
  EndSignals() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGTERM);
    sigaddset(&signals_, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  ~EndSignals() { Release(); }

  // Returns whether one of them arrives within this many seconds.
  bool WaitFor(time_t seconds) const {
    const timespec timeout = {seconds, 0};
    return sigtimedwait(&signals_, nullptr, &timeout) > 0;
  }

  // Restores the former handling of the signals.
  void Release() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t signals_;
  sigset_t before_;
};

constexpr TextSource kServe = {"tessera serve"};

// Connections are files. If the limit on files is low, a process may raise it.
void RaiseFileLimit() {
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// The interval at which free memory is returned to the system. Threads that
// have answered many requests would otherwise keep it.
constexpr time_t kTrimSeconds = 10;

// Returns whether a host is reachable only from this machine.
bool IsLoopback(std::string_view host) {
  constexpr std::string_view kNames[] = {"localhost", "::1", "ip6-localhost"};
  return host.substr(0, 4) == "127." ||
         std::find(std::begin(kNames), std::end(kNames), host) !=
             std::end(kNames);
}

// Throws the same as std::thread if there is no room for the stacks of so many
// threads: gRPC ends the process if it cannot start one.
void CheckRoomForThreads(int count) {
  pthread_attr_t attributes;
  size_t stack_bytes = 0;
  pthread_attr_init(&attributes);
  pthread_attr_getstacksize(&attributes, &stack_bytes);
  pthread_attr_destroy(&attributes);
  const size_t bytes = stack_bytes * count;
  void* const room = mmap(nullptr, bytes, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) {
    throw std::system_error(EAGAIN, std::generic_category());
  }
  munmap(room, bytes);
}

// A file that lines are added to; closed at the end.
class AccessLog {
 public:
  ~AccessLog() {
    if (file_ > STDERR_FILENO) close(file_);
  }

  absl::Status Open(const std::string& name, const Console& console) {
    file_ = name == "-" ? STDERR_FILENO
                        : open(console.PathOf(name).c_str(),
                               O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
    return file_ >= 0 ? absl::OkStatus()
                      : SystemError("cannot be written", errno);
  }

  // Writes the line in one piece. On a full disk, the line is lost and the
  // server continues.
  void Add(std::string_view line) const {
    (void)!write(file_, line.data(), line.size());
  }

 private:
  int file_ = -1;
};

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

  // gRPC's own messages would mix with ours. They are off unless requested.
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);
  // Turns off log lines about texts that are not UTF-8, which are reported to
  // the client.
  google::protobuf::SetLogHandler(nullptr);
  RaiseFileLimit();
  // If memory runs out, only the current request fails.
  std::set_new_handler(nullptr);
  const int jobs = ThreadsForJobs(options.jobs);
  // By default there are eight arenas per core, and each keeps a part of the
  // memory of earlier requests.
  if (getenv("MALLOC_ARENA_MAX") == nullptr) {
    mallopt(M_ARENA_MAX, std::clamp(jobs, 2, 8));
  }
  EndSignals signals;
  AccessLog log;
  Traffic traffic;
  if (options.access_log.has_value()) {
    const absl::Status status = log.Open(*options.access_log, *console);
    if (!status.ok()) return PrintError({*options.access_log}, status, console);
    traffic.Log([&log](std::string_view line) { log.Add(line); });
  }
  grpc_options.traffic = &traffic;
  http_options.traffic = &traffic;
  if (!IsLoopback(options.host)) {
    PrintNote({"tessera serve"},
              absl::StrCat("other machines may reach ", options.host,
                           ", without encryption or authentication; "
                           "docs/server.md shows a proxy that has both"),
              console);
  }
  const LayoutService service;
  WorkQueue::Options work_options;
  work_options.long_threads = jobs;
  // Quick questions should not wait for one another if they are not so quick.
  constexpr int kMostMoreThreads = 64;
  work_options.threads = jobs + std::min(3 * jobs, kMostMoreThreads);
  constexpr int kThreadsOfGrpc = 32;
  CheckRoomForThreads(work_options.long_threads + work_options.threads +
                      http_options.connections + kThreadsOfGrpc);
  WorkQueue work(work_options);
  traffic.AddGauge("tessera_requests_waiting",
                   "The requests that no thread has started.",
                   [&work] { return static_cast<double>(work.waiting()); });
  const absl::StatusOr<std::unique_ptr<GrpcTransport>> grpc =
      GrpcTransport::Start(&service, &work, grpc_options);
  if (!grpc.ok()) return PrintError(kServe, grpc.status(), console);
  traffic.AddGauge(
      "tessera_unread_answer_bytes",
      "The bytes of answers that clients of gRPC have not received.",
      [&grpc] { return static_cast<double>((*grpc)->unread_bytes()); });
  const absl::StatusOr<std::unique_ptr<HttpTransport>> http =
      HttpTransport::Start(&service, &work, http_options);
  if (!http.ok()) return PrintError(kServe, http.status(), console);

  const std::string& host = options.host;
  const std::string name =
      host.find(':') == std::string::npos ? host : absl::StrCat("[", host, "]");
  *console->out << absl::StrCat("gRPC on ", name, ":", (*grpc)->port(),
                                "\nHTTP on http://", name, ":", (*http)->port(),
                                "/\n")
                << std::flush;
  if (!console->out->good()) {
    return PrintError(kServe,
                      absl::UnavailableError(
                          "the addresses cannot be written to standard output"),
                      console);
  }
  while (!signals.WaitFor(kTrimSeconds)) malloc_trim(0);
  signals.Release();
  const absl::Time deadline =
      absl::Now() + absl::Seconds(options.drain_seconds);
  std::thread http_shutdown([&] { (*http)->Shutdown(deadline); });
  (*grpc)->Shutdown(deadline);
  http_shutdown.join();
  return true;
}

}  // namespace tessera::cli
