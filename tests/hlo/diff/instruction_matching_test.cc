#include "tessera/hlo/diff/instruction_matching.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/hlo/diff/instruction_graph.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/dump.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// "a.1 = a.2 structure" for a match, "- b" and "+ c" for what has none.
std::vector<std::string> Rows(std::string_view before, std::string_view after) {
  const HloDump a = *ParseHlo(std::string(before));
  const HloDump b = *ParseHlo(std::string(after));
  std::vector<std::string> rows;
  for (const InstructionMatch& match :
       MatchInstructions(a.modules()[0], b.modules()[0])) {
    if (!match.after.has_value()) {
      rows.push_back(absl::StrCat("- ", AbslView(match.before->name())));
    } else if (!match.before.has_value()) {
      rows.push_back(absl::StrCat("+ ", AbslView(match.after->name())));
    } else {
      const char* const kHow[] = {"none", "structure", "name", "signature"};
      rows.push_back(absl::StrCat(AbslView(match.before->name()), " = ",
                                  AbslView(match.after->name()), " ",
                                  kHow[static_cast<int>(match.how)]));
    }
  }
  return rows;
}

TEST(InstructionMatching, StructureBeforeName) {
  // The names have changed places.
  EXPECT_THAT(
      Rows(R"(ENTRY e {
                     x = f32[2]{0} parameter(0)
                     fusion.1 = f32[2]{0} negate(x)
                     fusion.2 = f32[2]{0} negate(fusion.1)
                     ROOT t = f32[2]{0} add(fusion.1, fusion.2)
                   })",
           R"(ENTRY e {
                     x = f32[2]{0} parameter(0)
                     fusion.2 = f32[2]{0} negate(x)
                     fusion.1 = f32[2]{0} negate(fusion.2)
                     ROOT t = f32[2]{0} add(fusion.2, fusion.1)
                   })"),
      UnorderedElementsAre("x = x structure", "fusion.1 = fusion.2 structure",
                           "fusion.2 = fusion.1 structure", "t = t structure"));
}

TEST(InstructionMatching, EqualExpressionsGoByName) {
  EXPECT_THAT(
      Rows(R"(ENTRY e {
                     x = f32[2]{0} parameter(0)
                     a = f32[2]{0} negate(x)
                     ROOT b = f32[2]{0} negate(x)
                   })",
           R"(ENTRY e {
                     x = f32[2]{0} parameter(0)
                     ROOT b = f32[2]{0} negate(x)
                   })"),
      UnorderedElementsAre("x = x structure", "- a", "b = b structure"));
}

TEST(InstructionMatching, LiteralsAreExpressions) {
  EXPECT_THAT(Rows("ENTRY e { a.1 = s32[] constant(1) a.2 = s32[] constant(2) "
                   "ROOT s = s32[] subtract(a.1, a.2) }",
                   "ENTRY e { a.1 = s32[] constant(2) a.2 = s32[] constant(1) "
                   "ROOT s = s32[] subtract(a.2, a.1) }"),
              UnorderedElementsAre("a.1 = a.2 structure", "a.2 = a.1 structure",
                                   "s = s structure"));
}

// An instruction in the middle is another: all that reads it has another
// expression, and is found as a neighbour.
TEST(InstructionMatching, Neighbours) {
  EXPECT_THAT(
      Rows(R"(ENTRY e {
                     x.1 = f32[2]{0} parameter(0)
                     y.1 = f32[2]{0} parameter(1)
                     a.1 = f32[2]{0} sine(x.1)
                     b.1 = f32[2]{0} add(a.1, y.1)
                     c.1 = f32[2]{0} multiply(b.1, b.1)
                     ROOT d.1 = f32[2]{0} tanh(c.1)
                   })",
           R"(ENTRY e {
                     x.2 = f32[2]{0} parameter(0)
                     y.2 = f32[2]{0} parameter(1)
                     a.2 = f32[2]{0} cosine(x.2)
                     b.2 = f32[2]{0} add(a.2, y.2)
                     c.2 = f32[2]{0} multiply(b.2, b.2)
                     ROOT d.2 = f32[2]{0} tanh(c.2)
                   })"),
      UnorderedElementsAre("x.1 = x.2 structure", "y.1 = y.2 structure",
                           "- a.1", "+ a.2", "b.1 = b.2 structure",
                           "c.1 = c.2 structure", "d.1 = d.2 structure"));
}

// A chain of layers that compute the same, numbered through.
std::string Layers(const std::vector<int>& layers, int dimension) {
  const std::string shape = absl::StrCat("f32[", dimension, "]{0}");
  std::string weights, chain, read = "x";
  for (size_t i = 0; i < layers.size(); ++i) {
    const std::string op_name =
        absl::StrCat(", metadata={op_name=\"layers_", layers[i], "/");
    absl::StrAppend(&weights, "w.", i, " = ", shape, " parameter(", i, ")",
                    op_name, "w\"}\n");
    absl::StrAppend(&chain, "dot.", i, " = ", shape, " dot(", read, ", w.", i,
                    ")", op_name, "dot\"}\n");
    absl::StrAppend(&chain, "tanh.", i, " = ", shape, " tanh(dot.", i, ")",
                    op_name, "tanh\"}\n");
    read = absl::StrCat("tanh.", i);
  }
  return absl::StrCat("ENTRY e {\n", weights, "x = ", shape, " parameter(",
                      layers.size(), ")\n", chain, "ROOT t = (", shape,
                      ") tuple(", read, ")\n}");
}

// What only one side has is one layer, whole: not a piece of this one and a
// piece of that.
TEST(InstructionMatching, LayerRemovedOrAdded) {
  const auto changed = [](const std::string& before, const std::string& after) {
    std::vector<std::string> rows;
    for (const std::string& row : Rows(before, after)) {
      if (row[0] == '-' || row[0] == '+') rows.push_back(row);
    }
    return rows;
  };
  const std::string all = Layers({0, 1, 2, 3, 4, 5, 6, 7}, 64);
  for (const int dimension : {64, 60}) {
    const std::string fewer = Layers({0, 1, 2, 4, 5, 6, 7}, dimension);
    EXPECT_THAT(changed(all, fewer),
                UnorderedElementsAre("- w.3", "- dot.3", "- tanh.3"))
        << dimension;
    EXPECT_THAT(changed(fewer, all),
                UnorderedElementsAre("+ w.3", "+ dot.3", "+ tanh.3"))
        << dimension;
  }
  // A layer of another op_name takes the place of one that is gone.
  EXPECT_THAT(changed(all, Layers({0, 1, 2, 33, 4, 5, 6, 7}, 64)), IsEmpty());
}

// Every dimension is another one, and every name.
TEST(InstructionMatching, OtherDimensions) {
  EXPECT_THAT(
      Rows(R"(ENTRY e {
                     x.1 = f32[2]{0} parameter(0)
                     y.1 = f32[2]{0} parameter(1)
                     a.1 = f32[2]{0} add(x.1, y.1)
                     ROOT d.1 = f32[2]{0} tanh(a.1)
                   })",
           R"(ENTRY e {
                     x.2 = f32[4]{0} parameter(0)
                     y.2 = f32[4]{0} parameter(1)
                     a.2 = f32[4]{0} add(x.2, y.2)
                     ROOT d.2 = f32[4]{0} tanh(a.2)
                   })"),
      UnorderedElementsAre("x.1 = x.2 structure", "y.1 = y.2 structure",
                           "a.1 = a.2 structure", "d.1 = d.2 structure"));
}

// A partitioner changes dimensions, a library call takes the place of an
// opcode: the op_name stays.
TEST(InstructionMatching, Signatures) {
  EXPECT_THAT(Rows(R"(ENTRY e {
             x = f32[8]{0} parameter(0)
             a = f32[8]{0} iota(), metadata={op_name="first"}
             b = f32[8]{0} dot(x, x), metadata={op_name="second"}
             ROOT t = (f32[8]{0}, f32[8]{0}) tuple(a, b)
           })",
                   R"(f {
             q = f32[4]{0} parameter(0)
             i = f32[4]{0} iota(), metadata={op_name="first"}
           }
           ENTRY e {
             k = f32[8]{0} custom-call(), metadata={op_name="second"}
             ROOT z = f32[8]{0} fusion(k), calls=f
           })"),
              UnorderedElementsAre("- x", "- t", "+ q", "+ z",
                                   "a = i signature", "b = k signature"));
}

TEST(InstructionMatching, CalledComputations) {
  // The bodies are found through the instructions that call them.
  const std::string before = R"(
      f.1 { ROOT p = f32[2]{0} parameter(0) }
      f.2 { ROOT p = f32[4]{0} parameter(0) }
      ENTRY e {
        x = f32[2]{0} parameter(0)
        y = f32[4]{0} parameter(1)
        a = f32[2]{0} map(x), to_apply=f.1
        ROOT b = f32[4]{0} map(y), to_apply=f.2
      })";
  const std::string after =
      absl::StrReplaceAll(before, {{"f.1", "f.2"}, {"f.2", "f.1"}});
  const HloDump a = *ParseHlo(before), b = *ParseHlo(after);
  for (const InstructionMatch& match :
       MatchInstructions(a.modules()[0], b.modules()[0])) {
    ASSERT_TRUE(match.before.has_value() && match.after.has_value());
    EXPECT_EQ(match.before->shape_text(), match.after->shape_text());
    EXPECT_EQ(match.how, DiffMatch::kStructure);
  }
}

// Every instruction stands in the answer once.
TEST(InstructionMatching, IsComplete) {
  const HloDump a = *ParseHlo(ReadDump("tpu_jit_f.after_optimizations.txt"));
  const HloDump b = *ParseHlo(ReadDump("while.hlo"));
  std::vector<int> seen_a(a.counts().instructions);
  std::vector<int> seen_b(b.counts().instructions);
  for (const InstructionMatch& match :
       MatchInstructions(a.modules()[0], b.modules()[0])) {
    EXPECT_EQ(match.how == DiffMatch::kNone,
              !match.before.has_value() || !match.after.has_value());
    if (match.before.has_value()) ++seen_a[match.before->index()];
    if (match.after.has_value()) ++seen_b[match.after->index()];
  }
  EXPECT_THAT(seen_a, testing::Each(1));
  EXPECT_THAT(seen_b, testing::Each(1));
}

// Names that lead nowhere, or back, and instructions that read themselves.
TEST(InstructionMatching, BrokenText) {
  for (const char* text :
       {"ENTRY e { a = f32[] negate(a) }", "ENTRY e { a = f32[] negate(b) }",
        "f { ROOT a = f32[] call(), to_apply=f }\nENTRY e { a = f32[] call(), "
        "to_apply=f }",
        "ENTRY e { }",
        "ENTRY e { a = f32[] call(), to_apply={ b = f32[] "
        "negate(a) } }"}) {
    const HloDump a = *ParseHlo(text);
    int64_t matched = 0;
    for (const InstructionMatch& match :
         MatchInstructions(a.modules()[0], a.modules()[0])) {
      matched += match.how == DiffMatch::kStructure;
    }
    EXPECT_EQ(matched, a.counts().instructions) << text;
  }
}

// Within one compilation: names first, and what is alike last.
TEST(InstructionMatching, KeptNames) {
  const auto graph_of = [](const char* text) {
    return InstructionGraph(ParseHlo(text)->modules()[0]);
  };
  const InstructionGraph before = graph_of(R"(ENTRY e {
      x = f32[2]{0} parameter(0)
      a = f32[2]{0} negate(x)
      b = f32[2]{0} negate(a)
      c = f32[2]{0} sine(b), metadata={op_name="f/sin"}
    })");
  const InstructionGraph after = graph_of(R"(
    g { y = f32[2]{0} parameter(0)
      c.1 = f32[2]{0} sine(y), metadata={op_name="jit(h)/f/sin"} }
    ENTRY e {
      x = f32[2]{0} parameter(0)
      b = f32[2]{0} negate(x)
      a = f32[2]{0} negate(b)
      ROOT call = f32[2]{0} call(a), to_apply=g
    })");
  const auto partners = [&](bool are_names_kept) {
    std::vector<int64_t> nodes;
    for (const NodeMatch& match :
         MatchGraphs(before, after, MatchOptions{are_names_kept})) {
      nodes.push_back(match.node);
    }
    return nodes;
  };
  // Of y, c.1, x, b, a and call.
  EXPECT_THAT(partners(true), ElementsAre(-1, 3, 0, 2, 1, -1));
  EXPECT_THAT(partners(false), ElementsAre(-1, -1, 0, 1, 2, -1));
}

}  // namespace
}  // namespace tessera
