// Runs the program itself.

#ifndef TESSERA_TESTS_CLI_PROCESS_H_
#define TESSERA_TESTS_CLI_PROCESS_H_

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace tessera::cli {

inline constexpr char kProgram[] = "cli/tessera";

// The environment of a program that is started, and no other.
using Variables = std::vector<std::string>;

// Makes this process the program.
[[noreturn]] inline void Become(std::vector<std::string> arguments,
                                Variables variables) {
  arguments.insert(arguments.begin(), kProgram);
  auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(&text[0]);
    result.push_back(nullptr);
    return result;
  };
  execve(kProgram, pointers(arguments).data(), pointers(variables).data());
  _exit(127);
}

inline std::string ReadAll(int descriptor) {
  std::string text;
  char buffer[4096];
  ssize_t size = 0;
  while ((size = read(descriptor, buffer, sizeof(buffer))) > 0) {
    text.append(buffer, size);
  }
  return text;
}

// Reads up to the end of a line.
inline std::string ReadLine(int descriptor) {
  std::string line;
  char c = 0;
  while (read(descriptor, &c, 1) == 1) {
    line.push_back(c);
    if (c == '\n') break;
  }
  return line;
}

// That of the process, or the signal that ended it, negated.
inline int ExitCodeOf(pid_t process) {
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// Runs with what `prepare` changes in the process before; returns what is said
// on standard error.
inline std::string ErrorsOf(const std::vector<std::string>& arguments,
                            const std::function<void()>& prepare,
                            int* exit_code) {
  int err[2];
  EXPECT_EQ(pipe2(err, O_CLOEXEC), 0);
  const pid_t process = fork();
  if (process == 0) {
    dup2(err[1], STDERR_FILENO);
    prepare();
    Become(arguments, {});
  }
  close(err[1]);
  const std::string text = ReadAll(err[0]);
  close(err[0]);
  *exit_code = ExitCodeOf(process);
  return text;
}

}  // namespace tessera::cli

#endif  // TESSERA_TESTS_CLI_PROCESS_H_
