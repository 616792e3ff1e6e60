// The rules for the text between a layout's brackets.
//
// The parts of almost every layout are inlined into one function,
// ReadLayoutBody. The saved calls are a sixth of the time of reading a shape.

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/parser/internal/annotation.h"
#include "tessera/parser/internal/reader.h"
#include "tessera/shape/array_builder.h"
#include "tessera/shape/physical_shape.h"

namespace tessera::parser_internal {

Cursor Reader::ReadLayout(Cursor cursor, Layout::Parts* parts) {
  const char closing = cursor.Take('{') ? '}' : cursor.Take('<') ? '>' : '\0';
  if (closing == '\0') return FailExpected(cursor, "in layout", "'{'");
  return ReadLayoutBody(cursor, closing, LayoutPlace::kStandalone, parts);
}

Cursor Reader::ReadLayoutBody(Cursor cursor, char closing, LayoutPlace place,
                              Layout::Parts* parts) {
  if (cursor.AtInteger()) {
    do {
      int64_t dimension;
      if (!cursor.TakeInteger(&dimension)) {
        return FailNoInteger(cursor, "in layout", "a dimension number");
      }
      parts->minor_to_major.push_back(dimension);
    } while (cursor.Take(','));
  }
  if (cursor.Take(':')) return ReadAnnotations(cursor, closing, place, parts);
  if (cursor.Take(closing)) return cursor;
  return FailLayoutGoesOn(
      cursor, closing,
      parts->minor_to_major.empty() ? "a dimension number, ':'" : "',', ':'");
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline Cursor Reader::ReadAnnotations(
    Cursor cursor, char closing, LayoutPlace place, Layout::Parts* parts) {
  uint32_t seen = 0;
  while (!cursor.Take(closing)) {
    const Cursor begin = cursor;
    std::string_view name = cursor.TakeIdentifier();
    if (name.empty() && cursor.Take('#')) name = "#";
    if (name.empty() && cursor.Take('*')) name = "*";
    const ShapePart part = AnnotationPart(name);
    if (part == ShapePart::kLayout) {
      return FailLayoutGoesOn(begin, closing, "T, L, #, *, E, S, SC, M");
    }
    const uint32_t bit = uint32_t{1} << static_cast<int>(part);
    if ((seen & bit) != 0) {
      return FailGivenTwice(begin, name);
    }
    seen |= bit;

    switch (part) {
      case ShapePart::kTile:
        cursor = ReadTiles(cursor, &parts->tiles);
        break;
      case ShapePart::kTailPadding:
        cursor = ReadInteger(cursor, "in tail padding L",
                             &parts->tail_padding_alignment_in_elements);
        break;
      case ShapePart::kIndexType:
        cursor = ReadUnsignedType(cursor, "in index type #",
                                  &parts->index_primitive_type);
        break;
      case ShapePart::kPointerType:
        cursor = ReadUnsignedType(cursor, "in pointer type *",
                                  &parts->pointer_primitive_type);
        break;
      case ShapePart::kElementSize:
        cursor = ReadInteger(cursor, "in element size E",
                             &parts->element_size_in_bits);
        break;
      case ShapePart::kMemorySpace:
        cursor = ReadInteger(cursor, "in memory space S", &parts->memory_space);
        break;
      case ShapePart::kSplitConfig:
        cursor = ReadSplitConfigs(cursor, &parts->split_configs);
        break;
      case ShapePart::kPhysicalShape:
        if (place == LayoutPlace::kInShape) {
          return Fail(begin,
                      "in layout: P is read only in a layout without a shape");
        }
        cursor = ReadPhysicalShape(cursor, parts);
        break;
      case ShapePart::kMetadataPrefix:
        cursor = ReadInteger(cursor, "in metadata prefix M",
                             &parts->dynamic_shape_metadata_prefix_bytes);
        break;
      default:
        cursor = ReadLevelTypes(cursor);
        break;
    }
    if (cursor.failed()) return cursor;
  }
  return cursor;
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline Cursor Reader::ReadTiles(
    Cursor cursor, Layout::Tiles* tiles) {
  do {
    cursor = ReadOneTile(cursor, ArrayBuilder::AddTile(tiles));
    if (cursor.failed()) return cursor;
  } while (Cursor(cursor).Take('('));
  return cursor;
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline Cursor Reader::ReadOneTile(
    Cursor cursor, Tile::Dimensions* tile) {
  constexpr std::string_view kContext = "in tile";
  if (!cursor.Take('(')) return FailExpected(cursor, kContext, "'('");
  do {
    int64_t dimension;
    if (ABSL_PREDICT_TRUE(cursor.TakeInteger(&dimension))) {
      tile->push_back(dimension);
    } else if (cursor.Take('*')) {
      tile->push_back(Tile::kCombineDimension);
    } else {
      return FailNoInteger(cursor, kContext, "a dimension or '*'");
    }
  } while (cursor.Take(','));
  if (!cursor.Take(')')) return FailExpected(cursor, kContext, "',' or ')'");
  return cursor;
}

Cursor Reader::ReadTile(Cursor cursor, Tile::Dimensions* tile) {
  return ReadOneTile(cursor, tile);
}

Cursor Reader::ReadSplitConfigs(Cursor cursor,
                                std::vector<SplitConfig>* splits) {
  constexpr std::string_view kContext = "in split config SC";
  if (!cursor.Take('(')) return FailExpected(cursor, kContext, "'('");
  do {
    SplitConfig split;
    if (!cursor.TakeInteger(&split.dimension)) {
      return FailNoInteger(cursor, kContext, "a dimension number");
    }
    if (!cursor.Take(':')) return FailExpected(cursor, kContext, "':'");
    if (!cursor.Take(')')) {
      do {
        int64_t index;
        if (!cursor.TakeInteger(&index)) {
          return FailNoInteger(cursor, kContext, "an index");
        }
        split.split_indices.push_back(index);
      } while (cursor.Take(','));
      if (!cursor.Take(')'))
        return FailExpected(cursor, kContext, "',' or ')'");
    }
    splits->push_back(std::move(split));
  } while (cursor.Take('('));
  return cursor;
}

Cursor Reader::ReadPhysicalShape(Cursor cursor, Layout::Parts* parts) {
  constexpr std::string_view kContext = "in physical shape P";
  if (!cursor.Take('(')) return FailExpected(cursor, kContext, "'('");
  const Cursor begin = cursor;
  Shape shape;
  cursor = ReadShape(cursor, &shape);
  if (cursor.failed()) return cursor;
  if (!cursor.Take(')')) return FailExpected(cursor, kContext, "')'");
  auto physical_shape = MakePhysicalShape(std::move(shape));
  if (!physical_shape.ok()) {
    return Fail(begin, StdView(physical_shape.status().message()));
  }
  parts->physical_shape = *std::move(physical_shape);
  return cursor;
}

// Reads the level types of XLA's sparse layouts, which XLA's parser drops too.
Cursor Reader::ReadLevelTypes(Cursor cursor) {
  constexpr std::string_view kContext = "in level types D";
  if (!cursor.Take('(')) return FailExpected(cursor, kContext, "'('");
  do {
    const Cursor begin = cursor;
    const std::string_view type = cursor.TakeIdentifier();
    if (type != "D" && type != "C" && type != "S" && type != "H") {
      return FailExpected(begin, kContext, "D, C, S or H");
    }
    cursor.Take('+');
    cursor.Take('~');
  } while (cursor.Take(','));
  if (!cursor.Take(')')) return FailExpected(cursor, kContext, "',' or ')'");
  return cursor;
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline Cursor Reader::ReadInteger(
    Cursor cursor, std::string_view context, int64_t* value) {
  if (!cursor.Take('(')) return FailExpected(cursor, context, "'('");
  if (!cursor.TakeInteger(value)) {
    return FailNoInteger(cursor, context, "an integer");
  }
  if (!cursor.Take(')')) return FailExpected(cursor, context, "')'");
  return cursor;
}

Cursor Reader::ReadUnsignedType(Cursor cursor, std::string_view context,
                                PrimitiveType* type) {
  if (!cursor.Take('(')) return FailExpected(cursor, context, "'('");
  const Cursor begin = cursor;
  *type = ElementType(cursor.TakeIdentifier()).value_or(PRIMITIVE_TYPE_INVALID);
  if (!IsUnsignedIntegralType(*type)) {
    return FailExpected(begin, context, "an unsigned integer type");
  }
  if (!cursor.Take(')')) return FailExpected(cursor, context, "')'");
  return cursor;
}

Cursor Reader::FailLayoutGoesOn(Cursor cursor, char closing,
                                std::string_view expected) {
  return FailExpected(
      cursor, "in layout",
      StrCat(expected, " or '", std::string_view(&closing, 1), "'"));
}

Cursor Reader::FailGivenTwice(Cursor cursor, std::string_view annotation) {
  return Fail(cursor, StrCat("in layout: ", annotation, " is given twice"));
}

}  // namespace tessera::parser_internal
