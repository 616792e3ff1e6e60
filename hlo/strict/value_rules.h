// Checks the values of attributes.
//
//   FindObjectionToValue("slice", "{[0:2]}");             // nullopt
//   FindObjectionToValue("slice", "{0:2}")->message;
//       // "in slice: expected '[', found '0'"
//   FindObjectionToValue("sharding", "{nobody knows}");   // nullopt: not judged
//
// Judged are the forms that XLA has printed for as long as it has the key:
// numbers, lists of numbers, names. Words of which XLA takes more from year to
// year, and values with a grammar of their own (shardings, metadata, backend
// configurations), are not. What a value means is not judged either: whether a
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

// What is wrong with the value of the attribute `key`; nullopt where nothing
// is, or where the values of this key are not judged.
std::optional<HloObjection> FindObjectionToValue(std::string_view key,
                                                 std::string_view value);

// The same for `input_output_alias`, which is not judged above: each output
// that it names must be part of `result`, what the program returns. Null if
// that is not known.
std::optional<HloObjection> FindObjectionToAliases(std::string_view value,
                                                   const Shape* result);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_VALUE_RULES_H_
