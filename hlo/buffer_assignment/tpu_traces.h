// File: hlo/buffer_assignment/tpu_traces.h
//
// What traces does TPU's compiler write of the heaps of a program, and how many
// bytes are live at once in them?
//
//   HeapTracePeak(program, {0, 3});         // of these buffers, in HBM
//   FastMemoryTracePeak(program, {1, 2});   // in VMEM
//
// The trace of a heap has an event where a value begins or ends
// (xla/service/heap_simulator). That of VMEM, or of CMEM on v4, is made when
// memory spaces have been assigned (VerifyAndExportHeapSimulatorTrace in
// xla/service/memory_space_assignment): there a value ends with its last use,
// and what branches of a conditional use is there for each of them apart.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_TPU_TRACES_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_TPU_TRACES_H_

#include <cstdint>

#include "absl/types/span.h"
#include "tessera/hlo/dataflow/program_values.h"

namespace tessera {
namespace hlo_internal {

// Both return the peak as TracePeak has it, of `buffers` in
// ProgramValues::buffers. They take time n log n.
int64_t HeapTracePeak(const ProgramValues& program,
                      absl::Span<const int32_t> buffers);
int64_t FastMemoryTracePeak(const ProgramValues& program,
                            absl::Span<const int32_t> buffers);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_TPU_TRACES_H_
