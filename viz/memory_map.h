// Draws where each value lies in memory, and when: a picture of one memory
// space, with the offset upwards, the schedule to the right, and one rectangle
// per value.
//
//   SpaceMap map;
//   map.set_title("jit_step, HBM S(0)");
//   map.set_bytes(4096);
//   map.set_steps(3);
//   MapValue* value = map.add_values();
//   value->set_name("p");
//   value->set_bytes(4096);
//   value->set_last(2);
//   RenderMemoryMap(map);   // "<svg ...</svg>\n"
//
// The same map as events of a trace, for Perfetto or chrome://tracing:
//
//   MemoryMapTrace({map});   // {"traceEvents":[...

#ifndef TESSERA_VIZ_MEMORY_MAP_H_
#define TESSERA_VIZ_MEMORY_MAP_H_

#include <string>

#include "absl/types/span.h"
#include "proto/hlo_questions.pb.h"

namespace tessera {

// Returns an SVG document. It loads nothing, runs nothing, and follows the
// reader's choice of a light or a dark background. Each rectangle has a
// tooltip. Values too small to see are left out, and their number is shown
// below the picture. The same map gives the same bytes.
std::string RenderMemoryMap(const SpaceMap& map);

// Returns JSON in the Trace Event Format. Each map is a process with a counter
// of `used_bytes` and one slice per value. The slices are on the fewest threads
// on which they do not overlap. A step takes a microsecond.
std::string MemoryMapTrace(absl::Span<const SpaceMap> maps);

}  // namespace tessera

#endif  // TESSERA_VIZ_MEMORY_MAP_H_
