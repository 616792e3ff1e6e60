#include "tessera/report/hlo/origin_text.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "absl/strings/str_join.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {

std::string OriginText(std::string_view source_line, std::string_view op_name,
                       const Display& display) {
  constexpr int kNoteIndent = 8;
  constexpr size_t kMostOfName = 80;
  const size_t place_size = source_line.empty() ? 0 : source_line.size() + 2;
  const size_t columns = std::max(display.columns - kNoteIndent, 0);
  const size_t room =
      std::min(kMostOfName, columns - std::min(columns, place_size));
  const bool is_cut = op_name.size() > room;
  if (is_cut) {
    op_name.remove_prefix(op_name.size() - room);
    // The first scope is cut off in the middle.
    const size_t scope = op_name.find('/');
    if (scope != op_name.npos) op_name.remove_prefix(scope);
  }
  return Printable(StrCat(
      source_line, source_line.empty() || op_name.empty() ? "" : "  ",
      is_cut && !op_name.empty() ? (display.unicode ? "\u2026" : "...") : "",
      op_name));
}

std::string JoinNotes(std::vector<std::string> notes) {
  notes.erase(std::remove(notes.begin(), notes.end(), ""), notes.end());
  return absl::StrJoin(notes, "  ");
}

}  // namespace tessera
