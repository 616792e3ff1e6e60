#include "tessera/cli/serve/batch_command.h"

#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/run.h"

namespace tessera::cli {
namespace {

using ::testing::HasSubstr;

std::string Ask(int64_t id, int64_t index) {
  return absl::StrCat(R"({"id":")", id,
                      R"(","linearize":{"layout":"f32[1000000]","indices":[)",
                      index, "]}}");
}

std::string Answered(int64_t id, int64_t position) {
  return absl::StrCat(R"({"id":")", id, R"(","linearize":{"linear_indices":[)",
                      position, "]}}");
}

TEST(BatchCommand, OneLineForEachInOrder) {
  for (const char* jobs : {"--jobs=0", "--jobs=1", "--jobs=2", "--jobs=8"}) {
    std::string input, want;
    for (int i = 0; i < 20000; ++i) {
      absl::StrAppend(&input, Ask(i, i * 7), "\n");
      absl::StrAppend(&want, Answered(i, i * 7), "\n");
    }
    const Outcome outcome = RunCommand({"batch", jobs}, input);
    EXPECT_EQ(outcome.exit_code, kExitOk);
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.out, want) << jobs;
  }
}

// Requests of very different cost do not overtake one another.
TEST(BatchCommand, SlowOnesKeepTheirPlace) {
  std::string slow =
      R"({"id":"slow","linearize":{"layout":"f32[7]","indices":[)";
  for (int i = 0; i < 100000; ++i) absl::StrAppend(&slow, i > 0 ? ",3" : "3");
  slow += "]}}";
  std::string input;
  for (int i = 0; i < 40; ++i) {
    absl::StrAppend(&input, i % 4 == 0 ? slow : Ask(i, i), "\n");
  }
  const Outcome outcome = RunCommand({"batch", "--jobs=4"}, input);
  const std::vector<std::string> lines = absl::StrSplit(outcome.out, '\n');
  ASSERT_EQ(lines.size(), 41);
  for (int i = 0; i < 40; ++i) {
    if (i % 4 == 0) {
      EXPECT_EQ(lines[i].substr(0, 12), R"({"id":"slow")") << i;
    } else {
      EXPECT_EQ(lines[i], Answered(i, i));
    }
  }
}

TEST(BatchCommand, LinesOfEveryKind) {
  const struct {
    const char* what;
    std::string input;
    std::string want;
  } cases[] = {
      {"nothing", "", ""},
      {"no final line break", Ask(1, 5), Answered(1, 5) + "\n"},
      {"carriage returns", Ask(1, 5) + "\r\n" + Ask(2, 6) + "\r\n",
       Answered(1, 5) + "\n" + Answered(2, 6) + "\n"},
      {"blank lines", "\n \t\n" + Ask(1, 5) + "\n\n",
       "\n\n" + Answered(1, 5) + "\n\n"},
      {"a line break alone", "\n", "\n"},
  };
  for (const auto& c : cases) {
    const Outcome outcome = RunCommand({"batch"}, c.input);
    EXPECT_EQ(outcome.exit_code, kExitOk) << c.what;
    EXPECT_EQ(outcome.out, c.want) << c.what;
  }
}

TEST(BatchCommand, BadLinesAreAnsweredWithLineAndColumn) {
  const Outcome outcome = RunCommand(
      {"batch"}, absl::StrCat(Ask(1, 5), "\n{\"id\":\"2\",\"nonsense\":1}\n\n",
                              "{\"id\":\"4\"", "\n", Ask(5, 6), "\n",
                              Ask(6, 1000000), "\n"));
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_EQ(outcome.err, "");
  const std::vector<std::string> lines = absl::StrSplit(outcome.out, '\n');
  ASSERT_EQ(lines.size(), 7);
  EXPECT_EQ(lines[0], Answered(1, 5));
  EXPECT_THAT(lines[1], HasSubstr(R"("id":"2","error")"));
  EXPECT_THAT(lines[1], HasSubstr(R"("line":2,"column":11)"));
  EXPECT_EQ(lines[2], "");
  EXPECT_THAT(lines[3], HasSubstr(R"("id":"4","error")"));
  EXPECT_THAT(lines[3], HasSubstr(R"("line":4,"column":10)"));
  EXPECT_EQ(lines[4], Answered(5, 6));
  EXPECT_THAT(lines[5], HasSubstr("OUT_OF_RANGE"));
}

// Options that the command line does not have.
std::string Answers(const ServiceOptions& options, const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out, err;
  Console console;
  console.in = &in;
  console.out = &out;
  console.err = &err;
  EXPECT_TRUE(AnswerBatchLines(options, 2, &console));
  EXPECT_EQ(err.str(), "");
  return out.str();
}

TEST(BatchCommand, LongLinesAreRefusedByTheNameOfTheLimit) {
  ServiceOptions options;
  options.json_bytes = 5000;
  for (const int size : {4999, 5000, 5001, 8191, 8192, 1000000}) {
    const std::string line =
        absl::StrCat(Ask(1, 5), std::string(size - Ask(1, 5).size(), ' '));
    const std::string want =
        size <= 5000
            ? Answered(1, 5)
            : absl::StrCat(
                  R"({"id":"","error":{"code":"RESOURCE_EXHAUSTED",)",
                  R"("message":"json_bytes: )", size,
                  R"( bytes exceed the limit of 5000","field":"","position":null}})");
    // In the middle and at the end.
    EXPECT_EQ(Answers(options, absl::StrCat(line, "\n", Ask(2, 6), "\n", line)),
              absl::StrCat(want, "\n", Answered(2, 6), "\n", want, "\n"))
        << size;
  }
}

TEST(BatchCommand, LinesAsLongAsTheReadersParts) {
  for (int size = 4000; size < 4200; ++size) {
    const std::string line =
        absl::StrCat(Ask(1, 5), std::string(size - Ask(1, 5).size(), ' '));
    EXPECT_EQ(Answers(ServiceOptions(), absl::StrCat(line, "\n", Ask(2, 6))),
              absl::StrCat(Answered(1, 5), "\n", Answered(2, 6), "\n"))
        << size;
  }
}

// A stream that fails in the middle.
class FailingBuffer : public std::stringbuf {
 public:
  explicit FailingBuffer(const std::string& text) : std::stringbuf(text) {}

 protected:
  int_type underflow() override {
    const int_type c = std::stringbuf::underflow();
    if (c == traits_type::eof()) throw std::ios_base::failure("it is gone");
    return c;
  }
};

TEST(BatchCommand, FailsWhereTheInputCannotBeRead) {
  FailingBuffer buffer(Ask(1, 5) + "\n");
  std::istream in(&buffer);
  std::ostringstream out, err;
  Console console;
  console.in = &in;
  console.out = &out;
  console.err = &err;
  EXPECT_FALSE(AnswerBatchLines(ServiceOptions(), 1, &console));
  EXPECT_EQ(out.str(), Answered(1, 5) + "\n");
  EXPECT_EQ(err.str(), "<stdin>: error: cannot be read\n");
}

TEST(BatchCommand, StopsWhereNobodyReadsTheOutput) {
  std::string input;
  for (int i = 0; i < 100000; ++i) absl::StrAppend(&input, Ask(i, i), "\n");
  std::istringstream in(input);
  std::ostringstream out, err;
  out.setstate(std::ios::badbit);
  Console console;
  console.in = &in;
  console.out = &out;
  console.err = &err;
  AnswerBatchLines(ServiceOptions(), 2, &console);
  // Most of the input was not asked for.
  EXPECT_LT(in.tellg(), static_cast<std::streamoff>(input.size()) / 2);
}

TEST(BatchCommand, TakesNoNegativeJobs) {
  EXPECT_EQ(RunCommand({"batch", "--jobs=-1"}).exit_code, kExitBadUsage);
}

}  // namespace
}  // namespace tessera::cli
