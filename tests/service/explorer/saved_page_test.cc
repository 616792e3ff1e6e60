#include "tessera/service/explorer/saved_page.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

constexpr char kTensor[] =
    "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
    "memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>";

PictureRequest Question(const std::string& layout) {
  PictureRequest question;
  question.set_layout(layout);
  return question;
}

Json DataOf(const std::string& html) {
  const std::string tag = "id=\"export\">";
  const size_t begin = html.find(tag) + tag.size();
  return Json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

TEST(SavedPage, Example) {
  const LayoutService service;
  PictureRequest question;
  question.set_layout("f32[3,5]{1,0:T(2,2)}");
  const absl::StatusOr<std::string> html = SavedPage(service, question);
  ASSERT_THAT(html, IsOk());
  EXPECT_THAT(*html, StartsWith("<!DOCTYPE html>"));
}

TEST(SavedPage, LoadsNothing) {
  const std::string html = *SavedPage(LayoutService(), Question("f32[3,5]"));
  EXPECT_THAT(html, Not(HasSubstr(" src=")));
  EXPECT_THAT(html, Not(HasSubstr("rel=\"stylesheet\"")));
  EXPECT_THAT(html, HasSubstr("content=\"default-src 'none';"));
}

TEST(SavedPage, HasAnAnswerForEveryElementOnEitherSide) {
  const Json data =
      DataOf(*SavedPage(LayoutService(), Question("f32[3,5]{1,0:T(2,2)}")));
  EXPECT_EQ(data["description"]["canonical"], "f32[3,5]{1,0:T(2,2)}");
  EXPECT_EQ(data["picture"]["linear_indices"].size(), 24u);
  EXPECT_EQ(data["explain"].size(), 15u);
  EXPECT_EQ(data["explain"]["2,3"]["linear_index"], 17);
  EXPECT_TRUE(data["locate"].empty());
  const Json tensor = DataOf(*SavedPage(LayoutService(), Question(kTensor)));
  EXPECT_EQ(tensor["explain"].size(), tensor["locate"].size());
  EXPECT_EQ(tensor["locate"]["1,2"]["locations"][0]["byte"], 72);
  EXPECT_EQ(
      DataOf(*SavedPage(LayoutService(), Question("f32[]")))["explain"].size(),
      1u);
}

// Memory begins where the window does, which may be far in.
TEST(SavedPage, Windows) {
  PictureRequest question = Question("f32[7,1024,1024]{2,1,0:T(8,128)}");
  for (const int64_t entry : {3, 0, 0}) question.add_index(entry);
  const Json data = DataOf(*SavedPage(LayoutService(), question));
  EXPECT_EQ(data["picture"]["linear_indices"].size(), 320u);
  EXPECT_EQ(data["picture"]["memory"].size(), 320u);
  EXPECT_EQ(data["picture"]["memory"][0]["linear_index"], 3 << 20);
  EXPECT_EQ(data["picture"]["memory"][0]["index"], Json({3, 0, 0}));
}

TEST(SavedPage, Errors) {
  const auto error = [](const PictureRequest& question) {
    const absl::Status status = SavedPage(LayoutService(), question).status();
    return absl::StrCat(absl::StatusCodeToString(status.code()), ": ",
                        status.message());
  };
  EXPECT_EQ(error(Question("f32[3,5")),
            "INVALID_ARGUMENT: 1:8: in dimensions: expected ',' or ']', found "
            "end of text\n  f32[3,5\n         ^");
  EXPECT_EQ(error(Question("(f32[3])")),
            "FAILED_PRECONDITION: 1:1: (f32[3]{0}) is not an array\n"
            "  (f32[3])\n"
            "  ^");
  PictureRequest large = Question("f32[100,100]");
  large.mutable_row_window()->set_count(100);
  large.mutable_column_window()->set_count(21);
  EXPECT_EQ(error(large),
            "RESOURCE_EXHAUSTED: a saved page has at most 2048 cells and as "
            "many positions, and this has 2100");
}

}  // namespace
}  // namespace tessera
