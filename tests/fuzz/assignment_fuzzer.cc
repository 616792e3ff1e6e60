// ./bazelw build --config=fuzz //tests/fuzz:assignment_fuzzer
// bazel-bin/tests/fuzz/assignment_fuzzer -max_total_time=60 SCRATCH
// tests/fuzz/corpus/assignment

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/assignment_text.h"
#include "tests/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::AssignmentTextProblem, data, size);
}
