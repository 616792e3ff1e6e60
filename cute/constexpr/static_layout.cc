#include "tessera/cute/constexpr/static_layout.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"

namespace tessera {
namespace cute {
namespace {

std::string TupleText(const StaticLayout& layout,
                      int64_t StaticLayout::Leaf::*number) {
  std::string text;
  int depth = 0;
  for (int i = 0; i < layout.leaf_count(); ++i) {
    const StaticLayout::Leaf& leaf = layout.leaf(i);
    if (i > 0) text += ',';
    text.append(leaf.depth - depth, '(');
    absl::StrAppend(&text, leaf.*number);
    text.append(leaf.depth - leaf.join, ')');
    depth = leaf.join;
  }
  return text;
}

}  // namespace

std::string StaticLayout::ToString() const {
  return absl::StrCat(TupleText(*this, &Leaf::size), ":",
                      TupleText(*this, &Leaf::stride));
}

}  // namespace cute
}  // namespace tessera
