// Packs the JSON of answers (service/json.h), so that tables with many rows are
// small: each key and each text is written once. The script of the page unpacks
// it.
//
//   PackedJson packed;
//   packed.Pack(peak);
//   // {"module":"m", ..., "arrays":{"$rows":2,
//   //    "same":{"opcode":"add"},      every row has it
//   //    "each":{"first":[0,3]},       one value for each row
//   //    "text":{"shape":[5,-1]}}}     places in the texts; -1 for null
//   // A list of texts: {"$text":[5,6]}.
//   packed.TakeTexts();   // ["add", ...

#ifndef TESSERA_REPORT_PAGE_PACKED_JSON_H_
#define TESSERA_REPORT_PAGE_PACKED_JSON_H_

#include <cstdint>
#include <string>
#include <utility>

#include "google/protobuf/message.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/report/text/json.h"

namespace tessera {

class PackedJson {
 public:
  // Returns the JSON that ProtoToJson writes for every field, packed. Integers
  // past 2^53-1, which JavaScript's numbers do not hold, become texts.
  // Precondition: the type bounds the nesting of messages, and does not have a
  // oneof.
  Json Pack(const google::protobuf::Message& message);

  // The texts of all messages packed so far.
  Json TakeTexts() { return std::move(texts_); }

 private:
  Json Packed(Json value);
  Json Table(Json rows);
  int64_t PlaceOf(const Json& text);

  TextMap<std::string, int64_t> places_;
  Json texts_ = Json::array();
};

}  // namespace tessera

#endif  // TESSERA_REPORT_PAGE_PACKED_JSON_H_
