#include "tessera/tenstorrent/affine/affine_map_parser.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tests/status_matchers.h"
#include "tessera/tests/tenstorrent/literal_affine.h"

namespace tessera::tenstorrent {
namespace {

// What `text` prints as, or the message of its error.
std::string Canonical(const std::string& text) {
  const absl::StatusOr<AffineMap> map = ParseAffineMap(text);
  return map.ok() ? map->ToString() : std::string(map.status().message());
}

std::string Repeat(const std::string& text, int64_t times) {
  std::string repeated;
  for (int64_t i = 0; i < times; ++i) repeated += text;
  return repeated;
}

TEST(AffineMapParser, MapsOfTheTtMlirDocument) {
  for (const char* text : {
           "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)",
           "(d0, d1) -> (d0, d1)",
           "(d0, d1, d2) -> (d0 * 96 + d1, d2)",
           "(d0, d1, d2) -> (d0 * 96 + d1, d1, d2)",
           "(d0, d1, d2, d3, d4, d5, d6) -> (d0 * 2688 + d1 * 896 + d2 * 448 + "
           "d3 * 224 + d4 * 32 + d5, d4, d5, d6)",
           "(d0, d1, d2) -> (d0 * 64 + d1, d2)",
           "(d0, d1, d2) -> (d0 * 8 + d1, d2)",
           "(d0, d1, d2) -> (d0 * 32 + d1, d2)",
           "(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3)",
           // Of devices, and of the layouts of its tests.
           "(d0) -> (0, d0)",
           "(d0) -> (0, 0, d0)",
           "(d0, d1) -> (d1 floordiv 8, d0, d1 mod 8)",
           "(d0, d1) -> (d1 floordiv 8 + (d0 floordiv 8) * 4, d0 mod 8, "
           "d1 mod 8)",
           "(d0, d1, d2) -> (d0 * 2 + d2 floordiv 8, d1, d2 mod 8)",
           "(d0, d1, d2) -> (d0 * 3 + d1 floordiv 8, d1 mod 8, d2)",
           "(d0, d1, d2, d3) -> (d0 * 2 + d1, d2, d3)",
           "(d0, d1) -> (0, d0 * 8 + d1 floordiv 8, d1 mod 8)",
           "(d0, d1) -> (0, d0, (d0 + d1) mod 8)",
           "(d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod "
           "s0) * s1 + d1 mod s1)",
       }) {
    EXPECT_EQ(Canonical(text), text);
    EXPECT_EQ(Canonical(absl::StrCat("affine_map<", text, ">")), text);
  }
}

// Left and right as in mlir/test/IR/affine-map.mlir and by its rules.
TEST(AffineMapParser, CanonicalForms) {
  const std::pair<const char*, const char*> cases[] = {
      // Constants fold, and stand on the right.
      {"2 + 3 - 2*2 + i", "d0 + 1"},
      {"1*i+3*2-2*2-1", "d0 + 1"},
      {"i + 3 + 2 - 4", "d0 + 1"},
      {"4*j*1 + 2", "d1 * 4 + 2"},
      {"2*j*2 + 2", "d1 * 4 + 2"},
      {"j + j + 1 + j + j + 1", "d1 * 4 + 2"},
      {"(j - i) + 2*(i - j + 1) + j - 1 + 0",
       "d1 - d0 + (d0 - d1 + 1) * 2 + d1 - 1"},
      {"1 + i + 3 + j - 3 + k", "d0 + d1 + d2 + 1"},
      {"5+3", "8"},
      {"8-7", "1"},
      {"100 floordiv 32", "3"},
      {"5 mod 3 + 2", "4"},
      {"128 * (500 ceildiv 128)", "512"},
      {"40 floordiv 7 * 3", "15"},
      {"-5 floordiv 3", "-2"},
      {"-5 mod 3", "1"},
      {"-5 ceildiv 3", "-1"},
      {"-2+-5-(-3)", "-4"},
      {"i * 0", "0"},
      {"i * 1", "d0"},
      {"i + 0", "d0"},
      {"j * 0 floordiv 64", "0"},
      // Symbols stand behind dimensions.
      {"5 + i + j + N", "d0 + d1 + s0 + 5"},
      {"N*j", "d1 * s0"},
      {"M + N", "s1 + s0"},
      {"2 + N*N*9*i + 1", "d0 * ((s0 * s0) * 9) + 3"},
      {"2*i*4*N", "(d0 * s0) * 8"},
      {"i*N*M + j*N + k", "(d0 * s0) * s1 + d1 * s0 + d2"},
      {"i + 2*6 + 5*(j+N*3)", "d0 + (d1 + s0 * 3) * 5 + 12"},
      // Parentheses where they are needed.
      {"i + (j + 5)", "d0 + d1 + 5"},
      {"i - (j + 5)", "d0 - (d1 + 5)"},
      {"i * 5 floordiv 4", "(d0 * 5) floordiv 4"},
      {"j ceildiv 7 mod N", "(d1 ceildiv 7) mod s0"},
      {"i + j floordiv 4 * 8", "d0 + (d1 floordiv 4) * 8"},
      {"-N floordiv 4", "(-s0) floordiv 4"},
      {"16*i + ((i + 1) * -1) + 15", "d0 * 16 - (d0 + 1) + 15"},
      // Signs.
      {"-5*i", "d0 * -5"},
      {"-1*(i+j)", "-(d0 + d1)"},
      {"-1*N", "-s0"},
      {"i - j - 5", "d0 - d1 - 5"},
      {"i - N*j + 2", "d0 - d1 * s0 + 2"},
      {"i - 2*j", "d0 - d1 * 2"},
      {"i + -j", "d0 - d1"},
      {"i - -j", "d0 + d1"},
      {"- - -i", "-d0"},
      {"N - i", "-d0 + s0"},
      {"i + 3 * -1 * (j floordiv 2)", "d0 - (d1 floordiv 2) * 3"},
      {"i - j floordiv 2", "d0 - d1 floordiv 2"},
      // Like neighbours are added up, others not.
      {"4*i - 2*i + i", "d0 * 3"},
      {"(i + j) + (i + j)", "(d0 + d1) * 2"},
      {"i + j - i", "d0 + d1 - d0"},
      {"i - i + j", "d1"},
      {"i + 3*j + 5*i", "d0 + d1 * 3 + d0 * 5"},
      {"2 * (i mod 2) - i mod 2", "d0 mod 2"},
      {"(1 + i + j floordiv 4) - (i + j floordiv 4 + 1)", "0"},
      {"i + (i + 1)", "d0 * 2 + 1"},
      // Quotients and remainders of multiples.
      {"i * 128 floordiv 64", "d0 * 2"},
      {"i * 512 ceildiv 128", "d0 * 4"},
      {"4 * j mod 4", "0"},
      {"4*j*4 mod 8", "0"},
      {"k mod 1", "0"},
      {"(i * 2 + 1) ceildiv 1", "d0 * 2 + 1"},
      {"32 * j * N * 8 mod 256", "0"},
      {"(4*i + (j * (N * 2))) mod 2", "0"},
      {"(4*i + 3) mod 2", "1"},
      {"(4*i + 2) floordiv 4", "d0"},
      {"(4*i + 8*j + 5) floordiv 2", "d0 * 2 + d1 * 4 + 2"},
      {"(3*i - 4) mod 3", "2"},
      {"(4*i + 8*j) mod 8", "(d0 * 4) mod 8"},
      {"(i*4 + (j + k)) floordiv 4", "d0 + (d1 + d2) floordiv 4"},
      {"(i*4 + j + k) floordiv 4", "(d0 * 4 + d1 + d2) floordiv 4"},
      {"(i * 8 floordiv 3 + j * 4) mod 4", "((d0 * 8) floordiv 3) mod 4"},
      {"(i mod 35) mod 5", "d0 mod 5"},
      {"(j mod 35) mod 4", "(d1 mod 35) mod 4"},
      {"(i floordiv 2) floordiv 3", "(d0 floordiv 2) floordiv 3"},
      // What is left by a division.
      {"i - i floordiv 4 * 4", "d0 mod 4"},
      {"i - i floordiv (4 * N) * (4 * N)", "d0 mod (s0 * 4)"},
      {"i + ((i floordiv 4) - 4)", "d0 + d0 floordiv 4 - 4"},
      {"i + i floordiv 4 * -4", "d0 mod 4"},
      // Lexis.
      {"i+j*0x10", "d0 + d1 * 16"},
      {"i/*x*/-\nj // y\n", "d0 - d1"},
      {"(((i)))", "d0"},
      {"i mod(3)", "d0 mod 3"},
      {"i mod 3mod 2", "(d0 mod 3) mod 2"},
  };
  for (const auto& [text, canonical] : cases) {
    const std::string whole = absl::StrCat("(i, j, k)[N, M] -> (", text, ")");
    const std::string expected =
        absl::StrCat("(d0, d1, d2)[s0, s1] -> (", canonical, ")");
    EXPECT_EQ(Canonical(whole), expected) << text;
    EXPECT_EQ(Canonical(expected), expected);
  }
}

TEST(AffineMapParser, NamesAreFree) {
  EXPECT_EQ(Canonical("(d1, d0) -> (d0, d1)"), "(d0, d1) -> (d1, d0)");
  EXPECT_EQ(Canonical("(s0)[d0] -> (d0 * s0)"), "(d0)[s0] -> (d0 * s0)");
  EXPECT_EQ(Canonical("(i0, x$y.z, _) -> (_, x$y.z)"),
            "(d0, d1, d2) -> (d2, d1)");
  EXPECT_EQ(Canonical("(d0, d1)[mod, floordiv] -> "
                      "(mod floordiv 2 - d0, floordiv mod 3 - d1)"),
            "(d0, d1)[s0, s1] -> (-d0 + s0 floordiv 2, -d1 + s1 mod 3)");
  EXPECT_EQ(Canonical("(affine_map) -> (affine_map)"), "(d0) -> (d0)");
}

TEST(AffineMapParser, AgreesWithMlirOpt) {
  std::ifstream file("tests/tenstorrent/data/mlir_opt_19_affine_maps.tsv");
  std::string line;
  int64_t num_read = 0;
  while (std::getline(file, line)) {
    if (line[0] == '#') continue;
    const std::vector<std::string> sides = absl::StrSplit(line, '\t');
    ASSERT_EQ(sides.size(), 2u) << line;
    EXPECT_EQ(Canonical(sides[0]), sides[1]) << sides[0];
    ++num_read;
  }
  EXPECT_EQ(num_read, 400);
}

TEST(AffineMapParser, KeepsTheMeaningAndReadsWhatItPrints) {
  RandomBits random(TestSeed());
  int64_t num_compared = 0;
  for (int i = 0; i < 6000; ++i) {
    const RandomAffineMap drawn(RandomAffineOptions(), &random);
    const absl::StatusOr<AffineMap> map = ParseAffineMap(drawn.text);
    ASSERT_THAT(map, IsOk());
    ASSERT_EQ(map->num_dims(), drawn.num_dims);
    ASSERT_EQ(map->num_symbols(), drawn.num_symbols);
    ASSERT_EQ(map->num_results(), drawn.results.size());
    const absl::StatusOr<AffineMap> again = ParseAffineMap(map->ToString());
    ASSERT_THAT(again, IsOk());
    EXPECT_EQ(*again, *map) << drawn.text;
    EXPECT_EQ(again->ToString(), map->ToString()) << drawn.text;
    for (int k = 0; k < 5; ++k) {
      std::vector<int64_t> indices, symbols;
      for (int64_t d = 0; d < drawn.num_dims; ++d) {
        indices.push_back(Uniform(-50, 50, &random));
      }
      for (int64_t s = 0; s < drawn.num_symbols; ++s) {
        symbols.push_back(Uniform(1, 12, &random));
      }
      const absl::StatusOr<AffineMap::Indices> values =
          map->Evaluate(indices, symbols);
      AffineMap::Indices unchecked(map->num_results());
      map->Values(indices, symbols, unchecked.data());
      for (size_t r = 0; r < drawn.results.size(); ++r) {
        const std::optional<int64_t> value =
            LiteralValue(drawn.results[r], indices, symbols);
        ASSERT_TRUE(value.has_value()) << drawn.text;
        ASSERT_THAT(values, IsOk()) << drawn.text;
        EXPECT_EQ((*values)[r], *value) << drawn.text << map->ToString();
        EXPECT_EQ(unchecked[r], *value) << drawn.text;
        ++num_compared;
      }
    }
  }
  EXPECT_GT(num_compared, 20000);
}

TEST(AffineMapParser, ReadsWithinOtherText) {
  const std::string text = "a (i)[] -> (-i) , affine_map< () -> (1) > b";
  size_t position = 1;
  EXPECT_EQ(ReadAffineMap(text, &position)->ToString(), "(d0) -> (-d0)");
  EXPECT_EQ(text.substr(position, 2), " ,");
  position += 2;
  EXPECT_EQ(ReadAffineMap(text, &position)->ToString(), "() -> (1)");
  EXPECT_EQ(text.substr(position), " b");
  const size_t before = position;
  const absl::StatusOr<AffineMap> none = ReadAffineMap(text, &position);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(position, before);
  EXPECT_EQ(DiagnosticOf(none.status())->offset,
            static_cast<int64_t>(text.size()) - 1);
  position = text.size();
  EXPECT_FALSE(ReadAffineMap(text, &position).ok());
}

TEST(AffineMapParser, MalformedText) {
  struct Case {
    const char* text;
    int64_t column;
    const char* message;
    absl::StatusCode code = absl::StatusCode::kInvalidArgument;
  };
  const absl::StatusCode kOutOfRange = absl::StatusCode::kOutOfRange;
  const Case cases[] = {
      {"", 1, "expected '(' of an affine map, found end of text"},
      {"d0 -> d0", 1, "expected '(' of an affine map, found 'd0'"},
      {"affine_map", 11, "expected '<', found end of text"},
      {"affine_map<(i) -> (i)", 22, "expected '>', found end of text"},
      {"affine_map<(i) -> (i)) ", 22, "expected '>', found ')'"},
      {"(", 2, "expected the name of a dimension, found end of text"},
      {"(3) -> (3)", 2, "expected the name of a dimension, found '3'"},
      {"(i,) -> (i)", 4, "expected the name of a dimension, found ')'"},
      {"(i j) -> (i)", 4, "expected ',' or ')', found 'j'"},
      {"(i-j) -> (i)", 3, "expected ',' or ')', found '-'"},
      {"(i, j, i) -> (i)", 8, "the name 'i' is given a second time"},
      {"(i)[N, i] -> (i)", 8, "the name 'i' is given a second time"},
      {"(i)[N -> (i)", 7, "expected ',' or ']', found '->'"},
      {"(i)[-] -> (i)", 5, "expected the name of a symbol, found '-'"},
      {"(i)", 4, "expected '->', found end of text"},
      {"(i) : (i >= 0)", 5, "expected '->', found ':'"},
      {"(i) - > (i)", 5, "expected '->', found '-'"},
      {"(i) -> i", 8, "expected '(' of the results, found 'i'"},
      {"(i) -> (i", 10, "expected an operation, ',' or ')', found end of text"},
      {"(i) -> (i,)", 11, "expected a name, a number, '-' or '(', found ')'"},
      {"(i) -> (,i)", 9, "expected a name, a number, '-' or '(', found ','"},
      {"(i) -> (i i)", 11, "expected an operation, ',' or ')', found 'i'"},
      {"(i) -> (2i)", 10, "expected an operation, ',' or ')', found 'i'"},
      {"(i) -> (i 2)", 11, "expected an operation, ',' or ')', found '2'"},
      {"(i) -> (i / 2)", 11, "expected an operation, ',' or ')', found '/'"},
      {"(i) -> (i % 2)", 11, "expected an operation, ',' or ')', found '%'"},
      {"(i) -> (1.5 * i)", 10, "expected an operation, ',' or ')', found '.'"},
      {"(i) -> (())", 10, "expected a name, a number, '-' or '(', found ')'"},
      {"(i) -> ((i)", 12,
       "expected an operation, ',' or ')', found end of text"},
      {"(i) -> ((i, 1)", 11, "expected an operation or ')', found ','"},
      {"(i) -> (((i) + 1, 1)", 17, "expected an operation or ')', found ','"},
      {"(i) -> (i))", 11, "expected the end of the affine map, found ')'"},
      {"(i) -> (i) x", 12, "expected the end of the affine map, found 'x'"},
      {"(i) -> (i +)", 12, "expected a name, a number, '-' or '(', found ')'"},
      {"(i) -> (i + * 2)", 13,
       "expected a name, a number, '-' or '(', found '*'"},
      {"(i) -> (+i)", 9, "expected a name, a number, '-' or '(', found '+'"},
      {"(i) -> (-)", 10, "expected a name, a number, '-' or '(', found ')'"},
      {"(i) -> (i mod)", 14,
       "expected a name, a number, '-' or '(', found ')'"},
      {"(i) -> (i + j)", 13, "no dimension or symbol has the name 'j'"},
      {"(i) -> (I)", 9, "no dimension or symbol has the name 'I'"},
      {"(i) -> (mod 2)", 9, "no dimension or symbol has the name 'mod'"},
      {"() -> (aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeee)", 8,
       "no dimension or symbol has the name "
       "'aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd...'"},
      {"(i, j) -> (i * j)", 14,
       "not affine: one of the factors must be free of dimensions"},
      {"(i, j) -> (2 * (i + 1) * (j - 1))", 24,
       "not affine: one of the factors must be free of dimensions"},
      {"(i, j) -> (i floordiv j)", 23,
       "not affine: the divisor must be free of dimensions"},
      {"(i, j)[N] -> (N mod (i + 1))", 21,
       "not affine: the divisor must be free of dimensions"},
      {"(i) -> (i floordiv 0)", 20, "the divisor is 0; expected at least 1"},
      {"(i) -> (i ceildiv -4)", 19, "the divisor is -4; expected at least 1"},
      {"(i)[N] -> (i mod (N - N))", 18,
       "the divisor is 0; expected at least 1"},
      {"(i) -> (1,\n  i mod 0)", 9, "the divisor is 0; expected at least 1"},
      {"(i) -> (i + 9223372036854775808)", 13, "the number exceeds 2^63-1",
       kOutOfRange},
      {"(i) -> (0x8000000000000000)", 9, "the number exceeds 2^63-1",
       kOutOfRange},
      {"(i) -> (i + 9223372036854775807 + 1)", 33, "a constant exceeds 2^63-1",
       kOutOfRange},
      {"(i) -> (-9223372036854775807 - 1)", 30, "a constant exceeds 2^63-1",
       kOutOfRange},
      {"(i) -> (3037000500 * (i * 3037000500))", 20,
       "a constant exceeds 2^63-1", kOutOfRange},
      {"(i) -> (i) /*", 12,
       "expected the end of the affine map, found a comment without an end"},
  };
  for (const Case& c : cases) {
    const absl::StatusOr<AffineMap> map = ParseAffineMap(c.text);
    ASSERT_FALSE(map.ok()) << c.text;
    EXPECT_THAT(map, StatusIs(c.code)) << c.text;
    const std::optional<Diagnostic> diagnostic = DiagnosticOf(map.status());
    ASSERT_TRUE(diagnostic.has_value()) << c.text;
    EXPECT_EQ(diagnostic->message, c.message) << c.text;
    EXPECT_EQ(diagnostic->column, c.column) << c.text;
    EXPECT_EQ(diagnostic->line,
              1 + std::count(c.text, c.text + diagnostic->offset, '\n'))
        << c.text;
  }
}

TEST(AffineMapParser, EveryPrefixIsRefusedInItsPlace) {
  const std::string text =
      "affine_map<(i, j)[N] -> (-(i * 4 + j) floordiv N mod 3, (2))>";
  for (size_t size = 0; size < text.size(); ++size) {
    const absl::StatusOr<AffineMap> map = ParseAffineMap(text.substr(0, size));
    ASSERT_FALSE(map.ok()) << size;
    const Diagnostic diagnostic = *DiagnosticOf(map.status());
    EXPECT_LE(diagnostic.offset, size) << diagnostic.message;
  }
  EXPECT_THAT(ParseAffineMap(text), IsOk());
  EXPECT_FALSE(ParseAffineMap(std::string_view()).ok());
}

TEST(AffineMapParser, NestingHasNoDepth) {
  const int64_t n = 100000;
  EXPECT_EQ(Canonical("(i) -> (" + Repeat("(", n) + "i" + Repeat(")", n) + ")"),
            "(d0) -> (d0)");
  EXPECT_EQ(Canonical("(i) -> (" + Repeat("-(", 10000) + "i" +
                      Repeat(")", 10000) + ")"),
            "(d0) -> (d0)");
  const absl::StatusOr<AffineMap> open =
      ParseAffineMap("(i) -> (" + Repeat("(", n));
  EXPECT_EQ(DiagnosticOf(open.status())->column, n + 9);
  const absl::StatusOr<AffineMap> closed =
      ParseAffineMap("(i) -> (i" + Repeat(")", n));
  EXPECT_EQ(DiagnosticOf(closed.status())->column, 11);
}

TEST(AffineMapParser, LongSumsAreReadUpToTheLimit) {
  std::string text = "(i) -> (i";
  for (int k = 2; k < 4000; ++k) absl::StrAppend(&text, " + i mod ", k);
  const absl::StatusOr<AffineMap> map = ParseAffineMap(text + ")");
  ASSERT_THAT(map, IsOk());
  EXPECT_EQ(map->result(0).nodes().size(), 1u + 3998 * 4);
  EXPECT_EQ(ParseAffineMap(map->ToString()), map);
  EXPECT_EQ(*map->Evaluate({1}), AffineMap::Indices{3999});

  // From the right, and with what has to change sides.
  text = "i";
  for (int k = 2; k < 4000; ++k) {
    text = absl::StrCat("(N + i mod ", k, " + (", text, "))");
  }
  const absl::StatusOr<AffineMap> nested =
      ParseAffineMap("(i)[N] -> (" + text + ")");
  ASSERT_THAT(nested, IsOk());
  EXPECT_EQ(ParseAffineMap(nested->ToString()), nested);
  EXPECT_EQ(*nested->Evaluate({1}, {10}), AffineMap::Indices{3999 + 39980});
}

TEST(AffineMapParser, SizesAreLimited) {
  const int64_t n = 100000;
  struct Case {
    std::string text;
    int64_t column;
    const char* message;
  };
  const char* const kText =
      "an affine map has at most 32768 names, numbers and operations";
  std::string names = "(n0";
  for (int k = 1; k < 2000; ++k) absl::StrAppend(&names, ",n", k);
  const Case cases[] = {
      {"(i) -> (i" + Repeat("+i", n) + ")", 8 + 32769, kText},
      {"(i) -> (" + Repeat("-", n) + "i)", 8 + 32769, kText},
      {"(i) -> (" + Repeat("-(", n) + "i", 8 + 2 * 32768 + 1, kText},
      {"(i) -> (i" + Repeat(" mod 3 * 5", n) + ")", 81929, kText},
      {names, 5036, "an affine map has at most 1024 dimensions"},
      {"()[" + names.substr(1), 5038, "an affine map has at most 1024 symbols"},
      {"() -> (1" + Repeat(",1", n), 2056,
       "an affine map has at most 1024 results"},
  };
  for (const Case& c : cases) {
    const absl::StatusOr<AffineMap> map = ParseAffineMap(c.text);
    ASSERT_THAT(map, StatusIs(absl::StatusCode::kResourceExhausted))
        << c.text.substr(0, 40);
    EXPECT_EQ(DiagnosticOf(map.status())->message, c.message);
    EXPECT_EQ(DiagnosticOf(map.status())->column, c.column) << c.message;
  }
  // Small to read, large to store.
  std::string doubling = "(i) -> (";
  for (int k = 0; k < 7000; ++k)
    absl::StrAppend(&doubling, "-(i mod ", k + 2, ")+");
  EXPECT_THAT(ParseAffineMap(doubling + "0)"),
              StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(AffineMapParser, LongDivisionsTakeNoLongTime) {
  // Each division is carried out on all summands.
  std::string text = "1";
  for (int k = 2; k < 3000; ++k)
    absl::StrAppend(&text, " + (i mod ", k, ") * 1073741824");
  text = "(" + text + ")";
  for (int k = 0; k < 30; ++k) text += " floordiv 2";
  const absl::StatusOr<AffineMap> map = ParseAffineMap("(i) -> (" + text + ")");
  ASSERT_THAT(map, IsOk());
  EXPECT_EQ(*map->Evaluate({1}), AffineMap::Indices{2998});
}

}  // namespace
}  // namespace tessera::tenstorrent
