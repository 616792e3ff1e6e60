// Pages of a made-up training step.
//
//   MemoryPage page = SamplePage(2000);
//   page.modules[0].timelines[0].live_bytes.size();  // 2000

#ifndef TESSERA_TESTS_VIZ_SAMPLE_PAGE_H_
#define TESSERA_TESTS_VIZ_SAMPLE_PAGE_H_

#include "tessera/viz/memory_page.h"

namespace tessera {

// One scheduled module with about as many buffers as instructions, in two
// memory spaces; always the same for the same number. Precondition:
// instructions >= 2.
MemoryPage SamplePage(int instructions);

}  // namespace tessera

#endif  // TESSERA_TESTS_VIZ_SAMPLE_PAGE_H_
