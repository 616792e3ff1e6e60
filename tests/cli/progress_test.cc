#include "tessera/cli/output/progress.h"

#include <chrono>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kMiB = int64_t{1} << 20;

// What a terminal of so many columns is sent, and when.
class Terminal {
 public:
  explicit Terminal(int columns = 80) {
    console_.err = &err_;
    console_.err_display.columns = columns;
  }

  Console* console() { return &console_; }
  ProgressClock clock() {
    return [this] { return now_; };
  }
  void Pass(milliseconds time) { now_ += time; }

  // The lines since the last call. Each takes the place of the one before it.
  std::vector<std::string> Lines() {
    std::vector<std::string> lines = absl::StrSplit(err_.str(), '\r');
    err_.str("");
    EXPECT_EQ(lines[0], "");
    lines.erase(lines.begin());
    return lines;
  }

 private:
  std::ostringstream err_;
  Console console_;
  std::chrono::steady_clock::time_point now_;
};

TEST(Progress, Example) {
  Terminal terminal;
  {
    Progress progress("dump.txt", 100 * kMiB, terminal.console(), "reading",
                      terminal.clock());
    progress.Update(0);
    terminal.Pass(milliseconds(500));
    progress.Update(42 * kMiB);
  }
  // What is left of a longer line goes once the new one is there, so that the
  // line is never blank.
  EXPECT_THAT(
      terminal.Lines(),
      ElementsAre("reading   0% of 100.0 MiB,            -: dump.txt\x1b[K",
                  "reading  42% of 100.0 MiB,   84.0 MiB/s: dump.txt\x1b[K",
                  "\x1b[K"));
}

TEST(Progress, EqualSteps) {
  Terminal terminal;
  Progress progress("x", 200 * kMiB, terminal.console(), "reading",
                    terminal.clock());
  for (int64_t bytes = 0; bytes <= 200 * kMiB; bytes += kMiB / 4) {
    progress.Update(bytes);
  }
  EXPECT_EQ(terminal.Lines().size(), 101);
}

// Digits that change at every step cannot be read.
TEST(Progress, RateHoldsStill) {
  Terminal terminal;
  Progress progress("x", 100 * kMiB, terminal.console(), "reading",
                    terminal.clock());
  std::vector<std::string> rates;
  for (int i = 1; i <= 5; ++i) {
    terminal.Pass(milliseconds(60));
    progress.Update(3 * i * i * kMiB);
    const std::string line = terminal.Lines().at(0);
    rates.push_back(line.substr(line.find(',') + 1, 13));
  }
  // Over all the time, and anew after at least 100 ms.
  EXPECT_THAT(rates,
              ElementsAre("            -", "  100.0 MiB/s", "  100.0 MiB/s",
                          "  200.0 MiB/s", "  200.0 MiB/s"));
}

TEST(Progress, WidthHoldsStill) {
  for (const int64_t size : {int64_t{-1}, 1100 * kMiB}) {
    Terminal terminal;
    Progress progress("x", size, terminal.console(), "reading",
                      terminal.clock());
    for (int64_t bytes = 50 * kMiB; bytes <= 1100 * kMiB; bytes += 50 * kMiB) {
      terminal.Pass(milliseconds(bytes < 500 * kMiB ? 1 : 200));
      progress.Update(bytes);
    }
    const std::vector<std::string> lines = terminal.Lines();
    ASSERT_EQ(lines.size(), 22);
    for (const std::string& line : lines) {
      EXPECT_EQ(line.size(), lines[0].size()) << line;
    }
  }
}

TEST(Progress, OfUnknownSize) {
  Terminal terminal;
  Progress progress("<stdin>", -1, terminal.console(), "reading",
                    terminal.clock());
  progress.Update(49'999'999);
  EXPECT_THAT(terminal.Lines(), IsEmpty());
  terminal.Pass(milliseconds(1000));
  progress.Update(60 * kMiB);
  EXPECT_THAT(terminal.Lines(),
              ElementsAre("reading   60.0 MiB,   60.0 MiB/s: <stdin>\x1b[K"));
}

// gzip may pack much in few bytes.
TEST(Progress, OfPackedBytes) {
  Terminal terminal;
  Progress progress("x.gz", 10 * kMiB, terminal.console(), "reading",
                    terminal.clock());
  progress.Update(2 * kMiB, 40 * kMiB);
  EXPECT_THAT(terminal.Lines(), IsEmpty());
  terminal.Pass(milliseconds(500));
  progress.Update(3 * kMiB, 50 * kMiB);
  progress.Update(9 * kMiB, 50 * kMiB + kMiB / 4);
  progress.Update(9 * kMiB, 51 * kMiB);
  EXPECT_THAT(
      terminal.Lines(),
      ElementsAre(
          "reading  30% of 10.0 MiB,  100.0 MiB/s unpacked: x.gz\x1b[K",
          "reading  90% of 10.0 MiB,  100.0 MiB/s unpacked: x.gz\x1b[K"));
}

// A pipe is read, and then unpacked.
TEST(Progress, OfPackedBytesOfUnknownSize) {
  Terminal terminal;
  Progress progress("<stdin>", -1, terminal.console(), "reading",
                    terminal.clock());
  progress.Update(20 * kMiB);
  terminal.Pass(milliseconds(1000));
  progress.Update(kMiB, 5 * kMiB);
  terminal.Pass(milliseconds(1000));
  progress.Update(11 * kMiB, 105 * kMiB);
  EXPECT_THAT(
      terminal.Lines(),
      ElementsAre("reading  105.0 MiB,  100.0 MiB/s unpacked: <stdin>\x1b[K"));
}

// Text with mistakes is read twice.
TEST(Progress, BeginsAnew) {
  Terminal terminal;
  Progress progress("x", 100 * kMiB, terminal.console(), "reading",
                    terminal.clock());
  terminal.Pass(milliseconds(1000));
  progress.Update(90 * kMiB);
  progress.Update(10 * kMiB);
  terminal.Pass(milliseconds(1000));
  progress.Update(30 * kMiB);
  EXPECT_THAT(terminal.Lines(),
              ElementsAre("reading  90% of 100.0 MiB,   90.0 MiB/s: x\x1b[K",
                          "reading  10% of 100.0 MiB,            -: x\x1b[K",
                          "reading  30% of 100.0 MiB,   20.0 MiB/s: x\x1b[K"));
}

TEST(Progress, NoneOfWhatIsSmallOrNoTerminal) {
  Terminal terminal;
  Progress(/*name=*/"x", 49'999'999, terminal.console()).Update(49'999'999);
  EXPECT_THAT(terminal.Lines(), IsEmpty());
  Terminal pipe(kUnlimitedColumns);
  Progress(/*name=*/"x", 100 * kMiB, pipe.console()).Update(50 * kMiB);
  EXPECT_THAT(pipe.Lines(), IsEmpty());
}

TEST(Progress, NarrowTerminal) {
  Terminal terminal(/*columns=*/30);
  Progress progress("dump.txt", 100 * kMiB, terminal.console());
  progress.Update(0);
  EXPECT_THAT(terminal.Lines(),
              ElementsAre("reading   0% of 100.0 MiB,...\x1b[K"));
}

}  // namespace
}  // namespace tessera::cli
