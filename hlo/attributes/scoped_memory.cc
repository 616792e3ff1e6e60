#include "tessera/hlo/attributes/scoped_memory.h"

#include <cstddef>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tessera {
namespace {

// A number from 0 up, in quotes as JSON has those of 64 bits, or without; -1
// for anything else.
int64_t ScopedNumberOf(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  absl::ConsumePrefix(&text, "\"");
  absl::ConsumeSuffix(&text, "\"");
  int64_t number = -1;
  return absl::SimpleAtoi(text, &number) ? number : -1;
}

// What stands between the braces of an entry.
ScopedMemory ScopedMemoryOf(absl::string_view entry) {
  ScopedMemory memory = {-1, -1, -1};
  for (const absl::string_view field : absl::StrSplit(entry, ',')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(field, absl::MaxSplits(':', 1));
    const absl::string_view key = absl::StripAsciiWhitespace(parts.first);
    if (key == "\"memory_space\"") {
      memory.memory_space = ScopedNumberOf(parts.second);
    } else if (key == "\"offset\"") {
      memory.offset = ScopedNumberOf(parts.second);
    } else if (key == "\"size\"") {
      memory.bytes = ScopedNumberOf(parts.second);
    }
  }
  return memory;
}

// The entries of the list that begins behind `key`.
ScopedMemories ScopedMemoriesBehind(absl::string_view key,
                                    absl::string_view text) {
  ScopedMemories memories;
  const size_t begin = text.find(key);
  if (begin == absl::string_view::npos) return memories;
  text.remove_prefix(begin + key.size());
  while (absl::ConsumePrefix(&text, "{")) {
    const size_t end = text.find('}');
    if (end == absl::string_view::npos) break;
    const ScopedMemory memory = ScopedMemoryOf(text.substr(0, end));
    if (memory.memory_space >= 0 && memory.offset >= 0 && memory.bytes >= 0) {
      memories.push_back(memory);
    }
    text.remove_prefix(end + 1);
    if (!absl::ConsumePrefix(&text, ",")) break;
    text = absl::StripLeadingAsciiWhitespace(text);
  }
  return memories;
}

}  // namespace

ScopedMemories UsedScopedMemory(absl::string_view attributes_text) {
  return ScopedMemoriesBehind("\"used_scoped_memory_configs\":[",
                              attributes_text);
}

ScopedMemories ReservedScopedMemory(absl::string_view attributes_text) {
  return ScopedMemoriesBehind("\"scoped_memory_configs\":[", attributes_text);
}

}  // namespace tessera
