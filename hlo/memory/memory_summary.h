// File: hlo/memory/memory_summary.h
//
// How many bytes do the arrays of this HLO text take, and how many of them are
// padding?
//
//   MemorySummary summary = SummarizeMemory(R"(
//       HloModule m
//       ENTRY main {
//         x = bf16[9,130]{1,0:T(8,128)(2,1)} parameter(0)
//         y = bf16[9,130]{1,0:T(8,128)(2,1)S(1)} copy(x)
//         n = s32[] constant(7)
//         ROOT t = (bf16[9,130]{1,0:T(8,128)(2,1)}, s32[]) tuple(x, n)
//       })");
//   summary.counts.instructions;                 // 4
//   summary.total.arrays;                        // 5: a tuple has two
//   summary.total.unpadded_bytes;                // 3 * 2340 + 2 * 4
//   summary.total.padded_bytes;                  // 3 * 8192 + 2 * 4
//   summary.by_memory_space.at(1).padded_bytes;  // 8192
//   summary.most_wasteful[0].shape_text;  // bf16[9,130]{1,0:T(8,128)(2,1)}
//   summary.most_wasteful[0].count;       // 2
//
// Summed are the arrays in the result shapes of all instructions, as if each
// had memory of its own: a measure of the text, not of the peak of a program,
// in which buffers are reused and shared: that is hlo/memory/liveness.h. The
// same by module, computation, opcode and layout is hlo/memory/memory_report.h;
// this one needs no model of the dump, only memory for its distinct shapes.

#ifndef TESSERA_HLO_MEMORY_MEMORY_SUMMARY_H_
#define TESSERA_HLO_MEMORY_MEMORY_SUMMARY_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/strings/string_view.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/memory/array_usage.h"
#include "tessera/hlo/memory/memory_totals.h"
#include "tessera/text/diagnostic.h"

namespace tessera {

struct MemorySummary : ArrayTotals {
  HloCounts counts;
  // Instructions whose text gives no result shape; they count for no bytes.
  int64_t instructions_without_shape = 0;
  // Distinct result shapes, layouts included; a missing layout is the default.
  int64_t distinct_shapes = 0;

  // By the bytes of one array, padding included.
  std::vector<ArrayUsage> largest;
  // By total_padding_bytes; only arrays that have any.
  std::vector<ArrayUsage> most_wasteful;

  // What the texts of the shapes would take with the first one that went past
  // MemorySummaryOptions::shape_text_bytes; 0 if none did.
  int64_t refused_shape_text_bytes = 0;

  // The first of counts.diagnostics.
  std::vector<Diagnostic> diagnostics;
};

struct MemorySummaryOptions {
  // At most so many rows in `largest` and `most_wasteful`.
  int64_t table_rows = 10;
  // Whether `most_wasteful` comes with ArrayUsage::best_order.
  bool find_best_orders = false;
  // The texts of distinct shapes, together: what goes past it is refused, as if
  // it could not be read.
  int64_t shape_text_bytes = std::numeric_limits<int64_t>::max();
  // At most so many `diagnostics`, however broken the text is.
  int64_t diagnostic_limit = 100;
};

// Never fails: what cannot be read is in the diagnostics, all else in the sums.
MemorySummary SummarizeMemory(absl::string_view text,
                              const MemorySummaryOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_MEMORY_SUMMARY_H_
