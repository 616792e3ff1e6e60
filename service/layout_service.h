// Answers every question about layouts, for every transport and for direct
// calls.
//
//   const LayoutService service;
//   Request request;
//   request.set_id("7");
//   request.mutable_linearize()->set_layout("f32[3,5]{1,0:T(2,2)}");
//   request.mutable_linearize()->add_indices(2);
//   request.mutable_linearize()->add_indices(3);
//   const Response response = service.Answer(request);
//   response.id();                             // "7"
//   response.linearize().linear_indices(0);    // 17
//
// Questions and answers are the messages of proto/layout_service.proto;
// service/answer_json.h reads and writes them as JSON. A question that exceeds
// a limit of the options gets an error that names the limit
// (service/service_options.h). The answer to any request, however hostile,
// therefore takes bounded time and memory.

#ifndef TESSERA_SERVICE_LAYOUT_SERVICE_H_
#define TESSERA_SERVICE_LAYOUT_SERVICE_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "proto/layout_service.pb.h"
#include "tessera/service/service_options.h"

namespace tessera {

// It has no state except its options, so any number of threads may call it at
// once.
class LayoutService {
 public:
  explicit LayoutService(const ServiceOptions& options = {})
      : options_(options) {}

  const ServiceOptions& options() const { return options_; }

  // Answers a request. Never fails: if the request is wrong, the response has
  // an error. All strings of a response are UTF-8. `go_on`, if set, replaces
  // that of the options.
  Response Answer(const Request& request,
                  const std::function<absl::Status()>& go_on = nullptr) const;

  // Like Answer, for a caller that writes the response as JSON: its strings may
  // not be UTF-8, and ResponseJson (answer_json.h) replaces such bytes.
  Response AnswerForJson(
      const Request& request,
      const std::function<absl::Status()>& go_on = nullptr) const;

  // Answers the requests in order, or none of them if there are more than
  // batch_requests. Calls `go_on` before each request and uses its error, if
  // any, as the answer. If an answer would bring the batch over
  // batch_answer_bytes, that request and all after it get kResourceExhausted.
  BatchResponse AnswerBatch(
      const BatchRequest& batch,
      const std::function<absl::Status()>& go_on = nullptr) const;

 private:
  ServiceOptions options_;
};

// Computes the answer of AnswerBatch in parts.
//
//   BatchAnswer answer(&service, &batch);
//   while (answer.AnswerNext(nullptr)) {}
//   answer.responses();
class BatchAnswer {
 public:
  // Both must outlive this.
  BatchAnswer(const LayoutService* service, const BatchRequest* batch);

  // Answers the next request, if there is one. Returns whether there is another
  // one after it.
  bool AnswerNext(const std::function<absl::Status()>& go_on);

  const BatchResponse& responses() const { return responses_; }

 private:
  const LayoutService& service_;
  const BatchRequest& batch_;
  BatchResponse responses_;
  int64_t bytes_ = 0;
  absl::Status room_ = absl::OkStatus();
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_LAYOUT_SERVICE_H_
