// Names of the memory spaces S(n).
//
//   const MemorySpaceNames& tpu = MemorySpaceNames::OfTpu();
//   tpu.NameOf(1);                                // "VMEM"
//   tpu.NameOf(7);                                // "7": it has no name
//   tpu.With(7, "mine").NameOf(7);                // "mine"
//   MemorySpaceNames::OfGpu().NameOf(1);          // "collective"
//   MemorySpaceNames::OfAny().NameOf(5);          // "host"
//   MemorySpaceNames({{0, "device"}}).NameOf(1);  // "1"
//
// The meaning of a number depends on the backend; these are the names on each.
// A number that no public source names has no name, such as 6, in which TPU
// keeps scalars.
//
// |      | TPU                   | GPU        | CPU         | any     |
// |------|-----------------------|------------|-------------|---------|
// | S(0) | HBM                   | device     | host        | default |
// | S(1) | VMEM                  | collective |             |         |
// | S(2) | semaphores            | temporary  |             |         |
// | S(3) | CMEM                  |            |             |         |
// | S(4) | SMEM                  |            |             |         |
// | S(5) | host                  | host       | pinned host | host    |
// | S(8) | SparseCore semaphores |            |             |         |
//
// Sources: for 0, 1 and 5, XLA's layout.h and shapes.md; for TPU's others
// except 3, `MemorySpace.color` of jax/_src/tpu_custom_call.py; for 3, which
// only v4 has, dumps of v4; for GPU's 1 and 2,
// xla/service/gpu/gpu_memory_space_assignment.h. On a CPU, all memory is the
// host's; there, 5 has JAX's name, to keep the names distinct.

#ifndef TESSERA_LAYOUT_MEMORY_SPACE_H_
#define TESSERA_LAYOUT_MEMORY_SPACE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tessera {

class MemorySpaceNames {
 public:
  // Return the names on a TPU, a GPU or a CPU. Each table is built once.
  static const MemorySpaceNames& OfTpu();
  static const MemorySpaceNames& OfGpu();
  static const MemorySpaceNames& OfCpu();
  // Returns the names that are valid on every backend.
  static const MemorySpaceNames& OfAny();

  // Creates the names of a TPU.
  MemorySpaceNames();
  // Creates exactly these names.
  explicit MemorySpaceNames(std::map<int64_t, std::string> names);

  // Returns a copy in which `memory_space` is called `name`.
  MemorySpaceNames With(int64_t memory_space, std::string name) const;

  // Returns the name of `memory_space`, or its number if it has none.
  std::string NameOf(int64_t memory_space) const;

  // Returns the lowest number with that name, in upper or lower case, or
  // nullopt. A number is not a name.
  std::optional<int64_t> NumberOf(std::string_view name) const;

  // Returns the memory space that a user wrote as its number, "1", as in
  // layouts, "S(1)", or as its name; nullopt for any other text.
  std::optional<int64_t> NumberFor(std::string_view text) const;

 private:
  std::map<int64_t, std::string> names_;
};

}  // namespace tessera

#endif  // TESSERA_LAYOUT_MEMORY_SPACE_H_
