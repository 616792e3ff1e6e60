#include "tessera/tenstorrent/mlir_file/mlir_tokens.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tessera::tenstorrent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The tokens that are not single characters, and lines as "/".
std::vector<std::string> TokensOf(std::string_view text) {
  std::vector<std::string> found;
  MlirTokens tokens(text);
  while (true) {
    const MlirToken token = tokens.Next();
    if (token.kind == MlirToken::kEnd) return found;
    if (token.kind == MlirToken::kLine) {
      found.push_back("/");
    } else if (token.text.size() > 1) {
      found.emplace_back(token.text);
    }
  }
}

TEST(MlirTokens, KindsOfTokens) {
  EXPECT_THAT(
      TokensOf("%0:2 = \"a.b\"(%1#0) {x = !d.t<i8>} : (i1) -> tensor<2xf32>\n"
               "^bb0(%arg: memref<4xi8, #l1>): call @f"),
      ElementsAre("/", "%0", "\"a.b\"", "%1#0", "!d.t", "->", "tensor<2xf32>",
                  "/", "^bb0", "%arg", "memref<4xi8, #l1>", "@f"));
}

TEST(MlirTokens, OnlyLayoutsAreReadWithTheirBrackets) {
  EXPECT_THAT(TokensOf("#ttnn.ttnn_layout<(d0) -> (d0), <[1]>> "
                       "#ttnn.other<tensor<2xf32>> #tt.layout<1>"),
              ElementsAre("/", "#ttnn.ttnn_layout<(d0) -> (d0), <[1]>>",
                          "#ttnn.other", "tensor<2xf32>", "#tt.layout<1>"));
}

TEST(MlirTokens, CommentsAndStrings) {
  EXPECT_THAT(TokensOf("// tensor<1xf32>\n\"tensor<2xf32> \\\" // \" %a // %b"),
              ElementsAre("/", "/", "\"tensor<2xf32> \\\" // \"", "%a"));
  EXPECT_THAT(TokensOf("see https://x/y %a"), ElementsAre("/", "%a"));
  EXPECT_THAT(TokensOf("5\" wide %a\n%b"), ElementsAre("/", "%a", "/", "%b"));
  EXPECT_THAT(TokensOf("tensor<2xf32,  // a > b\n #l>"),
              ElementsAre("/", "tensor<2xf32,  // a > b\n #l>"));
}

TEST(MlirTokens, StringsOfJson) {
  EXPECT_THAT(
      TokensOf(R"({"a": "%0 = \"x.y\"() // %z\n%1", "%b": [1]})"),
      ElementsAre("/", "/", "/", "%0", "\\\"x.y\\\"", "/", "%1", "/", "%b"));
  EXPECT_THAT(TokensOf(R"(log "text": "%0 tensor<2xf32>" %1)"),
              ElementsAre("/", "\"text\"", "/", "%0", "tensor<2xf32>", "%1"));
  EXPECT_THAT(TokensOf(R"(x = "%0")"), ElementsAre("/", "\"%0\""));
}

TEST(MlirTokens, WhatDoesNotCloseIsSteppedOver) {
  EXPECT_THAT(TokensOf("tensor< %a tensor<2xf32>"),
              ElementsAre("/", "%a", "tensor<2xf32>"));
  EXPECT_THAT(TokensOf("tensor<(] %a"), ElementsAre("/", "%a"));
  std::string deep = "tensor";
  for (int i = 0; i < 100; ++i) deep += "<";
  EXPECT_THAT(TokensOf(deep), ElementsAre("/"));
  const std::string size(MlirTokens::kMaxTypeBytes, ' ');
  EXPECT_THAT(TokensOf(absl::StrCat("tensor<", size, "> %a")),
              ElementsAre("/", "%a"));
  EXPECT_THAT(TokensOf("mytensor<2xf32>"), ElementsAre("/"));
}

TEST(MlirTokens, WordsAndValuesOfAliases) {
  MlirTokens tokens("func.func @f");
  tokens.Next();
  EXPECT_EQ(tokens.TakeWord(), "func.func");
  EXPECT_EQ(tokens.TakeWord(), "");
  MlirTokens alias("#a = #b.c<\n1> // x\n#d = loc(\"x\")");
  alias.Next();
  EXPECT_EQ(alias.Next().text, "#a");
  EXPECT_TRUE(alias.At('='));
  alias.Next();
  EXPECT_EQ(alias.TakeAliasValue(), "#b.c<\n1>");
}

TEST(MlirTokens, AnyBytesEnd) {
  for (const char* text : {"\\", "\"", "#", "%", "!", "-", "<", "/", "@", "^",
                           "{\"", "{\"\\", "{\"\\\"", "tensor<\"", "#=<"}) {
    TokensOf(text);
    TokensOf(absl::StrCat("{\"a\": \"", text));
  }
  EXPECT_THAT(TokensOf(""), ElementsAre("/"));
}

}  // namespace
}  // namespace tessera::tenstorrent
