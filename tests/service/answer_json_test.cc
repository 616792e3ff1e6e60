#include "tessera/service/answer_json.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// The line is that of the JSON, not of a text in it.
TEST(AnswerJson, LinesOfTheQuestionStay) {
  EXPECT_THAT(AnswerJson(LayoutService(), R"({"parse":{"text":"f32[\n2"}})", 7),
              HasSubstr(R"("line":2,"column":2)"));
}

TEST(AnswerJson, ErrorsOfTransports) {
  EXPECT_EQ(ErrorJson("a", absl::ResourceExhaustedError("x: too many"), 3),
            R"({"id":"a","error":{"code":"RESOURCE_EXHAUSTED",)"
            R"("message":"x: too many","field":"","position":null}})");
}

TEST(AnswerJson, Batches) {
  const LayoutService service;
  EXPECT_EQ(
      AnswerBatchJson(service,
                      R"({"requests":[{"id":"1"},{"parse":{"text":"7"}}]})"),
      R"({"responses":[{"id":"1","error":{"code":"INVALID_ARGUMENT",)"
      R"("message":"the request has no question","field":"","position":null}},)"
      R"({"id":"","parse":{"kind":"CUTE","canonical":"7","form":"int tuple",)"
      R"("shape":null}})"
      R"(],"error":null})");
  EXPECT_EQ(AnswerBatchJson(service, "{}"), R"({"responses":[],"error":null})");
  ServiceOptions options;
  options.json_messages = 2;
  EXPECT_THAT(
      AnswerBatchJson(LayoutService(options), R"({"requests":[{},{},{}]})"),
      StartsWith(R"({"responses":[],"error":{"code":"RESOURCE_EXHAUSTED")"));
  EXPECT_THAT(
      AnswerBatchJson(service, R"({"requests":[{},7]})"),
      StartsWith(R"({"responses":[],"error":{"code":"INVALID_ARGUMENT",)"
                 R"("message":)"
                 R"("requests[1]: expected an object, found an)"));
  EXPECT_EQ(AnswerBatchJson(service, R"({"requests":[{"id":"1"}]})",
                            [] { return absl::AbortedError("no"); }),
            R"({"responses":[{"id":"1","error":{"code":"ABORTED",)"
            R"("message":"no","field":"","position":null}}],"error":null})");
}

}  // namespace
}  // namespace tessera
