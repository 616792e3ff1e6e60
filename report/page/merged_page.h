// File: report/page/merged_page.h
//
// One page for the modules of several HLO files.
//
//   MergedPage merged("dumps");
//   merged.Add("a.txt", MemoryPageOf("a.txt", a));
//   merged.Add("b.txt", MemoryPageOf("b.txt", b));
//   MemoryPage page = std::move(merged).Finish();
//   page.modules[1].file;   // "b.txt"

#ifndef TESSERA_REPORT_PAGE_MERGED_PAGE_H_
#define TESSERA_REPORT_PAGE_MERGED_PAGE_H_

#include <cstdint>
#include <string>

#include "tessera/viz/memory_page.h"

namespace tessera {

// Adds up the sums and joins the tables of pages. Rows of equal shapes, source
// lines, opcodes or memory spaces become one row.
class MergedPage {
 public:
  // Timelines and maps are large: only the modules that need most keep theirs.
  static constexpr int64_t kDrawnModules = 100;

  explicit MergedPage(std::string title);

  void Add(const std::string& file, MemoryPage page);

  // Returns the page. A note says how many modules have no timeline.
  MemoryPage Finish() &&;

 private:
  void KeepLargest();

  MemoryPage merged_;
  int64_t drawn_ = 0;    // modules that have timelines
  int64_t undrawn_ = 0;  // modules that lost theirs
};

}  // namespace tessera

#endif  // TESSERA_REPORT_PAGE_MERGED_PAGE_H_
