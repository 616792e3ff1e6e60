// docs/json.md says what the service answers today.

#include "tessera/tests/docs/json_reference.h"

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tests/status_matchers.h"
#include "tests/golden_file.h"

namespace tessera {
namespace {

constexpr char kPage[] = "docs/json.md";
constexpr char kExamples[] = "tests/docs/data/json_examples.txt";
constexpr char kDescriptors[] = "proto/layout_service.descriptors";

google::protobuf::FileDescriptorSet Descriptors() {
  google::protobuf::FileDescriptorSet files;
  EXPECT_TRUE(files.ParseFromString(ContentsOf(kDescriptors)));
  return files;
}

// A line that begins with "$ " is the command of the request below it.
std::vector<JsonExample> Examples() {
  std::istringstream in(ContentsOf(kExamples));
  std::vector<JsonExample> examples;
  std::string line;
  JsonExample example;
  while (std::getline(in, line)) {
    std::string_view command = line;
    if (tessera::ConsumePrefix(&command, "$ ")) {
      example.command = std::string(command);
    } else if (!line.empty() && line[0] == '{') {
      example.request = line;
      examples.push_back(example);
      example = {};
    }
  }
  return examples;
}

TEST(JsonReference, PageIsUpToDate) {
  const absl::StatusOr<std::string> page =
      JsonReference(Descriptors(), Examples());
  ASSERT_THAT(page, IsOk());
  EXPECT_THAT(*page, Not(::testing::HasSubstr("\"error\":{\"code\"")));
  if (const std::string update = FileToUpdate(kPage); !update.empty()) {
    std::ofstream(update) << *page;
    return;
  }
  EXPECT_EQ(*page, ContentsOf(kPage));
}

TEST(JsonReference, EveryQuestionHasAnExample) {
  std::vector<JsonExample> examples = Examples();
  ASSERT_FALSE(examples.empty());
  const google::protobuf::FileDescriptorSet files = Descriptors();
  EXPECT_THAT(JsonReference(files, {}).status().message(),
              ::testing::HasSubstr("has no example"));
  examples.push_back({"", R"({"nothing":{}})"});
  EXPECT_EQ(JsonReference(files, examples).status().message(),
            "an example asks no question");
}

}  // namespace
}  // namespace tessera
