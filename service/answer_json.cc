#include "tessera/service/answer_json.h"

#include <string_view>

#include "absl/status/status.h"
#include "google/protobuf/message.h"
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

}  // namespace

std::string AnswerJson(const LayoutService& service, std::string_view json,
                       int64_t line) {
  Request request;
  const absl::Status status = ReadJson(service, json, &request);
  if (!status.ok()) return ErrorJson(request.id(), status, line);
  return ProtoToJson(service.Answer(request), JsonFields::kAll);
}

std::string AnswerBatchJson(const LayoutService& service, std::string_view json,
                            absl::FunctionRef<absl::Status()> go_on) {
  BatchRequest batch;
  const absl::Status status = ReadJson(service, json, &batch);
  if (status.ok()) {
    return ProtoToJson(service.AnswerBatch(batch, go_on), JsonFields::kAll);
  }
  BatchResponse responses;
  *responses.mutable_error() = ToError(status);
  return ProtoToJson(responses, JsonFields::kAll);
}

std::string ErrorJson(std::string_view id, const absl::Status& status,
                      int64_t line) {
  Response response;
  response.set_id(std::string(id));
  *response.mutable_error() = ToError(status, line);
  return ProtoToJson(response, JsonFields::kAll);
}

}  // namespace tessera
