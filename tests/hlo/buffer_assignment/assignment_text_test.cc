#include "tessera/hlo/buffer_assignment/assignment_text.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/buffer_assignment/assigned_peak.h"
#include "tessera/hlo/buffer_assignment/assignment_proto.h"
#include "tessera/shape/shape_index.h"
#include "tests/hlo/proto_files.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = BufferAssignment::Kind;

std::string ReadFile(const std::string& name) {
  const absl::StatusOr<FileBytes> file = FileBytes::Open(name);
  EXPECT_TRUE(file.ok()) << file.status().message();
  return file.ok() ? std::string(file->text()) : "";
}

std::string ReadData(const std::string& name) {
  return ReadFile("tests/hlo/data/assignments/" + name);
}

std::vector<std::string> Messages(const BufferAssignment& assignment) {
  std::vector<std::string> messages;
  for (const Diagnostic& problem : assignment.problems) {
    messages.push_back(
        absl::StrCat(problem.line, ":", problem.column, ": ", problem.message));
  }
  return messages;
}

// "name {1,0}", or "name" for the whole.
std::string Place(std::string_view name, const ShapeIndex& index) {
  return absl::StrCat(AbslView(name), index.empty() ? "" : " ",
                      index.empty() ? "" : ShapeIndexToString(index));
}

// An assignment in XLA's words.
struct Texts {
  std::string allocations;
  std::string values;
  std::string live_ranges;

  std::string OneFile() const {
    return absl::StrCat(allocations, values, live_ranges.empty() ? "" : "\n\n",
                        live_ranges);
  }
};

std::string ShortText(const BufferAssignment::Value& value) {
  const bool is_of_tuple =
      !value.shape_index.empty() || tessera::StartsWith(value.shape_text, "(");
  return absl::StrCat("<", value.id, " ", AbslView(value.instruction),
                      is_of_tuple ? ShapeIndexToString(value.shape_index) : "",
                      value.is_phi ? " (phi)" : "", " @", value.memory_space,
                      ">");
}

std::string PrintAllocation(const BufferAssignment::Allocation& allocation) {
  std::string text = absl::StrCat("allocation ", allocation.index, ": size ",
                                  allocation.bytes);
  if (allocation.memory_space != 0) {
    absl::StrAppend(&text, ", color ", allocation.memory_space);
  }
  if (allocation.page != 0) absl::StrAppend(&text, ", page ", allocation.page);
  if (allocation.parameter_number.has_value()) {
    absl::StrAppend(&text, ", parameter ", *allocation.parameter_number,
                    ", shape |(f32[2], /*index=5*/s8[])| at ShapeIndex ",
                    ShapeIndexToString(allocation.parameter_index));
  }
  if (allocation.kind == Kind::kOutput) {
    absl::StrAppend(&text, ", output shape is |(f32[2], s8[])|");
  }
  if (allocation.kind == Kind::kConstant) absl::StrAppend(&text, ", constant");
  if (allocation.kind == Kind::kThreadLocal) {
    absl::StrAppend(&text, ", thread-local");
  }
  if (allocation.lives_out) absl::StrAppend(&text, ", maybe-live-out");
  if (allocation.kind == Kind::kTemporary) {
    absl::StrAppend(&text, ", preallocated-temp");
  }
  return text + ":\n";
}

Texts Print(const BufferAssignment& assignment) {
  Texts texts;
  texts.allocations = "BufferAssignment:\n";
  int64_t total = 0;
  std::vector<const BufferAssignment::Value*> used;
  for (size_t i = 0; i < assignment.allocations.size(); ++i) {
    const BufferAssignment::Allocation& allocation = assignment.allocations[i];
    total += allocation.bytes;
    texts.allocations += PrintAllocation(allocation);
    for (const BufferAssignment::Tenant& tenant : assignment.TenantsOf(i)) {
      const BufferAssignment::Value& value = assignment.values[tenant.value];
      used.push_back(&value);
      absl::StrAppend(
          &texts.allocations, " value: ", ShortText(value),
          " (size=", tenant.bytes, ",offset=", tenant.offset, "): ",
          AbslView(value.shape_text.empty() ? "f32[]" : value.shape_text),
          "\n");
    }
  }
  std::sort(used.begin(), used.end(),
            [](const auto* a, const auto* b) { return a->id < b->id; });
  texts.values =
      absl::StrCat("\nTotal bytes used: ", total, " (1KiB)\n\nUsed values:\n");
  std::string ranges;
  for (const BufferAssignment::Value* value : used) {
    absl::StrAppend(&texts.values, ShortText(*value), "\n positions:\n");
    for (int64_t i = 0; i < value->position_count; ++i) {
      const BufferAssignment::Position& position =
          assignment.positions[value->first_position + i];
      absl::StrAppend(&texts.values, "  ",
                      Place(position.instruction, position.shape_index), "\n");
    }
    absl::StrAppend(&texts.values, " uses:\n");
    for (int64_t i = 0; i < value->use_count; ++i) {
      const BufferAssignment::Use& use = assignment.uses[value->first_use + i];
      absl::StrAppend(
          &texts.values, "  ", AbslView(use.instruction), ", operand ",
          Place(absl::StrCat(use.operand_number), use.operand_index), "\n");
    }
    absl::StrAppend(&texts.values, " from instruction:", "%",
                    AbslView(value->instruction), " = f32[] parameter(0)\n");
    if (value->first >= 0) {
      absl::StrAppend(
          &ranges, "    ", AbslView(value->instruction),
          ShapeIndexToString(value->shape_index), ":", value->first, "-",
          value->last + 1 == static_cast<int64_t>(assignment.steps.size()) &&
                  value->id % 2 == 0
              ? value->last + 1
              : value->last,
          "\n");
    }
  }
  if (assignment.steps.empty()) return texts;
  texts.live_ranges =
      absl::StrCat("HloLiveRange (max ", assignment.steps.size(),
                   "):\n  InstructionSequence:\n");
  for (size_t i = 0; i < assignment.steps.size(); ++i) {
    absl::StrAppend(&texts.live_ranges, "    ", i, ":",
                    AbslView(assignment.steps[i]), "\n");
  }
  absl::StrAppend(&texts.live_ranges, "  BufferLiveRange:\n", ranges,
                  "  Live ranges at 0 (peak):\n    a{}: 4 bytes\n");
  return texts;
}

// All that an assignment says, for people too.
std::vector<std::string> Facts(const BufferAssignment& assignment) {
  std::vector<std::string> facts;
  for (size_t i = 0; i < assignment.allocations.size(); ++i) {
    const BufferAssignment::Allocation& a = assignment.allocations[i];
    facts.push_back(absl::StrCat(
        "allocation ", a.index, " bytes ", a.bytes, " kind ",
        static_cast<int>(a.kind), " color ", a.memory_space, " page ", a.page,
        " out ", a.lives_out, " parameter ", a.parameter_number.value_or(-1),
        ShapeIndexToString(a.parameter_index)));
    for (const BufferAssignment::Tenant& tenant : assignment.TenantsOf(i)) {
      const BufferAssignment::Value& v = assignment.values[tenant.value];
      facts.push_back(absl::StrCat(
          " value ", v.id, " ", AbslView(v.instruction),
          ShapeIndexToString(v.shape_index), " phi ", v.is_phi, " bytes ",
          v.bytes, " ", tenant.bytes, " at ", tenant.offset, " color ",
          v.memory_space, " live ", v.first, "-", v.last));
      for (int64_t p = 0; p < v.position_count; ++p) {
        const BufferAssignment::Position& position =
            assignment.positions[v.first_position + p];
        facts.push_back(absl::StrCat("  in ", AbslView(position.instruction),
                                     ShapeIndexToString(position.shape_index)));
      }
      for (int64_t u = 0; u < v.use_count; ++u) {
        const BufferAssignment::Use& use = assignment.uses[v.first_use + u];
        facts.push_back(absl::StrCat("  by ", AbslView(use.instruction), " ",
                                     use.operand_number,
                                     ShapeIndexToString(use.operand_index)));
      }
    }
  }
  for (const std::string_view step : assignment.steps) {
    facts.push_back(absl::StrCat("step ", AbslView(step)));
  }
  return facts;
}

TEST(AssignmentText, OneFile) {
  const std::string text = ReadData("one_file-buffer-assignment.txt");
  const BufferAssignment assignment = ReadBufferAssignmentText(text);
  EXPECT_THAT(Messages(assignment), IsEmpty());
  EXPECT_EQ(assignment.problem_count, 0);
  EXPECT_EQ(assignment.values.size(), 9);
  EXPECT_EQ(assignment.values.back().shape_text,
            "(s64[], c128[64]{0}, f64[64]{0}, f64[64]{0}, f64[64]{0}, "
            "/*index=5*/f64[64]{0})");
  EXPECT_THAT(
      Facts(assignment),
      ElementsAre(
          "allocation 0 bytes 2048 kind 1 color 0 page 0 out 0 parameter 2{}",
          " value 100 Arg_2.3.0{} phi 0 bytes 2048 2048 at 0 color 0 live 0-7",
          "  in Arg_2.3.0{}", "  by loop_add_fusion 0{}",
          "allocation 1 bytes 1024 kind 3 color 0 page 0 out 1 parameter -1{}",
          " value 86 loop_add_fusion{} phi 0 bytes 1024 1024 at 0 color 0 live "
          "5-6",
          "  in loop_add_fusion{}", "  in tuple.2{1}", "  by tuple.2 1{}",
          " value 108 arg_tuple.178.0{1} phi 1 bytes 1024 1024 at 0 color 0 "
          "live 7-7",
          "  in arg_tuple.178.0{1}", "  by multiply.4 0{}",
          "allocation 2 bytes 8 kind 1 color 0 page 0 out 1 parameter 0{1,0}",
          " value 101 p.1{1,0} phi 0 bytes 8 8 at 0 color 0 live 0-7",
          "  in p.1{1,0}",
          "allocation 3 bytes 4 kind 2 color 0 page 0 out 0 parameter -1{}",
          " value 90 constant_7_0{} phi 0 bytes 4 4 at 0 color 0 live 0-7",
          "  in constant_7_0{}", "  by loop_divide_fusion 0{}",
          "allocation 4 bytes 16 kind 0 color 0 page 0 out 0 parameter -1{}",
          " value 70 add.5{} phi 0 bytes 16 16 at 0 color 0 live -1--1",
          "  in add.5{}",
          "allocation 5 bytes 36 kind 4 color 5 page 2 out 0 parameter -1{}",
          " value 84 copy-start.1{0} phi 0 bytes 36 36 at 0 color 5 live 3-4",
          "  in copy-start.1{0}", "  in copy-done.1{}", "  by copy-done.1 0{0}",
          "allocation 8 bytes 648 kind 4 color 0 page 0 out 0 parameter -1{}",
          " value 85 loop_divide_fusion{} phi 0 bytes 512 512 at 128 color 0 "
          "live 4-5",
          "  in loop_divide_fusion{}", "  in tuple.2{2}",
          "  by loop_add_fusion 1{}", "  by tuple.2 2{}",
          " value 88 tuple.2{} phi 0 bytes 64 64 at 0 color 0 live 6-7",
          "  in tuple.2{}", "  by while.9 0{}", "step constant_7_0", "step p.1",
          "step Arg_2.3.0", "step copy-start.1", "step loop_divide_fusion",
          "step loop_add_fusion", "step tuple.2", "step arg_tuple.178.0"));
}

TEST(AssignmentText, Apart) {
  const std::string text = ReadData("apart-buffer-assignment.txt");
  const std::string values = ReadData("apart-buffer-assignment-values.txt");
  const std::string live_ranges = ReadData("apart-live-range.txt");
  AssignmentTextOptions options;
  options.values_text = values;
  options.live_range_text = live_ranges;
  BufferAssignment assignment = ReadBufferAssignmentText(text, options);
  EXPECT_THAT(Messages(assignment), IsEmpty());

  // Beside its own allocation, a value lies in one of another color.
  EXPECT_EQ(assignment.values.size(), 9);
  ASSERT_EQ(assignment.TenantsOf(5).size(), 2);
  const BufferAssignment::Tenant tenant = assignment.TenantsOf(5)[1];
  EXPECT_EQ(assignment.values[tenant.value].id, 86);
  EXPECT_EQ(tenant.offset, 4);
  EXPECT_EQ(tenant.bytes, 16);
  assignment.allocations[5].tenant_count = 1;
  const std::string one_file = ReadData("one_file-buffer-assignment.txt");
  EXPECT_EQ(Facts(assignment), Facts(ReadBufferAssignmentText(one_file)));

  // Each part by itself.
  const BufferAssignment alone = ReadBufferAssignmentText(text);
  EXPECT_THAT(Messages(alone), IsEmpty());
  EXPECT_THAT(alone.uses, IsEmpty());
  EXPECT_THAT(alone.steps, IsEmpty());
  EXPECT_EQ(alone.values[0].first, -1);
  options.values_text = "";
  const BufferAssignment in_time = ReadBufferAssignmentText(text, options);
  EXPECT_THAT(Messages(in_time), IsEmpty());
  EXPECT_THAT(in_time.uses, IsEmpty());
  EXPECT_EQ(in_time.values[0].last, 7);
}

TEST(AssignmentText, AValueOfAnotherColorMayComeFirst) {
  const std::string text =
      "BufferAssignment:\n"
      "allocation 0: size 8, color 1, preallocated-temp:\n"
      " reused by buffers of a different color:\n"
      " value: <3 a @0> (size=8,offset=0): f32[2]{0}\n"
      "allocation 1: size 8, preallocated-temp:\n"
      " value: <3 a @0> (size=8,offset=0): f32[2]{0}\n";
  const BufferAssignment assignment = ReadBufferAssignmentText(text);
  EXPECT_THAT(Messages(assignment), IsEmpty());
  EXPECT_EQ(assignment.values.size(), 1);
  EXPECT_EQ(assignment.tenants.size(), 2);
}

TEST(AssignmentText, OtherColorsEndWithTheirAllocation) {
  const BufferAssignment assignment = ReadBufferAssignmentText(
      "BufferAssignment:\n"
      "allocation 0: size 8, color 1, preallocated-temp:\n"
      " reused by buffers of a different color:\n"
      " <3 a @0> (size=8,offset=0): f32[2]{0}\n"
      "allocation 1: size 8, preallocated-temp:\n"
      " <3 a @0> (size=8,offset=0): f32[2]{0}\n");
  EXPECT_THAT(Messages(assignment),
              ElementsAre(HasSubstr(
                  "6:2: expected an allocation or a value, found '<3 a")));
}

TEST(AssignmentText, ALineMayEndBehindAName) {
  const BufferAssignment assignment = ReadBufferAssignmentText(
      "BufferAssignment:\n"
      "allocation 0: size 8, preallocated-temp:\n"
      " value: <3 a\n");
  EXPECT_THAT(Messages(assignment), ElementsAre(HasSubstr("expected '>'")));
}

TEST(AssignmentText, OfOldTensorFlow) {
  const std::string text = ReadData("tensorflow-buffer-assignment.txt");
  const BufferAssignment assignment = ReadBufferAssignmentText(text);
  EXPECT_THAT(Messages(assignment), IsEmpty());
  EXPECT_THAT(
      Facts(assignment),
      ElementsAre(
          "allocation 0 bytes 128 kind 1 color 0 page 0 out 0 parameter 0{}",
          " value 0 parameter.1{} phi 0 bytes 128 128 at 0 color 0 live -1--1",
          "allocation 1 bytes 128 kind 3 color 0 page 0 out 1 parameter -1{}",
          " value 1 negate.2{} phi 0 bytes 128 128 at 0 color 0 live -1--1"));
}

TEST(AssignmentText, LinesMayEndAsInWindows) {
  const std::string text = ReadData("one_file-buffer-assignment.txt");
  const std::string windows = absl::StrReplaceAll(text, {{"\n", "\r\n"}});
  const BufferAssignment assignment = ReadBufferAssignmentText(windows);
  EXPECT_THAT(Messages(assignment), IsEmpty());
  EXPECT_EQ(Facts(assignment), Facts(ReadBufferAssignmentText(text)));
}

TEST(AssignmentText, PartIsToldByTheStart) {
  const std::pair<const char*, AssignmentTextPart> kCases[] = {
      {"BufferAssignment:\nallocation 0: size 4",
       AssignmentTextPart::kAllocations},
      {"BufferAssignment:", AssignmentTextPart::kAllocations},
      {"Used values:\n<0 a @0>", AssignmentTextPart::kValues},
      {"\nTotal bytes used: 4 (4B)\n\nUsed values:\n",
       AssignmentTextPart::kValues},
      {"\r\nTotal bytes used: 4 (4B)\r\n\r\nUsed values:\r\n",
       AssignmentTextPart::kValues},
      {"HloLiveRange (max 28):", AssignmentTextPart::kLiveRanges},
      // Memory usage reports, old and new.
      {"Total bytes used: 4 (4B)\n\nAllocations sorted by size:\n",
       AssignmentTextPart::kNone},
      {"Memory Space: default (color=0)\n", AssignmentTextPart::kNone},
      {"HloModule m\n", AssignmentTextPart::kNone},
      {"BufferAssignment", AssignmentTextPart::kNone},
      {"", AssignmentTextPart::kNone},
      {"\n\n", AssignmentTextPart::kNone},
  };
  for (const auto& [start, part] : kCases) {
    EXPECT_EQ(FindAssignmentTextPart(start), part) << start;
    EXPECT_EQ(IsBufferAssignmentText(start), part != AssignmentTextPart::kNone);
  }
  for (const auto& [name, part] :
       {std::pair<const char*, AssignmentTextPart>{
            "one_file-buffer-assignment.txt", AssignmentTextPart::kAllocations},
        {"apart-buffer-assignment-values.txt", AssignmentTextPart::kValues},
        {"apart-live-range.txt", AssignmentTextPart::kLiveRanges}}) {
    EXPECT_EQ(FindAssignmentTextPart(ReadData(name).substr(0, 100)), part);
  }
}

// One place of the text with all in it is changed.
struct Damage {
  std::string from;
  std::string to;
  std::vector<std::string> messages;
};

TEST(AssignmentText, TellsWhatIsWrongAndReadsTheRest) {
  const std::string text = ReadData("one_file-buffer-assignment.txt");
  const BufferAssignment whole = ReadBufferAssignmentText(text);
  const Damage kCases[] = {
      {"BufferAssignment:\n",
       "nonsense\nBufferAssignment:\n",
       {"1:1: expected a heading, found 'nonsense'"}},
      // Allocations.
      {"allocation 8: size 648,",
       "allocation 8: size -648,",
       {"15:20: the size of allocation 8 is -648, which is negative"}},
      {"allocation 8: size 648,",
       "allocation 8: size 9223372036854775808,",
       {"15:20: the size of allocation 8, '9223372036854775808', exceeds "
        "2^63-1"}},
      {"allocation 8: size 648,",
       "allocation 8: size many,",
       {"15:20: expected the size of allocation 8, found 'many, "
        "preallocated-temp:'"}},
      {"allocation 8: size 648,",
       "allocation 8: bytes 648,",
       {"15:15: expected 'size ', found 'bytes 648, preallocated-temp:'"}},
      {"allocation 8: size 648,",
       "allocation x: size 648,",
       {"15:12: expected the number of an allocation, found 'x: size 648, "
        "preallocated-temp:'"}},
      {"allocation 8: size",
       "allocation 5: size",
       {"15:12: two allocations have the number 5"}},
      {"648, preallocated-temp:",
       "648, preallocated-temp",
       {"15:42: expected ':', found the end of the line"}},
      {"648, preallocated-temp:",
       "648, imaginary, preallocated-temp:",
       {"15:25: expected a mark of allocation 8, found 'imaginary, "
        "preallocated-temp:'"}},
      {", color 5, page 2",
       ", color five, page 2",
       {"13:30: expected the color of allocation 5, found 'five, page 2, "
        "preallocated-temp:'"}},
      {"at ShapeIndex {1,0}",
       "at ShapeIndex {1,-3}",
       {"7:87: an element of a shape index is -3, which is negative"}},
      {"|c128[2,64]| at",
       "|c128[2,64] at",
       {"2:74: expected '|', found the end of the line"}},
      // Values in them.
      {" value: <90 constant_7_0 @0> (size=4,",
       " value: <90 constant_7_0 @0> (size=-4,",
       {"10:36: the size of value 90 is -4, which is negative",
        "55:1: no allocation has a value with the id 90"}},
      {"offset=128",
       "offset=137",
       {"16:9: value 85 of 512 bytes at offset 137 does not lie within "
        "allocation 8 of 648 bytes"}},
      {"offset=128",
       "offset=-1",
       {"16:9: value 85 of 512 bytes at offset -1 does not lie within "
        "allocation 8 of 648 bytes"}},
      {"offset=128",
       "offset=9223372036854775807",
       {"16:9: value 85 of 512 bytes at offset 9223372036854775807 does not "
        "lie within allocation 8 of 648 bytes"}},
      {"offset=128",
       "offset=-9223372036854775808",
       {"16:9: value 85 of 512 bytes at offset -9223372036854775808 does not "
        "lie within allocation 8 of 648 bytes"}},
      {"offset=128",
       "offset=99999999999999999999999999999999999999999999",
       {"16:53: the offset of value 85, "
        "'9999999999999999999999999999999999999999...', exceeds 2^63-1",
        "34:1: no allocation has a value with the id 85"}},
      {"value: <108 arg_tuple.178.0{1}",
       "value: <86 arg_tuple.178.0{1}",
       {"6:9: two values have the id 86",
        "72:1: no allocation has a value with the id 108"}},
      {": f64[64]{0}\n", ": \n", {"16:59: value 85 has no shape"}},
      {" value: <100 ",
       " something <100 ",
       {"3:2: expected an allocation or a value, found 'something <100 "
        "Arg_2.3.0 @0> (size=2048,...'",
        "61:1: no allocation has a value with the id 100"}},
      {"allocation 0: size 2048, parameter 2, shape |c128[2,64]| at ShapeIndex "
       "{}:\n",
       "",
       {"2:9: a value comes before the first allocation"}},
      // The total.
      {"used: 3784",
       "used: 3785",
       {"19:19: the total is 3785 bytes, the allocations add up to 3784"}},
      {"used: 3784",
       "used: -1",
       {"19:19: the total of bytes is -1, which is negative"}},
      {"used: 3784",
       "used: 3784000000000000000000",
       {"19:19: the total of bytes, '3784000000000000000000', exceeds 2^63-1"}},
      {"size 2048, parameter",
       "size 9223372036854775807, parameter",
       {"19:19: the total is 3784 bytes, the allocations add up to more than "
        "9223372036854775807"}},
      // Used values.
      {"<70 add.5 @0>\n positions",
       "<71 add.5 @0>\n positions",
       {"22:1: no allocation has a value with the id 71"}},
      {"<70 add.5 @0>\n positions",
       "<70 add.6 @0>\n positions",
       {"22:1: value 70 is 'add.6' here and 'add.5' in its allocation"}},
      {"<84 copy-start.1{0} @5>\n positions:\n",
       "<70 add.5 @0>\n positions:\n",
       {"27:1: value 70 is listed twice among the used values"}},
      {" from instruction: %add.5 = c128[] add(c128[] %x, c128[] %y)\n",
       "",
       {"26:1: value 70 breaks off before 'from instruction:'"}},
      {"  tuple.2, operand 1\n",
       "  tuple.2, operand\n",
       {"47:10: expected ', operand ', found ', operand'"}},
      {"  tuple.2, operand 1\n",
       "  tuple.2, operand -1\n",
       {"47:20: the number of an operand is -1, which is negative"}},
      {"  copy-start.1 {0}\n",
       "  copy-start.1 {0\n",
       {"29:18: expected '}', found the end of the line"}},
      {"  copy-start.1 {0}\n",
       "  copy-start.1 {0} x\n",
       {"29:19: expected the end of the line, found ' x'"}},
      {" uses:\n  copy-done.1",
       " used by:\n  copy-done.1",
       {"31:2: expected a position or 'uses:', found 'used by:'",
        "32:16: expected '{', found 'operand 0 {0}'",
        "33:2: expected a position or 'uses:', found 'from instruction: "
        "%copy-start.1 = (s32[9...'",
        "34:1: value 84 breaks off before 'from instruction:'"}},
      // Live ranges.
      {"(max 8)",
       "(max 9)",
       {"90:3: the sequence has 8 instructions, its heading says 9"}},
      {"(max 8)",
       "(max -8)",
       {"80:19: the number of instructions is -8, which is negative"}},
      {"    3:copy-start.1",
       "    4:copy-start.1",
       {"85:5: expected step 3, found step 4",
        "86:5: expected step 5, found step 4"}},
      {"    3:copy-start.1",
       "    copy-start.1",
       {"85:5: expected the number of a step, found 'copy-start.1'"}},
      {"tuple.2{}:6-7",
       "tuple.3{}:6-7",
       {"94:5: no allocation has the value 'tuple.3{}'"}},
      {"tuple.2{}:6-7",
       "tuple.2{4}:6-7",
       {"94:5: no allocation has the value 'tuple.2{4}'"}},
      {"tuple.2{}:6-7",
       "tuple.2{}:7-6",
       {"94:15: the live range of 'tuple.2{}' ends at 6, before it begins at "
        "7"}},
      {"tuple.2{}:6-7",
       "tuple.2{}:6-9",
       {"94:15: the live range of 'tuple.2{}' is 6 to 9, the sequence has 8 "
        "steps"}},
      {"tuple.2{}:6-7",
       "tuple.2{}:8-8",
       {"94:15: the live range of 'tuple.2{}' is 8 to 8, the sequence has 8 "
        "steps"}},
      {"tuple.2{}:6-7",
       "tuple.2{}:6-99999999999999999999",
       {"94:17: the last step of a live range, '99999999999999999999', exceeds "
        "2^63-1"}},
      {"tuple.2{}:6-7",
       "loop_add_fusion{}:6-7",
       {"94:5: there are two live ranges of 'loop_add_fusion{}'"}},
      {"tuple.2{}:6-7",
       "tuple.2",
       {"94:5: expected a live range, found 'tuple.2'"}},
      // What two processes leave that write one file.
      {"  Live ranges at 5 (peak):",
       "  BufferLiveRange:",
       {"99:3: another 'BufferLiveRange' begins here; only the first "
        "assignment is read"}},
      {"    constant_7_0: 4 bytes\n",
       "BufferAssignment:\nallocation 0: size 1:\n",
       {"104:1: another 'BufferAssignment' begins here; only the first "
        "assignment is read"}},
  };
  for (const Damage& damage : kCases) {
    std::string damaged = text;
    const size_t at = damaged.find(damage.from);
    ASSERT_NE(at, damaged.npos) << damage.from;
    damaged.replace(at, damage.from.size(), damage.to);
    const BufferAssignment assignment = ReadBufferAssignmentText(damaged);
    EXPECT_EQ(Messages(assignment), damage.messages) << damage.to;
    EXPECT_EQ(assignment.problem_count, damage.messages.size());
    EXPECT_EQ(assignment.values_problem_count, 0);
    // All but what the change is about is there.
    EXPECT_GE(assignment.allocations.size() + 1, whole.allocations.size());
    EXPECT_GE(assignment.values.size() + 1, whole.values.size());
    EXPECT_GE(assignment.steps.size(), whole.steps.size());
    EXPECT_GE(assignment.uses.size() + 2, whole.uses.size());
    EXPECT_GE(assignment.positions.size() + 2, whole.positions.size());
    for (const BufferAssignment::Tenant& tenant : assignment.tenants) {
      EXPECT_GE(tenant.offset, 0);
    }
  }
}

TEST(AssignmentText, ProblemsOfTheOtherTextsComeBehind) {
  const std::string text =
      "BufferAssignment:\n"
      "allocation 0: size 8, preallocated-temp:\n"
      " value: <3 a @0> (size=9,offset=0): f32[2]{0}\n";
  const std::string values =
      "\nTotal bytes used: x\n\nUsed values:\n"
      "<3 a @0>\n positions:\n  a\n uses:\n from instruction:%a\n<4 b>\n";
  const std::string live_ranges =
      "HloLiveRange (max 1):\n"
      "  InstructionSequence:\n    0:a\n  BufferLiveRange:\n    a{}:0-2\n"
      "  Live ranges at 0 (peak):\n";
  AssignmentTextOptions options;
  options.values_text = values;
  options.live_range_text = live_ranges;
  BufferAssignment assignment = ReadBufferAssignmentText(text, options);
  EXPECT_THAT(
      Messages(assignment),
      ElementsAre("3:9: value 3 of 9 bytes at offset 0 does not lie within "
                  "allocation 0 of 8 bytes",
                  "2:19: expected the total of bytes, found 'x'",
                  "10:1: no allocation has a value with the id 4",
                  "5:9: the live range of 'a{}' is 0 to 2, the sequence has 1 "
                  "steps"));
  EXPECT_EQ(assignment.values_problem_count, 2);
  EXPECT_EQ(assignment.live_range_problem_count, 1);

  options.problem_limit = 2;
  assignment = ReadBufferAssignmentText(text, options);
  EXPECT_EQ(assignment.problem_count, 4);
  EXPECT_EQ(assignment.problems.size(), 2);
  EXPECT_EQ(assignment.values_problem_count, 1);
  EXPECT_EQ(assignment.live_range_problem_count, 0);
}

TEST(AssignmentText, TextsThatAreSomethingElse) {
  for (const char* text : {"", "\n", "HloModule m\n", "Used values:\n"}) {
    const BufferAssignment assignment = ReadBufferAssignmentText(text);
    ASSERT_GT(assignment.problem_count, 0) << text;
    EXPECT_EQ(assignment.problems.back().message,
              "the line 'BufferAssignment:' is missing");
  }
  AssignmentTextOptions options;
  options.values_text = options.live_range_text = "HloModule m\n";
  EXPECT_THAT(
      Messages(ReadBufferAssignmentText("BufferAssignment:\n", options)),
      ElementsAre("1:1: expected a heading, found 'HloModule m'",
                  "2:1: the line 'Used values:' is missing",
                  "1:1: expected a heading, found 'HloModule m'",
                  "2:1: the line 'HloLiveRange' is missing"));
  // What stands in the file already is not there a second time.
  const std::string whole = ReadData("one_file-buffer-assignment.txt");
  const std::string values = ReadData("apart-buffer-assignment-values.txt");
  options.values_text = values;
  options.live_range_text = "";
  EXPECT_THAT(Messages(ReadBufferAssignmentText(whole, options)),
              ElementsAre("2:1: another 'Total bytes used' begins here; only "
                          "the first assignment is read"));
}

// XLA gives constants no memory on some backends.
TEST(AssignmentText, ALiveRangeWithoutMemoryIsNoMistake) {
  const std::string text =
      "BufferAssignment:\nallocation 0: size 8, preallocated-temp:\n"
      " value: <3 a @0> (size=8,offset=0): f32[2]{0}\n"
      "\nTotal bytes used: 8 (8B)\n\nUsed values:\n"
      "<3 a @0>\n positions:\n  a\n uses:\n from instruction:%a\n\n\n"
      "HloLiveRange (max 2):\n  InstructionSequence:\n    0:constant.1\n"
      "    1:a\n  BufferLiveRange:\n    constant.1{}:0-2\n    a{}:1-1\n"
      "  Peak memory could not be determined due to unbounded dynamic "
      "shape.\n";
  const BufferAssignment assignment = ReadBufferAssignmentText(text);
  EXPECT_THAT(Messages(assignment), IsEmpty());
  EXPECT_EQ(assignment.values[0].first, 1);
}

// Newer versions of XLA write a word where older ones wrote nothing.
TEST(AssignmentText, AValueThatNobodyUses) {
  const std::string head =
      "BufferAssignment:\nallocation 0: size 16, preallocated-temp:\n"
      " value: <2 reduce_sum.5 @0> (size=4,offset=0): f32[]\n"
      " value: <3 b @0> (size=4,offset=8): f32[]\n"
      "\nTotal bytes used: 16 (16B)\n\nUsed values:\n";
  const std::string b =
      "<3 b @0>\n positions:\n  b\n uses:\n  a, operand 0\n"
      " from instruction: %b = f32[] add(%x, %y)\n";
  struct Case {
    std::string lines;
    std::vector<std::string> messages;
  };
  const Case kCases[] = {
      {"  reduce_sum.5\n uses:\n  (none)\n", {}},
      {"  reduce_sum.5\n uses:\n", {}},
      {"  reduce_sum.5\n uses are not initialized yet.\n", {}},
      {"  (none)\n uses:\n  (none)\n", {}},
      // What is not known costs its line.
      {"  reduce_sum.5\n uses:\n  (some)\n  (none)\n",
       {"13:9: expected ', operand ', found the end of the line"}},
  };
  for (const Case& c : kCases) {
    const std::string text = absl::StrCat(
        head, "<2 reduce_sum.5 @0>\n positions:\n", c.lines,
        " from instruction: %reduce_sum.5 = f32[] add(%x, %y)\n", b);
    const BufferAssignment assignment = ReadBufferAssignmentText(text);
    EXPECT_EQ(Messages(assignment), c.messages) << c.lines;
    ASSERT_EQ(assignment.values.size(), 2);
    EXPECT_EQ(assignment.values[0].use_count, 0);
    EXPECT_EQ(assignment.values[0].position_count,
              c.lines.find("reduce") != std::string::npos);
    EXPECT_EQ(assignment.values[1].use_count, 1);
    EXPECT_TRUE(assignment.has_all_allocations);
  }
}

TEST(AssignmentText, ASumThatIsNotThatOfXla) {
  const std::string allocation = "allocation 0: size 16, preallocated-temp:\n";
  const std::string value = " value: <3 b @0> (size=4,offset=8): f32[]\n";
  const std::string total = "\nTotal bytes used: 16 (16B)\n\nUsed values:\n";
  struct Case {
    std::string text;
    bool has_all_allocations;
  };
  const Case kCases[] = {
      {allocation + value, true},
      {allocation + value + total, true},
      // Not an allocation, or a part of one that changes no sum.
      {allocation + " value: <3 b @0> (size=many,offset=8): f32[]\n", true},
      {"allocation 0: size 16, imaginary:\n" + value, true},
      // One that may be.
      {allocation + "allocation 1: bytes 8:\n", false},
      {allocation + "allocation 0: size 8:\n", false},
      {allocation + "reservation 1: size 8:\n", false},
      {allocation + value + "allocation 1: size 8", false},
      {allocation + value + " value", false},
      {"allocation 0: size 16, color five:\n", false},
      {"allocation 0: size 16, color five:\nallocation 1: size 8:\n", false},
      {"allocation 0: size 16, color five:\n" + total, false},
      // The total tells.
      {allocation + "reservation 1: size 8:\n" + total, true},
      {"allocation 0: size 17:\n" + total, false},
      {allocation + "allocation 1: bytes 8:\n" +
           "\nTotal bytes used: 24 (24B)\n\nUsed values:\n",
       false},
  };
  for (const Case& c : kCases) {
    const std::string text = "BufferAssignment:\n" + c.text;
    EXPECT_EQ(ReadBufferAssignmentText(text).has_all_allocations,
              c.has_all_allocations)
        << c.text;
  }
  EXPECT_FALSE(ReadBufferAssignmentText("HloModule m\n").has_all_allocations);
  // XLA may write the total apart.
  AssignmentTextOptions options;
  const std::string apart =
      "\nTotal bytes used: 24 (24B)\n\nUsed values:\n<3 b @0>\n positions:\n"
      "  b\n uses:\n  (none)\n from instruction: %b\n";
  options.values_text = apart;
  const std::string text = "BufferAssignment:\n" + allocation + value;
  EXPECT_FALSE(ReadBufferAssignmentText(text, options).has_all_allocations);
}

TEST(AssignmentText, OfEveryBeginningOfAFile) {
  const std::string text = ReadData("one_file-buffer-assignment.txt");
  const size_t total = text.find("\nTotal");
  const size_t peak = text.find("  Live ranges at");
  int64_t silent = 0;
  for (size_t size = 0; size < peak; ++size) {
    const std::string cut = text.substr(0, size);
    const BufferAssignment assignment = ReadBufferAssignmentText(cut);
    if (assignment.problem_count == 0) {
      // Newer versions of XLA write no more than that into this file, and the
      // live ranges need not be there.
      ++silent;
      const bool ends_with_line = tessera::EndsWith(cut, "\n");
      EXPECT_TRUE(ends_with_line) << size;
      EXPECT_TRUE(size <= total + 1 ||
                  tessera::EndsWith(cut, "parameter(0)\n") ||
                  tessera::EndsWith(cut, "parameter(0)\n\n") ||
                  tessera::EndsWith(cut, "parameter(0)\n\n\n"))
          << cut;
    }
  }
  EXPECT_EQ(silent, 21);
}

// Whatever is done to a text, it is read without harm.
TEST(AssignmentText, OfDamagedTexts) {
  const std::string text = ReadData("one_file-buffer-assignment.txt");
  uint64_t random = 7;
  const auto below = [&random](size_t limit) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>((random >> 33) % limit);
  };
  int64_t problems = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = text;
    for (size_t i = 0; i <= below(3); ++i) {
      const size_t at = below(damaged.size());
      switch (below(3)) {
        case 0:
          damaged[at] = "0{}<>:-,|@ \n"[below(12)];
          break;
        case 1:
          damaged.erase(at, below(30));
          break;
        default:
          damaged.insert(at, damaged.substr(below(damaged.size()), below(90)));
      }
    }
    const BufferAssignment assignment = ReadBufferAssignmentText(damaged);
    problems += assignment.problem_count > 0;
    for (const BufferAssignment::Value& value : assignment.values) {
      EXPECT_LE(value.first, value.last);
      EXPECT_LT(value.last, static_cast<int64_t>(assignment.steps.size()));
    }
  }
  EXPECT_GT(problems, 1500);
}

// Names, which an assignment has only views of.
class Names {
 public:
  std::string_view Add(std::string name) {
    return *names_.insert(std::move(name)).first;
  }

 private:
  std::set<std::string> names_;
};

class RandomAssignment {
 public:
  explicit RandomAssignment(uint64_t seed) : random_(seed) {}

  BufferAssignment Make(Names* names) {
    BufferAssignment made;
    const int64_t steps = Below(2) * (1 + Below(20));
    for (int64_t i = 0; i < steps; ++i) {
      made.steps.push_back(names->Add(absl::StrCat("step.", Below(100))));
    }
    const int64_t allocations = Below(8);
    for (int64_t i = 0; i < allocations; ++i) AddAllocation(names, &made);
    return made;
  }

 private:
  int64_t Below(int64_t limit) {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int64_t>((random_ >> 33) % limit);
  }

  ShapeIndex Index() {
    ShapeIndex index;
    for (int64_t i = Below(3) * Below(4); i > 0; --i) {
      index.push_back(Below(12));
    }
    return index;
  }

  void AddAllocation(Names* names, BufferAssignment* made) {
    BufferAssignment::Allocation allocation;
    allocation.index = made->allocations.size() * 3;
    allocation.bytes = Below(10) == 0 ? 0 : int64_t{1} << Below(56);
    allocation.kind = static_cast<Kind>(Below(5));
    allocation.memory_space = Below(3);
    allocation.page = Below(4) == 0;
    allocation.lives_out =
        allocation.kind == Kind::kOutput ||
        (allocation.kind != Kind::kTemporary && Below(3) == 0);
    if (allocation.kind == Kind::kParameter) {
      allocation.parameter_number = Below(1000);
      allocation.parameter_index = Index();
    }
    allocation.first_tenant = made->tenants.size();
    allocation.tenant_count = Below(6);
    for (int64_t i = 0; i < allocation.tenant_count; ++i) {
      BufferAssignment::Tenant tenant;
      tenant.value = made->values.size();
      tenant.offset = Below(allocation.bytes + 1);
      tenant.bytes = Below(allocation.bytes - tenant.offset + 1);
      AddValue(tenant.bytes, names, made);
      made->tenants.push_back(tenant);
    }
    made->allocations.push_back(std::move(allocation));
  }

  void AddValue(int64_t bytes, Names* names, BufferAssignment* made) {
    BufferAssignment::Value value;
    value.id = made->values.size() * 7919 % 100003;
    value.instruction = names->Add(
        absl::StrCat(Below(2) ? "fusion." : "Arg_0.1-x_", made->values.size()));
    value.shape_index = Index();
    value.is_phi = Below(4) == 0;
    value.bytes = bytes;
    value.memory_space = Below(3);
    value.shape_text = Below(2) ? "(f32[2], s32[])" : "f32[2,3]{1,0:T(8,128)}";
    const int64_t steps = made->steps.size();
    if (steps > 0 && Below(4) > 0) {
      value.first = Below(steps);
      value.last = value.first + Below(steps - value.first);
    }
    value.first_position = made->positions.size();
    value.position_count = Below(4);
    for (int64_t i = 0; i < value.position_count; ++i) {
      made->positions.push_back({names->Add("tuple.2"), Index()});
    }
    value.first_use = made->uses.size();
    value.use_count = Below(4);
    for (int64_t i = 0; i < value.use_count; ++i) {
      made->uses.push_back({names->Add("while-body_3"), Below(300), Index()});
    }
    made->values.push_back(std::move(value));
  }

  uint64_t random_;
};

void ExpectReadBack(const BufferAssignment& assignment) {
  const Texts texts = Print(assignment);
  const std::string one_file = texts.OneFile();
  const BufferAssignment read = ReadBufferAssignmentText(one_file);
  EXPECT_THAT(Messages(read), IsEmpty());
  EXPECT_EQ(Facts(read), Facts(assignment)) << one_file;
  AssignmentTextOptions options;
  options.values_text = texts.values;
  options.live_range_text = texts.live_ranges;
  const BufferAssignment apart =
      ReadBufferAssignmentText(texts.allocations, options);
  EXPECT_THAT(Messages(apart), IsEmpty());
  EXPECT_EQ(Facts(apart), Facts(assignment));
}

TEST(AssignmentText, RandomOnesAreReadBack) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Names names;
    const BufferAssignment made = RandomAssignment(seed).Make(&names);
    ExpectReadBack(made);
    if (HasFailure()) return;
  }
}

TEST(AssignmentText, ThoseOfProtosAreReadBack) {
  int64_t modules = 0;
  for (const ProtoFile& file : ReadProtoFiles()) {
    for (std::optional<BufferAssignment>& assignment :
         ReadProtoAssignments(file.bytes)) {
      if (!assignment.has_value()) continue;
      // Names of the module are unique but for those of its fusions, where no
      // two have a live range.
      ExpectReadBack(*assignment);
      ++modules;
      if (HasFailure()) return;
    }
  }
  EXPECT_EQ(modules, 41);
}

// What assignment_of_proto.py prints.
TEST(AssignmentText, SaysWhatTheProtoSays) {
  const std::pair<const char*, const char*> kFiles[] = {
      {"train_step",
       "jax_toolbox/"
       "module_0016.jit_train_step.sm_9.0_gpu_after_optimizations.hlo.pb"},
      {"multi_slice", "tracelens/jit__multi_slice_13_.hlo_proto.pb"},
      {"forward_3d_conv", "tracelens/jit_forward_3d_conv_15_.hlo_proto.pb"},
  };
  const std::vector<ProtoFile> files = ReadProtoFiles();
  for (const auto& [name, proto] : kFiles) {
    const std::string text =
        ReadFile(absl::StrCat("tests/hlo/", name, "-buffer-assignment.txt"));
    BufferAssignment read = ReadBufferAssignmentText(text);
    EXPECT_THAT(Messages(read), IsEmpty()) << name;
    EXPECT_GT(read.uses.size(), 0);
    EXPECT_GT(read.steps.size(), 5);
    int64_t live = 0;
    for (BufferAssignment::Value& value : read.values) {
      live += value.first >= 0;
      // Those of the proto are in other steps. It has no uses, and no position
      // where the value is made.
      value.first = value.last = -1;
      value.use_count = 0;
      ASSERT_GT(value.position_count, 0);
      const BufferAssignment::Position& made =
          read.positions[value.first_position];
      EXPECT_EQ(made.instruction, value.instruction);
      EXPECT_EQ(made.shape_index, value.shape_index);
      ++value.first_position;
      --value.position_count;
    }
    EXPECT_GT(live, read.values.size() / 4);
    read.steps.clear();

    const std::string path = proto;
    const auto file =
        std::find_if(files.begin(), files.end(),
                     [&](const ProtoFile& file) { return file.name == path; });
    ASSERT_NE(file, files.end()) << path;
    BufferAssignment of_proto = *ReadProtoAssignments(file->bytes)[0];
    for (BufferAssignment::Value& value : of_proto.values) {
      value.first = value.last = -1;
    }
    of_proto.steps.clear();
    EXPECT_EQ(Facts(read), Facts(of_proto)) << name;
  }
}

TEST(AssignmentText, TwoRangesFromTheFirstStepAreRefused) {
  const std::string text =
      "BufferAssignment:\n"
      "allocation 0: size 8, preallocated-temp:\n"
      " value: <3 a @0> (size=8,offset=0): f32[2]{0}\n";
  AssignmentTextOptions options;
  const std::string ranges =
      "HloLiveRange (max 1):\n"
      "  InstructionSequence:\n    0:a\n  BufferLiveRange:\n    a{}:0-1\n"
      "    a{}:0-1\n  Live ranges at 0 (peak):\n";
  options.live_range_text = ranges;
  EXPECT_THAT(Messages(ReadBufferAssignmentText(text, options)),
              ElementsAre("6:5: there are two live ranges of 'a{}'"));
}

TEST(AssignedPeak, PlacesAreThoseOfEachAllocation) {
  const BufferAssignment assignment = ReadBufferAssignmentText(
      "BufferAssignment:\n"
      "allocation 0: size 8, preallocated-temp:\n"
      " value: <3 a @0> (size=8,offset=0): f32[2]{0}\n"
      "allocation 1: size 4, preallocated-temp:\n"
      " value: <4 b @0> (size=4,offset=0): f32[1]{0}\n",
      {});
  const auto places = PlacesAt(assignment, 0, std::nullopt);
  ASSERT_THAT(places, testing::SizeIs(2));
  EXPECT_EQ(places[0].allocation, 0);
  EXPECT_EQ(places[0].tenant, 0);
  EXPECT_EQ(places[1].allocation, 1);
  EXPECT_EQ(places[1].tenant, 1);
}

}  // namespace
}  // namespace tessera
