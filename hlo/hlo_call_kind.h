// The role in which an instruction calls a computation, by the attribute that
// names it.
//
//   HloCallKindOf("to_apply");                  // HloCallKind::kToApply
//   HloCallKindOf("metadata").has_value();      // false
//   HloCallKindName(HloCallKind::kWhileBody);   // "body"

#ifndef TESSERA_HLO_HLO_CALL_KIND_H_
#define TESSERA_HLO_HLO_CALL_KIND_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

// The roles are the attributes of xla/hlo/parser/hlo_parser.cc that hold
// computations.
enum class HloCallKind : uint8_t {
  kToApply,             // to_apply: call, map, reduce, scatter, sort, ...
  kCalls,               // calls: fusion, async-start, ...
  kWhileCondition,      // condition
  kWhileBody,           // body
  kSelect,              // select: select-and-scatter
  kScatter,             // scatter: select-and-scatter
  kTrueComputation,     // true_computation: conditional
  kFalseComputation,    // false_computation: conditional
  kBranchComputations,  // branch_computations: conditional
  kCalledComputations,  // called_computations: custom-call
};

// Returns the role of computations that the attribute `key` names, or nullopt
// if it does not name computations.
std::optional<HloCallKind> HloCallKindOf(std::string_view key);

// Returns the attribute's key.
std::string_view HloCallKindName(HloCallKind kind);

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_CALL_KIND_H_
