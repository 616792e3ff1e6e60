// File: service/answer_json.h
//
// A request as JSON in, its response as JSON out, for the transports that carry
// text.
//
//   const LayoutService service;
//   AnswerJson(service, R"({"id":"1","parse":{"text":"F32[2]"}})");
//   // {"id":"1","error":{"code":"INVALID_ARGUMENT",...}}
//   AnswerJson(service, "{", /*line=*/7);
//   // {"error":{...,"position":{"offset":1,"line":7,"column":2,...}}}

#ifndef TESSERA_SERVICE_ANSWER_JSON_H_
#define TESSERA_SERVICE_ANSWER_JSON_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tessera/service/layout_service.h"

namespace tessera {

// What cannot be read is answered by an error with its place, and with the id
// if that stood before it. `line` is the number of the text's first line in
// whatever it is a part of. The answer is one line, without a line break. How
// long the text may be, who reads it decides (ServiceOptions::json_bytes).
std::string AnswerJson(const LayoutService& service, absl::string_view json,
                       int64_t line = 1);

// A whole BatchRequest as JSON, answered as AnswerBatch does. What cannot be
// read spoils all of it: the error stands alone.
std::string AnswerBatchJson(
    const LayoutService& service, absl::string_view json,
    absl::FunctionRef<absl::Status()> go_on = absl::OkStatus);

// The response to a text of which `status` says what is wrong with it, in the
// same form.
std::string ErrorJson(absl::string_view id, const absl::Status& status,
                      int64_t line = 1);

}  // namespace tessera

#endif  // TESSERA_SERVICE_ANSWER_JSON_H_
