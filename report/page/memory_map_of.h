// Makes the complete maps of a module's memory spaces: with the title, the
// bytes in use and the names of steps that the picture of a map shows.

#ifndef TESSERA_REPORT_PAGE_MEMORY_MAP_OF_H_
#define TESSERA_REPORT_PAGE_MEMORY_MAP_OF_H_

#include <cstdint>
#include <map>
#include <string>

#include "proto/hlo_questions.pb.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/layout/memory_space.h"
#include "tessera/service/questions/hlo/space_map.h"

namespace tessera {

// Returns the maps by memory space, without empty memory spaces.
std::map<int64_t, SpaceMap> MemoryMapsOf(const ModuleAnalysis& analysis,
                                         MapColors colors);
// Like the function above, for an assignment whose module is not known; `title`
// names it. Without live ranges, the bytes in use are left out.
std::map<int64_t, SpaceMap> MemoryMapsOf(const BufferAssignment& assignment,
                                         const std::string& title,
                                         const MemorySpaceNames& names);

}  // namespace tessera

#endif  // TESSERA_REPORT_PAGE_MEMORY_MAP_OF_H_
