// Groups changes of a diff that repeat the same change in many places.
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> before = ParseHlo(R"(
//       ENTRY main {
//         x = f32[8,128]{1,0} parameter(0)
//         a = f32[8,128]{1,0} sine(x), metadata={op_name="layers_0/sin"}
//         ROOT b = f32[8,128]{1,0} sine(a), metadata={op_name="layers_1/sin"}
//       })");
//   absl::StatusOr<HloDump> after = ParseHlo(R"(
//       ENTRY main {
//         x = f32[8,128]{1,0} parameter(0)
//         a = f32[8,128]{0,1} sine(x), metadata={op_name="layers_0/sin"}
//         ROOT b = f32[8,128]{0,1} sine(a), metadata={op_name="layers_1/sin"}
//       })");
//   DumpDiff diff = DiffDumps(*before, *after);
//   std::vector<ChangeGroup> groups = GroupChanges(diff.modules[0].changes);
//   groups.size();             // 1
//   groups[0].changes.size();  // 2
//   groups[0].op_name;         // "layers_*/sin"

#ifndef TESSERA_HLO_DIFF_CHANGE_GROUPS_H_
#define TESSERA_HLO_DIFF_CHANGE_GROUPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "tessera/hlo/diff/dump_diff.h"

namespace tessera {

// Changes that have the same shapes before and after, the same passes and the
// same source line, and op_names that differ only in their numbers. If they
// have no op_name, they have the same opcode.
struct ChangeGroup {
  // Not empty, in the order of the changes. All have the same kind of change
  // and the same bytes.
  std::vector<const ArrayChange*> changes;
  // These come from the instructions after the change, or before it if they
  // vanished. The op_name has "*" in place of numbers that differ. Empty if the
  // metadata lacks them.
  std::string op_name;
  std::string source_line;
  // The bytes of all of them together; a sum past 2^63-1 stays there.
  int64_t before_bytes = 0;
  int64_t after_bytes = 0;
};

// Returns the groups by the size of their difference in bytes, largest first.
// The changes belong to one module, and must outlive the result.
std::vector<ChangeGroup> GroupChanges(absl::Span<const ArrayChange> changes);

}  // namespace tessera

#endif  // TESSERA_HLO_DIFF_CHANGE_GROUPS_H_
