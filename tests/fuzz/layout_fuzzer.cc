// ./bazelw build --config=fuzz //tests/fuzz:layout_fuzzer
// bazel-bin/tests/fuzz/layout_fuzzer -max_total_time=60 SCRATCH
// tests/fuzz/corpus/layout

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/property.h"
#include "tests/fuzz/shape_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::LayoutTextProblem, data, size);
}
