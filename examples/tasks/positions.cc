// What lies at each position of a buffer: which element, or padding?

#include <cstdint>
#include <iostream>
#include <vector>

#include "absl/types/span.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"

int main() {
  const auto shape = tessera::ParseShape("f32[3,5]{1,0:T(2,2)}");
  if (!shape.ok()) return 1;
  const auto map = tessera::ToIndexMap(*shape);
  if (!map.ok()) return 1;
  std::vector<int64_t> index(shape->dimensions().size());
  for (int64_t position = 8; position < 14; ++position) {
    const auto kind =
        map->MultidimensionalIndex(position, absl::MakeSpan(index));
    if (!kind.ok()) return 1;
    std::cout << position << ": ";
    if (*kind == tessera::PositionKind::kElement) {
      std::cout << "(" << index[0] << "," << index[1] << ")\n";
    } else {
      std::cout << "padding\n";
    }
  }
}
