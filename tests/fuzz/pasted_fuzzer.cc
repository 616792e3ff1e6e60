// ./bazelw build --config=fuzz //tests/fuzz:pasted_fuzzer
// bazel-bin/tests/fuzz/pasted_fuzzer -max_total_time=60 SCRATCH
// tests/fuzz/corpus/pasted

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/pasted_text.h"
#include "tests/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::PastedTextProblem, data, size);
}
