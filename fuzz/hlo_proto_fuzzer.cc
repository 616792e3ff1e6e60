// ./bazelw build --config=fuzz //fuzz:hlo_proto_fuzzer
// bazel-bin/fuzz/hlo_proto_fuzzer -max_total_time=60 SCRATCH
// fuzz/corpus/hlo_proto

#include <cstddef>
#include <cstdint>

#include "tessera/fuzz/hlo_proto.h"
#include "tessera/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::HloProtoProblem, data, size);
}
