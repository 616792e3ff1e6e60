// File: hlo/memory/relayouts.h
//
// Which instructions only put an array elsewhere or in another order, how many
// bytes is that, and which of them need not have been done at all?
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
// Looked at are copy, copy-start, transpose, reshape and bitcast, and fusions
// of nothing but these and slices, which move what the largest of their
// operands has. Each but a fusion is looked at with the order that it keeps: of
// a copy every element keeps its index, of a transpose its index with the
// dimensions exchanged, of a reshape and of a bitcast its number in row-major
// logical order. Where operand and result have the same dimensions and the same
// layout, and nothing is transposed, there is nothing to report. The places of
// elements are compared as functions of the index (index_map/same_function.h),
// all tiles counted.

#ifndef TESSERA_HLO_MEMORY_RELAYOUTS_H_
#define TESSERA_HLO_MEMORY_RELAYOUTS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/shape/shape.h"

namespace tessera {

// What a relayout changes of an array.
enum class Moves {
  kLayout,
  kMemorySpace,  // and perhaps the layout
  kHost,         // to the memory of the host, or from there
};

// Returns "layout", "memory space" or "host".
absl::string_view MovesName(Moves moves);

enum class RelayoutPlaces {
  kSame,   // every element lies at the same place in both
  kOther,  // some element does not
  // Elements of other sizes or in other numbers, an unbounded dimension, or
  // tiles so contrived that telling would take too long.
  kUnknown,
};

struct Relayout {
  HloInstruction instruction;
  const Shape* from = nullptr;
  const Shape* to = nullptr;  // of a copy-start the destination
  int64_t from_memory_space = 0;
  int64_t to_memory_space = 0;
  // Of the result, padding included; 0 where a dimension is unbounded.
  int64_t bytes = 0;
  RelayoutPlaces places = RelayoutPlaces::kUnknown;
  // Whether the result could be the operand as it stands: the same places in
  // the same memory space. A bitcast is that by definition; where its `places`
  // differ, it was made from a transpose as well.
  bool is_free = false;
  // It stands inside a fusion, or in another computation whose results have no
  // buffers: it moves nothing in memory.
  bool is_fused = false;
  Moves moves = Moves::kLayout;
  // Which instruction makes what is moved, and which one, the first in the
  // text, uses the result; the latter is nullopt where none does.
  absl::optional<HloInstruction> producer = absl::nullopt;
  absl::optional<HloInstruction> user = absl::nullopt;
};

struct RelayoutTotals {
  int64_t count = 0;
  int64_t free_count = 0;
  int64_t fused_count = 0;
  int64_t unknown_count = 0;  // of `places`
  // Those that are neither free nor fused.
  int64_t bytes_moved = 0;
  // A sum passed 2^63-1, and stays there.
  bool is_saturated = false;
};

struct RelayoutReport {
  std::vector<Relayout> relayouts;  // in the order of the text
  RelayoutTotals total;
  std::map<std::string, RelayoutTotals> by_opcode;
  // Instructions of these opcodes whose operand or shape is not known.
  int64_t unresolved = 0;
};

// `dump` must outlive the result. Every distinct question is answered once; all
// together compare at most 2^27 indices by value, some seconds.
RelayoutReport FindRelayouts(const HloDump& dump, HloModule module);

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_RELAYOUTS_H_
