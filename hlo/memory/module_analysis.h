// Analyzes the memory of a scheduled module: the time, place and purpose of
// each value.
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
//   absl::StatusOr<ModuleAnalysis> analysis =
//       ModuleAnalysis::Of(*dump, dump->modules()[0]);
//   const SpaceUse& hbm = analysis->use().at(0);
//   hbm.peak_bytes;         // 7168: x, a and b
//   hbm.peak_step;          // 2
//   analysis->LiveAt(0, 2)[0].instruction.name();   // "a"
//   analysis->reserved().at(0).reserved_bytes();    // 7168
//   analysis->memory_stats().temp_size_in_bytes;    // 4096
//   analysis->assignment().allocations.size();      // 3: x; c, in whose place
//                                                   // b lies before; a
//
// All questions about the memory of a program are answered from one analysis.
// The schedule is flattened: the computations that a while, conditional, call
// or asynchronous start runs come before that instruction. A step is a place in
// that order, as in XLA's own live ranges. Values, aliases and live ranges
// follow XLA's rules. The buffer assignment is XLA's own if known, else
// computed by XLA's rules for the target.
//
// The peak of a memory space is the largest number of bytes of its allocations
// that hold a live value at one step. It never exceeds the reserved memory,
// since outputs and constants are reserved for the whole run, and heaps have
// gaps. docs/memory.md compares the numbers with XLA's.

#ifndef TESSERA_HLO_MEMORY_MODULE_ANALYSIS_H_
#define TESSERA_HLO_MEMORY_MODULE_ANALYSIS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/buffer_assignment/hlo_file.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/memory/compiled_memory_stats.h"
#include "tessera/hlo/memory/memory_options.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_index.h"

namespace tessera {

// The bytes of a memory space that are in use, step by step.
struct SpaceUse {
  int64_t peak_bytes = 0;
  // The first step at which the peak is reached.
  int64_t peak_step = 0;
  // The bytes of the same values without padding.
  int64_t peak_unpadded_bytes = 0;
  // The most bytes that would be in use if values shared memory only through
  // aliases. It may be reached at another step.
  int64_t unshared_peak_bytes = 0;
};

// A value that takes memory.
struct LiveArray {
  enum class Kind {
    kParameter,
    kConstant,
    kTemporary,
    kResult,  // of the program, in a buffer that is not a parameter's
  };

  Kind kind = Kind::kTemporary;
  // The instruction and the part of its result. A tuple counts before its
  // elements; 0 is the whole.
  HloInstruction instruction;
  int64_t part = 0;
  // That part in XLA's notation, {1,0}; empty for the whole.
  ShapeIndex index = {};
  // Null for the table of a tuple.
  const Shape* shape = nullptr;
  int64_t memory_space = 0;
  // The bytes as assigned, and without padding.
  int64_t padded_bytes = 0;
  int64_t unpadded_bytes = 0;
  // The first and last step at which it is live.
  int64_t first = 0;
  int64_t last = 0;
  // Whether its buffer holds the program's result, or a part of it, whatever
  // its kind.
  bool holds_result = false;
  // Whether it is a parameter that the caller donates.
  bool is_donated = false;
  // The number of the instruction's computation, for ModuleAnalysis::PathOf();
  // 0 for the entry.
  int64_t computation = 0;
  // In LiveAt(): the number of an earlier array whose place it shares at that
  // step, which XLA allows; -1 if it has its own place.
  int64_t same_place_as = -1;
};

// The arrays of parameters that the caller donates (input_output_alias and
// buffer_donor in the header of the module), in one memory space.
struct Donation {
  // The bytes of results that share the place of a parameter.
  int64_t result_bytes = 0;
  // Arrays of parameters that are not donated, although a result of the same
  // shape and layout has its own place. On CPU and GPU, only those that are not
  // read after the result is begun: XLA would copy them. Donating them saves up
  // to `savable_bytes` of outputs; it saves less where temporaries already lie
  // in the place of the result.
  std::vector<LiveArray> savable;
  int64_t savable_bytes = 0;
};

// Any number of threads may call const methods at once.
class ModuleAnalysis {
 public:
  struct Step {
    HloInstruction instruction;
    // In PathOf().
    int64_t computation = 0;
  };

  // Parts that the text lacks. They make the numbers too small or too large.
  struct Doubts {
    // They count as 0 bytes.
    int64_t instructions_without_shape = 0;
    int64_t arrays_with_unbounded_dimension = 0;
    // Operands and aliases that refer to a missing instruction or to one of
    // another shape.
    int64_t unresolved = 0;
    // Calls that are not counted: of computations that are missing, that call
    // themselves, or whose copies would be too many.
    int64_t unresolved_calls = 0;
  };

  // Analyzes a module of a dump. `beside` has XLA's own results for it, or is
  // null. XLA's own assignment counts if it has all allocations and the
  // question is about the entry computation. The dump and `beside` must outlive
  // the analysis. Takes linear time in practice.
  //
  // Errors: those of FindSchedule (hlo/memory/hlo_schedule.h);
  // kResourceExhausted for a module of 2^30 results or more, of 2^61 bytes or
  // more in all, or of more than 64 memory spaces; the error of options.go_on,
  // which is called every few milliseconds.
  static absl::StatusOr<ModuleAnalysis> Of(
      const HloDump& dump, HloModule module, const MemoryOptions& options = {},
      const HloAssignments* beside = nullptr);
  // Like Of, for a module of a file (ReadHloFile), with XLA's own results for
  // it. Errors: also kOutOfRange if the file does not have so many modules.
  static absl::StatusOr<ModuleAnalysis> Of(const HloFile& file,
                                           int64_t module_index = 0,
                                           const MemoryOptions& options = {});

  ModuleAnalysis(ModuleAnalysis&&) noexcept;
  ModuleAnalysis& operator=(ModuleAnalysis&&) noexcept;
  ~ModuleAnalysis();

  HloModule module() const;
  // FindSchedule().
  HloComputation entry() const;
  HloTarget target() const;
  // Returns the generation from the options, or the guessed one.
  TpuGeneration generation() const;
  Doubts doubts() const;
  // Whether XLA's own assignment counts.
  bool is_assigned_by_xla() const;

  // The assignment that counts. If XLA did not write the live range of a value,
  // or wrote it in steps of a trace, the range is computed. Computed
  // assignments lack positions and uses.
  const BufferAssignment& assignment() const;

  // The reserved memory by memory space, with XLA's own number if it counts.
  // The first call of this, ReservedIn, memory_stats or FindReserved computes
  // it.
  const std::map<int64_t, SpaceReservation>& reserved() const;
  // The reserved memory of one space, which may be empty.
  SpaceReservation ReservedIn(int64_t memory_space) const;
  // Computes the reserved memory, and calls `go_on` every few milliseconds.
  // Returns the error of `go_on`, which ends the work. Another call computes
  // the rest.
  absl::Status FindReserved(const std::function<absl::Status()>& go_on) const;
  // The numbers of memory_analysis() of JAX.
  CompiledMemoryStats memory_stats() const;

  // The memory spaces with values.
  const std::map<int64_t, SpaceUse>& use() const;
  int64_t step_count() const;
  Step StepAt(int64_t step) const;
  // The bytes in use at each step.
  std::vector<int64_t> UseByStep(int64_t memory_space) const;
  // The padding among these bytes. If several values begin at the same place,
  // only the largest counts.
  std::vector<int64_t> PaddingByStep(int64_t memory_space) const;

  // Returns the values that are live at this step, by decreasing size; values
  // that share a place come after the value that has it.
  std::vector<LiveArray> LiveAt(int64_t memory_space, int64_t step) const;
  // All values that take memory, by their first step.
  std::vector<LiveArray> Arrays() const;

  // Where a computation runs: "while.5 / region_0.425"; "" for the entry.
  std::string PathOf(int64_t computation) const;

  // The donated arrays, and those that could be donated.
  Donation FindDonation(int64_t memory_space) const;

 private:
  struct Impl;
  explicit ModuleAnalysis(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

namespace hlo_internal {

// The number of times that the process did the work that it should do once per
// module. For tests.
struct AnalysisWork {
  int64_t modules_flattened = 0;
  int64_t assignments_computed = 0;
};
AnalysisWork GetAnalysisWork();

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_MODULE_ANALYSIS_H_
