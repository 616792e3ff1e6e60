#include "tessera/hlo/attributes/metadata.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/hlo/hlo_string.h"
#include "tests/hlo/dump.h"
#include "tests/hlo/values.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

TEST(HloString, WithoutAnEscapeIsNotCopied) {
  HloString path(R"(C:\\temp)");
  EXPECT_TRUE(path.has_escapes());
  EXPECT_EQ(path.ToString(), R"(C:\temp)");
  std::string storage;
  const std::string_view name = "jit(f)/add";
  EXPECT_EQ(HloString(name).View(&storage).data(), name.data());
  EXPECT_EQ(storage, "");
}

TEST(HloString, Escapes) {
  EXPECT_EQ(HloString().ToString(), "");
  EXPECT_EQ(HloString(R"(a\"b\'\n\x41\101\\)").ToString(), "a\"b'\nAA\\");
  struct Case {
    std::string_view raw;
    size_t bad;
  };
  const Case kCases[] = {
      {"", std::string_view::npos},
      {R"(\\q)", std::string_view::npos},
      {R"(ab\q)", 2},
      {R"(\\\q)", 2},
      {R"(\x4142)", 0},
      {R"(\n\xg)", 2},
      {R"(\400)", 0},
      {"a\\", 1},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(HloString(c.raw).BadEscape(), c.bad) << c.raw;
    if (c.bad != std::string_view::npos) {
      EXPECT_EQ(HloString(c.raw).ToString(), c.raw);
    }
  }
}

TEST(Metadata, EveryEntry) {
  const absl::StatusOr<OpMetadata> metadata = DecodeMetadata(R"( {
      op_type="a" op_name='b', source_file="c\"d" /*index=5*/ source_line=1
      source_end_line=2, source_column=3 source_end_column=4
      profile_type={1,2} deduplicated_name="e" scheduling_name="f"
      stack_frame_id=5 metadata_payload="g", new={a="}" b=[1,{2}]} other=-1.5e3
      third=may-be } // the end)");
  ASSERT_TRUE(metadata.ok()) << metadata.status();
  EXPECT_EQ(metadata->op_type.raw(), "a");
  EXPECT_EQ(metadata->op_name.raw(), "b");
  EXPECT_EQ(metadata->source_file.ToString(), "c\"d");
  EXPECT_EQ(metadata->source_line, 1);
  EXPECT_EQ(metadata->source_end_line, 2);
  EXPECT_EQ(metadata->source_column, 3);
  EXPECT_EQ(metadata->source_end_column, 4);
  EXPECT_THAT(metadata->profile_type, ElementsAre(1, 2));
  EXPECT_EQ(metadata->deduplicated_name.raw(), "e");
  EXPECT_EQ(metadata->scheduling_name.raw(), "f");
  EXPECT_EQ(metadata->metadata_payload.raw(), "g");
  EXPECT_EQ(metadata->stack_frame_id, 5);
  EXPECT_EQ(metadata->unknown_key, "new");
}

TEST(Metadata, Nothing) {
  const absl::StatusOr<OpMetadata> metadata = DecodeMetadata("{}");
  ASSERT_TRUE(metadata.ok());
  EXPECT_TRUE(metadata->op_name.empty());
  EXPECT_EQ(metadata->stack_frame_id, 0);
  EXPECT_EQ(metadata->unknown_key, "");
}

TEST(Metadata, Errors) {
  ExpectErrors(
      {
          {std::string_view(),
           "1:1: in metadata: expected '{', found end of text\n  \n  ^"},
          {"{op_name=\"a\"",
           "1:13: in metadata: expected a key or '}', found end of text\n"
           "  {op_name=\"a\"\n"
           "              ^"},
          {"{op_name=\"a\n}",
           "1:10: in metadata: the string has no end\n"
           "  {op_name=\"a\n"
           "           ^"},
          {"{op_name=\"a\\q\"}",
           "1:12: in metadata: '\\q' does not begin a valid escape\n  "
           "{op_name=\"a\\q\"}\n             ^"},
          {"{op_name=a}",
           "1:10: in metadata: expected a string, found 'a'\n"
           "  {op_name=a}\n"
           "           ^"},
          {"{source_line=1\n source_line=2}",
           "2:2: in metadata: source_line is given twice\n"
           "   source_line=2}\n"
           "   ^"},
          {"{source_line=\"1\"}",
           "1:14: in metadata: expected an integer, found '\"'\n"
           "  {source_line=\"1\"}\n"
           "               ^"},
          {"{source_line=9223372036854775808}",
           "1:14: in metadata: '9223372036854775808' is above the limit "
           "9223372036854775807\n"
           "  {source_line=9223372036854775808}\n"
           "               ^"},
          {"{,}",
           "1:3: in metadata: expected a key or '}', found '}'\n"
           "  {,}\n"
           "    ^"},
          {"{new={(]}}",
           "1:8: in metadata: expected ')', found ']'\n"
           "  {new={(]}}\n"
           "         ^"},
          {"{new=}",
           "1:6: in metadata: expected a value, found '}'\n"
           "  {new=}\n"
           "       ^"},
          {"{new={",
           "1:7: in metadata: expected a value, found end of text\n"
           "  {new={\n"
           "        ^"},
          {"{} /*",
           "1:4: in metadata: expected end of text, found a comment without an "
           "end\n"
           "  {} /*\n"
           "     ^"},
      },
      [](std::string_view value) { return DecodeMetadata(value).status(); });
}

TEST(Metadata, DeepNestingOfWhatIsSkipped) {
  const std::string deep =
      "{new=" + std::string(1000000, '{') + std::string(1000000, '}') + "}";
  EXPECT_EQ(DecodeMetadata(deep)->unknown_key, "new");
  EXPECT_FALSE(DecodeMetadata(deep.substr(0, deep.size() - 2)).ok());
}

// Against sums that a script worked out by itself from the files' text.
TEST(Metadata, Dumps) {
  struct Case {
    const char* file;
    int64_t values;
    int64_t op_names;
    int64_t sum_of_source_lines;
    int64_t sum_of_frames;
  };
  const Case kCases[] = {
      {"import_async.hlo", 26, 0, 434, 0},
      {"jax.issue.33666.linx.frag_0100.module_0005.hlo", 96, 96, 0, 14},
      {"tpu_jit_f.after_optimizations.txt", 3, 3, 24, 0},
      {"tpu_maxtext_llama3_8b_2026-07-31.txt", 720, 720, 0, 0},
      {"while.hlo", 5, 5, 0, 0},
  };
  for (const Case& c : kCases) {
    Case found = {c.file, 0, 0, 0, 0};
    const std::string text = ReadDump(c.file);
    for (const std::string_view value : ValuesOf("metadata", text)) {
      const absl::StatusOr<OpMetadata> metadata = DecodeMetadata(value);
      ASSERT_TRUE(metadata.ok()) << c.file << ":" << metadata.status();
      EXPECT_EQ(metadata->unknown_key, "") << value;
      ++found.values;
      if (!metadata->op_name.empty()) ++found.op_names;
      found.sum_of_source_lines += metadata->source_line;
      found.sum_of_frames += metadata->stack_frame_id;
    }
    EXPECT_EQ(found.values, c.values) << c.file;
    EXPECT_EQ(found.op_names, c.op_names) << c.file;
    EXPECT_EQ(found.sum_of_source_lines, c.sum_of_source_lines) << c.file;
    EXPECT_EQ(found.sum_of_frames, c.sum_of_frames) << c.file;
  }
}

}  // namespace
}  // namespace tessera
