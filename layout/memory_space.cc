#include "tessera/layout/memory_space.h"

#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/numbers.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {

const MemorySpaceNames& MemorySpaceNames::OfTpu() {
  static const auto* const names =
      new MemorySpaceNames({{0, "HBM"},
                            {1, "VMEM"},
                            {2, "semaphores"},
                            {3, "CMEM"},
                            {4, "SMEM"},
                            {5, "host"},
                            {8, "SparseCore semaphores"}});
  return *names;
}

const MemorySpaceNames& MemorySpaceNames::OfGpu() {
  static const auto* const names = new MemorySpaceNames(
      {{0, "device"}, {1, "collective"}, {2, "temporary"}, {5, "host"}});
  return *names;
}

const MemorySpaceNames& MemorySpaceNames::OfCpu() {
  static const auto* const names =
      new MemorySpaceNames({{0, "host"}, {5, "pinned host"}});
  return *names;
}

const MemorySpaceNames& MemorySpaceNames::OfAny() {
  static const auto* const names =
      new MemorySpaceNames({{0, "default"}, {5, "host"}});
  return *names;
}

MemorySpaceNames::MemorySpaceNames() : MemorySpaceNames(OfTpu()) {}

MemorySpaceNames::MemorySpaceNames(std::map<int64_t, std::string> names)
    : names_(std::move(names)) {}

MemorySpaceNames MemorySpaceNames::With(int64_t memory_space,
                                        std::string name) const {
  MemorySpaceNames result = *this;
  result.names_[memory_space] = std::move(name);
  return result;
}

std::string MemorySpaceNames::NameOf(int64_t memory_space) const {
  const auto found = names_.find(memory_space);
  return found != names_.end() ? found->second : std::to_string(memory_space);
}

std::optional<int64_t> MemorySpaceNames::NumberOf(std::string_view name) const {
  for (const auto& [number, known] : names_) {
    if (EqualsIgnoreCase(known, name)) return number;
  }
  return std::nullopt;
}

std::optional<int64_t> MemorySpaceNames::NumberFor(
    std::string_view text) const {
  std::string_view digits = text;
  if (ConsumePrefix(&digits, "S(") && !ConsumeSuffix(&digits, ")")) {
    return std::nullopt;
  }
  int64_t number = 0;
  if (absl::SimpleAtoi(AbslView(digits), &number) && number >= 0) return number;
  return NumberOf(text);
}

}  // namespace tessera
