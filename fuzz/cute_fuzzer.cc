// ./bazelw build --config=fuzz //fuzz:cute_fuzzer
// bazel-bin/fuzz/cute_fuzzer -max_total_time=60 SCRATCH fuzz/corpus/cute

#include <cstddef>
#include <cstdint>

#include "tessera/fuzz/cute_text.h"
#include "tessera/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::CuteTextProblem, data, size);
}
