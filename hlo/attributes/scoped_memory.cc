#include "tessera/hlo/attributes/scoped_memory.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "absl/strings/numbers.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

// Reads a number >= 0, with quotes, as JSON has them for 64 bits, or without;
// returns -1 for any other text.
int64_t ScopedNumberOf(std::string_view text) {
  text = StripAsciiWhitespace(text);
  ConsumePrefix(&text, "\"");
  ConsumeSuffix(&text, "\"");
  int64_t number = -1;
  return absl::SimpleAtoi(AbslView(text), &number) ? number : -1;
}

ScopedMemory ScopedMemoryOf(std::string_view entry) {
  ScopedMemory memory = {-1, -1, -1};
  for (const std::string_view field : SplitViews(entry, ',')) {
    const size_t colon = std::min(field.find(':'), field.size());
    std::string_view value = field.substr(colon);
    ConsumePrefix(&value, ":");
    const std::string_view key = StripAsciiWhitespace(field.substr(0, colon));
    if (key == "\"memory_space\"") {
      memory.memory_space = ScopedNumberOf(value);
    } else if (key == "\"offset\"") {
      memory.offset = ScopedNumberOf(value);
    } else if (key == "\"size\"") {
      memory.bytes = ScopedNumberOf(value);
    }
  }
  return memory;
}

ScopedMemories ScopedMemoriesBehind(std::string_view key,
                                    std::string_view text) {
  ScopedMemories memories;
  const size_t begin = text.find(key);
  if (begin == std::string_view::npos) return memories;
  text.remove_prefix(begin + key.size());
  while (ConsumePrefix(&text, "{")) {
    const size_t end = text.find('}');
    if (end == std::string_view::npos) break;
    const ScopedMemory memory = ScopedMemoryOf(text.substr(0, end));
    if (memory.memory_space >= 0 && memory.offset >= 0 && memory.bytes >= 0) {
      memories.push_back(memory);
    }
    text.remove_prefix(end + 1);
    if (!ConsumePrefix(&text, ",")) break;
    text = StripLeadingAsciiWhitespace(text);
  }
  return memories;
}

}  // namespace

ScopedMemories UsedScopedMemory(std::string_view attributes_text) {
  return ScopedMemoriesBehind("\"used_scoped_memory_configs\":[",
                              attributes_text);
}

ScopedMemories ReservedScopedMemory(std::string_view attributes_text) {
  return ScopedMemoriesBehind("\"scoped_memory_configs\":[", attributes_text);
}

int64_t VmemBytesOf(const ScopedMemories& memories) {
  constexpr int64_t kVmem = 1;
  int64_t bytes = 0;
  bool is_saturated = false;
  for (const ScopedMemory& memory : memories) {
    if (memory.memory_space != kVmem) continue;
    SaturatingAdd(memory.bytes, &bytes, &is_saturated);
  }
  return bytes;
}

}  // namespace tessera
