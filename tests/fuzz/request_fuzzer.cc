// ./bazelw build --config=fuzz //tests/fuzz:request_fuzzer
// bazel-bin/tests/fuzz/request_fuzzer -max_total_time=60 SCRATCH
// tests/fuzz/corpus/request

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/property.h"
#include "tests/fuzz/request_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::RequestTextProblem, data, size);
}
