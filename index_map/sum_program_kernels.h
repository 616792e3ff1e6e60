// Runs a SumProgram with the vectors of this processor. Only for
// sum_program.cc; other code calls SumProgram::Run.

#ifndef TESSERA_INDEX_MAP_SUM_PROGRAM_KERNELS_H_
#define TESSERA_INDEX_MAP_SUM_PROGRAM_KERNELS_H_

#include <cstddef>
#include <cstdint>

namespace tessera {

class SumProgram;

// Like SumProgram::Run or, if `checks_inputs`, RunChecked.
size_t RunSumProgram(const SumProgram& program, const uint64_t* const* inputs,
                     uint64_t* const* outputs, uint8_t* kinds, size_t count,
                     bool checks_inputs);
size_t RunSumProgram(const SumProgram& program, const uint32_t* const* inputs,
                     uint32_t* const* outputs, uint8_t* kinds, size_t count,
                     bool checks_inputs);

}  // namespace tessera

#endif  // TESSERA_INDEX_MAP_SUM_PROGRAM_KERNELS_H_
