// ./bazelw build --config=fuzz //tests/fuzz:cute_fuzzer
// bazel-bin/tests/fuzz/cute_fuzzer -max_total_time=60
// -dict=tests/fuzz/cute.dict SCRATCH tests/fuzz/corpus/cute

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/cute_text.h"
#include "tests/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::CuteTextProblem, data, size);
}
