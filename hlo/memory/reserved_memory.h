// File: hlo/memory/reserved_memory.h
//
// How much memory does a scheduled program reserve while it runs?
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m, is_scheduled=true
//       ENTRY main {
//         x = f32[256]{0} parameter(0)
//         a = f32[1024]{0} broadcast(x)
//         b = f32[512]{0} slice(a)
//         ROOT c = f32[512]{0} negate(b)
//       })");
//   absl::StatusOr<ReservedMemory> reserved =
//       ComputeReservedMemory(*dump, dump->modules()[0]);
//   const SpaceReservation& hbm = reserved->by_memory_space.at(0);
//   hbm.parameter_bytes;   // 1024: x
//   hbm.output_bytes;      // 2048: c, in whose place b lies before
//   hbm.temporary_bytes;   // 4096: a
//   hbm.reserved_bytes();  // 7168
//
// This is the number that XLA prints as "Total bytes used", that
// memory_analysis() adds up and that a device runs out of. It is not the most
// that is needed at one moment (hlo/memory/liveness.h): outputs are reserved
// for the whole run, and one heap holds all temporaries, gaps included.
//
// XLA's buffer assignment is deterministic, and this follows it step by step
// from the text alone: which values share a buffer, when each is there, where
// it lies. docs/memory.md says how near it comes to XLA's own numbers, and what
// the text does not say.

#ifndef TESSERA_HLO_MEMORY_RESERVED_MEMORY_H_
#define TESSERA_HLO_MEMORY_RESERVED_MEMORY_H_

#include <cstdint>
#include <map>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/memory/hlo_schedule.h"

namespace tessera {

// Bytes, padding included where nothing else is said.
struct SpaceReservation {
  int64_t parameter_bytes = 0;
  int64_t constant_bytes = 0;
  // Results that lie in no parameter.
  int64_t output_bytes = 0;
  // The heap of temporaries, and the tables of tuples.
  int64_t temporary_bytes = 0;
  // The most of these that is there at once: the same without fragmentation.
  int64_t temporary_peak_bytes = 0;
  // Whether there are too many temporaries to find a place for each:
  // `temporary_bytes` is then `temporary_peak_bytes`.
  bool is_without_fragmentation = false;
  // What would be reserved if no array were padded.
  int64_t reserved_unpadded_bytes = 0;
  // Of computations that run for each element, such as reducers. XLA counts
  // them; no device memory holds them, and no number above has them.
  int64_t thread_local_bytes = 0;

  int64_t reserved_bytes() const {
    return parameter_bytes + constant_bytes + output_bytes + temporary_bytes;
  }
};

struct ReservedMemory {
  std::map<int64_t, SpaceReservation> by_memory_space;
};

struct ReservedMemoryOptions {
  ScheduleOptions schedule;
  // By whose rules buffers share memory; nullopt for GuessTarget().
  absl::optional<HloTarget> target;
};

// Returns what the module reserves, by memory space. The module is one of
// `dump`.
//
// Errors: those of FindSchedule (hlo/memory/hlo_schedule.h); kResourceExhausted
// for a module of 2^30 results or more, or of 2^61 bytes or more in all.
absl::StatusOr<ReservedMemory> ComputeReservedMemory(
    const HloDump& dump, HloModule module,
    const ReservedMemoryOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_RESERVED_MEMORY_H_
