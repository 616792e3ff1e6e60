// ./bazelw build --config=fuzz //fuzz:tensor_layout_fuzzer
// bazel-bin/fuzz/tensor_layout_fuzzer -max_total_time=60 SCRATCH \
//     fuzz/corpus/tensor_layout

#include <cstddef>
#include <cstdint>

#include "tessera/fuzz/property.h"
#include "tessera/fuzz/tensor_layout_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::TensorLayoutTextProblem, data, size);
}
