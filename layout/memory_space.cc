#include "tessera/layout/memory_space.h"

#include <utility>

namespace tessera {

MemorySpaceNames::MemorySpaceNames()
    : names_({{0, "HBM"}, {1, "VMEM"}, {5, "host"}}) {}

const MemorySpaceNames& MemorySpaceNames::Default() {
  static const auto* const names = new MemorySpaceNames();
  return *names;
}

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

}  // namespace tessera
