// File: report/page/page_changes.h
//
// The part that `tessera hlo diff --html` adds to the page of the second dump.

#ifndef TESSERA_REPORT_PAGE_PAGE_CHANGES_H_
#define TESSERA_REPORT_PAGE_PAGE_CHANGES_H_

#include "proto/hlo_questions.pb.h"
#include "tessera/viz/memory_page.h"

namespace tessera {

// Puts the answer of a diff into the form of the page. The modules of the
// second dump are those of the page, in the same order.
MemoryPage::Changes PageChangesOf(const DiffResult& diff);

}  // namespace tessera

#endif  // TESSERA_REPORT_PAGE_PAGE_CHANGES_H_
