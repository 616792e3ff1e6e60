// What must hold for any text that is read as a memory configuration or as a
// tensor of Tenstorrent's runtime?
//
//   MemoryConfigTextProblem("ttnn.L1_MEMORY_CONFIG")  // ""

#ifndef TESSERA_TESTS_FUZZ_MEMORY_CONFIG_TEXT_H_
#define TESSERA_TESTS_FUZZ_MEMORY_CONFIG_TEXT_H_

#include <string>
#include <string_view>

namespace tessera {

// A property (tests/fuzz/property.h) of ParseRuntimeMemoryConfig and
// ParseRuntimeTensor: a configuration prints as a text of tt-mlir that reads
// back as the same value; the buffer of a tensor with it, if there is one,
// holds the first and the last element within what it takes; what is refused
// says where.
std::string MemoryConfigTextProblem(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_MEMORY_CONFIG_TEXT_H_
