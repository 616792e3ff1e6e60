#include "tessera/hlo/attributes/frame_tables.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tests/hlo/dump.h"
#include "tests/hlo/values.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "layer:12" for each frame.
std::vector<std::string> Stack(const FrameTables& tables, int64_t id,
                               absl::Status* status) {
  std::vector<std::string> stack;
  *status =
      tables.ForEachFrame(id, [&](int64_t /*id*/, const SourceFrame& frame) {
        stack.push_back(
            absl::StrCat(AbslView(frame.function_name.raw()), ":", frame.line));
      });
  return stack;
}

TEST(FrameTables, AStackGoesOutwards) {
  absl::StatusOr<FrameTables> tables = DecodeFrameTables(R"(
      FileNames
      1 "model.py"
      FunctionNames
      1 "main"
      2 "layer"
      FileLocations
      1 {file_name_id=1 function_name_id=1 line=90 column=4}
      2 {file_name_id=1 function_name_id=2 line=12 column=8}
      StackFrames
      1 {file_location_id=1 parent_frame_id=1}
      2 {file_location_id=2 parent_frame_id=2})");
  ASSERT_TRUE(tables.ok()) << tables.status();
  absl::Status status;
  EXPECT_THAT(Stack(*tables, 2, &status), ElementsAre("layer:12", "main:90"));
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_THAT(Stack(*tables, 0, &status), IsEmpty());
  EXPECT_TRUE(status.ok()) << status;
}

TEST(FrameTables, OrderCountsAndNotTheNumber) {
  const absl::StatusOr<FrameTables> tables = DecodeFrameTables(R"(
      StackFrames 7 {file_location_id=1, parent_frame_id=0 more={1,2}}
      7 {,file_location_id=1} -3 {}
      FileLocations 9 {file_name_id=2 new="x"}
      FileNames 5 "a" 5 'b"\n')");
  ASSERT_TRUE(tables.ok()) << tables.status();
  EXPECT_THAT(tables->function_names, IsEmpty());
  for (const int64_t id : {1, 2}) {
    const absl::StatusOr<SourceFrame> frame = tables->Frame(id);
    ASSERT_TRUE(frame.ok()) << frame.status();
    EXPECT_EQ(frame->file_name.ToString(), "b\"\n");
    EXPECT_TRUE(frame->function_name.empty());
    EXPECT_EQ(frame->parent, 0);
  }
  EXPECT_TRUE(tables->Frame(3)->file_name.empty());
}

TEST(FrameTables, NothingAndEmptyTables) {
  for (const std::string_view text :
       {"", " /* none */ ",
        "FileNames\n\nFunctionNames\n\nFileLocations\n\nStackFrames\n\n"}) {
    const absl::StatusOr<FrameTables> tables = DecodeFrameTables(text);
    ASSERT_TRUE(tables.ok()) << tables.status();
    EXPECT_THAT(tables->stack_frames, IsEmpty());
    EXPECT_EQ(tables->Frame(1).status(),
              absl::OutOfRangeError("stack frame 1 refers to an empty table"));
  }
}

TEST(FrameTables, IdsThatLeadNowhere) {
  const absl::StatusOr<FrameTables> tables = DecodeFrameTables(R"(
      FileLocations
      1 {file_name_id=1}
      2 {function_name_id=9}
      3 {line=5}
      FunctionNames
      1 "f"
      StackFrames
      1 {file_location_id=1}
      2 {file_location_id=2}
      3 {file_location_id=4}
      4 {file_location_id=3 parent_frame_id=4}
      5 {file_location_id=3 parent_frame_id=9223372036854775807})");
  ASSERT_TRUE(tables.ok()) << tables.status();
  struct Case {
    int64_t id;
    std::string_view error;
  };
  const Case kCases[] = {
      {-1, "stack frame -1 is outside [1, 5]"},
      {0, "stack frame 0 is outside [1, 5]"},
      {1, "file_name_id = 1 of stack frame 1 refers to an empty table"},
      {2, "function_name_id = 9 of stack frame 2 is outside [1, 1]"},
      {3, "file_location_id = 4 of stack frame 3 is outside [1, 3]"},
      {6, "stack frame 6 is outside [1, 5]"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(tables->Frame(c.id).status(),
              absl::OutOfRangeError(AbslView(c.error)));
  }
  absl::Status status;
  EXPECT_THAT(Stack(*tables, 4, &status), ElementsAre(":5"));
  EXPECT_EQ(status, absl::OutOfRangeError(AbslView(kCases[4].error)));
  EXPECT_THAT(Stack(*tables, 5, &status), ElementsAre(":5"));
  EXPECT_EQ(status, absl::OutOfRangeError(
                        "stack frame 9223372036854775806 is outside [1, 5]"));
}

TEST(FrameTables, CirclesEnd) {
  const absl::StatusOr<FrameTables> tables = DecodeFrameTables(R"(
      StackFrames
      1 {parent_frame_id=2}
      2 {parent_frame_id=4}
      3 {parent_frame_id=3}
      4 {parent_frame_id=3})");
  ASSERT_TRUE(tables.ok()) << tables.status();
  absl::Status status;
  EXPECT_THAT(Stack(*tables, 1, &status), ElementsAre(":0", ":0", ":0", ":0"));
  EXPECT_EQ(status, absl::InvalidArgumentError(
                        "the parents of stack frame 1 form a cycle"));
  EXPECT_EQ(Stack(*tables, 4, &status).size(), 4);
  EXPECT_FALSE(status.ok());
}

TEST(FrameTables, AStackOfAllFramesIsNoCircle) {
  std::string text = "StackFrames\n";
  for (int i = 1; i <= 1000; ++i) {
    absl::StrAppend(&text, i, " {parent_frame_id=", i, "}\n");
  }
  const absl::StatusOr<FrameTables> tables = DecodeFrameTables(text);
  absl::Status status;
  EXPECT_EQ(Stack(*tables, 1000, &status).size(), 1000);
  EXPECT_TRUE(status.ok()) << status;
}

TEST(FrameTables, Errors) {
  ExpectErrors(
      {
          {"Files",
           "1:1: in frame tables: expected FileNames, FunctionNames, "
           "FileLocations or StackFrames, found 'Files'\n"
           "  Files\n"
           "  ^"},
          {"FileNames\n1 \"a\"\nFileNames",
           "3:1: in frame tables: FileNames is given twice\n"
           "  FileNames\n"
           "  ^"},
          {"FileNames\n1 {}",
           "2:3: in FileNames: expected a string, found '{'\n"
           "  1 {}\n"
           "    ^"},
          {"FileNames\n1 \"a",
           "2:3: in FileNames: the string has no end\n"
           "  1 \"a\n"
           "    ^"},
          {"FileLocations\n1 \"a\"",
           "2:3: in FileLocations: expected '{', found '\"'\n"
           "  1 \"a\"\n"
           "    ^"},
          {"FileLocations\n1 {line=x}",
           "2:9: in FileLocations: expected an integer, found 'x'\n"
           "  1 {line=x}\n"
           "          ^"},
          {"StackFrames\n1 {file_location_id=1",
           "2:22: in StackFrames: expected a key or '}', found end of text\n"
           "  1 {file_location_id=1\n"
           "                       ^"},
          {"StackFrames\n1 {parent_frame_id=-1}",
           "2:20: in StackFrames: parent_frame_id = -1 is less than 0\n"
           "  1 {parent_frame_id=-1}\n"
           "                     ^"},
      },
      [](std::string_view text) { return DecodeFrameTables(text).status(); });
}

// Read by hand.
TEST(FrameTables, Dump) {
  const std::string text =
      ReadDump("jax.issue.33666.linx.frag_0100.module_0005.hlo");
  const size_t begin = text.find("FileNames");
  const size_t end = text.find("%closed_call.1 (");
  const absl::StatusOr<FrameTables> tables =
      DecodeFrameTables(std::string_view(text).substr(begin, end - begin));
  ASSERT_TRUE(tables.ok()) << tables.status();
  EXPECT_EQ(tables->stack_frames.size(), 1);
  const absl::StatusOr<SourceFrame> frame = tables->Frame(1);
  ASSERT_TRUE(frame.ok()) << frame.status();
  EXPECT_EQ(frame->file_name.raw(),
            "/pscratch/sd/c/carag/LINX/scripts/frag_mwe_short.py");
  EXPECT_EQ(frame->function_name.raw(), "<module>");
  EXPECT_EQ(frame->line, 9);
  EXPECT_EQ(frame->end_line, 9);
  EXPECT_EQ(frame->column, 25);
  EXPECT_EQ(frame->end_column, 74);
  EXPECT_EQ(frame->parent, 0);
}

}  // namespace
}  // namespace tessera
