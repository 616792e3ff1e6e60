// Finds the padded arrays of a dump, with their lines and the orders of
// dimensions that would take less memory.
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   const HloDump dump = *ParseHlo(
//       "HloModule m\n"
//       "ENTRY e {\n"
//       "  ROOT p = f32[1000,2]{1,0:T(8,128)} parameter(0)\n"
//       "}\n");
//   const std::vector<PaddedArray> arrays = FindPaddedArrays(dump);
//   arrays[0].instruction.name();               // "p"
//   arrays[0].line;                             // 3
//   arrays[0].sizes.padding_fraction();         // 0.984375
//   arrays[0].better_order->minor_to_major;     // {0, 1}

#ifndef TESSERA_HLO_MEMORY_PADDED_ARRAYS_H_
#define TESSERA_HLO_MEMORY_PADDED_ARRAYS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/index_util/padding.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_index.h"

namespace tessera {

// One array in the result of one instruction.
struct PaddedArray {
  HloInstruction instruction;
  // Its place in the result; empty unless the result is a tuple.
  ShapeIndex shape_index;
  // HloInstruction::line().
  int64_t line = 0;
  // A shape of the dump, which must outlive this.
  const Shape* shape = nullptr;
  ArraySizes sizes;
  // The result of FindBestOrder if that takes less memory; otherwise nullopt.
  std::optional<BestOrder> better_order;
};

struct PaddedArrayOptions {
  // For a module without ENTRY, all results are counted.
  CountedArrays counted = CountedArrays::kBuffers;
  // Arrays with a smaller ArraySizes::padding_fraction() are omitted, and so
  // are those without padding. ModuleAnalysis::Arrays() has all arrays.
  double min_padding_fraction = 0.3;
};

// Returns the padded arrays of `dump`, those with the most padding first, and
// equal ones in the order of the text. Takes time linear in the dump, apart
// from the orders of each distinct array.
std::vector<PaddedArray> FindPaddedArrays(
    const HloDump& dump, const PaddedArrayOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_PADDED_ARRAYS_H_
