// Writes the buffer assignment of a module as a SpaceMap for each memory space.

#ifndef TESSERA_SERVICE_QUESTIONS_HLO_SPACE_MAP_H_
#define TESSERA_SERVICE_QUESTIONS_HLO_SPACE_MAP_H_

#include <cstdint>
#include <map>

#include "proto/hlo_questions.pb.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/memory/module_analysis.h"

namespace tessera {

// The property that determines the colours of values.
enum class MapColors { kOpcode, kSource, kKind };

// Returns the maps by memory space, without empty memory spaces. `title`,
// `used_bytes` and `step_names` are empty: report/page/memory_map_of.h fills
// them in.
std::map<int64_t, SpaceMap> SpaceMapsOf(const ModuleAnalysis& analysis,
                                        MapColors colors);
// Like the function above, for an assignment whose module is not known: the
// groups are the kinds, and shapes are as written. Without live ranges there is
// one step.
std::map<int64_t, SpaceMap> SpaceMapsOf(const BufferAssignment& assignment);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_HLO_SPACE_MAP_H_
