// ./bazelw build --config=fuzz //tests/fuzz:memory_config_fuzzer
// bazel-bin/tests/fuzz/memory_config_fuzzer -max_total_time=60 SCRATCH \
//     tests/fuzz/corpus/memory_config

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/memory_config_text.h"
#include "tests/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::MemoryConfigTextProblem, data, size);
}
