// File: viz/memory_map.h
//
// Which value lies where in memory, and when? A picture of one memory space,
// with the offset upwards, the schedule to the right, and one rectangle per
// value.
//
//   MemoryMap map;
//   map.title = "jit_step, HBM S(0)";
//   map.bytes = 12288;
//   map.steps = 3;
//   map.allocations = {{"parameter 0", "parameter", 0, 4096},
//                      {"temporaries", "temporary", 4096, 8192}};
//   map.values = {{"p", "parameter", "f32[1024]", "", 0, 4096, 0, 2, 0},
//                 {"a", "broadcast", "f32[2048]", "", 4096, 8192, 1, 2, 0}};
//   map.used_bytes = {4096, 12288, 12288};
//   RenderMemoryMap(map);   // "<svg ...</svg>\n"
//
// The same map as events of a trace, for Perfetto or chrome://tracing:
//
//   MemoryMapTrace({map});   // {"traceEvents":[...

#ifndef TESSERA_VIZ_MEMORY_MAP_H_
#define TESSERA_VIZ_MEMORY_MAP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"

namespace tessera {

// Sizes and offsets are in bytes, and not negative; texts may hold any bytes.
struct MemoryMap {
  // A range of memory that is allocated for the whole run.
  struct Allocation {
    std::string name;
    std::string kind;
    int64_t offset = 0;
    int64_t bytes = 0;
  };

  // A value at [offset, offset + bytes) during the steps [first, last].
  struct Value {
    std::string name;
    // The key of its colour, for example its opcode.
    std::string group;
    std::string shape;
    // Its origin in the user's program; may be empty.
    std::string source;
    int64_t offset = 0;
    int64_t bytes = 0;
    int64_t first = 0;
    int64_t last = 0;
    // The bytes of padding in it.
    int64_t padding_bytes = 0;
  };

  std::string title;
  int64_t bytes = 0;
  int64_t steps = 0;
  std::vector<Allocation> allocations;
  // Whether values really lie at their offsets. If not, offsets may exceed
  // `bytes`, and the picture shows the values one above another.
  bool is_placed = true;
  std::vector<Value> values;
  // The bytes in use at each step, and the instruction that runs then; each has
  // one entry per step, or is empty.
  std::vector<int64_t> used_bytes;
  std::vector<std::string> step_names;
};

// One file: it loads nothing, runs nothing, and follows the reader's choice of
// a light or a dark background. Each rectangle has a tooltip. Values too small
// to see are left out, and their number is shown below the picture. The same
// map gives the same bytes.
std::string RenderMemoryMap(const MemoryMap& map);

// JSON in the Trace Event Format: for each map a process, with a counter of
// `used_bytes` and a slice for each value, on as few threads as keep slices
// apart. A step takes a microsecond.
std::string MemoryMapTrace(absl::Span<const MemoryMap> maps);

}  // namespace tessera

#endif  // TESSERA_VIZ_MEMORY_MAP_H_
