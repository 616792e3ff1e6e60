#include "tessera/service/layout_service.h"

#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/service/answer_json.h"
#include "tessera/service/json.h"
#include "tessera/tests/service/conformance_requests.h"

namespace tessera {
namespace {

using ::testing::StartsWith;

// -- Questions ---------------------------------------------------------------

// The kind of a text is told, or said.
TEST(LayoutService, ParseTellsTheKind) {
  const struct {
    const char* text;
    const char* answer;
  } cases[] = {
      {"(f32[2], token[])", R"("kind":"XLA_SHAPE")"},
      {"{1,0:T(8,128)}", R"("kind":"XLA_LAYOUT")"},
      {"(x: f32[2]) -> f32[2]", R"("kind":"XLA_PROGRAM_SHAPE")"},
      {"<3:4, 8:2>", R"("kind":"CUTE")"},
      {"tensor<5x7xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, "
       "memref<5x7xf32, #tt.memory_space<l1>>>>",
       R"("kind":"TENSOR")"},
  };
  const LayoutService service;
  for (const auto& c : cases) {
    EXPECT_THAT(AnswerJson(service, std::string(R"({"parse":{"text":")") +
                                        c.text + "\"}}"),
                StartsWith(std::string(R"({"id":"","parse":{)") + c.answer))
        << c.text;
  }
}

// -- Behaviour of the whole --------------------------------------------------

TEST(LayoutService, OneBadRequestSpoilsNothingElse) {
  const LayoutService service;
  BatchRequest batch;
  for (const char* text : {"f32[2]", "f32[2", "f32[3]"}) {
    Request& request = *batch.add_requests();
    request.set_id(text);
    request.mutable_parse()->set_text(text);
  }
  const BatchResponse responses = service.AnswerBatch(batch);
  ASSERT_EQ(responses.responses_size(), 3);
  EXPECT_FALSE(responses.has_error());
  EXPECT_EQ(responses.responses(0).parse().canonical(), "f32[2]{0}");
  EXPECT_TRUE(responses.responses(1).has_error());
  EXPECT_EQ(responses.responses(1).id(), "f32[2");
  EXPECT_EQ(responses.responses(2).parse().canonical(), "f32[3]{0}");
}

TEST(LayoutService, EnumsOutOfRangeAreRefused) {
  const LayoutService service;
  Request request;
  request.mutable_linearize()->set_layout("f32[2]");
  request.mutable_linearize()->set_units(static_cast<PositionUnits>(9));
  EXPECT_EQ(service.Answer(request).error().code(), Error::INVALID_ARGUMENT);
  request.mutable_parse()->set_text("f32[2]");
  request.mutable_parse()->set_kind(static_cast<ParseRequest::Kind>(9));
  const Response response = service.Answer(request);
  EXPECT_EQ(response.error().code(), Error::INVALID_ARGUMENT);
  EXPECT_EQ(response.error().field(), "kind");
}

// In process a text may be any bytes; what comes back is UTF-8.
TEST(LayoutService, AnswersAreUtf8) {
  const LayoutService service;
  Request request;
  request.set_id("\xFF");
  request.mutable_summarize()->set_hlo(
      "HloModule caf\xE9\nENTRY e { ROOT \xE9 = f32[2]{0} parameter(0) }\n");
  const Response response = service.Answer(request);
  EXPECT_EQ(response.id(), "\xEF\xBF\xBD");
  ASSERT_TRUE(response.has_summarize());
  Response read;
  EXPECT_TRUE(read.ParseFromString(response.SerializeAsString()));
}

TEST(LayoutService, ManyThreadsMayAskAtOnce) {
  const LayoutService service;
  const std::vector<Request> requests = ConformanceRequests();
  std::vector<std::string> want;
  for (const Request& request : requests) {
    want.push_back(ProtoToJson(service.Answer(request)));
  }
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < requests.size(); ++i) {
        const size_t at = (i * 7 + t * 31) % requests.size();
        wrong[t] += ProtoToJson(service.Answer(requests[at])) != want[at];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, ::testing::Each(0));
}

}  // namespace
}  // namespace tessera
