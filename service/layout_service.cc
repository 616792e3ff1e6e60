#include "tessera/service/layout_service.h"

#include "absl/status/status.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/hlo/explain_text_question.h"
#include "tessera/service/questions/hlo/hlo_diff_question.h"
#include "tessera/service/questions/hlo/hlo_passes_question.h"
#include "tessera/service/questions/hlo/hlo_peak_question.h"
#include "tessera/service/questions/hlo/hlo_question.h"
#include "tessera/service/questions/hlo/kernel_vmem_question.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/questions/tenstorrent/tensor_questions.h"
#include "tessera/service/questions/tenstorrent/tt_report_question.h"
#include "tessera/service/utf8.h"

namespace tessera {
namespace {

// Writes the answer to the result of the response that belongs to the question.
absl::Status AnswerQuestion(const ServiceOptions& options,
                            const Request& request, Response* response) {
  switch (request.question_case()) {
    case Request::kParse:
      return AnswerParse(options, request.parse(), response->mutable_parse());
    case Request::kDescribe:
      return AnswerDescribe(options, request.describe(),
                            response->mutable_describe());
    case Request::kLinearize:
      return AnswerLinearize(options, request.linearize(),
                             response->mutable_linearize());
    case Request::kDelinearize:
      return AnswerDelinearize(options, request.delinearize(),
                               response->mutable_delinearize());
    case Request::kExplain:
      return AnswerExplain(options, request.explain(),
                           response->mutable_explain());
    case Request::kRuns:
      return AnswerRuns(options, request.runs(), response->mutable_runs());
    case Request::kPadding:
      return AnswerPadding(options, request.padding(),
                           response->mutable_padding());
    case Request::kCompare:
      return AnswerCompare(options, request.compare(),
                           response->mutable_compare());
    case Request::kEvaluate:
      return AnswerEvaluate(options, request.evaluate(),
                            response->mutable_evaluate());
    case Request::kDerive:
      return AnswerDerive(options, request.derive(),
                          response->mutable_derive());
    case Request::kCheck:
      return AnswerCheck(options, request.check(), response->mutable_check());
    case Request::kLocate:
      return AnswerLocate(options, request.locate(),
                          response->mutable_locate());
    case Request::kClassify:
      return AnswerClassify(options, request.classify(),
                            response->mutable_classify());
    case Request::kSummarize:
      return AnswerSummarize(options, request.summarize(),
                             response->mutable_summarize());
    case Request::kPicture:
      return AnswerPicture(options, request.picture(),
                           response->mutable_picture());
    case Request::kPeak:
      return AnswerPeak(options, request.peak(), response->mutable_peak());
    case Request::kDiff:
      return AnswerDiff(options, request.diff(), response->mutable_diff());
    case Request::kParts:
      return AnswerParts(options, request.parts(), response->mutable_parts());
    case Request::kTtnn:
      return AnswerTtnn(options, request.ttnn(), response->mutable_ttnn());
    case Request::kExplainText:
      return AnswerExplainText(options, request.explain_text(),
                               response->mutable_explain_text());
    case Request::kKernelVmem:
      return AnswerKernelVmem(options, request.kernel_vmem(),
                              response->mutable_kernel_vmem());
    case Request::kPasses:
      return AnswerPasses(options, request.passes(),
                          response->mutable_passes());
    case Request::kAccess:
      return AnswerAccess(options, request.access(),
                          response->mutable_access());
    case Request::kTtReport:
      return AnswerTtReport(options, request.tt_report(),
                            response->mutable_tt_report());
    case Request::QUESTION_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError("the request has no question");
}

}  // namespace

Response LayoutService::Answer(
    const Request& request, const std::function<absl::Status()>& go_on) const {
  Response response = AnswerForJson(request, go_on);
  MakeUtf8(&response);
  return response;
}

Response LayoutService::AnswerForJson(
    const Request& request, const std::function<absl::Status()>& go_on) const {
  Response response;
  response.set_id(request.id());
  absl::Status status;
  if (go_on == nullptr) {
    status = AnswerQuestion(options_, request, &response);
  } else {
    ServiceOptions options = options_;
    options.go_on = go_on;
    status = go_on();
    if (status.ok()) status = AnswerQuestion(options, request, &response);
  }
  // Replaces a partial result.
  if (!status.ok()) *response.mutable_error() = ToError(status);
  return response;
}

BatchResponse LayoutService::AnswerBatch(
    const BatchRequest& batch,
    const std::function<absl::Status()>& go_on) const {
  BatchAnswer answer(this, &batch);
  while (answer.AnswerNext(go_on)) {
  }
  return answer.responses();
}

BatchAnswer::BatchAnswer(const LayoutService* service,
                         const BatchRequest* batch)
    : service_(*service), batch_(*batch) {
  const absl::Status status =
      CheckLimit("batch_requests", "requests", batch_.requests_size(),
                 service_.options().batch_requests);
  if (!status.ok()) {
    *responses_.mutable_error() = ToError(status);
    return;
  }
  responses_.mutable_responses()->Reserve(batch_.requests_size());
}

bool BatchAnswer::AnswerNext(const std::function<absl::Status()>& go_on) {
  const int next = responses_.responses_size();
  if (responses_.has_error() || next == batch_.requests_size()) return false;
  const Request& request = batch_.requests(next);
  Response& response = *responses_.add_responses();
  absl::Status status = room_;
  if (status.ok()) {
    response = service_.Answer(request, go_on);
    bytes_ += response.SpaceUsedLong();
    room_ = CheckLimit("batch_answer_bytes", "bytes", bytes_,
                       service_.options().batch_answer_bytes);
    status = room_;
  }
  if (!status.ok()) {
    // Replaces an answer, and so frees its memory.
    Response refusal;
    refusal.set_id(request.id());
    *refusal.mutable_error() = ToError(status);
    MakeUtf8(&refusal);
    response.Swap(&refusal);
  }
  return next + 1 < batch_.requests_size();
}

}  // namespace tessera
