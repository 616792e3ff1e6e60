// Answers a request in JSON with a response in JSON, and writes a response as
// JSON, for transports that carry text.
//
//   const LayoutService service;
//   AnswerJson(service, R"({"id":"1","parse":{"text":"F32[2]"}})");
//       // "{\"id\":\"1\",\"error\":{"
//       // "\"code\":\"INVALID_ARGUMENT\",..."
//   Request request;
//   request.mutable_parse()->set_text("f32[2]");
//   ResponseJson(service.Answer(request));
//       // "{\"id\":\"\",\"parse\":{..."
//   JsonAnswerOptions options;
//   options.line = 7;
//   AnswerJson(service, "{", options);
//       // "{\"id\":\"\",\"error\":{..."
//       // "\"position\":{\"offset\":1,\"line\":7,\"column\":2,..."
//
// If the request is a message, make its JSON by Protocol Buffers'
// MessageToJsonString.

#ifndef TESSERA_SERVICE_ANSWER_JSON_H_
#define TESSERA_SERVICE_ANSWER_JSON_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "tessera/service/layout_service.h"

namespace tessera {

struct JsonAnswerOptions {
  // The number of the text's first line in its file.
  int64_t line = 1;
  // Writes the answer as Protocol Buffers' own printers do: 64-bit integers as
  // strings, and absent members left out (docs/json.md lists the differences).
  // Questions are read in either form.
  bool proto3 = false;
  // Receives the code if the whole answer is an error, otherwise kOk. May be
  // null.
  absl::StatusCode* code = nullptr;
  // If set, it is called from time to time while a question is answered. If it
  // returns an error, this error is the answer.
  std::function<absl::Status()> go_on;
};

// Returns the answer to a request, on one line, without a line break. If the
// text cannot be read, the answer is an error with its place, and with the id
// if the id comes before that place. The caller limits the length of the text
// (ServiceOptions::json_bytes).
std::string AnswerJson(const LayoutService& service, std::string_view json,
                       const JsonAnswerOptions& options = {});

// Answers a whole BatchRequest in JSON, as AnswerBatch does. If a part of it
// cannot be read, the answer is only the error. `go_on`, if set, replaces that
// of the options.
std::string AnswerBatchJson(
    const LayoutService& service, std::string_view json,
    const std::function<absl::Status()>& go_on = nullptr,
    const JsonAnswerOptions& options = {});

// Computes the answer of AnswerBatchJson in parts.
//
//   JsonBatchAnswer answer(&service, json);
//   while (answer.AnswerNext()) {}
//   answer.Write();
class JsonBatchAnswer {
 public:
  // Reads the request. `service` must outlive this.
  JsonBatchAnswer(const LayoutService* service, std::string_view json,
                  const JsonAnswerOptions& options = {});
  JsonBatchAnswer(const JsonBatchAnswer&) = delete;
  JsonBatchAnswer& operator=(const JsonBatchAnswer&) = delete;

  // Answers the next request of the batch, if there is one. Returns whether
  // there is another one after it.
  bool AnswerNext() { return answer_.AnswerNext(options_.go_on); }
  // Returns the answer. Precondition: every request has been answered.
  std::string Write() const;

 private:
  const JsonAnswerOptions options_;
  BatchRequest batch_;
  const absl::Status reading_;
  BatchAnswer answer_;
};

// Returns the JSON of a response that the program already holds, on one line,
// as the functions above and the server write it.
std::string ResponseJson(const Response& response,
                         const JsonAnswerOptions& options = {});
std::string ResponseJson(const BatchResponse& responses,
                         const JsonAnswerOptions& options = {});

// Returns the response with the error `status`, in the same form.
std::string ErrorJson(std::string_view id, const absl::Status& status,
                      const JsonAnswerOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_SERVICE_ANSWER_JSON_H_
