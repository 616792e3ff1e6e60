// Finds the instructions that read the result of an instruction.
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m
//       ENTRY e {
//         x = f32[8]{0} parameter(0)
//         y = f32[8]{0} negate(x)
//         ROOT z = f32[8]{0} add(x, x)
//       })");
//   HloComputation entry = *dump->modules()[0].entry_computation();
//   HloUsers users(entry);
//   users.Of(entry.instructions()[0]).size();     // 2: y, and z once
//   users.Of(entry.instructions()[0])[1].name();  // "z"

#ifndef TESSERA_HLO_HLO_USERS_H_
#define TESSERA_HLO_HLO_USERS_H_

#include <cstdint>
#include <vector>

#include "tessera/hlo/hlo_module.h"

namespace tessera {

// The users of the instructions of one computation. Valid as long as the dump.
class HloUsers {
 public:
  // Takes time and memory linear in the instructions and operands of the
  // computation.
  explicit HloUsers(HloComputation computation);

  // Returns the instructions that have `instruction` as an operand, or within a
  // nested expression, each once, in the order of the text. Precondition:
  // `instruction` belongs to the computation.
  std::vector<HloInstruction> Of(HloInstruction instruction) const;

 private:
  HloRange<HloInstruction> instructions_;
  // users_[first_[i]] to users_[first_[i + 1]] are those of instruction i, both
  // counted within the computation.
  std::vector<int32_t> first_;
  std::vector<int32_t> users_;
};

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_USERS_H_
