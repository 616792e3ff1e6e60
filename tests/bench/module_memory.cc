#include "tests/bench/module_memory.h"

#include <malloc.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/status/statusor.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/bench/repeated_dump.h"

namespace tessera {
namespace {

int64_t BytesHandedOut() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
}

}  // namespace

void PrintModuleMemory() {
  constexpr size_t kBytes = 8 << 20;
  for (const char* file :
       {"tests/hlo/data/tpu_maxtext_llama3_8b_2026-07-31.txt",
        "tests/hlo/data/jax.issue.33666.linx.frag_0100.module_0005.hlo"}) {
    std::ifstream stream(file);
    const std::string text = RepeatDump(
        std::string(std::istreambuf_iterator<char>(stream), {}), kBytes);
    const int64_t before = BytesHandedOut();
    const absl::StatusOr<HloDump> dump = ParseHloView(text);
    if (!dump.ok()) continue;
    std::printf(
        "a module takes %.2f bytes for each byte of text beside it, at most "
        "1.5 (%s, repeated)\n",
        static_cast<double>(BytesHandedOut() - before) / text.size(), file);
  }
}

}  // namespace tessera
