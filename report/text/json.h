// JSON as the command line prints it: one value per line, keys in the order in
// which they are set, integers as numbers.
//
//   Json json;
//   json["linear_index"] = 17;
//   JsonLine(json);  // "{\"linear_index\":17}\n"

#ifndef TESSERA_REPORT_TEXT_JSON_H_
#define TESSERA_REPORT_TEXT_JSON_H_

#include <string>
#include <string_view>

#include "nlohmann/json.hpp"

namespace tessera {

using Json = nlohmann::ordered_json;

// Bytes that are not UTF-8 are replaced.
inline std::string JsonLine(const Json& json) {
  return json.dump(/*indent=*/-1, /*indent_char=*/' ', /*ensure_ascii=*/false,
                   Json::error_handler_t::replace) +
         "\n";
}

inline std::string JsonString(std::string_view text) {
  return std::string(text);
}

}  // namespace tessera

#endif  // TESSERA_REPORT_TEXT_JSON_H_
