#include "tessera/layout/tile.h"

#include <ostream>

#include "absl/hash/hash.h"
#include "tessera/base/text/value_type.h"

namespace tessera {

std::string Tile::ToString() const {
  std::string out;
  {
    TextWriter writer(&out);
    WriteTo(&writer);
  }
  return out;
}

void Tile::WriteTo(TextWriter* writer) const {
  writer->Char('(');
  for (size_t i = 0; i < dimensions_.size(); ++i) {
    if (i > 0) writer->Char(',');
    if (dimensions_[i] == kCombineDimension) {
      writer->Char('*');
    } else {
      writer->Int(dimensions_[i]);
    }
  }
  writer->Char(')');
}

}  // namespace tessera

TESSERA_DEFINE_VALUE(tessera, Tile)
