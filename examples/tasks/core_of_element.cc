// Does a Tenstorrent tensor keep the rules, and which core has an element?

#include <iostream>

#include "tessera/tenstorrent/tensor.h"

int main() {
  const auto tensor = tessera::tenstorrent::ReadVerifiedTensor(
      "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
      "memref<18x32xf32, #tt.memory_space<l1>>>>");
  if (!tensor.ok()) return 1;
  std::cout << (tensor->verification.ok() ? "keeps the rules\n"
                                          : "breaks a rule\n");
  const auto placement = tessera::tenstorrent::PlacementOf(*tensor);
  if (!placement.ok()) return 1;
  const auto location = (*placement)->Locate({18, 40});
  if (!location.ok()) return 1;
  std::cout << "element (18,40) is on core (" << location->cell()[0] << ","
            << location->cell()[1] << ")\n";
}
