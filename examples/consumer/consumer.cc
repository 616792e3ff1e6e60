#include <iostream>

#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"

int main(int argc, char** argv) {
  const auto shape =
      tessera::ParseShape(argc > 1 ? argv[1] : "f32[3,5]{1,0:T(2,2)}");
  if (!shape.ok()) {
    std::cerr << shape.status().message() << "\n";
    return 1;
  }
  // Fails for tuples and unbounded dimensions.
  const auto map = tessera::ToIndexMap(*shape);
  if (!map.ok()) {
    std::cerr << map.status().message() << "\n";
    return 1;
  }
  const auto linear_index = map->LinearIndex({2, 3});
  if (!linear_index.ok()) {
    std::cerr << linear_index.status().message() << "\n";
    return 1;
  }
  std::cout << *linear_index << "\n";
}
