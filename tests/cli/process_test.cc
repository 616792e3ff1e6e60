// The program itself: terminals, pipes, and where paths start.

#include "tests/cli/process.h"

#include <fcntl.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kArray[] = "f32[3,5]{1,0:T(2,2)}";

// What a terminal shows of both streams.
std::string OnTerminal(const std::vector<std::string>& arguments,
                       const Variables& variables, int columns = 80) {
  winsize size = {};
  size.ws_col = columns;
  int terminal = -1;
  const pid_t process = forkpty(&terminal, nullptr, nullptr, &size);
  if (process == 0) Become(arguments, variables);
  const std::string text = ReadAll(terminal);
  close(terminal);
  ExitCodeOf(process);
  return text;
}

// A process between two pipes.
struct Piped {
  Piped(const std::vector<std::string>& arguments, const Variables& variables) {
    int in[2], out[2];
    EXPECT_EQ(pipe2(in, O_CLOEXEC), 0);
    EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
    process = fork();
    if (process == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      Become(arguments, variables);
    }
    close(in[0]);
    close(out[1]);
    to = in[1];
    from = out[0];
  }

  void Write(const std::string& text) const {
    EXPECT_EQ(write(to, text.data(), text.size()),
              static_cast<ssize_t>(text.size()));
  }

  pid_t process;
  int to;
  int from;
};

TEST(Process, ColourOnATerminalOnly) {
  const std::vector<std::string> describe = {"describe", kArray};
  EXPECT_THAT(OnTerminal(describe, {"TERM=xterm"}), StartsWith("\x1b[1mf32"));
  EXPECT_THAT(OnTerminal(describe, {"TERM=xterm", "NO_COLOR=1"}),
              StartsWith("f32"));
  EXPECT_THAT(OnTerminal({"parse", "x"}, {"TERM=xterm"}),
              HasSubstr("\x1b[1;31merror:"));
  EXPECT_THAT(OnTerminal({"parse", "x"}, {"TERM=xterm", "NO_COLOR=1"}),
              Not(HasSubstr("\x1b")));
  const Piped piped(describe, {"TERM=xterm"});
  EXPECT_THAT(ReadAll(piped.from), StartsWith("f32"));
  EXPECT_EQ(ExitCodeOf(piped.process), 0);
}

TEST(Process, LinesAreAsLongAsTheTerminalIsWide) {
  const std::vector<std::string> hlo = {
      "hlo", "tests/hlo/data/tpu_maxtext_llama3_8b_2026-07-31.txt"};
  const std::string shape = "bf16[1,128,32,64]{3,1,2,0:T(8,128)(2,1)S(1)}";
  EXPECT_THAT(OnTerminal(hlo, {}, 80), Not(HasSubstr(shape)));
  EXPECT_THAT(OnTerminal(hlo, {}, 120), HasSubstr(shape));
}

TEST(Process, AnswersComeAsLinesGo) {
  const Piped piped({"coords", kArray, "-"}, {});
  piped.Write("17\n");
  EXPECT_EQ(ReadLine(piped.from), "2,3\n");
  piped.Write("9\n\n");
  EXPECT_EQ(ReadLine(piped.from), "padding (tile)\n");
  EXPECT_EQ(ReadLine(piped.from), "\n");
  close(piped.to);
  EXPECT_EQ(ReadAll(piped.from), "");
  EXPECT_EQ(ExitCodeOf(piped.process), 0);
}

TEST(Process, ABatchAnswersWhoWaitsBeforeAskingOn) {
  const Piped piped({"batch", "--jobs=3"}, {});
  for (const char* id : {"1", "2", "3"}) {
    piped.Write(absl::StrCat("{\"id\":\"", id, "\"}\n"));
    EXPECT_THAT(ReadLine(piped.from),
                StartsWith(absl::StrCat("{\"id\":\"", id, "\",\"error\"")));
  }
  piped.Write("\n");
  EXPECT_EQ(ReadLine(piped.from), "\n");
  close(piped.to);
  EXPECT_EQ(ReadAll(piped.from), "");
  EXPECT_EQ(ExitCodeOf(piped.process), 0);
}

TEST(Process, AReaderThatHasEnoughIsNoError) {
  const Piped piped({"hlo", "--instructions",
                     "tests/hlo/data/tpu_maxtext_llama3_8b_2026-07-31.txt",
                     "tests/hlo/data/while.hlo"},
                    {});
  ReadLine(piped.from);
  close(piped.from);
  EXPECT_EQ(ExitCodeOf(piped.process), 0);

  const Piped lines({"coords", kArray, "-"}, {});
  close(lines.from);
  lines.Write("17\n");
  close(lines.to);
  EXPECT_EQ(ExitCodeOf(lines.process), 0);
}

TEST(Process, OutputThatCannotBeWrittenIsAnError) {
  int err[2];
  ASSERT_EQ(pipe2(err, O_CLOEXEC), 0);
  const pid_t process = fork();
  if (process == 0) {
    dup2(open("/dev/full", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    Become({"parse", "f32[2]"}, {});
  }
  close(err[1]);
  EXPECT_EQ(ReadAll(err[0]),
            "tessera: error: standard output cannot be written\n");
  EXPECT_EQ(ExitCodeOf(process), 1);
}

TEST(Process, InputThatCannotBeReadIsAnError) {
  const std::function<void()> kUnreadable[] = {
      [] { close(STDIN_FILENO); },
      [] { dup2(open("/", O_RDONLY | O_CLOEXEC), STDIN_FILENO); }};
  const std::vector<std::string> kReaders[] = {
      {"hlo", "-"},
      {"hlo", "-", "--instructions"},
      {"parse"},
      {"describe", "-"},
      {"index", kArray, "-"},
      {"batch"},
      {"relayout", "--to", kArray, "-", "/dev/null"}};
  for (const auto& unreadable : kUnreadable) {
    for (const std::vector<std::string>& reader : kReaders) {
      int exit_code = 0;
      EXPECT_EQ(ErrorsOf(reader, unreadable, &exit_code),
                "<stdin>: error: cannot be read\n")
          << reader[0];
      EXPECT_EQ(exit_code, 1) << reader[0];
    }
  }
}

// A pipe is read to its end before the first line comes out, so that every
// module has its heading.
TEST(Process, InstructionsOfAPipe) {
  const Piped piped({"hlo", "instructions", "-"}, {});
  piped.Write(
      "HloModule m\nENTRY e {\n  ROOT x = f32[2]{0} parameter(0)\n}\n"
      "HloModule n\nENTRY e {\n  ROOT y = f32[] constant(1)\n}\n");
  close(piped.to);
  EXPECT_EQ(ReadAll(piped.from),
            "module m\ne: ROOT x = f32[2]{0} parameter(0)\n\n"
            "module n\ne: ROOT y = f32[] constant(1)\n");
  EXPECT_EQ(ExitCodeOf(piped.process), 0);
}

TEST(Process, ProgressOfALargeFileOnATerminalOnly) {
  const char* folder = getenv("TEST_TMPDIR");
  const std::string file = absl::StrCat(folder, "/large.hlo");
  {
    std::ofstream out(file);
    out << "HloModule m\nENTRY e {\n";
    const std::string comment(1'000'000, ' ');
    for (int i = 0; i < 60; ++i) out << "/*" << comment << "*/\n";
    out << "  ROOT x = f32[] constant(1)\n}\n";
  }
  const std::string shown = OnTerminal({"hlo", file}, {"TERM=xterm"});
  EXPECT_THAT(shown, HasSubstr("reading "));
  EXPECT_THAT(shown, HasSubstr("% of 57.2 MiB, "));
  EXPECT_THAT(OnTerminal({"hlo", "tests/hlo/data/while.hlo"}, {"TERM=xterm"}),
              Not(HasSubstr("reading ")));
  int exit_code = 0;
  EXPECT_EQ(ErrorsOf(
                {"hlo", "report", file}, [] {}, &exit_code),
            "");
  EXPECT_EQ(exit_code, 0);
  unlink(file.c_str());
}

// Standard input as a file, which is mapped from where it stands, and as a
// pipe.
TEST(Process, ArraysThroughStandardInputAndOutput) {
  const std::vector<std::string> relayout = {
      "relayout", "--from", "u8[2,3]", "--to", "u8[2,3]{0,1}", "-", "-"};
  const std::string file =
      absl::StrCat(getenv("TEST_TMPDIR"), "/standard_input");
  std::ofstream(file) << "xabcdef";
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(lseek(descriptor, 1, SEEK_SET), 1);
  int out[2];
  ASSERT_EQ(pipe2(out, O_CLOEXEC), 0);
  const pid_t process = fork();
  if (process == 0) {
    dup2(descriptor, STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    Become(relayout, {});
  }
  close(out[1]);
  close(descriptor);
  EXPECT_EQ(ReadAll(out[0]), "adbecf");
  EXPECT_EQ(ExitCodeOf(process), 0);
  unlink(file.c_str());

  const Piped piped(relayout, {});
  piped.Write("abc");
  piped.Write("def");
  close(piped.to);
  EXPECT_EQ(ReadAll(piped.from), "adbecf");
  EXPECT_EQ(ExitCodeOf(piped.process), 0);
}

// What is written to a pipe with a name reaches who reads it, later too.
TEST(Process, ArraysThroughNamedPipes) {
  const std::string pipe = absl::StrCat(getenv("TEST_TMPDIR"), "/pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const Piped piped(
      {"relayout", "--from", "u8[2,3]", "--to", "u8[2,3]{0,1}", "-", pipe}, {});
  piped.Write("abcdef");
  close(piped.to);
  const int descriptor = open(pipe.c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(ReadAll(descriptor), "adbecf");
  close(descriptor);
  EXPECT_EQ(ExitCodeOf(piped.process), 0);
  unlink(pipe.c_str());
}

TEST(Process, ProgressOfALargeArray) {
  const std::string folder = getenv("TEST_TMPDIR");
  const std::string in = absl::StrCat(folder, "/in"), out = folder + "/out";
  std::ofstream(in) << std::string(60'000'000, 'x');
  const std::string shown =
      OnTerminal({"relayout", "--from", "u8[6000,10000]", in, out, "--verify"},
                 {"TERM=xterm"});
  EXPECT_THAT(shown, HasSubstr("moving  75% of 57.2 MiB, "));
  EXPECT_THAT(shown, HasSubstr("verifying  75% of 57.2 MiB, "));
  unlink(in.c_str());
  unlink(out.c_str());
}

// Lets a process have so much memory, and no more.
void LimitMemory(pid_t process, rlim_t bytes) {
  const rlimit limit = {bytes, bytes};
  EXPECT_EQ(prlimit(process, RLIMIT_AS, &limit, nullptr), 0);
}

TEST(Process, MemoryThatIsNotThere) {
#ifdef TESSERA_SANITIZER
  GTEST_SKIP() << "sanitizers need more memory than is allowed here";
#endif
  signal(SIGPIPE, SIG_IGN);
  // A line without an end.
  const Piped endless({"hlo", "-"}, {});
  LimitMemory(endless.process, 100'000'000);
  const std::string blanks(1 << 20, ' ');
  while (write(endless.to, blanks.data(), blanks.size()) > 0) {
  }
  EXPECT_EQ(ReadAll(endless.from), "");
  EXPECT_EQ(ExitCodeOf(endless.process), 1);

  // One line of many, which is refused on its own.
  const Piped batch({"batch", "--jobs=1"}, {});
  LimitMemory(batch.process, 240'000'000);
  batch.Write(R"({"parse":{"text":")");
  for (int i = 0; i < 40; ++i) batch.Write(std::string(1'000'000, 'x'));
  batch.Write("\"}}\n");
  EXPECT_EQ(ReadLine(batch.from),
            R"({"id":"","error":{"code":"RESOURCE_EXHAUSTED",)"
            R"("message":"there is not enough memory",)"
            R"("field":"","position":null}})"
            "\n");
  batch.Write("{\"parse\":{\"text\":\"f32[2]\"}}\n");
  EXPECT_THAT(ReadLine(batch.from), HasSubstr(R"("canonical":"f32[2]{0}")"));
  close(batch.to);
  EXPECT_EQ(ExitCodeOf(batch.process), 0);
}

TEST(Process, PathsStartWhereBazelRunWasCalled) {
  std::string folder = getenv("TEST_SRCDIR");
  folder += "/tessera/tests/hlo";
  const Piped piped({"hlo", "data/while.hlo"},
                    {"BUILD_WORKING_DIRECTORY=" + folder});
  EXPECT_THAT(ReadAll(piped.from), StartsWith("data/while.hlo\n"));
  EXPECT_EQ(ExitCodeOf(piped.process), 0);
}

}  // namespace
}  // namespace tessera::cli
