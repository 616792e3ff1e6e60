#include "tessera/hlo/model/hlo_store.h"

#include <cstddef>
#include <string_view>

#include "tessera/hlo/reader/byte_index.h"

namespace tessera {
namespace hlo_internal {
int64_t LineTable::LineAt(std::string_view text, int64_t offset) {
  constexpr size_t kBlock = 4096;
  std::call_once(is_counted_, [&] {
    int64_t line = 1;
    for (size_t begin = 0; begin <= text.size(); begin += kBlock) {
      first_lines_.push_back(line);
      line += CountLineBreaks(text.substr(begin, kBlock));
    }
  });
  const size_t block = offset / kBlock;
  const size_t begin = block * kBlock;
  return first_lines_[block] +
         CountLineBreaks(text.substr(begin, offset - begin));
}

}  // namespace hlo_internal
}  // namespace tessera
