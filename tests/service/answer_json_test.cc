#include "tessera/service/answer_json.h"

#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/service/json.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// The line is that of the JSON, not of a text in it.
TEST(AnswerJson, LinesOfTheQuestionStay) {
  JsonAnswerOptions options;
  options.line = 7;
  EXPECT_THAT(
      AnswerJson(LayoutService(), R"({"parse":{"text":"f32[\n2"}})", options),
      HasSubstr(R"("line":2,"column":2)"));
}

TEST(AnswerJson, ErrorsOfTransports) {
  JsonAnswerOptions options;
  options.line = 3;
  EXPECT_EQ(
      ErrorJson("a", absl::ResourceExhaustedError("x: too many"), options),
      R"({"id":"a","error":{"code":"RESOURCE_EXHAUSTED",)"
      R"("message":"x: too many","field":"","position":null}})");
}

TEST(AnswerJson, AnErrorHasTheIdWhereverItStands) {
  const LayoutService service;
  const auto id_of = [&service](std::string_view json) {
    const std::string answer = AnswerJson(service, json);
    EXPECT_THAT(answer, HasSubstr("\"error\""));
    return answer.substr(0, answer.find(','));
  };
  EXPECT_EQ(id_of(R"({"id":"7","describe":{"x":1}})"), R"({"id":"7")");
  EXPECT_EQ(id_of(R"({"describe":{"x":1},"id":"7"})"), R"({"id":"7")");
  EXPECT_EQ(id_of(R"({"x":{"id":"1"},"y":[{"id":"2"}],"id":"7"})"),
            R"({"id":"7")");
  EXPECT_EQ(id_of(R"({"x":{"id":"1"}})"), R"({"id":"")");
  EXPECT_EQ(id_of(R"({"x":1,"id":["7"]})"), R"({"id":"")");
  EXPECT_EQ(id_of(R"({"x":1,"id":{"id":"7"}})"), R"({"id":"")");
  EXPECT_EQ(id_of(R"({"x":1,"id":7})"), R"({"id":"")");
  EXPECT_EQ(id_of(R"({"x":1,"id":"7")"), R"({"id":"")");
}

// The code is that of the whole answer, for transports that have a place for
// it.
TEST(AnswerJson, Codes) {
  const LayoutService service;
  absl::StatusCode code = absl::StatusCode::kUnknown;
  JsonAnswerOptions options;
  options.code = &code;
  const struct {
    const char* question;
    absl::StatusCode code;
  } cases[] = {
      {R"({"parse":{"text":"f32[2]"}})", absl::StatusCode::kOk},
      {R"({"parse":{"text":"f32["}})", absl::StatusCode::kInvalidArgument},
      {R"({"linearize":{"layout":"f32[2]","indices":[2]}})",
       absl::StatusCode::kOutOfRange},
      {"{", absl::StatusCode::kInvalidArgument},
  };
  for (const auto& c : cases) {
    AnswerJson(service, c.question, options);
    EXPECT_EQ(code, c.code) << c.question;
  }
  AnswerBatchJson(service, R"({"requests":[{}]})", absl::OkStatus, options);
  EXPECT_EQ(code, absl::StatusCode::kOk);
  AnswerBatchJson(service, R"({"requests":7})", absl::OkStatus, options);
  EXPECT_EQ(code, absl::StatusCode::kInvalidArgument);
  ErrorJson("", absl::UnavailableError("busy"), options);
  EXPECT_EQ(code, absl::StatusCode::kUnavailable);
}

// A program that asks by messages prints what the server would.
TEST(AnswerJson, OfAResponseThatIsThere) {
  const LayoutService service;
  const char* const questions[] = {
      R"({"id":"1","parse":{"text":"f32[2]"}})",
      R"({"id":"2","linearize":{"layout":"f32[2]","indices":[2]}})",
      R"({"linearize":{"layout":"f32[2]","indices":[1]}})",
  };
  BatchRequest batch;
  for (const bool proto3 : {false, true}) {
    for (const char* const question : questions) {
      Request request;
      ASSERT_THAT(JsonToProto(question, &request), IsOk());
      *batch.add_requests() = request;
      absl::StatusCode code = absl::StatusCode::kUnknown;
      absl::StatusCode expected_code = absl::StatusCode::kUnknown;
      JsonAnswerOptions options, expected;
      options.proto3 = expected.proto3 = proto3;
      options.code = &code;
      expected.code = &expected_code;
      EXPECT_EQ(ResponseJson(service.Answer(request), options),
                AnswerJson(service, question, expected));
      EXPECT_EQ(code, expected_code);
    }
    JsonAnswerOptions options;
    options.proto3 = proto3;
    EXPECT_EQ(ResponseJson(service.AnswerBatch(batch), options),
              AnswerBatchJson(service, ProtoToJson(batch), nullptr, options));
  }
}

TEST(AnswerJson, InTheFormOfProto3) {
  const LayoutService service;
  JsonAnswerOptions options;
  options.proto3 = true;
  EXPECT_EQ(AnswerJson(service,
                       R"({"linearize":{"layout":"f32[3,5]",)"
                       R"("indices":["2","3"]}})",
                       options),
            R"({"id":"","linearize":{"linear_indices":["13"]}})");
  EXPECT_EQ(
      AnswerJson(service, R"({"parse":{"text":"f32"}})", options),
      R"({"id":"","error":{"code":"INVALID_ARGUMENT","message":)"
      R"("in shape: expected '[', found end of text","field":"text",)"
      R"("position":)"
      R"({"offset":"3","line":"1","column":"4","excerpt":"f32\n   ^"}}})");
  EXPECT_EQ(AnswerBatchJson(service, "{}", absl::OkStatus, options),
            R"({"responses":[]})");
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
