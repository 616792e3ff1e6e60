// ./bazelw build --config=fuzz //fuzz:strided_fuzzer
// bazel-bin/fuzz/strided_fuzzer -max_total_time=60 SCRATCH \
//     fuzz/corpus/strided

#include <cstddef>
#include <cstdint>

#include "tessera/fuzz/property.h"
#include "tessera/fuzz/strided_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::StridedTextProblem, data, size);
}
