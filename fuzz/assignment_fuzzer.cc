// ./bazelw build --config=fuzz //fuzz:assignment_fuzzer
// bazel-bin/fuzz/assignment_fuzzer -max_total_time=60 SCRATCH
// fuzz/corpus/assignment

#include <cstddef>
#include <cstdint>

#include "tessera/fuzz/assignment_text.h"
#include "tessera/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::AssignmentTextProblem, data, size);
}
