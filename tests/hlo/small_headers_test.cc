// What small headers of hlo/ do beside their examples.

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/hlo/hlo_attributes.h"
#include "tessera/hlo/hlo_call_kind.h"
#include "tessera/hlo/hlo_counts.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/log_prefixes.h"

namespace tessera {
namespace {

TEST(FindHloAttribute, AComputationIsAValueLikeAnyOther) {
  EXPECT_EQ(
      FindHloAttribute(", to_apply={\n  a = f32[] b(c)\n}, index=1", "index"),
      "1");
}

TEST(HloCallKind, NamesComeBack) {
  EXPECT_EQ(HloCallKindOf(""), std::nullopt);
  for (int i = 0; i <= static_cast<int>(HloCallKind::kCalledComputations);
       ++i) {
    const HloCallKind kind = static_cast<HloCallKind>(i);
    EXPECT_EQ(HloCallKindOf(HloCallKindName(kind)), kind);
  }
}

TEST(HloCounts, WhatIsBrokenElsewhereIsMoreThanCutOff) {
  HloShapeTable shapes;
  HloHandler handler;
  EXPECT_FALSE(ReadHlo("a {\n x = f32[ b()\n y = f32[] c()", &shapes, &handler)
                   .is_merely_cut_off());
}

TEST(HloCounts, BracesBehindTheLastComputationAreTold) {
  struct Case {
    const char* text;
    int64_t last_braces;
    bool is_all;
  };
  const Case kCases[] = {
      {"a { x = f32[] b() }\n", 0, false},
      {"a { x = f32[] b() }\n\n\n}", 1, true},
      {"a { x = f32[] b() }\n}}\n // end\n}\n", 3, true},
      {"a { x = f32[] b() }\n}\nb { y = f32[] b() }", 0, false},
      {"a { x = f32[] b() }\n}\nb { y = f32[] b() }\n}", 1, false},
      {"a { x = f32[ b()\n}\n}", 1, false},
      // The header of the computation is missing.
      {"x = f32[] b()\n}", 0, false},
      // The text breaks off.
      {"a { x = f32[] b() }\n}\nb { y = f32[] b()", 0, false},
  };
  for (const Case& c : kCases) {
    HloShapeTable shapes;
    HloHandler handler;
    const HloCounts counts = ReadHlo(c.text, &shapes, &handler);
    EXPECT_EQ(counts.diagnostics_of_last_braces, c.last_braces) << c.text;
    EXPECT_EQ(counts.has_merely_last_braces(), c.is_all) << c.text;
  }
}

TEST(LogPrefixes, AreWhatXlaTakesForThem) {
  struct Case {
    const char* line;
    const char* want;
  };
  const Case kCases[] = {
      {"I0521 12:04:45.883483    1509 service.cc:186] a = b",
       "                                              a = b"},
      {"E1231 23:59:59.1 7 a/b c.cc:1]{", "                              {"},
      {"W0000 00:00:1716000000.123456\t1509 f.cc:9]", nullptr},
      {"F0521 12:04:45.883483 1509 f.cc:9]", nullptr},
      {" I0521 12:04:45.883483 1509 f.cc:9] a",
       " I0521 12:04:45.883483 1509 f.cc:9] a"},
      {"I052 12:04:45.883483 1509 f.cc:9] a",
       "I052 12:04:45.883483 1509 f.cc:9] a"},
      {"D0521 12:04:45.883483 1509 f.cc:9] a",
       "D0521 12:04:45.883483 1509 f.cc:9] a"},
      {"I0521 12:04:45 1509 f.cc:9] a", "I0521 12:04:45 1509 f.cc:9] a"},
      {"I0521 12:04:45.8 f.cc:9] a", "I0521 12:04:45.8 f.cc:9] a"},
      {"I0521 12:04:45.8 1509 f.cc] a", "I0521 12:04:45.8 1509 f.cc] a"},
      {"I0521 12:04:45.8 1509 :9] a", "I0521 12:04:45.8 1509 :9] a"},
      {"I0521 12:04:45.8 1509 f.cc:9", "I0521 12:04:45.8 1509 f.cc:9"},
      {"I", "I"},
      {"", ""},
  };
  for (const Case& c : kCases) {
    const std::string line = c.line;
    const std::string want =
        c.want == nullptr ? std::string(line.size(), ' ') : c.want;
    EXPECT_EQ(HasLogPrefixes(line), line != want) << line;
    std::string text = absl::StrCat("a\n", line, "\r\n\n", line);
    BlankLogPrefixes(&text);
    EXPECT_EQ(text, absl::StrCat("a\n", want, "\r\n\n", want));
  }
}

TEST(LogPrefixes, OnlyTheFirstLinesTell) {
  const std::string line = "I0521 12:04:45.883483 1509 f.cc:9] a\n";
  const std::string empty(1000, '\n');
  std::string others;
  for (int i = 0; i < 15; ++i) absl::StrAppend(&others, "b\n \n");
  EXPECT_TRUE(HasLogPrefixes(empty + others + line));
  EXPECT_FALSE(HasLogPrefixes(others + "b\n" + line));
  EXPECT_FALSE(HasLogPrefixes(std::string(1 << 16, ' ') + "\n" + line));
}

}  // namespace
}  // namespace tessera
