#include "tessera/hlo/memory/reserved_memory.h"

namespace tessera {

ReservedChange CompareReserved(const ReservedBytes& before,
                               const ReservedBytes& after) {
  if (before.is_assigned() && after.is_assigned()) {
    return {*before.assigned_bytes, *after.assigned_bytes, true};
  }
  return {before.reserved_bytes, after.reserved_bytes, false};
}

}  // namespace tessera
