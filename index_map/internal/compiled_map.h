// The part that copies of an IndexMap share: its structure, and the two
// functions, each compiled at its first call.
//
//   CompiledMap map;                  // bounds, sources and digits ...
//   Derive(&map);
//   map.LinearIndex(index);           // compiles the forward function
//   map.MultidimensionalIndex(position, index);  // and its inverse
//
// Code that only reads the structure, such as a plan of a relayout, does not
// pay for programs (programs.h). Threads that call first at the same time
// compile the same program; one of these is kept.

#ifndef TESSERA_INDEX_MAP_INTERNAL_COMPILED_MAP_H_
#define TESSERA_INDEX_MAP_INTERNAL_COMPILED_MAP_H_

#include <atomic>
#include <cstdint>

#include "tessera/index_map/map_structure.h"

namespace tessera::index_map_internal {

struct CompiledMap;

// The beginning of every program. `map` is the map that it was compiled from.
struct ForwardFunction {
  int64_t (*run)(const ForwardFunction& self, const CompiledMap& map,
                 const int64_t* index);
};
struct InverseFunction {
  PositionKind (*run)(const InverseFunction& self, const CompiledMap& map,
                      int64_t linear_index, int64_t* index);
};

// These compile the program of the given CompiledMap, and run it.
extern const ForwardFunction kForwardToCompile;
extern const InverseFunction kInverseToCompile;

struct CompiledMap : MapStructure {
  // User-provided, so that making one does not zero its inline storage first.
  CompiledMap() {}  // NOLINT
  explicit CompiledMap(const MapStructure& structure)
      : MapStructure(structure) {}
  CompiledMap(const CompiledMap&) = delete;
  CompiledMap& operator=(const CompiledMap&) = delete;
  ~CompiledMap();

  int64_t LinearIndex(const int64_t* index) const {
    const ForwardFunction& f = *forward.load(std::memory_order_acquire);
    return f.run(f, *this, index);
  }
  PositionKind MultidimensionalIndex(int64_t linear_index,
                                     int64_t* index) const {
    const InverseFunction& f = *inverse.load(std::memory_order_acquire);
    return f.run(f, *this, linear_index, index);
  }

  mutable std::atomic<const ForwardFunction*> forward{&kForwardToCompile};
  mutable std::atomic<const InverseFunction*> inverse{&kInverseToCompile};
};

// Derives the remaining fields from those that the builder set.
//
// Precondition: the positions of all indices, and the products of strides and
// moduli, fit int64_t.
void Derive(MapStructure* map);

// Drops the sources past the dimensions that no digit uses.
void DropUnusedSources(MapStructure* map);

}  // namespace tessera::index_map_internal

#endif  // TESSERA_INDEX_MAP_INTERNAL_COMPILED_MAP_H_
