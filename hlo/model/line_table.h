// File: hlo/model/line_table.h
//
// On which line of a text does a byte stand? Asked for every instruction of a
// large dump, it must not count all lines before it each time.

#ifndef TESSERA_HLO_MODEL_LINE_TABLE_H_
#define TESSERA_HLO_MODEL_LINE_TABLE_H_

#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

namespace tessera {
namespace hlo_internal {

class LineTable {
 public:
  // Returns the number of the line, from 1, at this offset in `text`, which
  // must be the same in each call. Several threads may call it.
  // Precondition: 0 <= offset <= text.size().
  int64_t LineAt(std::string_view text, int64_t offset);

 private:
  std::once_flag is_counted_;
  // The line at the start of each block of the text.
  std::vector<int64_t> first_lines_;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_MODEL_LINE_TABLE_H_
