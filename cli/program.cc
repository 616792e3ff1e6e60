#include "tessera/cli/program.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <new>
#include <string_view>
#include <system_error>

#include "tessera/cli/output/exit_code.h"
#include "tessera/cli/output/fatal_signals.h"
#include "tessera/report/text/display.h"

namespace tessera::cli {
namespace {

Display DisplayOfStream(int descriptor) {
  winsize size = {};
  const bool is_terminal = isatty(descriptor) != 0;
  if (is_terminal) ioctl(descriptor, TIOCGWINSZ, &size);
  return DisplayOf(
      is_terminal, size.ws_col,
      [](const char* name) -> const char* { return getenv(name); });
}

Console ProcessConsole() {
  Console console;
  console.in = &std::cin;
  console.in_descriptor = STDIN_FILENO;
  console.out = &std::cout;
  console.err = &std::cerr;
  console.out_display = DisplayOfStream(STDOUT_FILENO);
  console.err_display = DisplayOfStream(STDERR_FILENO);
  // `bazel run` does not start a program in the user's working directory.
  if (const char* directory = getenv("BUILD_WORKING_DIRECTORY")) {
    console.working_directory = directory;
  }
  return console;
}

// Returns whether standard output no longer has a reader.
bool OutputIsClosed() {
  pollfd descriptor = {STDOUT_FILENO, POLLOUT, 0};
  return poll(&descriptor, 1, 0) == 1 &&
         (descriptor.revents & (POLLERR | POLLHUP)) != 0;
}

constexpr std::string_view kNoMemory =
    "tessera: error: there is not enough memory\n";

// Ends the process, because Abseil's containers are not safe if growing throws
// an exception. Commands that continue after a request without memory remove
// this handler.
[[noreturn]] void EndWithoutMemory() {
  (void)!write(STDERR_FILENO, kNoMemory.data(), kNoMemory.size());
  RemoveTemporaryFile();
  _exit(kExitBadInput);
}

// Runs the command, and prints an error if the machine does not have enough
// memory.
int RunWithinMeans(const RunCommandLine& run,
                   const std::vector<std::string>& arguments,
                   Console* console) {
  try {
    return run(arguments, console);
  } catch (const std::bad_alloc&) {
    *console->err << kNoMemory;
  } catch (const std::system_error& error) {
    *console->err << "tessera: error: no more threads can be started: "
                  << error.code().message() << "\n";
  }
  return kExitBadInput;
}

}  // namespace

int RunProgram(const RunCommandLine& run,
               const std::vector<std::string>& arguments) {
  std::ios::sync_with_stdio(false);
  // AnswerEach flushes when it is about to wait.
  std::cin.tie(nullptr);
  // A reader that closes its end early, such as `head`, is not an error.
  std::signal(SIGPIPE, SIG_IGN);
  HandleFatalSignals();
  std::set_new_handler(EndWithoutMemory);

  Console console = ProcessConsole();
  const int exit_code = RunWithinMeans(run, arguments, &console);
  std::cout.flush();
  if (std::cout.fail() && !OutputIsClosed()) {
    std::cerr << "tessera: error: standard output cannot be written\n";
    return kExitBadInput;
  }
  return exit_code;
}

}  // namespace tessera::cli
