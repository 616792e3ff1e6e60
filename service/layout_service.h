// File: service/layout_service.h
//
// Answers every question about layouts, whoever asks and over whatever wire.
//
//   const LayoutService service;
//   Request request;
//   request.set_id("7");
//   request.mutable_linearize()->set_layout("f32[3,5]{1,0:T(2,2)}");
//   request.mutable_linearize()->add_indices(2);
//   request.mutable_linearize()->add_indices(3);
//   const Response response = service.Answer(request);
//   response.id();                        // "7"
//   response.linearize().linear_indices(0);    // 17
//
// Questions and answers are those of proto/layout_service.proto; as JSON text
// they pass through service/json.h. What a question asks for beyond the limits
// of the options is answered by an error that names the limit
// (service/service_options.h): however hostile a request, its answer takes
// bounded time and memory.

#ifndef TESSERA_SERVICE_LAYOUT_SERVICE_H_
#define TESSERA_SERVICE_LAYOUT_SERVICE_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "proto/layout_service.pb.h"
#include "tessera/service/service_options.h"

namespace tessera {

// Holds nothing but its options: any number of threads may ask at once.
class LayoutService {
 public:
  explicit LayoutService(const ServiceOptions& options = {})
      : options_(options) {}

  const ServiceOptions& options() const { return options_; }

  // Never fails: what is wrong with a request is in the response's error. All
  // strings of a response are UTF-8.
  Response Answer(const Request& request) const;

  // Answers every request by itself, one after the other; or none of them where
  // there are more than batch_requests. `go_on` is asked before each: what is
  // wrong by then is the answer to it. So is kResourceExhausted to the first
  // request whose answer would bring those of the batch past
  // batch_answer_bytes, and to all after it, which are not looked at.
  BatchResponse AnswerBatch(
      const BatchRequest& batch,
      absl::FunctionRef<absl::Status()> go_on = absl::OkStatus) const;

 private:
  ServiceOptions options_;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_LAYOUT_SERVICE_H_
