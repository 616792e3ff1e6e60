// ./bazelw build --config=fuzz //tests/fuzz:fuzzer
// TESSERA_FUZZ=request bazel-bin/tests/fuzz/fuzzer -max_total_time=60 SCRATCH
// tests/fuzz/corpus/request
//
// tests/fuzz/run.sh runs every property.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/properties.h"
#include "tests/fuzz/property.h"

namespace {

tessera::Property property = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  const char* name = std::getenv("TESSERA_FUZZ");
  property = tessera::PropertyOf(name == nullptr ? "" : name);
  if (property != nullptr) return 0;
  std::fputs("TESSERA_FUZZ names the property, one of", stderr);
  for (const auto& [known, unused] : tessera::Properties()) {
    std::fprintf(stderr, " %s", known.c_str());
  }
  std::fputs("\n", stderr);
  std::exit(1);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(property, data, size);
}
