// How many bytes does an array take, and which of its dimensions pays for it?

#include <cstddef>
#include <iostream>

#include "tessera/index_util/array_sizes.h"
#include "tessera/parser/parser.h"

int main() {
  const auto shape =
      tessera::ParseShape("bf16[8,1,1280,130]{3,2,0,1:T(8,128)(2,1)}");
  if (!shape.ok()) return 1;
  const auto sizes = tessera::ComputeArraySizes(*shape);
  if (!sizes.ok()) return 1;
  std::cout << sizes->unpadded_bytes << " bytes of data in "
            << sizes->padded_bytes << "\n";
  for (size_t i = 0; i < sizes->dimension_padding.size(); ++i) {
    const auto& dimension = sizes->dimension_padding[i];
    if (dimension.padded == shape->dimensions()[i]) continue;
    std::cout << "dimension " << i << ": " << shape->dimensions()[i]
              << ", padded to " << dimension.padded << "\n";
  }
}
