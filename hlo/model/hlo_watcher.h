// Observes a dump while it is being read and its text is still in the cache.

#ifndef TESSERA_HLO_MODEL_HLO_WATCHER_H_
#define TESSERA_HLO_MODEL_HLO_WATCHER_H_

#include <cstdint>

#include "absl/types/span.h"
#include "tessera/hlo/hlo_handler.h"

namespace tessera {
namespace hlo_internal {

class HloWatcher {
 public:
  virtual ~HloWatcher() = default;

  // Returns HloInstruction::has_attribute_to_judge() of an instruction with
  // this opcode, in HloDump::opcodes().
  virtual bool HasAttributeToJudge(
      uint32_t opcode, absl::Span<const HloAttribute> attributes) = 0;

  // Called when the computations from `first` to the last one so far are
  // complete. Inline computations come with the computation around them.
  virtual void OnComputations(int64_t first) = 0;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_MODEL_HLO_WATCHER_H_
