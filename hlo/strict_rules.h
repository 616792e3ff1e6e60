// Lists the XLA rules that a readable dump violates.
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump =
//       ParseHlo("f {  x = f32[] frob()  ROOT y = f32[] add(x)  }");
//   const auto objections = FindHloObjections(*dump);
//   objections.size();        // 2
//   objections[0].message;    // "'frob' is not an opcode of XLA"
//   objections[1].message;    // "add takes 2 operands, not 1"
//
// The rules are those of xla/hlo/parser/hlo_parser.cc that do not change from
// version to version, so everything that XLA prints for its own parser passes:
//   - opcodes, as of August 2026, and their numbers of operands
//   - required attributes of opcodes; duplicate attributes; the form of
//     numbers, lists of numbers, names, windows, paddings and aliases
//   - literals against their shapes: braces, numbers of elements, ranges
//   - shapes that are not inferred, and the spelling of shapes
//   - legal names; one ROOT, one ENTRY; parameters numbered from 0
//   - tuple paths and inline shapes of operands, which a text of one instruction
//     must give; operands that were cut short
//   - the root's shape against the computation's header
//   - outputs that input_output_alias names, which must be in the result
//   - whole sets of frame tables
//
// Not checked: other attributes, and the values of shardings, metadata,
// origins, backend configurations and the like; whether asynchronous starts,
// updates and ends match; whether dimensions, devices and the parameters that
// aliases name exist; whether shapes are those that XLA would infer. XLA may
// refuse a dump that passes all rules here.

#ifndef TESSERA_HLO_STRICT_RULES_H_
#define TESSERA_HLO_STRICT_RULES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/strict/hlo_objection.h"  // IWYU pragma: export

namespace tessera {

// Returns the violations in the order of the computations, at most `limit`.
std::vector<HloObjection> FindHloObjections(const HloDump& dump,
                                            int64_t limit = 1000);

namespace hlo_internal {

class StrictJudge;

// Applies the rules while ParseHlo reads `dump`, which must outlive it, and
// while the text is still in the cache.
class StrictWatcher {
 public:
  explicit StrictWatcher(const HloDump& dump);
  ~StrictWatcher();

  // Returns HloInstruction::has_attribute_to_judge() of an instruction with
  // this opcode, in HloDump::opcodes().
  bool HasAttributeToJudge(uint32_t opcode,
                           absl::Span<const HloAttribute> attributes);

  // Called when the computations from `first` to the last one so far are
  // complete. Inline computations come with the computation around them.
  void OnComputations(int64_t first);

  // Returns whether FindHloObjections(dump) certainly finds nothing.
  // Precondition: all is read, and no shape had to be inferred.
  bool Approves();

 private:
  const HloDump& dump_;
  const std::unique_ptr<StrictJudge> judge_;
  int64_t judged_computations_ = 0;
  // The module of the last computation that is marked ENTRY; -1 for none.
  int64_t entry_module_ = -1;
  bool has_second_entry_ = false;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_RULES_H_
