#include "tessera/hlo/reader/text_pieces.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tessera/hlo/reader/hlo_scanner.h"

namespace tessera {
namespace hlo_internal {
namespace {

// `line` is not the end of `text`.
bool StartsPiece(std::string_view text, const char* line) {
  // What stands in a computation is indented, as a rule.
  if (HloScanner::Is(HloScanner::kBlank, *line)) return false;
  const char* const end = text.data() + text.size();
  const HloScanner scanner(
      HloScanner::Between(line, HloScanner(text).PastLine(line, end)));
  const std::string_view word = scanner.WordAt(line);
  return word == "HloModule" || word == "ENTRY" ||
         (!scanner.StartsInstruction(line) &&
          scanner.StartsComputation(line, scanner.end()));
}

// Returns the first byte from `from` on where a piece may begin, or the end.
size_t NextCut(std::string_view text, size_t from) {
  while (true) {
    const size_t brace = text.find("}\n", from);
    if (brace == std::string_view::npos) return text.size();
    const size_t line = text.find_first_not_of('\n', brace + 1);
    if (line == std::string_view::npos) return text.size();
    if (StartsPiece(text, text.data() + line)) return line;
    from = line;
  }
}

}  // namespace

std::vector<std::string_view> CutBetweenComputations(std::string_view text,
                                                     int64_t piece_bytes) {
  std::vector<std::string_view> pieces;
  while (text.size() > static_cast<size_t>(piece_bytes)) {
    // The brace may be the last byte of the piece but one.
    const size_t cut = NextCut(text, piece_bytes < 2 ? 0 : piece_bytes - 2);
    if (cut == text.size()) break;
    pieces.push_back(text.substr(0, cut));
    text.remove_prefix(cut);
  }
  if (!text.empty() || pieces.empty()) pieces.push_back(text);
  return pieces;
}

}  // namespace hlo_internal
}  // namespace tessera
