// File: hlo/memory/reserved_memory.h
//
// What does a program reserve in a memory space while it runs?
//
//   SpaceReservation hbm;
//   hbm.parameter_bytes = 1024;
//   hbm.temporary_bytes = 4096;
//   hbm.reserved_bytes();         // 5120: as worked out
//   hbm.sum().bytes();            // 5120
//   hbm.assigned_bytes = 5632;    // XLA's own number
//   hbm.sum().bytes();            // 5632
//   CompareReserved({8, absl::nullopt}, hbm.sum()).after;  // 5120: as both are
//                                                          // worked out
//
// This is the number that XLA prints as "Total bytes used", that
// memory_analysis() adds up and that a device runs out of. It is not the most
// that is in use at one step: outputs are reserved for the whole run, and one
// heap holds all temporaries, gaps included. hlo/memory/module_analysis.h finds
// both.

#ifndef TESSERA_HLO_MEMORY_RESERVED_MEMORY_H_
#define TESSERA_HLO_MEMORY_RESERVED_MEMORY_H_

#include <cstdint>
#include <map>

#include "absl/types/optional.h"

namespace tessera {

// What a module reserves in one memory space, in bytes, padding included and
// without what is thread-local.
struct ReservedBytes {
  // As worked out.
  int64_t reserved_bytes = 0;
  // XLA's own number; nullopt where it is not known.
  absl::optional<int64_t> assigned_bytes;

  bool is_assigned() const { return assigned_bytes.has_value(); }
  // The number that counts: XLA's own where it is known.
  int64_t bytes() const { return assigned_bytes.value_or(reserved_bytes); }
};

// The same in parts. Bytes, padding included where nothing else is said. What
// is worked out from the module, but for `assigned_bytes`.
struct SpaceReservation {
  int64_t parameter_bytes = 0;
  int64_t constant_bytes = 0;
  // Results that lie in no parameter.
  int64_t output_bytes = 0;
  // The heap of temporaries, and the tables of tuples.
  int64_t temporary_bytes = 0;
  // The most of these that is there at once: the same without fragmentation.
  int64_t temporary_peak_bytes = 0;
  // Whether XLA takes at least `temporary_bytes` and may take more: where the
  // module does not say how XLA places them, as in VMEM, and where there are
  // too many to find a place for each.
  bool is_lower_bound = false;
  // What would be reserved if no array were padded.
  int64_t reserved_unpadded_bytes = 0;
  // Of computations that run for each element, such as reducers. XLA counts
  // them; no device memory holds them, and no number above has them.
  int64_t thread_local_bytes = 0;
  // XLA's own number, AssignedSpace::assigned_bytes; nullopt where it is not
  // known.
  absl::optional<int64_t> assigned_bytes;

  int64_t reserved_bytes() const {
    return parameter_bytes + constant_bytes + output_bytes + temporary_bytes;
  }
  ReservedBytes sum() const { return {reserved_bytes(), assigned_bytes}; }
};

// What two modules reserve, by one measure.
struct ReservedChange {
  int64_t before = 0;
  int64_t after = 0;
  // Whether both are XLA's own numbers; else both are worked out.
  bool is_assigned = false;
};

// Returns XLA's own numbers if both are known, else what is worked out of both:
// a number of each kind would differ by the error of the working-out as well.
ReservedChange CompareReserved(const ReservedBytes& before,
                               const ReservedBytes& after);

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_RESERVED_MEMORY_H_
