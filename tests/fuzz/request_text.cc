#include "tests/fuzz/request_text.h"

#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "proto/layout_service.pb.h"
#include "tessera/service/answer_json.h"
#include "tessera/service/json.h"
#include "tessera/service/layout_service.h"
#include "tests/fuzz/property.h"

namespace tessera {
namespace {

std::string ReadingProblem(std::string_view text) {
  Request request;
  const absl::Status status = JsonToProto(text, &request);
  if (!status.ok())
    return ProblemWithRefusal(status, text, {absl::StatusCode::kOutOfRange});
  const std::string printed = ProtoToJson(request);
  Request again;
  const absl::Status reread = JsonToProto(printed, &again);
  if (!reread.ok()) {
    return absl::StrCat(printed, " does not read: ", reread.message());
  }
  if (ProtoToJson(again) != printed) {
    return absl::StrCat(printed, " reads as ", ProtoToJson(again));
  }
  return "";
}

}  // namespace

std::string RequestTextProblem(std::string_view text) {
  std::string problem = ReadingProblem(text);
  if (!problem.empty()) return problem;
  static const LayoutService* const service = new LayoutService();
  const std::string answer = AnswerJson(*service, text);
  if (answer.find('\n') != std::string::npos) {
    return absl::StrCat("the answer is of several lines: ", answer);
  }
  Response response;
  const absl::Status status = JsonToProto(answer, &response);
  if (!status.ok()) {
    return absl::StrCat(answer, " is no response: ", status.message());
  }
  if (response.result_case() == Response::RESULT_NOT_SET) {
    return absl::StrCat(answer, " is neither a result nor an error");
  }
  return "";
}

}  // namespace tessera
