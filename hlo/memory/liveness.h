// File: hlo/memory/liveness.h
//
// How much memory does a scheduled program need at once, when, and for what?
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m, is_scheduled=true
//       ENTRY main {
//         x = f32[256]{0} parameter(0)
//         a = f32[256]{0} negate(x)
//         b = f32[512]{0} broadcast(a)
//         ROOT c = f32[128]{0} slice(b)
//       })");
//   absl::StatusOr<Liveness> liveness =
//       ComputeLiveness(*dump, dump->modules()[0]);
//   const SpaceLiveness& hbm = liveness->by_memory_space.at(0);
//   hbm.bytes;             // {1024, 2048, 4096, 3584}
//   hbm.peak_bytes;        // 4096: x, a and b
//   hbm.peak_instruction;  // 2
//   liveness->buffers[hbm.live_at_peak[0]].instruction.name();  // "b"
//
// The peak is the most that is live at one moment. What XLA reserves for the
// whole run is another number: hlo/memory/reserved_memory.h has it. What this
// model takes for granted:
//
// - Every array in a result has a buffer of its own, from the instruction that
//   computes it to the last that reads it, unless it lies in the buffer of an
//   operand. That it does for tuple, get-tuple-element (`%p#0` included),
//   bitcast, opt-barrier, add-dependency, domain and copies of tuples; for
//   while, whose operand, body and result share everything that goes round; for
//   call and conditional, where the called computations hand a parameter
//   through; for the operands within the result of an asynchronous start and of
//   its -updates, and for the result that its -done takes out; for operand 1 of
//   a collective-permute with slice_sizes, which is its result; and where
//   output_to_operand_aliasing or, on TPU, "aliasing_operands" says so.
// - A sort takes the place of each operand that nothing else uses.
// - Nothing else is computed in place. XLA often lets an elementwise operation,
//   a dynamic-update-slice or a fusion write over an operand that dies there:
//   the true peak is lower by that.
// - Copies that XLA would still have to insert are not counted: a dump of a
//   compiled program has them as instructions.
// - A parameter is there all the time, or, where buffer_donor names it, from
//   the start to its last use. A result that input_output_alias names lies in
//   the parameter's buffer. Whether the caller really donates it the text does
//   not say. Results live to the end, constants always.
// - While, call and conditional need, while they run, the peak of what they
//   call, less the parameters and the result, which are the caller's; of
//   several the greatest. async-start needs it from where its last operand and
//   its result are bound until its -done. Fusions, reductions and custom calls
//   need nothing of their own. Constants of called computations count once,
//   with those of the entry.
// - Tuples have no memory beside their elements, tokens none; nothing is
//   aligned or fragmented; arrays with an unbounded dimension count as 0.

#ifndef TESSERA_HLO_MEMORY_LIVENESS_H_
#define TESSERA_HLO_MEMORY_LIVENESS_H_

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/hlo_schedule.h"
#include "tessera/shape/shape.h"

namespace tessera {

struct LiveBuffer {
  enum class Kind {
    kParameter,
    kConstant,
    kTemporary,
    kResult,  // of the program, in a buffer that is no parameter's
    kCalled,  // what the computations need that `instruction` calls
  };

  Kind kind = Kind::kTemporary;
  // Where it is computed. A constant may stand in a called computation.
  HloInstruction instruction;
  // Which part of its result. A tuple counts before its elements; 0 is the
  // whole. Always 0 for kCalled.
  int64_t part = 0;
  const Shape* shape = nullptr;  // null for kCalled
  int64_t memory_space = 0;
  int64_t padded_bytes = 0;
  // Of what called computations need: at the moment when they need most.
  int64_t unpadded_bytes = 0;
  // At which instructions of the entry computation it is there.
  int64_t first = 0;
  int64_t last = 0;
  // The program's result, or a part of it, lies in it, whatever its kind.
  bool holds_result = false;
};

struct SpaceLiveness {
  // The greatest of `bytes`, and where that is first reached, counted within
  // the entry computation.
  int64_t peak_bytes = 0;
  int64_t peak_instruction = 0;
  // The same arrays without padding.
  int64_t peak_unpadded_bytes = 0;
  // In Liveness::buffers: those that are there then, by falling size.
  std::vector<int64_t> live_at_peak;
  // One for each instruction of the entry computation; empty where
  // LivenessOptions::series_entries says so.
  std::vector<int64_t> bytes;
  // A sum passed 2^63-1, and stays there.
  bool is_saturated = false;
};

struct Liveness {
  HloComputation entry;  // FindSchedule()
  // By `first`, then in the order of the text; none of them empty.
  std::vector<LiveBuffer> buffers;
  std::map<int64_t, SpaceLiveness> by_memory_space;

  // What the text does not give, so that the numbers are too small or too
  // large: reachable instructions without a shape, which count as 0 and whose
  // operands live as long as they; arrays with an unbounded dimension;
  int64_t instructions_without_shape = 0;
  int64_t skipped_arrays = 0;
  // operands and aliases that lead nowhere, or to something of another shape;
  int64_t unresolved = 0;
  // calls of computations that are missing or that call themselves.
  int64_t unresolved_calls = 0;
};

struct LivenessOptions {
  ScheduleOptions schedule;
  // At most so many numbers in `bytes`, of all memory spaces together; where
  // there would be more, every `bytes` is empty.
  int64_t series_entries = std::numeric_limits<int64_t>::max();
};

// In time linear in the text of the module. `dump` must outlive the result.
//
// Errors: those of FindSchedule (hlo/memory/hlo_schedule.h); kResourceExhausted
// for a module of more than 64 memory spaces.
absl::StatusOr<Liveness> ComputeLiveness(const HloDump& dump, HloModule module,
                                         const LivenessOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_LIVENESS_H_
