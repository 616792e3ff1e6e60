#include <iostream>

#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"

int main() {
  const auto shape = tessera::ParseShape("f32[3,5]{1,0:T(2,2)}");
  if (!shape.ok()) return 1;  // shape.status() says what is wrong, and where
  const auto map = tessera::ToIndexMap(*shape);
  if (!map.ok()) return 1;
  std::cout << map->LinearIndexUnchecked({2, 3}) << "\n";
}
