// ./bazelw build --config=fuzz //fuzz:tenstorrent_fuzzer
// bazel-bin/fuzz/tenstorrent_fuzzer -max_total_time=60 SCRATCH \
//     fuzz/corpus/tenstorrent

#include <cstddef>
#include <cstdint>

#include "tessera/fuzz/property.h"
#include "tessera/fuzz/tenstorrent_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tessera::FuzzOneInput(tessera::TenstorrentTextProblem, data, size);
}
