// ./bazelw build --config=fuzz //tests/fuzz:tt_file_fuzzer
// bazel-bin/tests/fuzz/tt_file_fuzzer -max_total_time=60 SCRATCH \
//     tests/fuzz/corpus/tt_file

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/property.h"
#include "tests/fuzz/tt_file_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::TtFileTextProblem, data, size);
}
