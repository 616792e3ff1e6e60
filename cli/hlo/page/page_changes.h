// File: cli/hlo/page/page_changes.h
//
// What `tessera hlo diff --html` adds to the page of the second dump.

#ifndef TESSERA_CLI_HLO_PAGE_PAGE_CHANGES_H_
#define TESSERA_CLI_HLO_PAGE_PAGE_CHANGES_H_

#include "proto/hlo_questions.pb.h"
#include "tessera/viz/memory_page.h"

namespace tessera {
namespace cli {

// Puts the answer of a diff into the form of the page. The modules of the
// second dump are those of the page, in the same order.
MemoryPage::Changes PageChangesOf(const DiffResult& diff);

}  // namespace cli
}  // namespace tessera

#endif  // TESSERA_CLI_HLO_PAGE_PAGE_CHANGES_H_
