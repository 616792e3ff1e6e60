#include "tessera/service/answer_json.h"

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "google/protobuf/message.h"
#include "nlohmann/json.hpp"
#include "proto/layout_service.pb.h"
#include "tessera/service/error.h"
#include "tessera/service/json.h"

namespace tessera {
namespace {

absl::Status ReadJson(const LayoutService& service, std::string_view json,
                      google::protobuf::Message* message) {
  JsonLimits limits;
  limits.json_messages = service.options().json_messages;
  return JsonToProto(json, message, limits);
}

// Returns the id of a request that is not valid, which may stand after the
// error; "" if the JSON is not valid.
std::string IdOf(std::string_view json) {
  using Event = nlohmann::json::parse_event_t;
  bool is_id = false;
  // Everything else is dropped as it is read.
  const auto keep = [&is_id](int depth, Event event,
                             const nlohmann::json& parsed) {
    if (event == Event::key && depth == 1) is_id = parsed == "id";
    return depth == 0 || (depth == 1 && is_id &&
                          (event == Event::key || event == Event::value));
  };
  const nlohmann::json request =
      nlohmann::json::parse(json, keep, /*allow_exceptions=*/false);
  const auto id = request.is_object() ? request.find("id") : request.end();
  return id != request.end() && id->is_string() ? id->get<std::string>() : "";
}

// Writes the answer, a Response or a BatchResponse, and passes on its code.
template <typename Answer>
std::string Written(const Answer& answer, const JsonAnswerOptions& options) {
  if (options.code != nullptr) {
    // Both count as google.rpc.Code does.
    *options.code = answer.has_error()
                        ? static_cast<absl::StatusCode>(answer.error().code())
                        : absl::StatusCode::kOk;
  }
  return ProtoToJson(answer,
                     options.proto3 ? JsonFields::kProto3 : JsonFields::kAll);
}

}  // namespace

std::string AnswerJson(const LayoutService& service, std::string_view json,
                       const JsonAnswerOptions& options) {
  Request request;
  const absl::Status status = ReadJson(service, json, &request);
  if (!status.ok()) {
    return ErrorJson(request.id().empty() ? IdOf(json) : request.id(), status,
                     options);
  }
  return ResponseJson(service.AnswerForJson(request, options.go_on), options);
}

std::string AnswerBatchJson(const LayoutService& service, std::string_view json,
                            const std::function<absl::Status()>& go_on,
                            const JsonAnswerOptions& options) {
  JsonAnswerOptions used = options;
  if (go_on != nullptr) used.go_on = go_on;
  JsonBatchAnswer answer(&service, json, used);
  while (answer.AnswerNext()) {
  }
  return answer.Write();
}

JsonBatchAnswer::JsonBatchAnswer(const LayoutService* service,
                                 std::string_view json,
                                 const JsonAnswerOptions& options)
    : options_(options),
      reading_(ReadJson(*service, json, &batch_)),
      answer_(service, &batch_) {
  // Nothing of it is answered.
  if (!reading_.ok()) batch_.clear_requests();
}

std::string JsonBatchAnswer::Write() const {
  if (reading_.ok()) return ResponseJson(answer_.responses(), options_);
  BatchResponse responses;
  *responses.mutable_error() = ToError(reading_);
  return ResponseJson(responses, options_);
}

std::string ResponseJson(const Response& response,
                         const JsonAnswerOptions& options) {
  return Written(response, options);
}

std::string ResponseJson(const BatchResponse& responses,
                         const JsonAnswerOptions& options) {
  return Written(responses, options);
}

std::string ErrorJson(std::string_view id, const absl::Status& status,
                      const JsonAnswerOptions& options) {
  Response response;
  response.set_id(std::string(id));
  *response.mutable_error() = ToError(status, options.line);
  return ResponseJson(response, options);
}

}  // namespace tessera
