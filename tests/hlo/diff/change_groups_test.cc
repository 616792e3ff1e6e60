#include "tessera/hlo/diff/change_groups.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/parse_hlo.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

// "2 a,b layers_*/sin model.py:3 16 -> 32"
std::vector<std::string> Rows(const std::vector<ChangeGroup>& groups) {
  std::vector<std::string> rows;
  for (const ChangeGroup& group : groups) {
    std::vector<std::string_view> names;
    for (const ArrayChange* change : group.changes) {
      names.push_back(change->after.has_value() ? change->after->name()
                                                : change->before->name());
    }
    rows.push_back(absl::StrCat(group.changes.size(), " ",
                                JoinViews(names, ","), " ", group.op_name, " ",
                                group.source_line, " ", group.before_bytes,
                                " -> ", group.after_bytes));
  }
  return rows;
}

std::vector<std::string> RowsOf(const std::string& before,
                                const std::string& after) {
  const HloDump a = *ParseHlo(before), b = *ParseHlo(after);
  const DumpDiff diff = DiffDumps(a, b);
  return Rows(GroupChanges(diff.modules[0].changes));
}

TEST(ChangeGroups, SameChangeInManyPlaces) {
  const std::string before = R"(ENTRY e {
      x = f32[8]{0} parameter(0)
      a = f32[8]{0} sine(x), metadata={op_name="jit(f)/layers_0/sin" source_file="m.py" source_line=3}
      b = f32[8]{0} sine(a), metadata={op_name="jit(f)/layers_1/sin" source_file="m.py" source_line=3}
      c = f32[8]{0} sine(b), metadata={op_name="jit(f)/layers_1/sin" source_file="m.py" source_line=4}
      d = f32[8]{0} sine(c), metadata={op_name="jit(f)/layers_2/sin" source_file="m.py" source_line=4}
      ROOT e = f32[8]{0} cosine(d), metadata={op_name="jit(f)/head/cos"}
    })";
  EXPECT_THAT(
      RowsOf(before, absl::StrReplaceAll(
                         before, {{"f32[8]{0} sine", "f32[8]{0:S(1)} sine"},
                                  {"f32[8]{0} cos", "f32[16]{0} cos"}})),
      ElementsAre("1 e jit(f)/head/cos  32 -> 64",
                  "2 a,b jit(f)/layers_*/sin m.py:3 64 -> 64",
                  "2 c,d jit(f)/layers_*/sin m.py:4 64 -> 64"));
}

// Only a number that stands by itself counts something.
TEST(ChangeGroups, Numbers) {
  const auto rows = [](const std::string& one, const std::string& other) {
    const std::string before = absl::StrCat(
        "ENTRY e {\n x = f32[8]{0} parameter(0)\n"
        "a = f32[8]{0} sine(x), metadata={op_name=\"",
        one,
        "\"}\n"
        "ROOT b = f32[8]{0} sine(a), metadata={op_name=\"",
        other, "\"}\n}");
    return RowsOf(before,
                  absl::StrReplaceAll(
                      before, {{"f32[8]{0} sine", "f32[8]{0:S(1)} sine"}}))
        .size();
  };
  for (const auto& [one, other, groups] :
       std::vector<std::tuple<const char*, const char*, size_t>>{
           {"layers_1/x", "layers_22/x", 1},
           {"block.1.mlp", "block.2.mlp", 1},
           {"params[0][1]", "params[3][12]", 1},
           {"while/1/x", "while/2/x", 1},
           {"layers_1/x", "layers_1/y", 2},
           {"to_f32", "to_f64", 2},
           {"bfloat16", "bfloat32", 2},
           {"x[shape=(8, 2)]", "x[shape=(9, 2)]", 2},
           {"conv_2d", "conv_3d", 2},
           {"x[1]", "x[22]", 1},
           {"3/x", "4/x", 2},
           {"layers_1", "layers_2", 1},
           {"layers_1x", "layers_2x", 2},
           {"block.1.2", "block.3.4", 1},
           {"layers_1/2", "layers_1/3", 1},
           {"layers_99999999999999999999/x", "layers_0/x", 1},
           {"params['layers_0']['w']", "params['layers_1']['w']", 1},
       }) {
    EXPECT_EQ(rows(one, other), groups) << one << " " << other;
  }
}

// Without an op_name, only the opcode says what an array is.
TEST(ChangeGroups, OpcodesWithoutOpNames) {
  EXPECT_THAT(RowsOf("ENTRY e { ROOT x = f32[2]{0} parameter(0) }",
                     R"(ENTRY e {
                       a = f32[8]{0} iota(), iota_dimension=0
                       b = f32[8]{0} negate(a)
                       c = f32[8]{0} negate(b)
                       ROOT x = f32[2]{0} parameter(0) })"),
              ElementsAre("2 b,c   0 -> 64", "1 a   0 -> 32"));
}

TEST(ChangeGroups, AppearedAndVanished) {
  EXPECT_THAT(RowsOf(R"(ENTRY e {
                       a = f32[8]{0} iota(), iota_dimension=0
                       b = f32[8]{0} iota(), iota_dimension=0
                       ROOT x = f32[2]{0} parameter(0) })",
                     R"(ENTRY e {
                       c = f32[4]{0} rng()
                       ROOT x = f32[2]{0} parameter(0) })"),
              ElementsAre("2 a,b   64 -> 0", "1 c   0 -> 16"));
  EXPECT_TRUE(GroupChanges({}).empty());
}

}  // namespace
}  // namespace tessera
