#include "tessera/viz/memory_page.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tessera/viz/memory_page_template.h"
#include "tests/viz/sample_page.h"

namespace tessera {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::ordered_json;

// What an HTML parser takes for the text of the data's element: up to the first
// "</script".
std::string DataText(const std::string& html) {
  constexpr absl::string_view kTag =
      "<script type=\"application/json\" id=\"memory-page\">";
  const size_t tag = html.find(std::string(kTag));
  if (tag == std::string::npos) return "";
  const size_t begin = tag + kTag.size();
  return html.substr(begin, html.find("</script", begin) - begin);
}

Json DataOf(const MemoryPage& page) {
  return Json::parse(DataText(RenderMemoryPage(page)), nullptr,
                     /*allow_exceptions=*/false);
}

size_t Occurrences(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(MemoryPage, HasTheDataOfItsStruct) {
  MemoryPage page;
  page.title = "step.hlo";
  page.modules.resize(1);
  page.modules[0].name = "jit_step";
  page.modules[0].schedule = {{"p", "parameter"}, {"n", "negate"}};
  MemoryPage::Timeline timeline;
  timeline.memory_space = "HBM S(0)";
  timeline.live_bytes = {4096, 8192};
  timeline.peak = 1;
  timeline.buffers = {
      {"p", "parameter", "f32[8,120]{1,0:T(8,128)}", "", 3840, 4096, 0, 1},
      {"n", "negate", "f32[8,120]{1,0:T(8,128)}", "", 3840, 4096, 1, 1}};
  page.modules[0].timelines = {timeline};
  const std::string html = RenderMemoryPage(page);
  EXPECT_THAT(html, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(html, EndsWith("</html>\n"));

  const Json data = DataOf(page);
  ASSERT_TRUE(data.is_object());
  EXPECT_EQ(data["title"], "step.hlo");
  const Json& module = data["modules"][0];
  const Json& strings = data["strings"];
  EXPECT_EQ(module["name"], "jit_step");
  EXPECT_EQ(strings[module["schedule"]["name"][1].get<size_t>()], "n");
  EXPECT_EQ(strings[module["schedule"]["opcode"][1].get<size_t>()], "negate");
  const Json& space = module["timelines"][0];
  EXPECT_EQ(space["memory_space"], "HBM S(0)");
  EXPECT_EQ(space["live_bytes"], Json::parse("[4096, 8192]"));
  EXPECT_EQ(space["peak"], 1);
  const Json& buffers = space["buffers"];
  EXPECT_EQ(strings[buffers["shape"][1].get<size_t>()],
            "f32[8,120]{1,0:T(8,128)}");
  // Equal texts stand there once.
  EXPECT_EQ(buffers["shape"][0], buffers["shape"][1]);
  EXPECT_EQ(buffers["padded_bytes"], Json::parse("[4096, 4096]"));
  EXPECT_EQ(buffers["unpadded_bytes"], Json::parse("[3840, 3840]"));
  EXPECT_EQ(buffers["first"], Json::parse("[0, 1]"));
  EXPECT_EQ(buffers["last"], Json::parse("[1, 1]"));
}

TEST(MemoryPage, EveryRowArrives) {
  MemoryPage page;
  page.modules.resize(1);
  MemoryPage::Module& module = page.modules[0];
  module.instructions = 1;
  module.computations = 2;
  module.distinct_shapes = 3;
  module.unpadded_bytes = 4;
  module.padded_bytes = 5;
  module.no_peak = "no ENTRY";
  module.is_assigned_by_xla = true;
  MemoryMap map;
  map.title = "HBM";
  map.bytes = 8;
  map.steps = 2;
  map.allocations = {{"allocation 0", "temporary", 0, 8}};
  map.values = {{"v", "add", "f32[2]", "a.py:1", 0, 8, 0, 1, 4}};
  map.used_bytes = {8, 8};
  map.step_names = {"v", "w"};
  module.maps = {map};
  page.by_memory_space = {{"HBM", 1, 2, 3}};
  page.groups = {{"copy", "model.py:12", "jit(f)/copy", 1, 2, 3}};
  MemoryPage::ModuleChange change;
  change.before = "old";
  change.after = 0;
  change.matched = 5;
  change.appeared = 6;
  change.vanished = 7;
  change.counted = "buffers";
  change.group_count = 9;
  change.groups = {{"tiles", 2, "f32[1]", "f32[2]", 8, 16, "f/mul", "a.py:1",
                    "m", "multiply"}};
  MemoryPage::SpaceChange space;
  space.memory_space = "HBM";
  space.peak_before = 1;
  space.peak_after = 2;
  space.reserved_before = 3;
  space.reserved_after = 4;
  change.spaces = {space};
  change.totals = {{"HBM", 5, 6}};
  MemoryPage::ModuleChange lonely;
  lonely.before = "gone";
  page.changes = {"before.hlo", {change, lonely}, {"a note"}};
  page.largest = {{"f32[2]", 1, 8, 8, 0, "", "", 0}};
  page.most_wasteful = {
      {"f32[8,1]{1,0}", 2, 32, 4096, 8128, "1: 1 -> 128", "{0,1}", 4096}};
  page.relayouts = {{"c", "copy", "f32[2,3]{1,0}", "f32[2,3]{0,1}", 24, false,
                     false, "layout", "p", "u"},
                    {"b", "bitcast", "f32[2,1]{1,0}", "f32[2,1]{0,1}", 8, true,
                     false, "layout", "", ""}};
  page.by_opcode = {{"copy", 1, 2, 3}};
  page.notes = {"left out: 1 array"};
  const Json data = DataOf(page);
  ASSERT_TRUE(data.is_object());
  EXPECT_EQ(data["modules"][0].dump(),
            R"({"name":"","file":"","instructions":1,"computations":2,)"
            R"("distinct_shapes":3,"unpadded_bytes":4,"padded_bytes":5,)"
            R"("schedule":{"name":[],"opcode":[]},"no_peak":"no ENTRY",)"
            R"("is_assigned_by_xla":true,"maps":[{"title":"HBM","bytes":8,)"
            R"("steps":2,"allocations":[{"name":"allocation 0",)"
            R"("kind":"temporary","offset":0,"bytes":8}],"values":{)"
            R"("name":[0],"group":[1],"shape":[2],"source":[3],"offset":[0],)"
            R"("bytes":[8],"first":[0],"last":[1],"padding_bytes":[4]},)"
            R"("used_bytes":[8,8],"step_names":[0,4]}],"timelines":[]})");
  EXPECT_EQ(data["by_memory_space"].dump(),
            R"([{"name":"HBM","arrays":1,"unpadded_bytes":2,)"
            R"("padded_bytes":3}])");
  const Json& strings = data["strings"];
  EXPECT_EQ(strings[data["groups"]["opcode"][0].get<size_t>()], "copy");
  EXPECT_EQ(strings[data["groups"]["source"][0].get<size_t>()], "model.py:12");
  EXPECT_EQ(strings[data["groups"]["op_name"][0].get<size_t>()], "jit(f)/copy");
  EXPECT_EQ(data["groups"]["instructions"].dump(), "[1]");
  EXPECT_EQ(data["groups"]["unpadded_bytes"].dump(), "[2]");
  EXPECT_EQ(data["groups"]["padded_bytes"].dump(), "[3]");
  EXPECT_EQ(
      data["changes"].dump(),
      R"({"before_title":"before.hlo","modules":[{"before":"old","after":0,)"
      R"("matched":5,"appeared":6,"vanished":7,"counted":"buffers",)"
      R"("no_peak":"","spaces":[{"memory_space":"HBM","peak_before":1,)"
      R"("peak_after":2,"reserved_before":3,"reserved_after":4,)"
      R"("assigned_before":-1,"assigned_after":-1,"group_count":0,)"
      R"("groups":[]}],"totals":[{"memory_space":"HBM","before":5,"after":6}],)"
      R"("group_count":9,"groups":[{"change":"tiles","count":2,)"
      R"("before_shape":"f32[1]","after_shape":"f32[2]","before_bytes":8,)"
      R"("after_bytes":16,"op_name":"f/mul","source_line":"a.py:1",)"
      R"("instruction":"m","opcode":"multiply"}]},{"before":"gone","after":null,"matched":0,)"
      R"("appeared":0,"vanished":0,"counted":"","no_peak":"","spaces":[],)"
      R"("totals":[],"group_count":0,"groups":[]}],"notes":["a note"]})");
  EXPECT_EQ(data["largest"][0]["shape"], "f32[2]");
  EXPECT_EQ(data["most_wasteful"].dump(),
            R"([{"shape":"f32[8,1]{1,0}","uses":2,"unpadded_bytes":32,)"
            R"("padded_bytes":4096,"total_padding_bytes":8128,)"
            R"("padded_dimension":"1: 1 -> 128","better_order":"{0,1}",)"
            R"("better_bytes":4096}])");
  EXPECT_EQ(data["relayouts"].dump(),
            R"([{"instruction":"c","opcode":"copy","from":"f32[2,3]{1,0}",)"
            R"("to":"f32[2,3]{0,1}","bytes":24,"is_free":false,)"
            R"("is_fused":false,"moves":"layout","producer":"p","user":"u"},)"
            R"({"instruction":"b","opcode":"bitcast","from":"f32[2,1]{1,0}",)"
            R"("to":"f32[2,1]{0,1}","bytes":8,"is_free":true,"is_fused":false,)"
            R"("moves":"layout","producer":"","user":""}])");
  EXPECT_EQ(data["by_opcode"].dump(),
            R"([{"opcode":"copy","instructions":1,"unpadded_bytes":2,)"
            R"("padded_bytes":3}])");
  EXPECT_EQ(data["notes"].dump(), R"(["left out: 1 array"])");
}

TEST(MemoryPage, EmptyPage) {
  const Json data = DataOf(MemoryPage());
  ASSERT_TRUE(data.is_object());
  EXPECT_EQ(data["title"], "");
  for (const char* list :
       {"modules", "by_memory_space", "largest", "most_wasteful", "relayouts",
        "by_opcode", "notes", "strings"}) {
    EXPECT_EQ(data[list], Json::array()) << list;
  }
}

TEST(MemoryPage, NoTextEndsTheScriptOrOpensAComment) {
  const std::vector<std::string> texts = {
      "</script><script>alert(1)</script>",
      "<!--<script>",
      "-->",
      "]]>",
      "f32[<=8]{0}",
      "\"quoted\" \\ 'single' `tick` ${x}",
      "{{script}}{{data}}{{title}}{{style}}",
      std::string("nul\0 tab\t line\n return\r", 22),
      "\xe2\x80\xa8 line separator, \xf0\x9f\xa7\xa9",
      ")tessera\"",
  };
  for (const std::string& text : texts) {
    MemoryPage page;
    page.title = text;
    page.notes = {text};
    page.modules.resize(1);
    page.modules[0].name = text;
    page.modules[0].schedule = {{text, text}};
    page.groups = {{text, text, text, 1, 1, 1}};
    const std::string data_text = DataText(RenderMemoryPage(page));
    EXPECT_THAT(data_text, Not(HasSubstr("<")));
    const Json data = Json::parse(data_text, nullptr, false);
    ASSERT_TRUE(data.is_object()) << text;
    EXPECT_EQ(data["title"], text);
    EXPECT_EQ(data["notes"][0], text);
    EXPECT_EQ(data["modules"][0]["name"], text);
    EXPECT_EQ(data["strings"][0], text);
    EXPECT_EQ(data["strings"][data["groups"]["source"][0].get<size_t>()], text);
  }
}

TEST(MemoryPage, TitleIsEscaped) {
  MemoryPage page;
  page.title = "a</title><script>x&amp;";
  EXPECT_THAT(
      RenderMemoryPage(page),
      HasSubstr("<title>a&lt;/title&gt;&lt;script&gt;x&amp;amp; \xc2\xb7 "));
}

TEST(MemoryPage, BytesThatAreNotUtf8AreReplaced) {
  MemoryPage page;
  page.title = "t\xff";
  page.modules.resize(1);
  // A lone continuation byte, an overlong form, a surrogate, a text cut off.
  page.modules[0].schedule = {{"a\x80"
                               "b",
                               "\xc0\xaf"},
                              {"\xed\xa0\x80", "\xf0\x9f"}};
  const Json data = DataOf(page);
  ASSERT_TRUE(data.is_object());
  EXPECT_EQ(data["title"], "t\xef\xbf\xbd");
  EXPECT_EQ(data["strings"][0],
            "a\xef\xbf\xbd"
            "b");
  EXPECT_THAT(RenderMemoryPage(page), HasSubstr("<title>t\xef\xbf\xbd "));
  // The page as a whole is UTF-8.
  EXPECT_NO_THROW(Json(RenderMemoryPage(page)).dump());
}

TEST(MemoryPage, IntegersPastTheDoublesAreText) {
  constexpr int64_t kLargest = (int64_t{1} << 53) - 1;
  MemoryPage page;
  page.modules.resize(1);
  MemoryPage::Timeline timeline;
  timeline.live_bytes = {kLargest, kLargest + 1,
                         std::numeric_limits<int64_t>::max(), -1};
  page.modules[0].timelines = {timeline};
  EXPECT_EQ(
      DataOf(page)["modules"][0]["timelines"][0]["live_bytes"].dump(),
      R"([9007199254740991,"9007199254740992","9223372036854775807",-1])");
}

TEST(MemoryPage, LoadsNothing) {
  const std::string html = RenderMemoryPage(SamplePage(50));
  for (const char* text : {"http://", "https://", "url(", "@import",
                           "src=", "fetch(", "XMLHttpRequest", "eval("}) {
    EXPECT_THAT(html, Not(HasSubstr(text)));
  }
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, Not(HasSubstr("{{")));
}

// What stands in the page's elements must not end them.
TEST(MemoryPage, Template) {
  for (const char* name : {"title", "style", "data", "script"}) {
    EXPECT_EQ(Occurrences(kMemoryPageHtml, std::string("{{") + name + "}}"), 1)
        << name;
  }
  EXPECT_THAT(kMemoryPageStyle, Not(HasSubstr("</")));
  EXPECT_THAT(kMemoryPageScript, Not(HasSubstr("</")));
  EXPECT_THAT(kMemoryPageScript, Not(HasSubstr("<!--")));
  EXPECT_THAT(kMemoryPageScript, Not(HasSubstr("innerHTML")));
}

TEST(MemoryPage, GrowsWithItsBuffersOnly) {
  // A page of 20,000 buffers is a few megabytes.
  const std::string html = RenderMemoryPage(SamplePage(20000));
  EXPECT_LT(html.size(), 8 << 20);
}

}  // namespace
}  // namespace tessera
