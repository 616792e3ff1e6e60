#include "tessera/service/answer_json.h"

#include "absl/status/status.h"
#include "proto/layout_service.pb.h"
#include "tessera/service/error.h"
#include "tessera/service/json.h"

namespace tessera {

std::string AnswerJson(const LayoutService& service, absl::string_view json,
                       int64_t line) {
  Request request;
  JsonLimits limits;
  limits.json_messages = service.options().json_messages;
  const absl::Status status = JsonToProto(json, &request, limits);
  if (!status.ok()) return ErrorJson(request.id(), status, line);
  return ProtoToJson(service.Answer(request));
}

std::string ErrorJson(absl::string_view id, const absl::Status& status,
                      int64_t line) {
  Response response;
  response.set_id(std::string(id));
  Error& error = *response.mutable_error();
  error = ToError(status);
  if (error.has_position()) {
    error.mutable_position()->set_line(error.position().line() + line - 1);
  }
  return ProtoToJson(response);
}

}  // namespace tessera
