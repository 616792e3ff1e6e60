#include <iostream>

#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"

int main() {
  const auto shape = tessera::ParseShape("f32[3,5]{1,0:T(2,2)}");
  const auto map = tessera::ToIndexMap(*shape);
  std::cout << *map->LinearIndex({2, 3}) << "\n";
}
