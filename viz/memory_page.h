// File: viz/memory_page.h
//
// Does a program fit, what takes its memory, what of that is padding, and what
// has changed? One HTML page that answers: the need against the memory of a
// device, the bytes live along the schedule, the arrays at the peak by op_name,
// a map of where every value lies, and tables of padding and relayouts.
//
//   MemoryPage page;
//   page.title = "step.hlo";
//   page.modules.resize(1);
//   page.modules[0].name = "jit_step";
//   page.modules[0].schedule = {{"p", "parameter"}, {"n", "negate"}};
//   MemoryPage::Timeline timeline;
//   timeline.memory_space = "HBM S(0)";
//   timeline.live_bytes = {4096, 8192};
//   timeline.peak = 1;
//   timeline.peak_unpadded_bytes = 7680;
//   timeline.buffers = {
//       {"p", "parameter", "f32[8,120]{1,0:T(8,128)}", "", 3840, 4096, 0, 1},
//       {"n", "negate", "f32[8,120]{1,0:T(8,128)}", "", 3840, 4096, 1, 1}};
//   page.modules[0].timelines = {timeline};
//   RenderMemoryPage(page);  // "<!DOCTYPE html>...</html>\n"
//
// The page is one file: it loads nothing, not even a font, and forbids itself
// to by a Content-Security-Policy. It computes nothing but sums and pictures of
// what is in the struct.

#ifndef TESSERA_VIZ_MEMORY_PAGE_H_
#define TESSERA_VIZ_MEMORY_PAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "tessera/viz/memory_map.h"

namespace tessera {

// All sizes are in bytes and not negative. `padded_bytes` hold the
// `unpadded_bytes` and the padding. Texts are shown as they are; they may hold
// any bytes.
struct MemoryPage {
  struct Instruction {
    std::string name;
    std::string opcode;
  };

  // An array that takes memory at the positions [first, last] of the schedule;
  // none where last < first.
  struct Buffer {
    std::string name;
    std::string opcode;
    std::string shape;
    std::string source;  // "model.py:12"; may be empty
    int64_t unpadded_bytes = 0;
    int64_t padded_bytes = 0;
    int64_t first = 0;
    int64_t last = 0;
    std::string op_name = "";  // "jit(f)/mlp/dot"; may be empty
  };

  // One memory space along the schedule.
  struct Timeline {
    std::string memory_space;
    // Padded bytes live at each instruction of the schedule.
    std::vector<int64_t> live_bytes;
    // Where live_bytes is largest. A position outside live_bytes: the first
    // such place.
    int64_t peak = -1;
    // Of what is live there, without padding.
    int64_t peak_unpadded_bytes = 0;
    // What XLA sets aside for the whole run; -1 where that is not known.
    int64_t reserved_bytes = -1;
    // What it would set aside if no array were padded.
    int64_t reserved_unpadded_bytes = -1;
    std::vector<Buffer> buffers;
  };

  struct Module {
    std::string name;
    std::string file = "";  // empty where all are of one file
    int64_t instructions = 0;
    int64_t computations = 0;
    int64_t distinct_shapes = 0;
    int64_t unpadded_bytes = 0;
    int64_t padded_bytes = 0;
    // Both are empty where the module has no schedule; the page says so.
    std::vector<Instruction> schedule;
    std::vector<Timeline> timelines;
    // Why they are empty although the module is scheduled: "the text breaks off
    // before ENTRY".
    std::string no_peak;
    // Where every value lies, for each memory space, whose name is the title.
    std::vector<MemoryMap> maps;
    // Whether the maps are XLA's own answer.
    bool is_assigned_by_xla = false;
  };

  struct MemorySpace {
    std::string name;
    int64_t arrays = 0;
    int64_t unpadded_bytes = 0;
    int64_t padded_bytes = 0;
  };

  // The instructions of one opcode, source line and op_name.
  struct Group {
    std::string opcode;
    std::string source;   // may be empty
    std::string op_name;  // may be empty
    int64_t instructions = 0;
    int64_t unpadded_bytes = 0;
    int64_t padded_bytes = 0;
  };

  // One distinct array shape.
  struct Array {
    std::string shape;
    int64_t uses = 0;
    // Of one such array.
    int64_t unpadded_bytes = 0;
    int64_t padded_bytes = 0;
    // Of all uses together.
    int64_t total_padding_bytes = 0;
    // Which dimension is padded most, and how: "1: 130 -> 256"; may be empty.
    std::string padded_dimension;
    // The minor-to-major order that pads least, "{0,1}", and the padded bytes
    // of one array in it; empty where there is none better.
    std::string better_order;
    int64_t better_bytes = 0;
  };

  // An instruction that changes the layout of an array.
  struct Relayout {
    std::string instruction;
    std::string opcode;
    std::string from;  // shapes
    std::string to;
    int64_t bytes = 0;      // of the array, padding included
    bool is_free = false;   // a bitcast: nothing moves
    bool is_fused = false;  // inside a fusion: nothing moves in memory
    // "layout", "memory space" or "host".
    std::string moves;
    // The instructions that make the array and that use it; may be empty.
    std::string producer;
    std::string user;
  };

  // Arrays that are not as they were in another dump, alike in all of this.
  struct ChangeGroup {
    std::string change;  // "new", "gone", "shape", "tiles" and the like
    int64_t count = 1;
    std::string before_shape;  // empty where it was not there
    std::string after_shape;   // empty where it is not there any more
    // Of all of them together.
    int64_t before_bytes = 0;
    int64_t after_bytes = 0;
    std::string op_name;
    std::string source_line;
    std::string instruction;  // the first
    std::string opcode = "";
  };

  // One memory space of a module, before and after.
  struct SpaceChange {
    std::string memory_space;
    int64_t peak_before = 0;
    int64_t peak_after = 0;
    int64_t reserved_before = 0;
    int64_t reserved_after = 0;
    int64_t assigned_before = -1;  // -1: not known
    int64_t assigned_after = -1;
    // What makes the difference of the peaks: the largest groups of so many.
    int64_t group_count = 0;
    std::vector<ChangeGroup> groups;
  };

  // All arrays of a memory space together, padding included.
  struct TotalChange {
    std::string memory_space;
    int64_t before = 0;
    int64_t after = 0;
  };

  struct ModuleChange {
    absl::optional<std::string> before;  // nullopt: only this dump has it
    absl::optional<int64_t> after;       // among `modules`
    // Instructions.
    int64_t matched = 0;
    int64_t appeared = 0;
    int64_t vanished = 0;
    std::string counted;  // "buffers" or "results"
    std::string no_peak;  // why there are no spaces; may be empty
    std::vector<SpaceChange> spaces;
    std::vector<TotalChange> totals;
    // Of all arrays, the largest of so many.
    int64_t group_count = 0;
    std::vector<ChangeGroup> groups;
  };

  // How the file differs from another.
  struct Changes {
    std::string before_title;
    std::vector<ModuleChange> modules;
    // Sentences on what the comparison takes for granted or leaves out.
    std::vector<std::string> notes;
  };

  struct OpcodeTotals {
    std::string opcode;
    int64_t instructions = 0;
    int64_t unpadded_bytes = 0;
    int64_t padded_bytes = 0;
  };

  // Sums are over buffers, as if none shared its memory with another; where
  // this is false, over the results of all instructions.
  bool counts_buffers = true;
  std::string title;  // the file
  std::vector<Module> modules;
  // Of all modules together.
  std::vector<MemorySpace> by_memory_space;
  std::vector<Group> groups;
  std::vector<Array> largest;
  std::vector<Array> most_wasteful;
  std::vector<Relayout> relayouts;
  std::vector<OpcodeTotals> by_opcode;
  absl::optional<Changes> changes;
  // Sentences on what the numbers leave out, shown beside the page's own.
  std::vector<std::string> notes;
};

// Bytes that are not UTF-8 are shown as U+FFFD. Integers past 2^53-1, which
// JavaScript's numbers do not hold, go into the page as text: pictures, sums
// and order then round them to 53 bits, and the exact number is still what is
// shown under the cursor. Never fails.
//
// The page sets `data-errors` on its <html> to the number of script errors,
// and `data-ready` once everything is drawn.
std::string RenderMemoryPage(const MemoryPage& page);

}  // namespace tessera

#endif  // TESSERA_VIZ_MEMORY_PAGE_H_
