// ./bazelw build --config=fuzz //fuzz:request_fuzzer
// bazel-bin/fuzz/request_fuzzer -max_total_time=60 SCRATCH fuzz/corpus/request

#include <cstddef>
#include <cstdint>

#include "tessera/fuzz/property.h"
#include "tessera/fuzz/request_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::RequestTextProblem, data, size);
}
