#include "tessera/cli/output/fatal_signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <string_view>

#include "tessera/cli/output/exit_code.h"

namespace tessera::cli {
namespace {

constexpr int kEndSignals[] = {SIGHUP,  SIGINT,  SIGQUIT,
                               SIGABRT, SIGTERM, SIGXCPU};

char temporary_path[PATH_MAX];
std::atomic<bool> has_temporary{false};
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler must not wait for a lock");

void EndBySignal(int signal) {
  RemoveTemporaryFile();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void OnBusError(int signal, siginfo_t* info, void*) {
  if (info->si_code != BUS_ADRERR) return EndBySignal(signal);
  RemoveTemporaryFile();
  constexpr std::string_view kMessage =
      "tessera: error: a file was cut short while it was mapped\n";
  (void)!write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(kExitBadInput);
}

}  // namespace

void RemoveTemporaryFile() {
  if (has_temporary) unlink(temporary_path);
}

void HandleFatalSignals() {
  struct sigaction action = {};
  // Otherwise the signal that the handler raises again would wait until it
  // returns.
  action.sa_flags = SA_NODEFER;
  action.sa_handler = EndBySignal;
  for (const int signal : kEndSignals) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
  action.sa_flags = SA_NODEFER | SA_SIGINFO;
  action.sa_sigaction = OnBusError;
  sigaction(SIGBUS, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

int CreateTemporaryFile(const std::string& path, mode_t mode) {
  if (path.size() >= sizeof(temporary_path)) {
    errno = ENAMETOOLONG;
    return -1;
  }
  sigset_t signals, before;
  sigemptyset(&signals);
  for (const int signal : kEndSignals) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  const int file =
      open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  const int error = errno;
  if (file >= 0) {
    temporary_path[path.copy(temporary_path, path.size())] = '\0';
    has_temporary = true;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return file;
}

void ForgetTemporaryFile() { has_temporary = false; }

}  // namespace tessera::cli
