// File: hlo/memory/taken_memory.h
//
// How many bytes does a program take in each memory space: by XLA's own buffer
// assignment where it is known, else as worked out from the module?
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m, is_scheduled=true
//       ENTRY e { ROOT x = f32[2]{0} parameter(0) })");
//   const HloModule module = dump->modules()[0];
//   FindTakenMemory(*dump, module, nullptr)->Of(0).bytes();  // 8: worked out
//
//   BufferAssignment assignment;
//   assignment.allocations.resize(1);
//   assignment.allocations[0].bytes = 512;
//   const TakenSpace hbm = FindTakenMemory(*dump, module, &assignment)->Of(0);
//   hbm.reserved_bytes;                    // 8
//   hbm.bytes();                           // 512: XLA's number counts
//   CompareTaken({8, {}}, hbm).after;      // 8: by the number both have
//
// A budget, a comparison and an order by size ask this. What XLA assigned
// (hlo/allocations/assigned_memory.h) is the truth; what is worked out
// (hlo/memory/reserved_memory.h) is near it.

#ifndef TESSERA_HLO_MEMORY_TAKEN_MEMORY_H_
#define TESSERA_HLO_MEMORY_TAKEN_MEMORY_H_

#include <cstdint>
#include <map>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "tessera/hlo/allocations/buffer_assignment.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/hlo_schedule.h"
#include "tessera/hlo/memory/reserved_memory.h"

namespace tessera {

// What a module takes in one memory space for the whole run, in bytes, padding
// included and without what is thread-local.
struct TakenSpace {
  // As worked out: SpaceReservation::reserved_bytes().
  int64_t reserved_bytes = 0;
  // XLA's own number: AssignedSpace::assigned_bytes; nullopt where it is not
  // known.
  absl::optional<int64_t> assigned_bytes;

  bool is_assigned() const { return assigned_bytes.has_value(); }
  // The number that counts: XLA's own where it is known.
  int64_t bytes() const { return assigned_bytes.value_or(reserved_bytes); }
};

struct TakenMemory {
  std::map<int64_t, TakenSpace> by_memory_space;
  // Whether XLA's own numbers are known: then all memory spaces have them, 0
  // where XLA assigned nothing.
  bool is_assigned = false;

  // Returns what is taken in this memory space, which may be nothing.
  TakenSpace Of(int64_t memory_space) const;
};

// What two modules take, by one measure.
struct TakenChange {
  int64_t before = 0;
  int64_t after = 0;
  // Whether both are XLA's own numbers; else both are worked out.
  bool is_assigned = false;
};

// Returns XLA's own numbers if both are known, else what is worked out of both:
// a number of each kind would differ by the error of the working-out as well.
TakenChange CompareTaken(const TakenSpace& before, const TakenSpace& after);

// Returns `assignment` if its sums are what XLA assigned to what `schedule`
// asks about: it has all allocations, and the entry computation is asked about,
// for it is of the whole program. Else, and for nullptr, returns nullptr.
const BufferAssignment* AssignmentThatCounts(const BufferAssignment* assignment,
                                             HloModule module,
                                             const ScheduleOptions& schedule);

// Returns what the module takes, by memory space. The module is one of `dump`;
// `assignment` is what XLA assigned to it, nullptr where that is not known.
//
// Errors: those of ComputeReservedMemory.
absl::StatusOr<TakenMemory> FindTakenMemory(
    const HloDump& dump, HloModule module, const BufferAssignment* assignment,
    const ReservedMemoryOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_TAKEN_MEMORY_H_
