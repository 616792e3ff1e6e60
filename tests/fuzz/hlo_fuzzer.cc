// ./bazelw build --config=fuzz //tests/fuzz:hlo_fuzzer
// bazel-bin/tests/fuzz/hlo_fuzzer -max_total_time=60 SCRATCH
// tests/fuzz/corpus/hlo

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/hlo_text.h"
#include "tests/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::HloTextProblem, data, size);
}
