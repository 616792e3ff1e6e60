#include "tessera/viz/memory_map.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

MemoryMap SmallMap() {
  MemoryMap map;
  map.title = "module <m>, HBM S(0)";
  map.bytes = 12288;
  map.steps = 3;
  map.allocations = {{"allocation 0", "parameter 0", 0, 4096},
                     {"allocation 1", "temporary", 4096, 8192}};
  map.values = {
      {"p", "parameter", "f32[1024]{0}", "", 0, 4096, 0, 2, 0},
      {"a\"b", "broadcast", "f32[2048]{0}", "x.py:3", 4096, 8192, 1, 1, 96},
      {"c", "negate", "f32[2048]{0}", "", 4096, 4096, 2, 2, 0},
      {"tiny", "tuple", "", "", 8192, 1, 0, 2, 0}};
  map.used_bytes = {4096, 12288, 8192};
  map.step_names = {"p", "a", "c"};
  return map;
}

TEST(MemoryMap, DrawsEachValueWhereItLies) {
  const std::string svg = RenderMemoryMap(SmallMap());
  EXPECT_THAT(svg, StartsWith("<svg class=\"map\""));
  EXPECT_THAT(svg, HasSubstr("<title>module &lt;m&gt;, HBM S(0)</title>"));
  // The plot is 1044 pixels wide from 92 on and 520 high down to 708: the
  // middle third, of the upper two thirds.
  EXPECT_THAT(svg, HasSubstr("<rect class=\"value g0\" x=\"440.00\" "
                             "y=\"188.00\" width=\"348.00\" "
                             "height=\"346.67\"><title>a&quot;b\n"
                             "broadcast  f32[2048]{0}\n"
                             "8.00 KiB at 4.00 KiB, steps 1 to 1\n"
                             "96 B of it padding\n"
                             "x.py:3</title></rect>"));
  EXPECT_THAT(svg, HasSubstr("<rect class=\"value g2\" x=\"92.00\" "
                             "y=\"534.67\" width=\"1044.00\" "
                             "height=\"173.33\"><title>p\n"));
  EXPECT_THAT(svg, HasSubstr("12.0 KiB assigned, 12.0 KiB of it in use at the "
                             "peak (at a), 4 values, 3 steps"));
  EXPECT_THAT(svg, Not(HasSubstr(">tiny")));
  EXPECT_THAT(svg, HasSubstr("1 value is too small to be drawn"));
  EXPECT_EQ(svg, RenderMemoryMap(SmallMap()));
}

TEST(MemoryMap, OfNothing) {
  EXPECT_THAT(RenderMemoryMap(MemoryMap()), HasSubstr("0 B assigned"));
}

TEST(MemoryMap, ManyGroupsShareAColour) {
  MemoryMap map;
  map.bytes = 1000;
  map.steps = 1;
  for (int64_t i = 0; i < 10; ++i) {
    map.values.push_back({absl::StrCat("v", i), absl::StrCat("group", i), "",
                          "", i * 100, 100, 0, 0, 0});
  }
  const std::string svg = RenderMemoryMap(map);
  EXPECT_THAT(svg, HasSubstr(">3 more</text>"));
  EXPECT_THAT(svg, HasSubstr("class=\"value g7\""));
  EXPECT_THAT(svg, Not(HasSubstr("class=\"value g8\"")));
}

TEST(MemoryMap, TraceHasACounterAndSlicesApart) {
  const nlohmann::json trace =
      nlohmann::json::parse(MemoryMapTrace({SmallMap(), SmallMap()}));
  std::vector<std::string> events;
  for (const nlohmann::json& event : trace["traceEvents"]) {
    if (event["pid"] != 2) continue;
    events.push_back(
        event["ph"] == "X" ? absl::StrCat(event["name"].get<std::string>(),
                                          " on ", event["tid"].get<int>(),
                                          " at ", event["ts"].get<int>(),
                                          " for ", event["dur"].get<int>())
        : event["ph"] == "C"
            ? absl::StrCat("used ", event["args"]["bytes"].get<int>(), " at ",
                           event["ts"].get<int>())
            : event["args"]["name"].get<std::string>());
  }
  EXPECT_THAT(events,
              ::testing::ElementsAre(
                  "module <m>, HBM S(0)", "used 4096 at 0", "used 12288 at 1",
                  "used 8192 at 2", "p on 1 at 0 for 3", "tiny on 2 at 0 for 3",
                  "a\"b on 3 at 1 for 1", "c on 3 at 2 for 1"));
}

}  // namespace
}  // namespace tessera
