// File: report/page/memory_page_of.h
//
// Makes the page about the memory of an HLO dump (viz/memory_page.h).

#ifndef TESSERA_REPORT_PAGE_MEMORY_PAGE_OF_H_
#define TESSERA_REPORT_PAGE_MEMORY_PAGE_OF_H_

#include <string>

#include "tessera/hlo/buffer_assignment/hlo_file.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/memory_options.h"
#include "tessera/viz/memory_page.h"

namespace tessera {

// Puts the analyses of hlo/ into a page: memory report, the memory in use of
// the modules that are scheduled, relayouts. A source line is that of the
// instruction's metadata, or of the innermost frame that it names in the
// module's tables.
//
// The memory maps are those of `assignments`, and else those that follow from
// the modules. Of more than 20,000 values in one, the largest are in it.
MemoryPage MemoryPageOf(const std::string& title, const HloDump& dump,
                        const MemoryOptions& question = {},
                        const HloAssignments& assignments = {});

}  // namespace tessera

#endif  // TESSERA_REPORT_PAGE_MEMORY_PAGE_OF_H_
