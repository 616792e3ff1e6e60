#include "tessera/hlo/diff/pass_history.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/hlo/diff/instruction_graph.h"
#include "tessera/hlo/diff/result_arrays.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

HloDump Dump(const std::string& body) {
  return *ParseHlo(absl::StrCat("HloModule m\n", body));
}

// The history of dumps with these texts, and the last of them.
struct Dumps {
  explicit Dumps(const std::vector<std::string>& texts,
                 CountedArrays counted = CountedArrays::kBuffers)
      : history({/*rows=*/10, counted}), last(Dump(texts.back())) {
    for (size_t i = 0; i + 1 < texts.size(); ++i) {
      DumpPass pass;
      pass.name = absl::StrCat("pass", i);
      EXPECT_THAT(history.Add(pass, Dump(texts[i])), IsOk());
    }
    EXPECT_THAT(history.Add(DumpPass(), last), IsOk());
  }

  // What the last pass did: "+2 arrays 64, -1 arrays 32, ~0 0 -> 0".
  std::string LastChange() const {
    const PassChange& change = history.passes().back();
    return absl::StrCat(
        "+", change.new_arrays.count, " of ", change.new_arrays.bytes, ", -",
        change.gone_arrays.count, " of ", change.gone_arrays.bytes, ", ~",
        change.changed_after.count, " of ", change.changed_before.bytes, " to ",
        change.changed_after.bytes);
  }

  // "copy by 1 as copy, changed by 2" for each array of the last dump, the
  // largest first.
  std::vector<std::string> Origins() const {
    std::vector<std::string> rows;
    for (const LastArray& array : history.LargestArrays(last, 100)) {
      const ArrayOrigin& origin = array.origin;
      rows.push_back(
          absl::StrCat(array.array.instruction, " by ", origin.made_by, " as ",
                       origin.first_instruction,
                       origin.changed_by < 0
                           ? ""
                           : absl::StrCat(", changed by ", origin.changed_by)));
    }
    return rows;
  }

  PassHistory history;
  HloDump last;
};

TEST(InstructionGraph, PartsOfAModule) {
  const HloDump dump = Dump(R"(
    f { p = f32[8]{0} parameter(0)
        ROOT q = f32[8]{0} negate(p) }
    ENTRY e { x = f32[8]{0} parameter(0)
              ROOT y = f32[8]{0} map(x), dimensions={0}, to_apply=f })");
  const InstructionGraph graph(dump.modules()[0]);
  ASSERT_EQ(graph.computations().size(), 2);
  EXPECT_EQ(graph.computations()[1].begin, 2);
  EXPECT_EQ(graph.computations()[1].end, 4);
  EXPECT_EQ(graph.entry(), 1);
  EXPECT_EQ(graph.computations()[0].root, 1);
  EXPECT_THAT(graph.calls(3), ElementsAre(0));
  EXPECT_THAT(graph.calls(2), IsEmpty());
  ASSERT_THAT(graph.operands(3), SizeIs(1));
  EXPECT_EQ(graph.operands(3)[0].node, 2);
  ASSERT_THAT(graph.users(2), SizeIs(1));
  EXPECT_EQ(graph.users(2)[0].node, 3);
  for (int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(graph.NodeOf(dump.instructions()[i]), i);
    EXPECT_EQ(graph.InstructionOf(i, dump.modules()[0]),
              dump.instructions()[i]);
  }
  EXPECT_EQ(graph.nodes()[0].parameter_number, 0);
  EXPECT_EQ(graph.nodes()[1].parameter_number, -1);
  EXPECT_EQ(graph.nodes()[0].opcode, graph.nodes()[2].opcode);
  EXPECT_NE(graph.nodes()[0].name, graph.nodes()[2].name);
}

TEST(ResultArrays, Example) {
  const HloDump dump = *ParseHlo(R"(
      ENTRY e {
        x = f32[8]{0} parameter(0)
        ROOT y = (f32[8]{0}, f32[8]{0}) tuple(x, x) })");
  ResultArrays arrays(dump);
  EXPECT_THAT(arrays.Of(dump.instructions()[0], CountedArrays::kBuffers),
              SizeIs(1));
  EXPECT_THAT(arrays.Of(dump.instructions()[1], CountedArrays::kBuffers),
              IsEmpty());
  EXPECT_THAT(arrays.Of(dump.instructions()[1], CountedArrays::kResults),
              SizeIs(2));
}

constexpr char kNegate[] = R"(ENTRY e {
  x = f32[8]{0} parameter(0)
  ROOT y = f32[8]{0} negate(x), metadata={op_name="f/neg"} })";

TEST(PassHistory, WhatOnePassDoes) {
  struct Case {
    const char* what;
    const char* before;
    const char* after;
    const char* change;
    std::vector<std::string> origins;
  };
  const Case kCases[] = {
      {"nothing",
       kNegate,
       kNegate,
       "+0 of 0, -0 of 0, ~0 of 0 to 0",
       {"x by 0 as x", "y by 0 as y"}},
      {"a copy is new",
       kNegate,
       R"(ENTRY e {
         x = f32[8]{0} parameter(0)
         copy = f32[8]{0} copy(x)
         ROOT y = f32[8]{0} negate(copy), metadata={op_name="f/neg"} })",
       "+1 of 32, -0 of 0, ~0 of 0 to 0",
       {"x by 0 as x", "copy by 1 as copy", "y by 0 as y"}},
      {"it is gone",
       R"(ENTRY e {
         x = f32[8]{0} parameter(0)
         copy = f32[8]{0} copy(x)
         ROOT y = f32[8]{0} negate(copy), metadata={op_name="f/neg"} })",
       kNegate,
       "+0 of 0, -1 of 32, ~0 of 0 to 0",
       {"x by 0 as x", "y by 0 as y"}},
      {"a bitcast has no buffer",
       kNegate,
       R"(ENTRY e {
         x = f32[8]{0} parameter(0)
         bitcast = f32[2,4]{1,0} bitcast(x)
         ROOT y = f32[8]{0} negate(x), metadata={op_name="f/neg"} })",
       "+0 of 0, -0 of 0, ~0 of 0 to 0",
       {"x by 0 as x", "y by 0 as y"}},
      {"a layout changes",
       R"(ENTRY e {
         ROOT x = f32[3,5]{1,0} parameter(0) })",
       R"(ENTRY e { ROOT x = f32[3,5]{1,0:T(8,128)} parameter(0) })",
       "+0 of 0, -0 of 0, ~1 of 60 to 4096",
       {"x by 0 as x, changed by 1"}},
      {"a partitioner changes dimensions",
       R"(ENTRY e {
         ROOT x = f32[8]{0} parameter(0) })",
       R"(ENTRY e { ROOT x = f32[2]{0} parameter(0) })",
       "+0 of 0, -0 of 0, ~1 of 32 to 8",
       {"x by 0 as x, changed by 1"}},
      {"the type changes",
       R"(ENTRY e {
         ROOT x = f32[8]{0} parameter(0) })",
       R"(ENTRY e { ROOT x = bf16[8]{0} parameter(0) })",
       "+0 of 0, -0 of 0, ~1 of 32 to 16",
       {"x by 0 as x, changed by 1"}},
      // An instruction of another opcode, and so of another name.
      {"replaced by another opcode",
       R"(ENTRY e {
         x = f32[8,8]{1,0} parameter(0)
         ROOT dot.1 = f32[8,8]{1,0} dot(x, x), lhs_contracting_dims={1},
             rhs_contracting_dims={0}, metadata={op_name="f/dot"} })",
       R"(ENTRY e {
         x = f32[8,8]{1,0} parameter(0)
         ROOT convolution = f32[8,8]{1,0} convolution(x, x),
             dim_labels=bf_io->bf, metadata={op_name="f/dot"} })",
       "+0 of 0, -0 of 0, ~0 of 0 to 0",
       {"x by 0 as x", "convolution by 0 as dot.1"}},
      {"replaced by another op_name",
       kNegate,
       R"(ENTRY e {
         x = f32[8]{0} parameter(0)
         ROOT y.1 = f32[8]{0} negate(x), metadata={op_name="jit(g)/f/neg"} })",
       "+0 of 0, -0 of 0, ~0 of 0 to 0",
       {"x by 0 as x", "y.1 by 0 as y"}},
      {"a clone beside the original is new",
       kNegate,
       R"(ENTRY e {
         x = f32[8]{0} parameter(0)
         y = f32[8]{0} negate(x), metadata={op_name="f/neg"}
         y.clone = f32[8]{0} negate(x), metadata={op_name="f/neg"}
         ROOT t = (f32[8]{0}, f32[8]{0}) tuple(y, y.clone) })",
       // The tuple has no arrays of its own.
       "+1 of 32, -0 of 0, ~0 of 0 to 0",
       {"x by 0 as x", "y by 0 as y", "y.clone by 1 as y.clone"}},
      {"a clone in place of the original is not",
       kNegate,
       R"(ENTRY e {
         x = f32[8]{0} parameter(0)
         ROOT y.clone = f32[8]{0} negate(x), metadata={op_name="f/neg"} })",
       "+0 of 0, -0 of 0, ~0 of 0 to 0",
       {"x by 0 as x", "y.clone by 0 as y"}},
      // Names count before what is computed.
      {"names change places in the text",
       R"(ENTRY e {
         x = f32[8]{0} parameter(0)
         a = f32[8]{0} negate(x)
         b = f32[8]{0} negate(a)
         ROOT t = (f32[8]{0}, f32[8]{0}) tuple(a, b) })",
       R"(ENTRY e {
         x = f32[8]{0} parameter(0)
         b = f32[8]{0} negate(x)
         a = f32[8]{0} negate(b)
         ROOT t = (f32[8]{0}, f32[8]{0}) tuple(a, b) })",
       "+0 of 0, -0 of 0, ~0 of 0 to 0",
       {"x by 0 as x", "b by 0 as b", "a by 0 as a"}},
  };
  for (const Case& c : kCases) {
    const Dumps dumps({c.before, c.after});
    EXPECT_EQ(dumps.LastChange(), c.change) << c.what;
    EXPECT_EQ(dumps.Origins(), c.origins) << c.what;
  }
}

TEST(PassHistory, FusionsKeepTheArrayOfTheirRoot) {
  const std::string apart = R"(ENTRY e {
    x = f32[8]{0} parameter(0)
    mul.1 = f32[8]{0} multiply(x, x), metadata={op_name="f/mul"}
    ROOT add.1 = f32[8]{0} add(mul.1, x), metadata={op_name="f/add"} })";
  const std::string fused = R"(
    fused { p = f32[8]{0} parameter(0)
      mul.2 = f32[8]{0} multiply(p, p), metadata={op_name="f/mul"}
      ROOT add.2 = f32[8]{0} add(mul.2, p), metadata={op_name="f/add"} }
    ENTRY e { x = f32[8]{0} parameter(0)
      ROOT fusion.1 = f32[8]{0} fusion(x), kind=kLoop, calls=fused })";
  // Of the two arrays one is gone; the other is now the fusion's.
  const Dumps fusing({apart, fused});
  EXPECT_EQ(fusing.LastChange(), "+0 of 0, -1 of 32, ~0 of 0 to 0");
  EXPECT_THAT(fusing.Origins(),
              ElementsAre("x by 0 as x", "fusion.1 by 0 as add.1"));
  // The other way round, by the names of what was fused.
  const Dumps unfusing({fused, R"(ENTRY e {
    x = f32[8]{0} parameter(0)
    mul.2 = f32[8]{0} multiply(x, x), metadata={op_name="f/mul"}
    ROOT add.2 = f32[8]{0} add(mul.2, x), metadata={op_name="f/add"} })"});
  EXPECT_EQ(unfusing.LastChange(), "+1 of 32, -0 of 0, ~0 of 0 to 0");
  EXPECT_THAT(unfusing.Origins(),
              ElementsAre("x by 0 as x", "mul.2 by 1 as mul.2",
                          "add.2 by 0 as fusion.1"));
  // A fusion of the fusion, whose root is the old one, seen through a bitcast.
  const Dumps nested({apart, fused, R"(
    fused { p = f32[8]{0} parameter(0)
      mul.2 = f32[8]{0} multiply(p, p), metadata={op_name="f/mul"}
      ROOT add.2 = f32[8]{0} add(mul.2, p), metadata={op_name="f/add"} }
    outer { q = f32[8]{0} parameter(0)
      inner = f32[8]{0} fusion(q), kind=kLoop, calls=fused
      ROOT bitcast = f32[2,4]{1,0} bitcast(inner) }
    ENTRY e { x = f32[8]{0} parameter(0)
      ROOT fusion.2 = f32[2,4]{1,0} fusion(x), kind=kLoop, calls=outer })"});
  EXPECT_EQ(nested.LastChange(), "+0 of 0, -0 of 0, ~1 of 32 to 32");
  EXPECT_THAT(
      nested.Origins(),
      ElementsAre("x by 0 as x", "fusion.2 by 0 as add.1, changed by 2"));
}

TEST(PassHistory, FusionsOfSeveralResultsKeepTheirArrays) {
  const Dumps dumps({R"(ENTRY e {
    x = f32[8]{0} parameter(0)
    a.1 = f32[8]{0} sine(x), metadata={op_name="f/sin"}
    b.1 = f32[8]{0} cosine(x), metadata={op_name="f/cos"}
    ROOT t = (f32[8]{0}, f32[8]{0}) tuple(a.1, b.1) })",
                     R"(
    fused { p = f32[8]{0} parameter(0)
      b.2 = f32[8]{0} cosine(p), metadata={op_name="f/cos"}
      a.2 = f32[8]{0} sine(p), metadata={op_name="f/sin"}
      ROOT r = (f32[8]{0}, f32[8]{0}) tuple(b.2, a.2) }
    ENTRY e { x = f32[8]{0} parameter(0)
      f = (f32[8]{0}, f32[8]{0}) fusion(x), kind=kLoop, calls=fused
      g0 = f32[8]{0} get-tuple-element(f), index=0
      g1 = f32[8]{0} get-tuple-element(f), index=1
      ROOT t = (f32[8]{0}, f32[8]{0}) tuple(g1, g0) })"});
  EXPECT_EQ(dumps.LastChange(), "+0 of 0, -0 of 0, ~0 of 0 to 0");
  EXPECT_THAT(dumps.Origins(),
              ElementsAre("x by 0 as x", "f by 0 as b.1", "f by 0 as a.1"));
}

TEST(PassHistory, OriginsLastOverManyPasses) {
  const std::string start = kNegate;
  const std::string copied = R"(ENTRY e {
    x = f32[8]{0} parameter(0)
    copy = f32[8]{0} copy(x)
    ROOT y = f32[8]{0} negate(copy), metadata={op_name="f/neg"} })";
  const std::string tiled = R"(ENTRY e {
    x = f32[8]{0} parameter(0)
    copy = f32[8]{0:T(256)} copy(x)
    ROOT y = f32[8]{0} negate(copy), metadata={op_name="f/neg"} })";
  const Dumps dumps({start, start, copied, copied, tiled, tiled});
  EXPECT_THAT(dumps.Origins(), ElementsAre("copy by 2 as copy, changed by 4",
                                           "x by 0 as x", "y by 0 as y"));
  const std::vector<PassChange>& passes = dumps.history.passes();
  ASSERT_THAT(passes, SizeIs(6));
  for (size_t i = 0; i < passes.size(); ++i) {
    EXPECT_EQ(passes[i].has_changes(), i == 2 || i == 4) << i;
    EXPECT_EQ(passes[i].new_instructions, i == 2 ? 1 : 0) << i;
    EXPECT_EQ(passes[i].gone_instructions, 0) << i;
    EXPECT_EQ(passes[i].bytes_before, i == 0 ? 0 : passes[i - 1].arrays.bytes);
  }
  EXPECT_EQ(passes[1].pass.name, "pass1");
  EXPECT_EQ(passes[2].instructions, 3);
  ASSERT_THAT(passes[2].largest_new, SizeIs(1));
  EXPECT_EQ(passes[2].largest_new[0].instruction, "copy");
  EXPECT_EQ(passes[2].largest_new[0].shape, "f32[8]{0}");
  EXPECT_EQ(passes[2].largest_new[0].computation, "e");
  EXPECT_THAT(passes[0].largest_new, IsEmpty());
}

// What comes back after it was gone is new: nothing is kept of it.
TEST(PassHistory, WhatComesBackIsNew) {
  const std::string without = R"(ENTRY e { ROOT x = f32[8]{0} parameter(0) })";
  const Dumps dumps({kNegate, without, kNegate});
  EXPECT_THAT(dumps.Origins(), ElementsAre("x by 0 as x", "y by 2 as y"));
}

TEST(PassHistory, OriginOfAnInstruction) {
  const Dumps dumps({kNegate, R"(ENTRY e {
    x = f32[8]{0} parameter(0)
    y = f32[8]{0} negate(x), metadata={op_name="f/neg"}
    ROOT s = (f32[8]{0}, u32[]) custom-call(y) })"});
  const auto instructions = dumps.last.instructions();
  EXPECT_EQ(dumps.history.OriginOf(instructions[1], 0)->made_by, 0);
  EXPECT_EQ(dumps.history.OriginOf(instructions[2], 1)->made_by, 1);
  EXPECT_EQ(dumps.history.OriginOf(instructions[1], 1), nullptr);
  EXPECT_EQ(dumps.history.OriginOf(instructions[1], -1), nullptr);
}

TEST(PassHistory, RowsAreTheLargest) {
  const auto text = [](int64_t copies) {
    std::string body = "ENTRY e {\n  x = f32[64]{0} parameter(0)\n";
    for (int64_t i = 0; i < copies; ++i) {
      absl::StrAppend(&body, "  c", i, " = u8[", (i * 7) % 10 + 1,
                      "]{0} custom-call(x)\n");
    }
    return Dump(body + "}");
  };
  PassHistory history({/*rows=*/3, CountedArrays::kBuffers});
  EXPECT_THAT(history.Add(DumpPass(), text(0)), IsOk());
  const HloDump last = text(10);
  EXPECT_THAT(history.Add(DumpPass(), last), IsOk());
  const PassChange& change = history.passes()[1];
  EXPECT_EQ(change.new_arrays.count, 10);
  EXPECT_EQ(change.new_arrays.bytes, 55);
  std::vector<int64_t> bytes;
  for (const DumpedArray& array : change.largest_new) {
    bytes.push_back(array.bytes);
  }
  EXPECT_THAT(bytes, ElementsAre(10, 9, 8));
  EXPECT_THAT(history.LargestArrays(last, 2), SizeIs(2));
  EXPECT_THAT(history.LargestArrays(last, 0), IsEmpty());
}

// Without ENTRY nothing is known to run: all results count.
TEST(PassHistory, ModulesWithoutEntry) {
  const std::string body = "f { x = f32[8]{0} parameter(0)\n";
  const Dumps dumps(
      {body + "}", body + "t = (f32[8]{0}, f32[8]{0}) tuple(x, x) }"});
  EXPECT_EQ(dumps.LastChange(), "+2 of 64, -0 of 0, ~0 of 0 to 0");
  const Dumps results({kNegate, R"(ENTRY e {
    x = f32[8]{0} parameter(0)
    y = f32[8]{0} negate(x), metadata={op_name="f/neg"}
    ROOT t = (f32[8]{0}) tuple(y) })"},
                      CountedArrays::kResults);
  EXPECT_EQ(results.LastChange(), "+1 of 32, -0 of 0, ~0 of 0 to 0");
}

TEST(PassHistory, RefusesWhatIsNotOneModule) {
  PassHistory history;
  EXPECT_EQ(history.Add(DumpPass(), *ParseHloView("")).message(),
            "the dump of a pass has 0 modules, but must have 1");
  EXPECT_EQ(history
                .Add(DumpPass(), *ParseHlo("HloModule a\nENTRY e { ROOT x = "
                                           "f32[] parameter(0) }\nHloModule "
                                           "b\nENTRY e { ROOT x = f32[] "
                                           "parameter(0) }"))
                .code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(history.passes(), IsEmpty());
}

// Whatever the passes do: the counts of a pass lead from the arrays of one dump
// to those of the next, and a dump without changes has none.
TEST(PassHistory, CountsAddUpInRandomPrograms) {
  std::mt19937 random(20261126);
  const auto pick = [&random](int count) {
    return static_cast<int>(random() % count);
  };
  for (int run = 0; run < 50; ++run) {
    std::vector<std::string> texts;
    std::vector<std::string> names = {"x"};
    int next = 0;
    const int dumps = 2 + pick(5);
    for (int i = 0; i < dumps; ++i) {
      // Some instructions stay, some go, some are new.
      std::vector<std::string> kept = {"x"};
      std::string body = "ENTRY e {\n  x = f32[4]{0} parameter(0)\n";
      const auto add = [&](const std::string& name) {
        absl::StrAppend(&body, "  ", name, " = f32[", 1 + pick(9), "]{0} ",
                        name.substr(0, name.find('.')), "(",
                        kept[pick(kept.size())], ")\n");
        kept.push_back(name);
      };
      for (size_t k = 1; k < names.size(); ++k) {
        if (pick(4) > 0) add(names[k]);
      }
      for (int k = pick(5); k > 0; --k) {
        add(absl::StrCat(pick(2) == 0 ? "sort." : "custom-call.", next++));
      }
      names = kept;
      texts.push_back(body + "}");
      if (pick(3) == 0) texts.push_back(texts.back());
    }
    const Dumps all(texts);
    const std::vector<PassChange>& passes = all.history.passes();
    for (size_t i = 1; i < passes.size(); ++i) {
      const PassChange& pass = passes[i];
      const ArrayCount& before = passes[i - 1].arrays;
      EXPECT_EQ(before.count + pass.new_arrays.count - pass.gone_arrays.count,
                pass.arrays.count);
      EXPECT_EQ(before.bytes + pass.new_arrays.bytes - pass.gone_arrays.bytes -
                    pass.changed_before.bytes + pass.changed_after.bytes,
                pass.arrays.bytes);
      EXPECT_EQ(passes[i - 1].instructions + pass.new_instructions -
                    pass.gone_instructions,
                pass.instructions);
      EXPECT_EQ(pass.changed_before.count, pass.changed_after.count);
      EXPECT_TRUE(texts[i] != texts[i - 1] || !pass.has_changes());
    }
    EXPECT_EQ(all.Origins().size(), passes.back().arrays.count);
  }
}

// Takes linear time: 100 dumps of 2,000 instructions take a moment.
TEST(PassHistory, ManyDumps) {
  std::string body = "ENTRY e {\n  x0 = f32[64]{0} parameter(0)\n";
  for (int i = 1; i < 2000; ++i) {
    absl::StrAppend(&body, "  x", i, " = f32[64]{0} negate(x", i - 1, ")\n");
  }
  const HloDump dump = Dump(body + "}");
  PassHistory history;
  for (int i = 0; i < 100; ++i) {
    ASSERT_THAT(history.Add(DumpPass(), dump), IsOk());
  }
  EXPECT_FALSE(history.passes().back().has_changes());
}

std::vector<int64_t> Parting(const std::vector<std::string>& before,
                             const std::vector<std::string>& after) {
  const PassParting parting =
      PassParting::Of(Dumps(before).history, Dumps(after).history);
  return {parting.before_alike, parting.after_alike, parting.before_next,
          parting.after_next};
}

TEST(PassParting, IsWhereTheArraysDiffer) {
  const auto negates = [](int count, const char* layout = "{0}") {
    std::string body =
        absl::StrCat("ENTRY e {\n  x0 = f32[8]", layout, " parameter(0)\n");
    for (int i = 1; i <= count; ++i) {
      absl::StrAppend(&body, "  x", i, " = f32[8]", layout, " negate(x", i - 1,
                      ")\n");
    }
    return body + "}";
  };
  const std::string a = negates(1), b = negates(2), c = negates(3),
                    d = negates(1, "{0:T(128)}");
  EXPECT_THAT(Parting({a, b, c}, {a, b, c}), ElementsAre(2, 2, -1, -1));
  EXPECT_THAT(Parting({a, b, c}, {a, b, d}), ElementsAre(1, 1, 2, 2));
  // Dumps without changes, and passes that only one side has.
  EXPECT_THAT(Parting({a, a, b, c}, {a, b, b, d}), ElementsAre(2, 2, 3, 3));
  // They meet again.
  EXPECT_THAT(Parting({a, b, c, d}, {a, c, b}), ElementsAre(2, 1, 3, 2));
  // One side goes no further.
  EXPECT_THAT(Parting({a, b}, {a, b, c}), ElementsAre(1, 1, -1, 2));
  // From the start.
  EXPECT_THAT(Parting({a, b}, {c, d}), ElementsAre(-1, -1, 0, 0));
  // Neither names nor metadata nor what is in a fusion count.
  EXPECT_THAT(Parting({a}, {R"(ENTRY e {
                p = f32[8]{0} parameter(0)
                ROOT q = f32[8]{0} negate(p), metadata={op_name="f"} })"}),
              ElementsAre(0, 0, -1, -1));
}

}  // namespace
}  // namespace tessera
