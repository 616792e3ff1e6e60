// Composes and divides CuTe layouts, and evaluates the result.

#include <iostream>

#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/algebra/divide.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/parse.h"

int main() {
  const auto a = tessera::cute::ParseLayout("(6,2):(8,2)");
  const auto b = tessera::cute::ParseLayout("(4,3):(3,1)");
  if (!a.ok() || !b.ok()) return 1;
  const auto composed = tessera::cute::Composition(*a, *b);
  if (!composed.ok()) return 1;
  std::cout << composed->ToString() << "\n";
  std::cout << "offset of coordinate 7: " << (*composed)(7) << "\n";

  const auto buffer = tessera::cute::ParseLayout("(8,16):(16,1)");
  const auto tile = tessera::cute::ParseLayout("4:1");
  if (!buffer.ok() || !tile.ok()) return 1;
  const auto divided = tessera::cute::LogicalDivide(*buffer, *tile);
  if (!divided.ok()) return 1;
  std::cout << divided->ToString() << "\n";
}
