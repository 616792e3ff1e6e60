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
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

struct Row {
  const char* name;
  const char* group;
  const char* shape;
  const char* source;
  int64_t offset;
  int64_t bytes;
  int64_t first;
  int64_t last;
  int64_t padding_bytes;
};

void AddValue(const Row& row, SpaceMap* map) {
  MapValue& value = *map->add_values();
  value.set_name(row.name);
  value.set_group(row.group);
  value.set_shape(row.shape);
  value.set_source(row.source);
  value.set_offset(row.offset);
  value.set_bytes(row.bytes);
  value.set_first(row.first);
  value.set_last(row.last);
  value.set_padding_bytes(row.padding_bytes);
}

void AddAllocation(const char* name, const char* kind, int64_t offset,
                   int64_t bytes, SpaceMap* map) {
  MapAllocation& allocation = *map->add_allocations();
  allocation.set_name(name);
  allocation.set_kind(kind);
  allocation.set_offset(offset);
  allocation.set_bytes(bytes);
}

SpaceMap SmallMap() {
  SpaceMap map;
  map.set_title("module <m>, HBM S(0)");
  map.set_bytes(12288);
  map.set_steps(3);
  AddAllocation("allocation 0", "parameter 0", 0, 4096, &map);
  AddAllocation("allocation 1", "temporary", 4096, 8192, &map);
  for (const Row& row : std::vector<Row>{
           {"p", "parameter", "f32[1024]{0}", "", 0, 4096, 0, 2, 0},
           {"a\"b", "broadcast", "f32[2048]{0}", "x.py:3", 4096, 8192, 1, 1,
            96},
           {"c", "negate", "f32[2048]{0}", "", 4096, 4096, 2, 2, 0},
           {"tiny", "tuple", "", "", 8192, 1, 0, 2, 0}}) {
    AddValue(row, &map);
  }
  for (const int64_t used : {4096, 12288, 8192}) map.add_used_bytes(used);
  for (const char* step : {"p", "a", "c"}) map.add_step_names(step);
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
  EXPECT_THAT(RenderMemoryMap(SpaceMap()), HasSubstr("0 B assigned"));
}

TEST(MemoryMap, ManyGroupsShareAColour) {
  SpaceMap map;
  map.set_bytes(1000);
  map.set_steps(1);
  for (int64_t i = 0; i < 10; ++i) {
    AddValue(
        {"v", absl::StrCat("group", i).c_str(), "", "", i * 100, 100, 0, 0, 0},
        &map);
  }
  const std::string svg = RenderMemoryMap(map);
  EXPECT_THAT(svg, HasSubstr(">3 more</text>"));
  EXPECT_THAT(svg, HasSubstr("class=\"value g7\""));
  EXPECT_THAT(svg, Not(HasSubstr("class=\"value g8\"")));
}

// As on the page, whichever opcode takes most.
TEST(MemoryMap, AnOpcodeHasItsColour) {
  SpaceMap map;
  map.set_bytes(1000);
  map.set_steps(1);
  const char* const groups[] = {"dot", "custom-call", "parameter", "fusion",
                                ""};
  for (int64_t i = 0; i < 5; ++i) {
    AddValue({"v", groups[i], "", "", i * 150, 150 - i, 0, 0, 0}, &map);
  }
  const std::string svg = RenderMemoryMap(map);
  const auto key = [](int number, const char* name) {
    return MatchesRegex(absl::StrCat("(.|\n)*<rect class=\"g", number,
                                     "\"[^>]*/>\n<text[^>]*>", name,
                                     "</text>(.|\n)*"));
  };
  EXPECT_THAT(svg, key(0, "fusion"));
  EXPECT_THAT(svg, key(1, "custom-call"));
  EXPECT_THAT(svg, key(2, "parameter"));
  EXPECT_THAT(svg, key(3, "dot"));
  EXPECT_THAT(svg, key(7, "unknown"));
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
