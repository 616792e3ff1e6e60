#include "tessera/hlo/reader/diagnostic_maker.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "tessera/base/text/diagnostic.h"
#include "tessera/hlo/reader/byte_index.h"

namespace tessera {
namespace hlo_internal {

void DiagnosticMaker::CountTo(size_t offset) {
  const size_t begin = std::min(offset, offset_);
  const std::string_view between =
      text_.substr(begin, std::max(offset, offset_) - begin);
  const int64_t lines = CountLineBreaks(between);
  line_ += offset < offset_ ? -lines : lines;
  if (lines > 0) {
    // npos + 1 is 0, where the first line starts.
    line_start_ = text_.substr(0, offset).rfind('\n') + 1;
  }
  offset_ = offset;
}

Diagnostic DiagnosticMaker::At(size_t offset, std::string_view message) {
  CountTo(offset);
  // More than an excerpt shows on either side of the place.
  constexpr size_t kMargin = 256;
  const size_t begin =
      std::max<int64_t>(line_start_, offset - std::min(offset, kMargin));
  Diagnostic diagnostic = MakeDiagnostic(
      text_.substr(begin, offset - begin + kMargin), offset - begin, message);
  diagnostic.offset = offset;
  diagnostic.line = line_;
  diagnostic.column = static_cast<int64_t>(offset) - line_start_ + 1;
  return diagnostic;
}

}  // namespace hlo_internal
}  // namespace tessera
