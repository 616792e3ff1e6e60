// Makes diagnostics from messages and places, with line numbers.
//
// MakeDiagnostic (base/text/diagnostic.h) counts lines from the start of the
// text, which is right for one error. For many errors in mostly ascending
// order, this class continues from the last one. So all of them together take
// linear time.
//
//   DiagnosticMaker maker("a\nbc");
//   maker.At(3, "odd").ToString();  // "2:2: odd\n  bc\n   ^"

#ifndef TESSERA_HLO_READER_DIAGNOSTIC_MAKER_H_
#define TESSERA_HLO_READER_DIAGNOSTIC_MAKER_H_

#include <cstdint>
#include <string_view>

#include "tessera/base/text/diagnostic.h"

namespace tessera {
namespace hlo_internal {

class DiagnosticMaker {
 public:
  // `text` must outlive the maker.
  explicit DiagnosticMaker(std::string_view text) : text_(text) {}

  // Describes `message` at byte `offset`, which is in the text or at its end.
  // The excerpt of a very long line is cut around that byte.
  Diagnostic At(size_t offset, std::string_view message);

 private:
  // Counts lines up to `offset`.
  void CountTo(size_t offset);

  const std::string_view text_;
  size_t offset_ = 0;
  int64_t line_start_ = 0;
  int64_t line_ = 1;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_READER_DIAGNOSTIC_MAKER_H_
