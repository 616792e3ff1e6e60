// The messages that are maps in JSON, for both the reader and the writer of
// service/json.h.

#ifndef TESSERA_SERVICE_JSON_MAP_H_
#define TESSERA_SERVICE_JSON_MAP_H_

#include "google/protobuf/descriptor.h"

namespace tessera {

// Returns whether a message represents a map: its only field is a map.
inline bool IsJsonMap(const google::protobuf::Descriptor& type) {
  return type.field_count() == 1 && type.field(0)->is_map();
}

}  // namespace tessera

#endif  // TESSERA_SERVICE_JSON_MAP_H_
