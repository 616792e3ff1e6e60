// The part of LayoutReader that is about TTNN.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/tenstorrent/layout_reader.h"

namespace tessera {
namespace tenstorrent {
namespace {

constexpr absl::string_view kBufferTypeExpected =
    "a buffer type such as #ttnn.buffer_type<dram>";
constexpr absl::string_view kMemoryLayoutExpected =
    "a memory layout such as <interleaved>";
constexpr absl::string_view kCoreRangeExpected =
    "a core range such as #ttnn.core_range<(0,0), (7,7)>";
constexpr absl::string_view kCoreRangesExpected =
    "core ranges such as <[#ttnn.core_range<(0,0), (7,7)>]>";
constexpr absl::string_view kShapeExpected = "a shape such as <32x128>";

}  // namespace

bool LayoutReader::ReadBufferTypeBody(BufferType* type) {
  return ReadKeywordBody("a buffer type", kBufferTypes, type);
}

bool LayoutReader::ReadTensorMemoryLayoutBody(TensorMemoryLayout* layout) {
  return ReadKeywordBody("a memory layout", kTensorMemoryLayouts, layout);
}

bool LayoutReader::ReadShardOrientationBody(ShardOrientation* orientation) {
  return ReadKeywordBody("a shard orientation", kShardOrientations,
                         orientation);
}

bool LayoutReader::ReadShardModeBody(ShardMode* mode) {
  return ReadKeywordBody("a shard mode", kShardModes, mode);
}

bool LayoutReader::ReadTensorMeshBody(TensorMesh* mesh) {
  if (!Expect('<')) return false;
  if (!cursor().TakeString(&mesh->name)) {
    const char* const begin = position();
    if (cursor().Take('"')) {
      return Fail(begin, "the string has no end, or an unknown escape in it");
    }
    return FailExpected("the name of a mesh, such as \"mesh\"");
  }
  return Expect('>');
}

bool LayoutReader::ReadCoreRangeBody(CoreRange* range) {
  return Expect('<') && ReadCore(&range->start) && Expect(',') &&
         ReadCore(&range->end) && Expect('>');
}

bool LayoutReader::ReadCore(CoreCoordinate* core) {
  return Expect('(') && ReadNumber("a coordinate x", &core->x) && Expect(',') &&
         ReadNumber("a coordinate y", &core->y) && Expect(')');
}

bool LayoutReader::ReadCoreRangesBody(CoreRanges* ranges) {
  if (!Expect('<')) return false;
  if (cursor().Take('>')) return true;
  if (!cursor().Take('[')) return FailExpected("'[' or '>'");
  do {
    if (ranges->size() == kMaxSizes) {
      return FailTooMany("a layout has at most 1024 core ranges");
    }
    ranges->emplace_back();
    if (!ReadPartOrBody(kCoreRangeExpected, &LayoutReader::ReadCoreRangeBody,
                        &ranges->back())) {
      return false;
    }
  } while (cursor().Take(','));
  if (!cursor().Take(']')) return FailExpected("',' or ']'");
  return Expect('>');
}

bool LayoutReader::ReadShapeBody(ShapeAttribute* shape) {
  if (!Expect('<') || !ReadSizes(&shape->sizes)) return false;
  return cursor().Take('>') ||
         FailExpected(shape->sizes.empty() ? "a size" : "'x' or '>'");
}

bool LayoutReader::ReadShardSpecBody(ShardSpec* spec) {
  if (!Expect('<') || !ReadCoreRanges(&spec->core_ranges) || !Expect(',') ||
      !ReadShape(&spec->shape) || !Expect(',') ||
      !ReadPartOrBody("a shard orientation such as <row_major>",
                      &LayoutReader::ReadShardOrientationBody,
                      &spec->orientation)) {
    return false;
  }
  if (cursor().Take(',')) {
    spec->mode.emplace();
    if (!ReadPartOrBody("a shard mode such as <physical>",
                        &LayoutReader::ReadShardModeBody, &*spec->mode)) {
      return false;
    }
    if (cursor().Take(',')) {
      spec->physical_shape.emplace();
      return ReadShape(&*spec->physical_shape) && Expect('>');
    }
  }
  return cursor().Take('>') || FailExpected("',' or '>'");
}

bool LayoutReader::ReadMemoryConfigBody(MemoryConfig* config) {
  if (!Expect('<') ||
      !ReadPartOrBody(kBufferTypeExpected, &LayoutReader::ReadBufferTypeBody,
                      &config->buffer_type)) {
    return false;
  }
  bool has_comma = cursor().Take(',');
  if (has_comma && !AtShardSpec()) {
    if (!ReadTensorMemoryLayout(&config->memory_layout)) return false;
    has_comma = cursor().Take(',');
  }
  if (has_comma) {
    config->shard_spec.emplace();
    return ReadPart("a shard specification such as #ttnn.shard_spec<...>",
                    &LayoutReader::ReadShardSpecBody, &*config->shard_spec) &&
           Expect('>');
  }
  return cursor().Take('>') || FailExpected("',' or '>'");
}

bool LayoutReader::AtShardSpec() {
  const Attribute* const alias = PeekAlias();
  if (alias != nullptr) {
    return absl::holds_alternative<Shared<ShardSpec>>(*alias);
  }
  return KindNamed(MlirCursor(cursor()).TakePrefixedIdentifier('#')) ==
         KindOf<ShardSpec>();
}

bool LayoutReader::ReadTtnnLayoutBody(TtnnLayout* layout) {
  Grid grid;
  if (!Expect('<') || !ReadMap(&layout->linear) || !Expect(',') ||
      !ReadGrid(&grid) || !Expect(',')) {
    return false;
  }
  layout->grid = std::move(grid.sizes);
  if (cursor().TakeKeyword("mesh")) {
    TensorMesh mesh;
    if (!Expect('=') ||
        !ReadPartOrBody("a mesh such as #ttcore.tensor_mesh<\"mesh\">",
                        &LayoutReader::ReadTensorMeshBody, &mesh) ||
        !Expect(',')) {
      return false;
    }
    layout->mesh = std::move(mesh.name);
  }
  if (!ReadTtnnMemRef(&layout->memref)) return false;
  absl::optional<bool> exact_grid, ignore_physical_layout;
  while (cursor().Take(',')) {
    if (!ReadTtnnProperty(layout, &exact_grid, &ignore_physical_layout)) {
      return false;
    }
  }
  layout->exact_grid = exact_grid.value_or(false);
  layout->ignore_physical_layout = ignore_physical_layout.value_or(false);
  layout->precedes_core_ranges = grid.has_maps || exact_grid.has_value();
  return cursor().Take('>') || FailExpected("',' or '>'");
}

bool LayoutReader::ReadTtnnProperty(
    TtnnLayout* layout, absl::optional<bool>* exact_grid,
    absl::optional<bool>* ignore_physical_layout) {
  const char* const begin = position();
  const auto is_new = [this, begin](bool is_given, absl::string_view what) {
    return !is_given ||
           Fail(begin, absl::StrCat(what, " is given a second time"));
  };
  if (cursor().TakeKeyword("exactGrid")) {
    return is_new(exact_grid->has_value(), "exactGrid") && Expect('=') &&
           ReadBool(&exact_grid->emplace());
  }
  if (cursor().TakeKeyword("ignorePhysicalLayout")) {
    return is_new(ignore_physical_layout->has_value(),
                  "ignorePhysicalLayout") &&
           Expect('=') && ReadBool(&ignore_physical_layout->emplace());
  }
  if (cursor().TakeKeyword("core_ranges")) {
    return is_new(layout->core_ranges.has_value(), "core_ranges") &&
           Expect('=') && ReadCoreRanges(&layout->core_ranges.emplace());
  }
  if (MlirCursor(cursor()).TakePrefixedIdentifier('#').empty() &&
      !MlirCursor(cursor()).Take('<')) {
    return FailExpected(
        absl::StrCat(kMemoryLayoutExpected,
                     ", exactGrid, ignorePhysicalLayout or core_ranges"));
  }
  return is_new(layout->memory_layout.has_value(), "the memory layout") &&
         ReadTensorMemoryLayout(&layout->memory_layout);
}

bool LayoutReader::ReadTtnnMemRef(TtnnMemRef* memref) {
  return ReadShaped("memref", &memref->shape, &memref->element) &&
         ReadMemRefMap(kBufferTypeExpected, memref->shape.size()) &&
         ReadPart(kBufferTypeExpected, &LayoutReader::ReadBufferTypeBody,
                  &memref->buffer_type) &&
         Expect('>');
}

bool LayoutReader::ReadBool(bool* value) {
  *value = cursor().TakeKeyword("true");
  return *value || cursor().TakeKeyword("false") ||
         FailExpected("true or false");
}

bool LayoutReader::ReadTensorMemoryLayout(
    absl::optional<TensorMemoryLayout>* layout) {
  return ReadPartOrBody(kMemoryLayoutExpected,
                        &LayoutReader::ReadTensorMemoryLayoutBody,
                        &layout->emplace());
}

bool LayoutReader::ReadCoreRanges(CoreRanges* ranges) {
  return ReadPartOrBody(kCoreRangesExpected, &LayoutReader::ReadCoreRangesBody,
                        ranges);
}

bool LayoutReader::ReadShape(Dimensions* sizes) {
  ShapeAttribute shape;
  if (!ReadPartOrBody(kShapeExpected, &LayoutReader::ReadShapeBody, &shape)) {
    return false;
  }
  *sizes = std::move(shape.sizes);
  return true;
}

}  // namespace tenstorrent
}  // namespace tessera
