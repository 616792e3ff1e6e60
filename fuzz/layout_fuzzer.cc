// ./bazelw build --config=fuzz //fuzz:layout_fuzzer
// bazel-bin/fuzz/layout_fuzzer -max_total_time=60 SCRATCH fuzz/corpus/layout

#include <cstddef>
#include <cstdint>

#include "tessera/fuzz/property.h"
#include "tessera/fuzz/shape_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::LayoutTextProblem, data, size);
}
