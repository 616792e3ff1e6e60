#include "tessera/service/questions/hlo/memory_baseline.h"

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/service/json.h"
#include "tessera/service/questions/hlo/hlo_peak_question.h"
#include "tessera/service/service_options.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

constexpr char kBaseline[] =
    R"({"tessera_baseline":1,"modules":[
{"module":"jit_step","by_memory_space":{"0":{"reserved_bytes":7168,"peak_bytes":6144},"1":{"reserved_bytes":9223372036854775807,"peak_bytes":0}}},
{"module":"jit_step","by_memory_space":{"0":{"reserved_bytes":0,"peak_bytes":0,"assigned_bytes":512}}},
{"module":"jit_step","by_memory_space":{}}
]}
)";

// What is wrong, with its place if it has one: "1:18: ...".
std::string Wrong(std::string_view text) {
  const absl::StatusOr<MemoryBaseline> baseline = ParseMemoryBaseline(text);
  if (baseline.ok()) return "";
  const std::optional<Diagnostic> diagnostic = DiagnosticOf(baseline.status());
  if (!diagnostic.has_value()) {
    return std::string(baseline.status().message());
  }
  return absl::StrCat(diagnostic->line, ":", diagnostic->column, ": ",
                      diagnostic->message);
}

TEST(MemoryBaseline, IsReadAsItIsWritten) {
  const absl::StatusOr<MemoryBaseline> baseline =
      ParseMemoryBaseline(kBaseline);
  ASSERT_THAT(baseline, IsOk());
  ASSERT_EQ(baseline->modules_size(), 3);
  EXPECT_EQ(baseline->modules(0).module(), "jit_step");
  const auto& spaces = baseline->modules(0).by_memory_space().spaces();
  ASSERT_EQ(spaces.size(), 2);
  EXPECT_EQ(spaces.at(0).reserved_bytes(), 7168);
  EXPECT_EQ(spaces.at(0).peak_bytes(), 6144);
  EXPECT_FALSE(spaces.at(0).has_assigned_bytes());
  EXPECT_EQ(
      baseline->modules(1).by_memory_space().spaces().at(0).assigned_bytes(),
      512);
  EXPECT_EQ(MemoryBaselineText(*baseline), kBaseline);
  EXPECT_EQ(MemoryBaselineText({}),
            "{\"tessera_baseline\":1,\"modules\":[\n]}\n");
  EXPECT_EQ(Wrong(MemoryBaselineText({})), "");
}

// As `jq -S .` sorts and breaks it.
TEST(MemoryBaseline, OrderAndSpaceAreFree) {
  EXPECT_EQ(Wrong(R"(
{
  "modules": [
    {
      "by_memory_space": {
        "0": {
          "peak_bytes": 1,
          "reserved_bytes": 2
        }
      },
      "module": "tessera_baseline"
    }
  ],
  "tessera_baseline": 1
})"),
            "");
}

TEST(MemoryBaseline, PeaksOfModules) {
  const absl::StatusOr<HloDump> dump = ParseHlo(R"(
      HloModule m, is_scheduled=true
      ENTRY e { ROOT x = f32[2]{0} parameter(0) }
      HloModule n, is_scheduled=true
      ENTRY e { x = f32[2]{0:S(1)} parameter(0)
                ROOT y = f32[2]{0} copy(x) })");
  ASSERT_THAT(dump, IsOk());
  PeakTable table;
  table.series = true;
  PeakResult result;
  ASSERT_THAT(FillPeak(ServiceOptions::Unlimited(), *dump, table, &result),
              IsOk());
  std::string lines = "\n";
  for (const ModulePeak& peak : result.modules()) {
    absl::StrAppend(&lines, ProtoToJson(peak, JsonFields::kAll), "\r\n");
  }
  const absl::StatusOr<MemoryBaseline> baseline = ParseMemoryBaseline(lines);
  ASSERT_THAT(baseline, IsOk());
  EXPECT_EQ(MemoryBaselineText(*baseline),
            R"({"tessera_baseline":1,"modules":[
{"module":"m","by_memory_space":{"0":{"reserved_bytes":8,"peak_bytes":8}}},
{"module":"n","by_memory_space":{"0":{"reserved_bytes":8,"peak_bytes":8},"1":{"reserved_bytes":8,"peak_bytes":8}}}
]}
)");
}

TEST(MemoryBaseline, WhatIsWrong) {
  struct Case {
    const char* text;
    const char* wrong;
  };
  for (
      const Case& test : {
          Case{R"({"tessera_baseline":2})",
               "1:21: tessera_baseline = 2 is not 1, the version that is read "
               "here"},
          Case{"{\n  \"modules\": [],\n  \"tessera_baseline\" : -1\n}",
               "3:24: tessera_baseline = -1 is not 1, the version that is "
               "read here"},
          Case{R"({"tessera_baseline":1,"tessera_baseline":1})",
               "1:23: the field 'tessera_baseline' comes twice"},
          Case{R"({"tessera_baseline":"one"})",
               "1:21: tessera_baseline: 'one' is not an integer"},
          Case{R"({"tessera_baseline":1,"modules":[{"module":"m"}]})",
               "modules[0].by_memory_space is missing"},
          Case{R"({"tessera_baseline":1,"modules":[{"by_memory_space":{}},)"
               R"({"by_memory_space":{"0":{"reserved_bytes":1}}}]})",
               "modules[1].by_memory_space[0].peak_bytes is missing"},
          Case{R"({"tessera_baseline":1,"modules":[{"by_memory_space":)"
               R"({"5":{"peak_bytes":1}}}]})",
               "modules[0].by_memory_space[5].reserved_bytes is missing"},
          Case{
              R"({"tessera_baseline":1,"modules":[{"by_memory_space":)"
              R"({"0":{"reserved_bytes":1,"peak_bytes":1,"assigned_bytes":-5}}}]})",
              "modules[0].by_memory_space[0].assigned_bytes = -5 is "
              "negative"},
          Case{R"({"tessera_baseline":1,"modules":[{"by_memory_space":)"
               R"({"0":{"reserved_bytes":-1,"peak_bytes":1}}}]})",
               "modules[0].by_memory_space[0].reserved_bytes = -1 is "
               "negative"},
          Case{R"({"tessera_baseline":1,"modules":[{"by_memory_space":)"
               R"({"0":{},"0":{}}}]})",
               "1:61: modules[0].by_memory_space: the key '0' comes twice"},
          Case{"{\"tessera_baseline\":1,\n\"modules\":[{\"module\":\"m\",}]}",
               "2:26: invalid JSON: "},
          Case{R"({"tessera_baseline":1,"modules":[)", "1:34: invalid JSON: "},
          Case{R"({"tessera_baseline":1} {})", "1:24: invalid JSON: "},
          Case{"{}", "1:1: the module '' has no by_memory_space"},
          Case{"{\n}", "1:2: invalid JSON: "},
          Case{R"({"modules":[]})", "1:2: there is no field 'modules'"},
          Case{"{\"module\":\"m\",\"by_memory_space\":{}}\n"
               "{\"module\":\"n\",\"reason\":\"it is not scheduled\"}\n",
               "2:1: the module 'n' has no peak: it is not scheduled"},
          Case{"{\"module\":\"m\",\"by_memory_space\":{}}\n"
               "{\"module\":\"n\",\"by_memory_space\":{\"0\":{\"name\":"
               "\"HBM\",\"peak_bytes\":8,\"reserved_bytes\":null}}}",
               "2:1: the module 'n': by_memory_space[0].reserved_bytes is "
               "missing"},
          Case{"{\"module\":\"m\",\"by_memory_space\":{}}\n\n {\"module\":7}",
               "3:12: module: expected a string, found an integer"},
      }) {
    EXPECT_THAT(Wrong(test.text), ::testing::StartsWith(test.wrong))
        << test.text;
  }
}

TEST(MemoryBaseline, IsToldFromHlo) {
  EXPECT_TRUE(IsMemoryBaseline("\n {\"tessera_baseline\":1}"));
  EXPECT_TRUE(IsMemoryBaseline("{"));
  EXPECT_FALSE(IsMemoryBaseline(""));
  EXPECT_FALSE(IsMemoryBaseline("HloModule m\nENTRY e {"));
  EXPECT_FALSE(IsMemoryBaseline("\n\x0b{"));
}

}  // namespace
}  // namespace tessera
