#include "tessera/report/page/page_writer.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "proto/hlo_questions.pb.h"
#include "tessera/report/memory_page_template.h"
#include "tests/report/sample_page.h"

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
  constexpr std::string_view kTag =
      "<script type=\"application/json\" id=\"memory-page\">";
  const size_t tag = html.find(std::string(kTag));
  if (tag == std::string::npos) return "";
  const size_t begin = tag + kTag.size();
  return html.substr(begin, html.find("</script", begin) - begin);
}

std::string HtmlOf(const SummarizeResult& file) {
  PageWriter page(file.file());
  page.Add(file);
  return std::move(page).ToHtml();
}

Json DataOf(const SummarizeResult& file) {
  return Json::parse(DataText(HtmlOf(file)), nullptr,
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

TEST(PageWriter, HasTheAnswers) {
  SummarizeResult file;
  file.set_file("step.hlo");
  ModulePeak& peak = *file.add_modules()->mutable_peak();
  peak.add_step_instructions("p");
  peak.add_step_instructions("n");
  SpacePeak& space = (*peak.mutable_by_memory_space()->mutable_spaces())[1];
  space.set_name("VMEM");
  for (const int64_t first : {0, 1}) {
    PeakBuffer& array = *space.add_arrays();
    array.set_instruction(first == 0 ? "p" : "n");
    array.set_opcode("negate");
    array.set_first(first);
    array.add_index(first);
    array.mutable_most_padded()->set_bound(7);
  }
  space.mutable_arrays(1)->set_op_name("f/n");
  const std::string html = HtmlOf(file);
  EXPECT_THAT(html, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(html, EndsWith("</html>\n"));

  const Json data = DataOf(file);
  ASSERT_TRUE(data.is_object());
  EXPECT_EQ(data["title"], "step.hlo");
  EXPECT_TRUE(data["changes"].is_null());
  // Equal texts stand there once.
  EXPECT_EQ(data["texts"].dump(), R"(["p","n","f/n"])");
  ASSERT_EQ(data["files"].size(), 1);
  const Json& modules = data["files"][0]["modules"];
  EXPECT_EQ(modules["$rows"], 1);
  const Json& of_peak = modules["same"]["peak"];
  EXPECT_EQ(of_peak["step_instructions"].dump(), R"({"$text":[0,1]})");
  EXPECT_TRUE(of_peak["reason"].is_null());
  const Json& vmem = of_peak["by_memory_space"]["1"];
  EXPECT_EQ(vmem["name"], "VMEM");
  EXPECT_EQ(vmem["bytes"].dump(), "[]");
  const Json& arrays = vmem["arrays"];
  EXPECT_EQ(arrays["$rows"], 2);
  EXPECT_EQ(arrays["same"]["opcode"], "negate");
  EXPECT_EQ(arrays["same"]["last"], 0);
  EXPECT_TRUE(arrays["same"]["source_line"].is_null());
  EXPECT_EQ(arrays["same"]["most_padded"]["bound"], 7);
  EXPECT_EQ(arrays["text"]["instruction"].dump(), "[0,1]");
  EXPECT_EQ(arrays["text"]["op_name"].dump(), "[-1,2]");
  EXPECT_EQ(arrays["each"]["first"].dump(), "[0,1]");
  EXPECT_EQ(arrays["each"]["index"].dump(), "[[0],[1]]");
  EXPECT_EQ(data["files"][0]["largest"].dump(), "[]");
}

TEST(PageWriter, HasTheChanges) {
  DiffResult changes;
  changes.set_before_file("before.hlo");
  changes.add_modules()->set_before("m");
  PageWriter page("x");
  page.Add(SummarizeResult());
  page.SetChanges(changes);
  const Json data = Json::parse(DataText(std::move(page).ToHtml()));
  EXPECT_EQ(data["changes"]["before_file"], "before.hlo");
  EXPECT_EQ(data["changes"]["modules"]["same"]["before"], "m");
}

TEST(PageWriter, HasThePassesOfEachFile) {
  ModulePasses passes;
  passes.set_module("m");
  PageWriter page("x");
  page.Add(SummarizeResult());
  page.Add(SummarizeResult(), passes);
  const Json data = Json::parse(DataText(std::move(page).ToHtml()));
  ASSERT_EQ(data["passes"].size(), 2);
  EXPECT_TRUE(data["passes"][0].is_null());
  EXPECT_EQ(data["passes"][1]["module"], "m");
}

// Of many files, the modules that need most have a timeline; of one, all.
TEST(PageWriter, TheModulesThatNeedMostAreDrawn) {
  constexpr int64_t kModules = 3 * PageWriter::kDrawnModules;
  for (const bool is_one_file : {false, true}) {
    PageWriter page("folder");
    SummarizeResult all;
    for (int64_t i = 0; i < kModules; ++i) {
      SummarizeResult file;
      SummarizeResult& to = is_one_file ? all : file;
      ModuleSummary& module = *to.add_modules();
      module.set_name("m");
      module.mutable_peak()->add_step_instructions("x");
      SpacePeak& space = (*module.mutable_peak()
                               ->mutable_by_memory_space()
                               ->mutable_spaces())[0];
      // The order of the files is not that of their bytes.
      space.set_reserved_bytes((i * 7) % kModules);
      space.add_bytes(5);
      if (!is_one_file) page.Add(file);
    }
    if (is_one_file) page.Add(all);
    const Json data = Json::parse(DataText(std::move(page).ToHtml()));
    int64_t drawn = 0;
    const auto count = [&](const Json& peak) {
      if (peak["step_instructions"].empty()) {
        EXPECT_TRUE(peak["by_memory_space"]["0"]["bytes"].empty());
        return;
      }
      ++drawn;
      EXPECT_EQ(peak["by_memory_space"]["0"]["bytes"].dump(), "[5]");
      if (is_one_file) return;
      EXPECT_GE(peak["by_memory_space"]["0"]["reserved_bytes"],
                kModules - PageWriter::kDrawnModules);
    };
    for (const Json& file : data["files"]) {
      if (file["modules"]["same"].contains("peak")) {
        count(file["modules"]["same"]["peak"]);
      } else {
        for (const Json& peak : file["modules"]["each"]["peak"]) count(peak);
      }
    }
    EXPECT_EQ(drawn, is_one_file ? kModules : PageWriter::kDrawnModules);
  }
}

TEST(PageWriter, NoTextEndsTheScriptOrOpensAComment) {
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
    SummarizeResult page;
    page.set_file(text);
    page.add_modules()->mutable_peak()->add_step_instructions(text);
    page.add_by_origin()->set_source_line(text);
    const std::string data_text = DataText(HtmlOf(page));
    EXPECT_THAT(data_text, Not(HasSubstr("<")));
    const Json data = Json::parse(data_text, nullptr, false);
    ASSERT_TRUE(data.is_object()) << text;
    EXPECT_EQ(data["title"], text);
    EXPECT_EQ(data["files"][0]["file"], text);
    EXPECT_EQ(data["files"][0]["by_origin"]["same"]["source_line"], text);
    EXPECT_THAT(data["texts"], ::testing::Contains(text));
  }
}

TEST(PageWriter, TitleIsEscaped) {
  EXPECT_THAT(
      PageWriter("a</title><script>x&amp;").ToHtml(),
      HasSubstr("<title>a&lt;/title&gt;&lt;script&gt;x&amp;amp; \xc2\xb7 "));
}

TEST(PageWriter, BytesThatAreNotUtf8AreReplaced) {
  SummarizeResult page;
  page.set_file("t\xff");
  ModulePeak& peak = *page.add_modules()->mutable_peak();
  // A lone continuation byte, an overlong form, a surrogate, a text cut off.
  for (const char* text : {"a\x80"
                           "b",
                           "\xc0\xaf", "\xed\xa0\x80", "\xf0\x9f"}) {
    peak.add_step_instructions(text);
  }
  const Json data = DataOf(page);
  ASSERT_TRUE(data.is_object());
  EXPECT_EQ(data["title"], "t\xef\xbf\xbd");
  EXPECT_EQ(data["texts"][0],
            "a\xef\xbf\xbd"
            "b");
  EXPECT_THAT(HtmlOf(page), HasSubstr("<title>t\xef\xbf\xbd "));
  // The page as a whole is UTF-8.
  EXPECT_NO_THROW(Json(HtmlOf(page)).dump());
}

TEST(PageWriter, IntegersPastTheDoublesAreText) {
  constexpr int64_t kLargest = (int64_t{1} << 53) - 1;
  SummarizeResult page;
  auto& spaces = *page.add_modules()
                      ->mutable_peak()
                      ->mutable_by_memory_space()
                      ->mutable_spaces();
  for (const int64_t bytes :
       {kLargest, kLargest + 1, std::numeric_limits<int64_t>::max(),
        int64_t{-1}}) {
    spaces[0].add_bytes(bytes);
  }
  EXPECT_EQ(
      DataOf(page)["files"][0]["modules"]["same"]["peak"]["by_memory_space"]
                  ["0"]["bytes"]
                      .dump(),
      R"([9007199254740991,"9007199254740992","9223372036854775807",-1])");
}

TEST(PageWriter, LoadsNothing) {
  const std::string html = HtmlOf(SamplePage(50));
  for (const char* text : {"http://", "https://", "url(", "@import",
                           "src=", "fetch(", "XMLHttpRequest", "eval("}) {
    EXPECT_THAT(html, Not(HasSubstr(text)));
  }
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, Not(HasSubstr("{{")));
}

// What stands in the page's elements must not end them.
TEST(PageWriter, Template) {
  for (const char* name : {"title", "style", "data", "script"}) {
    EXPECT_EQ(Occurrences(kMemoryPageHtml, std::string("{{") + name + "}}"), 1)
        << name;
  }
  EXPECT_THAT(kMemoryPageStyle, Not(HasSubstr("</")));
  EXPECT_THAT(kMemoryPageScript, Not(HasSubstr("</")));
  EXPECT_THAT(kMemoryPageScript, Not(HasSubstr("<!--")));
  EXPECT_THAT(kMemoryPageScript, Not(HasSubstr("innerHTML")));
}

TEST(PageWriter, GrowsWithItsBuffersOnly) {
  // A page of 20,000 buffers is a few megabytes.
  const std::string html = HtmlOf(SamplePage(20000));
  EXPECT_LT(html.size(), 8 << 20);
}

}  // namespace
}  // namespace tessera
