// ./bazelw build --config=fuzz //tests/fuzz:hlo_proto_fuzzer
// bazel-bin/tests/fuzz/hlo_proto_fuzzer -max_total_time=60 SCRATCH
// tests/fuzz/corpus/hlo_proto

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/hlo_proto.h"
#include "tests/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::HloProtoProblem, data, size);
}
