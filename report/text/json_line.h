// The JSON of the command line: messages of the service (service/json.h), with
// every field, one per line.
//
//   JsonLineOf(linearize_result);   // "{\"linear_indices\":[17]}\n"
//   ErrorLineOf(status, /*line=*/3);
//       // "{\"error\":{\"code\":\"INVALID_ARGUMENT\",...}}\n"

#ifndef TESSERA_REPORT_TEXT_JSON_LINE_H_
#define TESSERA_REPORT_TEXT_JSON_LINE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/message.h"
#include "tessera/service/error.h"
#include "tessera/service/json.h"

namespace tessera {

inline std::string JsonLineOf(const google::protobuf::Message& message) {
  std::string json = ProtoToJson(message, JsonFields::kAll);
  json.push_back('\n');
  return json;
}

// Returns the JSON that is printed in place of an answer. `line` is the number
// of the first line of the text in its file.
inline std::string ErrorLineOf(const absl::Status& status, int64_t line = 1) {
  return absl::StrCat(
      "{\"error\":", ProtoToJson(ToError(status, line), JsonFields::kAll),
      "}\n");
}

}  // namespace tessera

#endif  // TESSERA_REPORT_TEXT_JSON_LINE_H_
