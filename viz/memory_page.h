// File: viz/memory_page.h
//
// An HTML page about a program's memory: whether it fits a device, the bytes
// live along the schedule, the arrays at the peak by op_name, a map of all
// values, and tables of padding, relayouts and changes.
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
// The page is one file: it loads nothing, not even a font, and its
// Content-Security-Policy forbids that. It computes only sums and pictures of
// the struct's contents.

#ifndef TESSERA_VIZ_MEMORY_PAGE_H_
#define TESSERA_VIZ_MEMORY_PAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "tessera/viz/memory_map.h"

namespace tessera {

// All sizes are in bytes and not negative. `padded_bytes` are the
// `unpadded_bytes` plus the padding. Texts are shown unchanged; they may hold
// any bytes.
struct MemoryPage {
  struct Instruction {
    std::string name;
    std::string opcode;
  };

  // An array that takes memory at the positions [first, last] of the schedule;
  // at no position if last < first.
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
    // The position at which live_bytes is largest. If outside live_bytes, the
    // first such position.
    int64_t peak = -1;
    // The live bytes at that position, without padding.
    int64_t peak_unpadded_bytes = 0;
    // The bytes that XLA reserves for the whole run; -1 if not known.
    int64_t reserved_bytes = -1;
    // The bytes that XLA would reserve if no array were padded.
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
    // Both are empty if the module is not scheduled; the page says so.
    std::vector<Instruction> schedule;
    std::vector<Timeline> timelines;
    // Why they are empty although the module is scheduled: "the text breaks off
    // before ENTRY".
    std::string no_peak;
    // The places of all values, for each memory space; the title is its name.
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
    // The bytes of one such array.
    int64_t unpadded_bytes = 0;
    int64_t padded_bytes = 0;
    // The bytes of all uses together.
    int64_t total_padding_bytes = 0;
    // The dimension with the most padding: "1: 130 -> 256"; may be empty.
    std::string padded_dimension;
    // The minor-to-major order with the least padding, "{0,1}", and the padded
    // bytes of one array in that order; empty if no order is better.
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
    // The instructions that produce and use the array; may be empty.
    std::string producer;
    std::string user;
  };

  // A group of arrays that changed in the same way from the other dump.
  struct ChangeGroup {
    std::string change;  // "new", "gone", "shape", "tiles" and the like
    int64_t count = 1;
    std::string before_shape;  // empty where it was not there
    std::string after_shape;   // empty where it is not there any more
    // The bytes of the whole group.
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
    // The largest groups behind the difference of the peaks, and their number.
    int64_t group_count = 0;
    std::vector<ChangeGroup> groups;
  };

  // All arrays of a memory space together, including padding.
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
    // The largest of all arrays, and the number of all.
    int64_t group_count = 0;
    std::vector<ChangeGroup> groups;
  };

  // The differences from another file.
  struct Changes {
    std::string before_title;
    std::vector<ModuleChange> modules;
    // Sentences about assumptions and limits of the comparison.
    std::vector<std::string> notes;
  };

  struct OpcodeTotals {
    std::string opcode;
    int64_t instructions = 0;
    int64_t unpadded_bytes = 0;
    int64_t padded_bytes = 0;
  };

  // Whether sums are over buffers, as if none shared memory; otherwise they are
  // over the results of all instructions.
  bool counts_buffers = true;
  std::string title;  // the file
  std::vector<Module> modules;
  // The sums over all modules.
  std::vector<MemorySpace> by_memory_space;
  std::vector<Group> groups;
  std::vector<Array> largest;
  std::vector<Array> most_wasteful;
  std::vector<Relayout> relayouts;
  std::vector<OpcodeTotals> by_opcode;
  absl::optional<Changes> changes;
  // Sentences about the limits of the numbers, shown with the page's own.
  std::vector<std::string> notes;
};

// Bytes that are not UTF-8 are shown as U+FFFD. Integers past 2^53-1, which
// JavaScript's numbers cannot hold, are stored as text: pictures, sums and
// sorting round them to 53 bits, but tooltips show the exact number. Never
// fails.
//
// The page sets `data-errors` on its <html> to the number of script errors,
// and `data-ready` once everything is drawn.
std::string RenderMemoryPage(const MemoryPage& page);

}  // namespace tessera

#endif  // TESSERA_VIZ_MEMORY_PAGE_H_
