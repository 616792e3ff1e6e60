#include "tessera/cli/command/answer_each.h"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::cli {
namespace {

class AnswerEachTest : public ::testing::Test {
 protected:
  AnswerEachTest() {
    console_.in = &in_;
    console_.out = &out_;
    console_.err = &err_;
  }

  // Repeats every text but "bad".
  bool Echo(const std::vector<std::string>& arguments, OutputFormat format) {
    return AnswerEach(arguments, format, &console_,
                      [](const Question& question, std::string* out) {
                        absl::StrAppend(out, AbslView(question.text), "\n");
                        return question.text == "bad"
                                   ? absl::InvalidArgumentError("no good")
                                   : absl::OkStatus();
                      });
  }

  std::istringstream in_;
  std::ostringstream out_, err_;
  Console console_;
};

TEST_F(AnswerEachTest, Example) {
  in_.str("b\n");
  Console* const console = &console_;
  AnswerEach({"a", "-"}, OutputFormat::kText, console,
             [](const Question& question, std::string* out) {
               absl::StrAppend(out, AbslView(question.text), "!\n");
               return absl::OkStatus();
             });
  EXPECT_EQ(out_.str(), "a!\nb!\n");
}

TEST_F(AnswerEachTest, Arguments) {
  EXPECT_FALSE(Echo({"a", "bad", "b"}, OutputFormat::kText));
  EXPECT_EQ(out_.str(), "a\nb\n");
  EXPECT_EQ(err_.str(), "<argument>:1:1: error: no good\n  bad\n  ^\n");
}

TEST_F(AnswerEachTest, OneLineForEveryLine) {
  in_.str("a\r\n\n\r\nbad\nb");
  EXPECT_FALSE(Echo({"-"}, OutputFormat::kText));
  EXPECT_EQ(out_.str(), "a\n\n\nerror\nb\n");
  EXPECT_EQ(err_.str(), "<stdin>:4:1: error: no good\n  bad\n  ^\n");
}

TEST_F(AnswerEachTest, BlankLinesAreEmpty) {
  in_.str(" \n\t\n \t \r\n\r\r\n\n x \n  ");
  EXPECT_TRUE(Echo({"-"}, OutputFormat::kText));
  EXPECT_EQ(out_.str(), "\n\n\n\n\n x \n\n");
  in_.clear();
  in_.str(" \n");
  EXPECT_TRUE(Echo({"-"}, OutputFormat::kBinaryProto));
  EXPECT_EQ(out_.str().back(), '\0');
}

TEST_F(AnswerEachTest, ErrorsInJson) {
  in_.str("bad\n");
  EXPECT_FALSE(Echo({"-"}, OutputFormat::kJson));
  EXPECT_EQ(out_.str(),
            R"({"error":{"code":"INVALID_ARGUMENT","message":"no good",)"
            R"("field":"","position":{"offset":0,"line":1,"column":1,)"
            R"("excerpt":"bad\n^"}}})"
            "\n");
  // The same of an argument, and the number of any other line.
  const std::string first = out_.str();
  out_.str("");
  EXPECT_FALSE(Echo({"bad"}, OutputFormat::kJson));
  EXPECT_EQ(out_.str(), first);
  out_.str("");
  in_.clear();
  in_.str("a\nbad\n");
  EXPECT_FALSE(Echo({"-"}, OutputFormat::kJson));
  EXPECT_EQ(out_.str(),
            "a\n" + absl::StrReplaceAll(first, {{"\"line\":1", "\"line\":2"}}));
}

TEST_F(AnswerEachTest, ErrorsAmongDelimitedMessages) {
  in_.str("\nbad\n");
  EXPECT_FALSE(Echo({"-"}, OutputFormat::kBinaryProto));
  EXPECT_EQ(out_.str(), std::string("\0\0", 2));
}

TEST_F(AnswerEachTest, StopsWhenNobodyListens) {
  in_.str("a\nb\n");
  out_.setstate(std::ios::badbit);
  EXPECT_TRUE(Echo({"-"}, OutputFormat::kText));
  std::string rest;
  std::getline(in_, rest);
  EXPECT_EQ(rest, "a");
}

TEST_F(AnswerEachTest, Files) {
  const std::string file = ::testing::TempDir() + "/questions.txt";
  std::ofstream(file) << "a\n\nbad";
  std::string sources;
  EXPECT_FALSE(AnswerFile(
      file, OutputFormat::kText, &console_,
      [&](const Question& question, std::string* out) {
        EXPECT_TRUE(question.is_line);
        absl::StrAppend(&sources, AbslView(question.source.name), ":",
                        question.source.line, "\n");
        absl::StrAppend(out, AbslView(question.text), "!\n");
        return question.text == "bad" ? absl::InvalidArgumentError("no good")
                                      : absl::OkStatus();
      }));
  EXPECT_EQ(out_.str(), "a!\n\nerror\n");
  EXPECT_EQ(err_.str(), file + ":3:1: error: no good\n  bad\n  ^\n");
  EXPECT_EQ(sources, file + ":1\n" + file + ":3\n");
}

// A stream that breaks off with an error, as a folder does.
class BrokenBuffer : public std::streambuf {
 protected:
  int_type underflow() override { throw std::ios::failure("broken"); }
};

TEST_F(AnswerEachTest, InputThatCannotBeRead) {
  BrokenBuffer buffer;
  std::istream in(&buffer);
  console_.in = &in;
  EXPECT_FALSE(Echo({"-"}, OutputFormat::kText));
  EXPECT_EQ(err_.str(), "<stdin>: error: cannot be read\n");
}

}  // namespace
}  // namespace tessera::cli
