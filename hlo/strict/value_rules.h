// File: hlo/strict/value_rules.h
//
// What is wrong with the value of this attribute?
//
//   FindObjectionToValue(HloValueKind::kSlice, "{[0:2]}");   // nullopt
//   FindObjectionToValue(HloValueKind::kSlice, "{0:2}")->message;
//       // "expected '[', found '0'"
//
// The rules are those of xla/hlo/parser/hlo_parser.cc. What a value means is
// not judged: whether a dimension exists, or a limit comes behind its start.

#ifndef TESSERA_HLO_STRICT_VALUE_RULES_H_
#define TESSERA_HLO_STRICT_VALUE_RULES_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/strict/hlo_objection.h"

namespace tessera {
namespace hlo_internal {

enum class HloValueKind : uint8_t {
  kAnything,         // not judged
  kBool,             // true
  kBools,            // {true,false} or true
  kInteger,          // 2
  kIntegers,         // {0,1}
  kIntegersOrLists,  // {0,1} or {{0,1},{1,0}}
  kString,           // "foo"
  kStringOrObject,   // "foo" or {...}
  kWord,             // default
  kDirection,        // LT
  kComparisonType,   // TOTALORDER
  kFftType,          // RFFT
  kFusionKind,       // kLoop
  kDistribution,     // rng_uniform
  kComputation,      // %add or {...}
  kList,             // {...}
  kSlice,            // {[0:2], [1:9:3]}
  kWindow,           // {size=3x3 stride=2x2}
  kPadding,          // 0_1_0x2_2
  kDimLabels,        // b01f_01io->b01f
  kMetadata,         // {op_name="f"}
  kReplicaGroups,    // {{0,1},{2,3}}
  kPairs,            // {{0,1},{1,0}}
  kOperandAliases,   // {{0}: (1, {})}
  kModuleAliases,    // {{0}: (1, {}, must-alias)}
  kDonors,           // {(1, {})}
  kEntryLayout,      // {(f32[8]{0})->f32[8]{0}}
};

// What is wrong with a value of this kind; nullopt where nothing is.
absl::optional<HloObjection> FindObjectionToValue(HloValueKind kind,
                                                  absl::string_view value);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_VALUE_RULES_H_
