// The values of one attribute throughout a text.

#ifndef TESSERA_TESTS_HLO_VALUES_H_
#define TESSERA_TESTS_HLO_VALUES_H_

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace tessera {

// What stands behind each ` key=`, to the end of its first bracket, and of a
// second behind " {", or of its string or word; found by looking for bytes, not
// by reading HLO.
std::vector<std::string_view> ValuesOf(std::string_view key,
                                       std::string_view text);

struct BadValue {
  std::string_view value;
  std::string_view error;  // word for word
  absl::StatusCode code = absl::StatusCode::kInvalidArgument;
};

// Checks that `decode` refuses each of them so, with a diagnostic.
void ExpectErrors(std::initializer_list<BadValue> values,
                  absl::Status (*decode)(std::string_view));

}  // namespace tessera

#endif  // TESSERA_TESTS_HLO_VALUES_H_
