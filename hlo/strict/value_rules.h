// Checks the values of attributes.
//
//   FindObjectionToValue("slice", "{[0:2]}");             // nullopt
//   FindObjectionToValue("slice", "{0:2}")->message;
//       // "in slice: expected '[', found '0'"
//   FindObjectionToValue("sharding", "{nobody knows}");   // nullopt: not judged
//
// The rules cover the forms that XLA has always printed for a key: numbers,
// lists of numbers, names. They do not cover words of which XLA accepts more
// from year to year, nor values with their own grammar (shardings, metadata,
// backend configurations). They do not judge meaning either: whether a
// dimension exists, or a limit comes after its start. The rules are those of
// xla/hlo/parser/hlo_parser.cc.

#ifndef TESSERA_HLO_STRICT_VALUE_RULES_H_
#define TESSERA_HLO_STRICT_VALUE_RULES_H_

#include <optional>
#include <string_view>

#include "tessera/hlo/strict/hlo_objection.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace hlo_internal {

// Returns the error in the value of the attribute `key`; nullopt if there is
// none, or if the values of this key are not judged.
std::optional<HloObjection> FindObjectionToValue(std::string_view key,
                                                 std::string_view value);

// Like FindObjectionToValue, for `input_output_alias`, which is not judged
// above. Each output that it names must be in `result`, the program's result.
// `result` is null if it is not known.
std::optional<HloObjection> FindObjectionToAliases(std::string_view value,
                                                   const Shape* result);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_VALUE_RULES_H_
