// The memory that a program reserves in a memory space while it runs.
//
//   SpaceReservation hbm;
//   hbm.parameter_bytes = 1024;
//   hbm.temporary_bytes = 4096;
//   hbm.reserved_bytes();         // 5120: as computed
//   hbm.sum().bytes();            // 5120
//   hbm.assigned_bytes = 5632;    // XLA's own number
//   hbm.sum().bytes();            // 5632
//   CompareReserved({8, std::nullopt}, hbm.sum()).after;  // 5120: computed
//
// This is the number that XLA prints as "Total bytes used", that
// memory_analysis() adds up to, and that has to fit the device. It is not the
// peak use at one step: outputs are reserved for the whole run, and one heap
// holds all temporaries, including gaps. hlo/memory/module_analysis.h computes
// both.

#ifndef TESSERA_HLO_MEMORY_RESERVED_MEMORY_H_
#define TESSERA_HLO_MEMORY_RESERVED_MEMORY_H_

#include <cstdint>
#include <optional>

namespace tessera {

// The bytes that a module reserves in one memory space, including padding,
// without thread-local memory.
struct ReservedBytes {
  // The computed bytes.
  int64_t reserved_bytes = 0;
  // XLA's own number; nullopt if not known.
  std::optional<int64_t> assigned_bytes;

  bool is_assigned() const { return assigned_bytes.has_value(); }
  // The number that counts: XLA's own if known.
  int64_t bytes() const { return assigned_bytes.value_or(reserved_bytes); }
};

// The reserved memory in parts, in bytes, including padding unless documented
// otherwise. All parts except `assigned_bytes` are computed from the module.
struct SpaceReservation {
  int64_t parameter_bytes = 0;
  int64_t constant_bytes = 0;
  // Results that do not share the memory of a parameter.
  int64_t output_bytes = 0;
  // The heap of temporaries, and the tables of tuples.
  int64_t temporary_bytes = 0;
  // The peak of `temporary_bytes` in use at one step: the heap without gaps.
  int64_t temporary_peak_bytes = 0;
  // Whether `temporary_bytes` is only a lower bound for XLA's number, because
  // the module does not determine XLA's placement, as in VMEM, or because there
  // are too many values to place each.
  bool is_lower_bound = false;
  // The bytes that would be reserved if no array were padded.
  int64_t reserved_unpadded_bytes = 0;
  // The bytes of computations that run for each element, such as reducers. XLA
  // counts them, but they are not in device memory, and not in the numbers
  // above.
  int64_t thread_local_bytes = 0;
  // XLA's own number, AssignedSpace::assigned_bytes; nullopt if not known.
  std::optional<int64_t> assigned_bytes;

  // The sum of the computed parts. Precondition: it is at most 2^63-1.
  int64_t reserved_bytes() const {
    return parameter_bytes + constant_bytes + output_bytes + temporary_bytes;
  }
  ReservedBytes sum() const { return {reserved_bytes(), assigned_bytes}; }
};

// The reserved memory of two modules, by the same measure.
struct ReservedChange {
  int64_t before = 0;
  int64_t after = 0;
  // Whether both are XLA's own numbers; else both are computed.
  bool is_assigned = false;
};

// Returns XLA's own numbers if both are known, else both computed numbers: a
// mixed comparison would include the error of the computation.
inline ReservedChange CompareReserved(const ReservedBytes& before,
                                      const ReservedBytes& after) {
  if (before.is_assigned() && after.is_assigned()) {
    return {*before.assigned_bytes, *after.assigned_bytes, true};
  }
  return {before.reserved_bytes, after.reserved_bytes, false};
}

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_RESERVED_MEMORY_H_
