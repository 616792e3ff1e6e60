// Builds a shape, sends it as XLA's message, and reads it back.

#include <iostream>

#include "tessera/layout/layout.h"
#include "tessera/layout/tile.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_proto.h"
#include "tessera/shape/validate_shape.h"

int main() {
  tessera::Layout::Parts parts;
  parts.minor_to_major = {1, 0};
  parts.tiles = {tessera::Tile({8, 128}), tessera::Tile({2, 1})};
  parts.memory_space = 1;
  const tessera::Shape shape = tessera::Shape::Array(
      tessera::BF16, {1280, 16384}, tessera::Layout(parts));
  if (!tessera::ValidateShape(shape).ok()) return 1;
  const auto back = tessera::ShapeFromProto(tessera::ShapeToProto(shape));
  if (!back.ok()) return 1;
  std::cout << back->ToString() << (*back == shape ? ", as it was\n" : "\n");
}
