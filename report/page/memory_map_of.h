// File: report/page/memory_map_of.h
//
// Makes pictures of the memory spaces of a module from its buffer assignment.

#ifndef TESSERA_REPORT_PAGE_MEMORY_MAP_OF_H_
#define TESSERA_REPORT_PAGE_MEMORY_MAP_OF_H_

#include <cstdint>
#include <map>

#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/viz/memory_map.h"

namespace tessera {

// What values are coloured by.
enum class MapColors { kOpcode, kSource, kKind };

// By memory space; those without a byte are left out. Allocations lie one above
// the other: parameters, constants, outputs, temporaries. What is thread-local
// is in none.
std::map<int64_t, MemoryMap> MemoryMapsOf(const ModuleAnalysis& analysis,
                                          MapColors colors);

}  // namespace tessera

#endif  // TESSERA_REPORT_PAGE_MEMORY_MAP_OF_H_
