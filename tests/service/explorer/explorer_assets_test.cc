#include "tessera/service/explorer/explorer_assets.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ExplorerAssets, Example) {
  const std::vector<StaticAsset> assets = ExplorerAssets();
  EXPECT_EQ(assets[0].path, "/");
  EXPECT_EQ(assets[0].content_type, "text/html; charset=utf-8");
  EXPECT_TRUE(tessera::StartsWith(assets[0].bytes, "<!DOCTYPE html>"));
}

// What the page names is served, and nothing else.
TEST(ExplorerAssets, AreThoseOfThePage) {
  const std::vector<StaticAsset> assets = ExplorerAssets();
  const std::string html(assets[0].bytes);
  for (size_t i = 1; i < assets.size(); ++i) {
    EXPECT_THAT(html, HasSubstr(absl::StrCat(
                          "=\"", AbslView(assets[i].path.substr(1)), "\"")));
  }
  size_t links = 0;
  for (const char* attribute : {" src=\"", " href=\""}) {
    for (size_t at = html.find(attribute); at != std::string::npos;
         at = html.find(attribute, at + 1)) {
      ++links;
    }
  }
  EXPECT_EQ(links, assets.size() - 1);
}

// A policy without 'unsafe-inline' refuses both.
TEST(ExplorerAssets, NothingIsInline) {
  const std::string html(ExplorerAssets()[0].bytes);
  EXPECT_THAT(html, Not(HasSubstr("<script>")));
  EXPECT_THAT(html, Not(HasSubstr("style=")));
  EXPECT_THAT(html, Not(HasSubstr(" onclick")));
  for (const StaticAsset& asset : ExplorerAssets()) {
    EXPECT_THAT(std::string(asset.bytes), Not(HasSubstr("https:")))
        << asset.path;
  }
}

}  // namespace
}  // namespace tessera
