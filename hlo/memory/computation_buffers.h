// File: hlo/memory/computation_buffers.h
//
// In which buffers do the results of one scheduled computation lie, and from
// which instruction to which is each needed? The rules are at the head of
// hlo/memory/liveness.h, of which this is a part.
//
//   // p = f32[8]{0} parameter(0)
//   // t = (f32[8]{0}, f32[8]{0}) tuple(p, p)
//   // ROOT g = f32[8]{0} get-tuple-element(t), index=1
//   ComputationBuffers buffers =
//       FindComputationBuffers(computation, &arrays, callee);
//   buffers.buffers.size();   // 1
//   buffers.result[0];        // 0: the root lies in the buffer of p

#ifndef TESSERA_HLO_MEMORY_COMPUTATION_BUFFERS_H_
#define TESSERA_HLO_MEMORY_COMPUTATION_BUFFERS_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/array_table.h"

namespace tessera {

// What a caller must know of a computation.
struct ComputationResult {
  // A leaf of a parameter, or parameter < 0 for memory of its own.
  struct Origin {
    int64_t parameter = -1;
    int64_t part = 0;
    // How many parts that parameter has.
    int64_t part_count = 0;
  };

  int64_t shape_index = -1;  // of the root; -1 where that has none
  // For each part of the root's shape.
  std::vector<Origin> origins;
};

struct ComputationBuffers {
  struct Buffer {
    enum class Kind { kParameter, kConstant, kOwn };

    Kind kind = Kind::kOwn;
    int64_t instruction = 0;  // within the computation, as all here
    int64_t part = 0;         // of its shape
    int64_t array = 0;        // in the array table
    // `first` is where it is computed. `last` is the last use, the end for what
    // the root holds.
    int64_t first = 0;
    int64_t last = 0;
    bool is_result = false;
  };

  // An instruction that runs other computations, and from when until when they
  // run: if it is an asynchronous start, from where the last of the arguments
  // and the result are there.
  struct Call {
    int64_t instruction = 0;
    int64_t first = 0;
    int64_t last = 0;
  };

  std::vector<Buffer> buffers;
  // For each part of the root's shape: its buffer, or -1.
  std::vector<int64_t> result;
  std::vector<Call> calls;

  int64_t instructions_without_shape = 0;
  int64_t skipped_arrays = 0;
  int64_t unresolved = 0;

  // What a caller must know of it.
  ComputationResult ForCallers(HloComputation computation,
                               ArrayTable* arrays) const;
};

// `callee` gives what is known of a computation that is called, or null.
ComputationBuffers FindComputationBuffers(
    HloComputation computation, ArrayTable* arrays,
    absl::FunctionRef<const ComputationResult*(HloComputation)> callee);

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_COMPUTATION_BUFFERS_H_
