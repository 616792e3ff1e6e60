// ./bazelw build --config=fuzz //fuzz:hlo_fuzzer
// bazel-bin/fuzz/hlo_fuzzer -max_total_time=60 SCRATCH fuzz/corpus/hlo

#include <cstddef>
#include <cstdint>

#include "tessera/fuzz/hlo_text.h"
#include "tessera/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::HloTextProblem, data, size);
}
