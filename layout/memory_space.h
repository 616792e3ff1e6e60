// File: layout/memory_space.h
//
// What do people call the memory that S(n) names?
//
//   MemorySpaceNames names;
//   names.NameOf(1);                              // "VMEM"
//   names.NameOf(7);                              // "7": nobody has named it
//   names.With(7, "CMEM").NameOf(7);              // "CMEM"
//   MemorySpaceNames({{0, "device"}}).NameOf(1);  // "1"
//
// The numbers belong to the backend. Those named by default are the ones that
// XLA's TPU dumps and its layout.h agree on: 0, where an array is that says
// nothing, 1, the fast memory beside the core, and 5, the host's.

#ifndef TESSERA_LAYOUT_MEMORY_SPACE_H_
#define TESSERA_LAYOUT_MEMORY_SPACE_H_

#include <cstdint>
#include <map>
#include <string>

namespace tessera {

class MemorySpaceNames {
 public:
  // 0 "HBM", 1 "VMEM", 5 "host".
  MemorySpaceNames();
  // Returns the same, made once.
  static const MemorySpaceNames& Default();
  // These names and no others.
  explicit MemorySpaceNames(std::map<int64_t, std::string> names);

  // Returns a copy in which `memory_space` is called `name`.
  MemorySpaceNames With(int64_t memory_space, std::string name) const;

  // Returns the name of `memory_space`, or its number if it has none.
  std::string NameOf(int64_t memory_space) const;

 private:
  std::map<int64_t, std::string> names_;
};

}  // namespace tessera

#endif  // TESSERA_LAYOUT_MEMORY_SPACE_H_
