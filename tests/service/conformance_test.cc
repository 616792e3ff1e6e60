// Every transport gives the answers of LayoutService::Answer. Here: JSON Lines.

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "tessera/service/json.h"
#include "tessera/service/layout_service.h"
#include "tessera/tests/service/conformance_requests.h"
#include "tests/cli/run.h"

namespace tessera {
namespace {

using google::protobuf::util::MessageDifferencer;

TEST(Conformance, TheRequestsAreGoodAndBadAndOfEveryKind) {
  const LayoutService service;
  std::map<int, int> good, bad;
  for (const Request& request : ConformanceRequests()) {
    ++(service.Answer(request).has_error() ? bad
                                           : good)[request.question_case()];
  }
  const google::protobuf::OneofDescriptor& kinds =
      *Request::descriptor()->FindOneofByName("question");
  for (int i = 0; i < kinds.field_count(); ++i) {
    EXPECT_GT(good[kinds.field(i)->number()], 5) << kinds.field(i)->name();
  }
  for (const int kind :
       {+Request::kParse, +Request::kDescribe, +Request::kLinearize,
        +Request::kDelinearize, +Request::kExplain, +Request::kRuns,
        +Request::kPadding, +Request::kCompare, +Request::kEvaluate,
        +Request::kClassify, +Request::kDerive, +Request::kDiff,
        +Request::kLocate, +Request::kPeak, +Request::kTtnn,
        +Request::QUESTION_NOT_SET}) {
    EXPECT_GT(bad[kind], 0) << kind;
  }
}

TEST(Conformance, TheyAreTheSameEveryTime) {
  const std::vector<Request> first = ConformanceRequests();
  const std::vector<Request> second = ConformanceRequests();
  ASSERT_EQ(first.size(), kConformanceRequests);
  for (size_t i = 0; i < first.size(); ++i) {
    EXPECT_TRUE(MessageDifferencer::Equals(first[i], second[i])) << i;
  }
}

TEST(Conformance, InABatch) {
  const LayoutService service;
  BatchRequest batch;
  for (const Request& request : ConformanceRequests()) {
    *batch.add_requests() = request;
  }
  const BatchResponse responses = service.AnswerBatch(batch);
  ASSERT_EQ(responses.responses_size(), kConformanceRequests);
  for (int i = 0; i < kConformanceRequests; ++i) {
    EXPECT_TRUE(MessageDifferencer::Equals(responses.responses(i),
                                           service.Answer(batch.requests(i))))
        << i;
  }
}

// Answers survive the wire as messages, too.
TEST(Conformance, InBytes) {
  const LayoutService service;
  for (const Request& request : ConformanceRequests()) {
    const Response response = service.Answer(request);
    Response read;
    ASSERT_TRUE(read.ParseFromString(response.SerializeAsString()));
    EXPECT_TRUE(MessageDifferencer::Equals(read, response)) << request.id();
  }
}

TEST(Conformance, OverJsonLines) {
  const std::vector<Request> requests = ConformanceRequests();
  std::string input;
  for (const Request& request : requests) {
    absl::StrAppend(&input, ProtoToJson(request), "\n");
  }
  for (const char* jobs : {"--jobs=1", "--jobs=4"}) {
    const cli::Outcome outcome = cli::RunCommand({"batch", jobs}, input);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err, "");
    const std::vector<std::string> lines = absl::StrSplit(outcome.out, '\n');
    ASSERT_EQ(lines.size(), requests.size() + 1);
    const LayoutService service;
    for (size_t i = 0; i < requests.size(); ++i) {
      EXPECT_EQ(lines[i],
                ProtoToJson(service.Answer(requests[i]), JsonFields::kAll));
    }
  }
}

}  // namespace
}  // namespace tessera
