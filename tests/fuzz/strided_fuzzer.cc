// ./bazelw build --config=fuzz //tests/fuzz:strided_fuzzer
// bazel-bin/tests/fuzz/strided_fuzzer -max_total_time=60 SCRATCH \
//     tests/fuzz/corpus/strided

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/property.h"
#include "tests/fuzz/strided_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::StridedTextProblem, data, size);
}
