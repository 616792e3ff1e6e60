// Finds the instructions that only move an array to another place or layout,
// the bytes that they move, and those that could be avoided.
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m
//       ENTRY main {
//         x = f32[8,128]{1,0:T(8,128)} parameter(0)
//         a = f32[8,128]{1,0} copy(x)
//         ROOT b = f32[8,128]{0,1} copy(a)
//       })");
//   RelayoutReport report = FindRelayouts(*dump, dump->modules()[0]);
//   report.relayouts[0].instruction.name();  // "a"
//   report.relayouts[0].is_free;             // true: one tile is row-major
//   report.relayouts[1].is_free;             // false
//   report.relayouts[1].bytes;               // 4096
//   report.total.count;                      // 2
//   report.total.free_count;                 // 1
//   report.by_opcode.at("copy").bytes_moved;  // 4096
//
// These instructions are copy, copy-start, transpose, reshape and bitcast, and
// fusions of only these and slices, which move the bytes of their largest
// operand. All except fusions keep an order of the elements: a copy keeps the
// index of every element, a transpose keeps the index with its dimensions
// exchanged, and a reshape or bitcast keeps the number in row-major logical
// order. An instruction is not reported if operand and result have the same
// dimensions and the same layout, and nothing is transposed. The places of
// elements are compared as functions of the index (index_map/same_function.h),
// with all tiles.

#ifndef TESSERA_HLO_MEMORY_RELAYOUTS_H_
#define TESSERA_HLO_MEMORY_RELAYOUTS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/hlo/hlo_module.h"
#include "tessera/shape/shape.h"

namespace tessera {

// The part of an array's type that a relayout changes.
enum class Moves {
  kLayout,
  kMemorySpace,  // and perhaps the layout
  kHost,         // to the memory of the host, or from there
};

// Returns "layout", "memory space" or "host".
std::string_view MovesName(Moves moves);

enum class RelayoutPlaces {
  kSame,   // every element lies at the same place in both
  kOther,  // some element does not
  // Not decided: the sizes or numbers of elements differ, a dimension is
  // unbounded, or the tiles are so complex that a decision would take too long.
  kUnknown,
};

struct Relayout {
  HloInstruction instruction;
  const Shape* from = nullptr;
  const Shape* to = nullptr;  // of a copy-start the destination
  int64_t from_memory_space = 0;
  int64_t to_memory_space = 0;
  // The bytes of the result, including padding; 0 if a dimension is unbounded.
  int64_t bytes = 0;
  RelayoutPlaces places = RelayoutPlaces::kUnknown;
  // Whether the result could be the unchanged operand: the same places in the
  // same memory space. A bitcast always is; if its `places` differ, it also
  // contains a transpose.
  bool is_free = false;
  // Whether it is inside a fusion or another computation without buffers, and
  // so does not move anything in memory.
  bool is_fused = false;
  Moves moves = Moves::kLayout;
  // The instruction that produces the moved array, and the first in the text
  // that uses the result; the latter is nullopt if there is none.
  std::optional<HloInstruction> producer = std::nullopt;
  std::optional<HloInstruction> user = std::nullopt;
};

struct RelayoutTotals {
  int64_t count = 0;
  int64_t free_count = 0;
  int64_t fused_count = 0;
  int64_t unknown_count = 0;  // of `places`
  // The relayouts that are neither free nor fused.
  int64_t bytes_moved = 0;
  // Whether a sum exceeded 2^63-1, and stays there.
  bool is_saturated = false;
};

struct RelayoutReport {
  std::vector<Relayout> relayouts;  // in the order of the text
  RelayoutTotals total;
  std::map<std::string, RelayoutTotals> by_opcode;
  // Instructions of these opcodes whose operand or shape is not known.
  int64_t unresolved = 0;
};

// `dump` must outlive the result. Every distinct pair is compared once;
// together they compare at most 2^27 indices by value, which takes some
// seconds.
RelayoutReport FindRelayouts(const HloDump& dump, HloModule module);

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_RELAYOUTS_H_
