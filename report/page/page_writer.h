// Writes one HTML page about the memory of programs. It shows whether a program
// fits on a device, how many bytes are live along the schedule, which arrays
// are live at the peak, and where each value lies. Tables list padding,
// relayouts and changes.
//
//   absl::StatusOr<HloDump> dump = ParseHlo(text);
//   PageWriter page("dumps");
//   page.Add(*PageSummary("step.hlo", *dump, MemoryOptions(),
//                         HloAssignments()));
//   std::move(page).ToHtml();  // "<!DOCTYPE html>...</html>\n"
//
// The page is one file. It loads nothing, not even a font, and its
// Content-Security-Policy forbids it to. It computes nothing but sums and
// pictures of the data in the answers.

#ifndef TESSERA_REPORT_PAGE_PAGE_WRITER_H_
#define TESSERA_REPORT_PAGE_PAGE_WRITER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/hlo/buffer_assignment/hlo_file.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/memory_options.h"

namespace tessera {

// Returns the content of a page about a file: the answer to a SummarizeRequest
// with its details, and the series and the map of every module. A map has at
// most 20,000 values, the largest.
absl::StatusOr<SummarizeResult> PageSummary(const std::string& file,
                                            const HloDump& dump,
                                            const MemoryOptions& question,
                                            const HloAssignments& assignments);

class PageWriter {
 public:
  // Timelines and maps are large: only the modules with the most memory keep
  // theirs.
  static constexpr int64_t kDrawnModules = 100;

  explicit PageWriter(std::string title) : title_(std::move(title)) {}

  // Adds a file to the page, which adds up the sums of the files and joins
  // their tables. `passes` are those of the file's module; the page lists the
  // new arrays after each pass.
  void Add(SummarizeResult file,
           std::optional<ModulePasses> passes = std::nullopt);

  // Sets the differences of the only file from another. The modules of the
  // second dump are those of the file, in the same order.
  void SetChanges(DiffResult changes) { changes_ = std::move(changes); }

  // Returns the page. Bytes that are not UTF-8 become U+FFFD. Never fails.
  //
  // The page sets `data-errors` on its <html> to the number of script errors,
  // and `data-ready` once everything is drawn.
  std::string ToHtml() &&;

 private:
  void KeepLargest();

  const std::string title_;
  std::vector<SummarizeResult> files_;
  std::vector<std::optional<ModulePasses>> passes_;  // of each of `files_`
  std::optional<DiffResult> changes_;
  int64_t drawn_ = 0;  // modules that have timelines
};

}  // namespace tessera

#endif  // TESSERA_REPORT_PAGE_PAGE_WRITER_H_
