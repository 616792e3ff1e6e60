// Files that commands write: the whole of them, or nothing.

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pty.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/process.h"

namespace tessera::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr char kArray[] = "f32[3,5]{1,0:T(2,2)}";
constexpr char kDump[] = "tests/hlo/data/while.hlo";
constexpr char kOld[] = "old";
constexpr off_t kOldBytes = sizeof(kOld) - 1;
// Of the large array: more than progress begins with, and no whole pages.
constexpr int64_t kLargeBytes = 60'000'000;

// A folder of its own for each test.
class OutputFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = absl::StrCat(getenv("TEST_TMPDIR"), "/outputXXXXXX");
    ASSERT_NE(mkdtemp(&pattern[0]), nullptr);
    folder_ = pattern;
  }

  const std::string& folder() const { return folder_; }
  std::string Path(const std::string& name) const {
    return absl::StrCat(folder_, "/", name);
  }
  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }
  std::string Read(const std::string& name) const {
    std::ifstream file(Path(name), std::ios::binary);
    EXPECT_TRUE(file) << name;
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  struct stat StatusOf(const std::string& name) const {
    struct stat status = {};
    EXPECT_EQ(lstat(Path(name).c_str(), &status), 0) << name;
    return status;
  }
  mode_t ModeOf(const std::string& name) const {
    return StatusOf(name).st_mode & 07777;
  }

  // All that is in the folder, hidden or not.
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    DIR* const entries = opendir(folder_.c_str());
    while (const dirent* entry = readdir(entries)) {
      const std::string name = entry->d_name;
      if (name != "." && name != "..") names.push_back(name);
    }
    closedir(entries);
    return names;
  }

  // The commands that write a file, whose name is to be added. Each writes more
  // than 1000 bytes.
  std::vector<std::vector<std::string>> Writers() const {
    const std::string in = absl::StrCat(getenv("TEST_TMPDIR"), "/in");
    std::ofstream(in) << std::string(5000, 'x');
    return {{"relayout", "--from", "u8[5000]", in},
            {"draw", kArray, "-o"},
            {"explore", kArray, "-o"},
            {"hlo", kDump, "--html"},
            {"hlo", "peak", kDump, "--html"},
            {"hlo", "map", kDump, "--assume-text-order", "--svg"},
            {"hlo", "map", kDump, "--assume-text-order", "--trace"}};
  }

 private:
  std::string folder_;
};

std::vector<std::string> WithOutput(std::vector<std::string> writer,
                                    const std::string& out) {
  writer.push_back(out);
  return writer;
}

// What is said on standard error; nothing where all is well.
std::string RunProgram(
    const std::vector<std::string>& arguments, int expected_code,
    const std::function<void()>& prepare = [] {}) {
  int exit_code = 0;
  const std::string errors = ErrorsOf(arguments, prepare, &exit_code);
  EXPECT_EQ(exit_code, expected_code) << arguments[0] << ": " << errors;
  return errors;
}

// What it writes to standard output.
std::string Contents(const std::vector<std::string>& writer) {
  int out[2];
  EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
  const pid_t process = fork();
  if (process == 0) {
    dup2(out[1], STDOUT_FILENO);
    Become(WithOutput(writer, "-"), {});
  }
  close(out[1]);
  std::string contents = ReadAll(out[0]);
  close(out[0]);
  EXPECT_EQ(ExitCodeOf(process), 0);
  EXPECT_GT(contents.size(), 1000u);
  return contents;
}

// For root as well, permissions count from here on.
void ObeyPermissions() { prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE); }

TEST_F(OutputFileTest, FilesAreReplaced) {
  for (const std::vector<std::string>& writer : Writers()) {
    const std::string out = Write("out", kOld);
    EXPECT_EQ(RunProgram(WithOutput(writer, out), 0), "");
    EXPECT_EQ(Read("out"), Contents(writer)) << writer[0];
    EXPECT_THAT(Names(), ElementsAre("out"));
  }
}

TEST_F(OutputFileTest, ALimitOnTheSizeOfFilesLeavesTheOldOne) {
  const auto limit = [] {
    const rlimit bytes = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &bytes);
  };
  for (const std::vector<std::string>& writer : Writers()) {
    const std::string out = Write("out", kOld);
    EXPECT_EQ(RunProgram(WithOutput(writer, out), 1, limit),
              absl::StrCat(out, ": error: cannot be written: File too large\n"))
        << writer[0];
    EXPECT_EQ(Read("out"), kOld) << writer[0];
    RunProgram(WithOutput(writer, Path("new")), 1, limit);
    EXPECT_THAT(Names(), ElementsAre("out")) << writer[0];
    unlink(Path("new").c_str());
  }
}

// -- Stopped in the middle ---------------------------------------------------

// `relayout in out` of a large array, which has begun to write, and waits for
// its terminal to take the first line about its progress.
class Stopped {
 public:
  Stopped(
      const std::string& in, const std::string& out,
      const std::function<void()>& prepare = [] {}) {
    winsize size = {};
    size.ws_col = 80;
    int program_side = -1;
    EXPECT_EQ(openpty(&terminal_, &program_side, nullptr, nullptr, &size), 0);
    EXPECT_EQ(tcflow(program_side, TCOOFF), 0);
    fcntl(terminal_, F_SETFD, FD_CLOEXEC);
    process_ = fork();
    if (process_ == 0) {
      dup2(program_side, STDERR_FILENO);
      close(program_side);
      prepare();
      Become({"relayout", "--from", "u8[6000,10000]", "--to",
              "u8[6000,10000]{0,1}", in, out},
             {"TERM=xterm", "NO_COLOR=1"});
    }
    program_side_ = program_side;
  }
  ~Stopped() {
    close(terminal_);
    if (program_side_ >= 0) close(program_side_);
  }

  pid_t process() const { return process_; }
  // Lets it go on to its end; returns what it says.
  std::string Resume() {
    EXPECT_EQ(tcflow(program_side_, TCOON), 0);
    close(program_side_);
    program_side_ = -1;
    return ReadAll(terminal_);
  }

 private:
  pid_t process_ = -1;
  int terminal_ = -1;
  int program_side_ = -1;
};

class StoppedOutputFileTest : public OutputFileTest {
 protected:
  void SetUp() override {
    OutputFileTest::SetUp();
    in_ = Write("in", "");
    ASSERT_EQ(truncate(in_.c_str(), kLargeBytes), 0);
    out_ = Write("out", kOld);
  }

  // Until there is something to see of the new file.
  void WaitUntilBegun() const {
    constexpr int kMilliseconds = 60'000;
    for (int i = 0; i < kMilliseconds; ++i) {
      if (Names().size() > 2 || StatusOf("out").st_size != kOldBytes) {
        return;
      }
      usleep(1000);
    }
    ADD_FAILURE() << "nothing is written";
  }
  void ExpectNothingIsChanged() const {
    EXPECT_EQ(StatusOf("out").st_size, kOldBytes);
    EXPECT_THAT(Names(), UnorderedElementsAre("in", "out"));
  }

  std::string in_;
  std::string out_;
};

TEST_F(StoppedOutputFileTest, SignalsLeaveTheOldFile) {
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) {
    Write("out", kOld);
    const Stopped stopped(in_, out_, [] {
      const rlimit no_core = {0, 0};
      setrlimit(RLIMIT_CORE, &no_core);
    });
    WaitUntilBegun();
    kill(stopped.process(), signal);
    EXPECT_EQ(ExitCodeOf(stopped.process()), -signal);
    ExpectNothingIsChanged();
  }
}

TEST_F(StoppedOutputFileTest, TheTemporaryFileIsNamedAfterItsOwner) {
  const Stopped stopped(in_, out_);
  WaitUntilBegun();
  EXPECT_THAT(Names(),
              UnorderedElementsAre("in", "out",
                                   ::testing::MatchesRegex(
                                       "\\.out\\.tessera-[0-9a-f]{6}\\.tmp")));
  EXPECT_EQ(StatusOf("out").st_size, kOldBytes);
  kill(stopped.process(), SIGTERM);
  ExitCodeOf(stopped.process());
}

// As under nohup.
TEST_F(StoppedOutputFileTest, SignalsThatAreIgnoredStaySo) {
  Stopped stopped(in_, out_, [] { std::signal(SIGHUP, SIG_IGN); });
  WaitUntilBegun();
  kill(stopped.process(), SIGHUP);
  stopped.Resume();
  EXPECT_EQ(ExitCodeOf(stopped.process()), 0);
  EXPECT_EQ(StatusOf("out").st_size, kLargeBytes);
  EXPECT_THAT(Names(), UnorderedElementsAre("in", "out"));
}

TEST_F(StoppedOutputFileTest, AnInputThatIsCutShortLeavesTheOldFile) {
  const struct {
    int64_t bytes;
    std::string error;
  } kCases[] = {
      {0, "tessera: error: a file was cut short while it was mapped\r\n"},
      // What is gone of the last page is no fault of memory.
      {kLargeBytes - 1, in_ + ": error: was cut short while it was read\r\n"},
  };
  for (const auto& c : kCases) {
    ASSERT_EQ(truncate(in_.c_str(), kLargeBytes), 0);
    Write("out", kOld);
    Stopped stopped(in_, out_);
    WaitUntilBegun();
    ASSERT_EQ(truncate(in_.c_str(), c.bytes), 0);
    EXPECT_THAT(stopped.Resume(), HasSubstr(c.error));
    EXPECT_EQ(ExitCodeOf(stopped.process()), 1);
    ExpectNothingIsChanged();
  }
}

// -- What stays of the old file ----------------------------------------------

TEST_F(OutputFileTest, PermissionsStay) {
  for (const std::vector<std::string>& writer : Writers()) {
    for (const mode_t mode : {0600, 0640, 0666, 0755}) {
      const std::string out = Write("out", kOld);
      ASSERT_EQ(chmod(out.c_str(), mode), 0);
      RunProgram(WithOutput(writer, out), 0, [] { umask(027); });
      EXPECT_EQ(ModeOf("out"), mode) << writer[0];
    }
    RunProgram(WithOutput(writer, Path("new")), 0, [] { umask(027); });
    EXPECT_EQ(ModeOf("new"), mode_t{0640}) << writer[0];
    unlink(Path("new").c_str());
  }
}

TEST_F(OutputFileTest, TheOwnerStays) {
  const std::string out = Write("out", kOld);
  constexpr uid_t kSomebody = 12345;
  if (chown(out.c_str(), kSomebody, kSomebody) != 0) {
    GTEST_SKIP() << "files cannot be given away here";
  }
  RunProgram({"draw", kArray, "-o", out}, 0);
  EXPECT_EQ(StatusOf("out").st_uid, kSomebody);
  EXPECT_EQ(StatusOf("out").st_gid, kSomebody);
}

TEST_F(OutputFileTest, SymbolicLinksStay) {
  ASSERT_EQ(mkdir(Path("folder").c_str(), 0777), 0);
  ASSERT_EQ(symlink("folder/second", Path("first").c_str()), 0);
  ASSERT_EQ(symlink("../file", Path("folder/second").c_str()), 0);
  const std::vector<std::string> writer = Writers()[0];
  for (const bool is_there : {false, true}) {
    if (is_there) Write("file", kOld);
    EXPECT_EQ(RunProgram(WithOutput(writer, Path("first")), 0), "");
    EXPECT_TRUE(S_ISLNK(StatusOf("first").st_mode));
    EXPECT_TRUE(S_ISLNK(StatusOf("folder/second").st_mode));
    EXPECT_TRUE(S_ISREG(StatusOf("file").st_mode));
    EXPECT_EQ(Read("file"), Contents(writer));
    EXPECT_THAT(Names(), UnorderedElementsAre("first", "folder", "file"));
  }
}

TEST_F(OutputFileTest, OtherHardLinksKeepTheOldFile) {
  const std::string out = Write("out", kOld);
  ASSERT_EQ(link(out.c_str(), Path("backup").c_str()), 0);
  const std::vector<std::string> writer = Writers()[0];
  EXPECT_EQ(RunProgram(WithOutput(writer, out), 0), "");
  EXPECT_EQ(Read("out"), Contents(writer));
  EXPECT_EQ(Read("backup"), kOld);
}

TEST_F(OutputFileTest, LongNames) {
  const std::string name(255, 'n');
  const std::vector<std::string> writer = Writers()[0];
  EXPECT_EQ(RunProgram(WithOutput(writer, Path(name)), 0), "");
  EXPECT_EQ(Read(name), Contents(writer));
}

// -- What is written through -------------------------------------------------

TEST_F(OutputFileTest, NamedPipes) {
  const std::string pipe = Path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::vector<std::string>& writer : Writers()) {
    const pid_t process = fork();
    if (process == 0) Become(WithOutput(writer, pipe), {});
    const int descriptor = open(pipe.c_str(), O_RDONLY | O_CLOEXEC);
    EXPECT_EQ(ReadAll(descriptor), Contents(writer)) << writer[0];
    close(descriptor);
    EXPECT_EQ(ExitCodeOf(process), 0);
    EXPECT_THAT(Names(), ElementsAre("pipe"));
  }
}

// As a file too, which others hold open.
TEST_F(OutputFileTest, NamesOfStandardOutput) {
  for (const std::vector<std::string>& writer : Writers()) {
    const std::string contents = Contents(writer);
    for (const char* name : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
      const std::string out = Write("out", kOld);
      const ino_t before = StatusOf("out").st_ino;
      EXPECT_EQ(RunProgram(WithOutput(writer, name), 0,
                           [&] {
                             dup2(open(out.c_str(), O_WRONLY | O_CLOEXEC),
                                  STDOUT_FILENO);
                           }),
                "");
      EXPECT_EQ(StatusOf("out").st_ino, before) << name;
      EXPECT_EQ(Read("out"), contents) << name;
      EXPECT_THAT(Names(), ElementsAre("out"));
    }
    int out[2];
    ASSERT_EQ(pipe2(out, O_CLOEXEC), 0);
    const pid_t process = fork();
    if (process == 0) {
      dup2(out[1], STDOUT_FILENO);
      Become(WithOutput(writer, "/dev/stdout"), {});
    }
    close(out[1]);
    EXPECT_EQ(ReadAll(out[0]), contents);
    close(out[0]);
    EXPECT_EQ(ExitCodeOf(process), 0);
  }
}

TEST_F(OutputFileTest, FilesOfAFolderThatIsNotWritable) {
  for (const std::vector<std::string>& writer : Writers()) {
    const std::string out = Write("out", kOld);
    ASSERT_EQ(chmod(folder().c_str(), 0555), 0);
    const ino_t before = StatusOf("out").st_ino;
    EXPECT_EQ(RunProgram(WithOutput(writer, out), 0, ObeyPermissions), "");
    EXPECT_EQ(StatusOf("out").st_ino, before);
    EXPECT_EQ(Read("out"), Contents(writer)) << writer[0];
    EXPECT_THAT(RunProgram(WithOutput(writer, Path("new")), 1, ObeyPermissions),
                HasSubstr("/new: error: cannot be written: Permission denied"));
    ASSERT_EQ(chmod(folder().c_str(), 0755), 0);
    EXPECT_THAT(Names(), ElementsAre("out"));
  }
}

// It could be replaced all the same.
TEST_F(OutputFileTest, AFileThatIsNotWritableStays) {
  const std::string out = Write("out", kOld);
  ASSERT_EQ(chmod(out.c_str(), 0444), 0);
  for (const std::vector<std::string>& writer : Writers()) {
    EXPECT_THAT(RunProgram(WithOutput(writer, out), 1, ObeyPermissions),
                HasSubstr("/out: error: cannot be written: Permission denied"));
    EXPECT_EQ(Read("out"), kOld) << writer[0];
    EXPECT_THAT(Names(), ElementsAre("out"));
  }
}

// -- On a small disk ---------------------------------------------------------

void WriteMap(const char* file, const std::string& map) {
  std::ofstream(file) << map;
}

// Mounts 1 MiB on the folder, for this process and those that it starts.
bool MountSmallDisk(const std::string& folder) {
  if (unshare(CLONE_NEWNS) != 0) {
    const std::string user = absl::StrCat("0 ", geteuid(), " 1");
    const std::string group = absl::StrCat("0 ", getegid(), " 1");
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    WriteMap("/proc/self/uid_map", user);
    WriteMap("/proc/self/setgroups", "deny");
    WriteMap("/proc/self/gid_map", group);
  }
  // "/" is a mount only outside of a chroot, which setns leaves.
  const int root = open("/", O_RDONLY | O_DIRECTORY);
  const int folder_of_process = open(".", O_RDONLY | O_DIRECTORY);
  const int mounts = open("/proc/self/ns/mnt", O_RDONLY);
  return setns(mounts, CLONE_NEWNS) == 0 &&
         mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         fchdir(root) == 0 && chroot(".") == 0 &&
         fchdir(folder_of_process) == 0 &&
         mount("none", folder.c_str(), "tmpfs", 0, "size=1m") == 0;
}

enum class Judgement { kGood, kBad, kNotPossible };

// Judges in a process of its own, with a small disk on the folder.
Judgement OnSmallDisk(const std::string& folder,
                      const std::function<void()>& judge) {
  const pid_t process = fork();
  if (process == 0) {
    if (!MountSmallDisk(folder)) {
      _exit(static_cast<int>(Judgement::kNotPossible));
    }
    judge();
    _exit(static_cast<int>(::testing::Test::HasFailure() ? Judgement::kBad
                                                         : Judgement::kGood));
  }
  return static_cast<Judgement>(ExitCodeOf(process));
}

TEST_F(OutputFileTest, AFullDiskLeavesTheOldFile) {
  const std::vector<std::vector<std::string>> writers = Writers();
  const Judgement judgement = OnSmallDisk(folder(), [&] {
    for (const std::vector<std::string>& writer : writers) {
      const std::string out = Write("out", kOld);
      Write("rest", std::string(2'000'000, 'x'));
      EXPECT_EQ(RunProgram(WithOutput(writer, out), 1),
                absl::StrCat(out,
                             ": error: cannot be written: No space left on "
                             "device\n"))
          << writer[0];
      EXPECT_EQ(Read("out"), kOld) << writer[0];
      EXPECT_THAT(Names(), UnorderedElementsAre("out", "rest")) << writer[0];
      unlink(Path("rest").c_str());
    }
  });
  if (judgement == Judgement::kNotPossible) {
    GTEST_SKIP() << "no disk can be mounted here";
  }
  EXPECT_EQ(judgement, Judgement::kGood);
}

// As containers have single files of their host.
TEST_F(OutputFileTest, AFileThatIsMountedIsWrittenThrough) {
  const std::vector<std::vector<std::string>> writers = Writers();
  const Judgement judgement = OnSmallDisk(folder(), [&] {
    const std::string host = Write("host", "");
    const std::string out = Write("out", "");
    ASSERT_EQ(mount(host.c_str(), out.c_str(), nullptr, MS_BIND, nullptr), 0);
    for (const std::vector<std::string>& writer : writers) {
      Write("host", std::string(500'000, 'x'));
      EXPECT_EQ(RunProgram(WithOutput(writer, out), 0), "");
      EXPECT_EQ(Read("host"), Contents(writer)) << writer[0];
      EXPECT_THAT(Names(), UnorderedElementsAre("out", "host")) << writer[0];
    }
  });
  if (judgement == Judgement::kNotPossible) {
    GTEST_SKIP() << "no disk can be mounted here";
  }
  EXPECT_EQ(judgement, Judgement::kGood);
}

}  // namespace
}  // namespace tessera::cli
