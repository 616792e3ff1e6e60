#include "tessera/hlo/model/hlo_store.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace tessera {
namespace hlo_internal {
namespace {

constexpr size_t kBlock = 4096;

int64_t LineEndsIn(std::string_view text) {
  return std::count(text.begin(), text.end(), '\n');
}

}  // namespace

int64_t LineTable::LineAt(std::string_view text, int64_t offset) {
  std::call_once(is_counted_, [&] {
    int64_t line = 1;
    for (size_t begin = 0; begin <= text.size(); begin += kBlock) {
      first_lines_.push_back(line);
      line += LineEndsIn(text.substr(begin, kBlock));
    }
  });
  const size_t block = offset / kBlock;
  const size_t begin = block * kBlock;
  return first_lines_[block] + LineEndsIn(text.substr(begin, offset - begin));
}

}  // namespace hlo_internal
}  // namespace tessera
