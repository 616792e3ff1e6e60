#include "tessera/tenstorrent/ttnn_layout.h"

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/ascii.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/value_type.h"
#include "tessera/tenstorrent/text/form_attributes.h"
#include "tessera/tenstorrent/text/layout_printing.h"
#include "tessera/tenstorrent/text/layout_reader.h"

namespace tessera::tenstorrent {
namespace {

// In the order of the enumerations.
constexpr std::string_view kBufferTypeKeywords[] = {
    "dram", "l1", "system_memory", "l1_small", "trace"};
constexpr std::string_view kOrientationKeywords[] = {"row_major", "col_major"};
constexpr std::string_view kDistributionKeywords[] = {"round_robin_1d",
                                                      "grid_2d"};
constexpr std::string_view kShardModeKeywords[] = {"physical", "logical"};

void AppendBufferType(BufferType type, TextWriter* writer) {
  Append(writer, "#ttnn.buffer_type<", KeywordOf(type), '>');
}

// Appends ", <keyword>", if there is a value.
template <typename Enum>
void AppendBracketedKeyword(std::optional<Enum> value, TextWriter* writer) {
  if (value.has_value()) Append(writer, ", <", KeywordOf(*value), '>');
}

// Appends "<[#ttnn.core_range<(0,0), (7,7)>]>", or "<>" for no ranges.
void AppendCoreRanges(const CoreRanges& ranges, TextWriter* writer) {
  writer->Char('<');
  for (size_t i = 0; i < ranges.size(); ++i) {
    writer->Text(i == 0 ? "[" : ", ");
    ranges[i].AppendTo(writer);
  }
  writer->Text(ranges.empty() ? ">" : "]>");
}

// Appends the text in quotes, like llvm::printEscapedString.
void AppendString(std::string_view text, TextWriter* writer) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  writer->Char('"');
  for (const char c : text) {
    if (c == '\\') {
      writer->Text("\\\\");
    } else if (absl::ascii_isprint(c) && c != '"') {
      writer->Char(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      Append(writer, '\\', kDigits[byte / 16], kDigits[byte % 16]);
    }
  }
  writer->Char('"');
}

}  // namespace

BufferType WholeBufferOf(BufferType type) {
  if (type == BufferType::kL1Small) return BufferType::kL1;
  return type == BufferType::kTrace ? BufferType::kDram : type;
}

bool IsSharded(TensorMemoryLayout layout) {
  return layout == TensorMemoryLayout::kHeightSharded ||
         layout == TensorMemoryLayout::kWidthSharded ||
         layout == TensorMemoryLayout::kBlockSharded;
}

std::string CoreRange::ToString() const { return PrintToString(*this); }

void CoreRange::AppendTo(TextWriter* writer) const {
  Append(writer, "#ttnn.core_range<(", start.x, ',', start.y, "), (", end.x,
         ',', end.y, ")>");
}

std::string_view KeywordOf(BufferType type) {
  return kBufferTypeKeywords[static_cast<size_t>(type)];
}

std::string_view KeywordOf(ShardOrientation orientation) {
  return kOrientationKeywords[static_cast<size_t>(orientation)];
}

std::string_view KeywordOf(ShardDistribution distribution) {
  return kDistributionKeywords[static_cast<size_t>(distribution)];
}

std::string_view KeywordOf(ShardMode mode) {
  return kShardModeKeywords[static_cast<size_t>(mode)];
}

std::optional<BufferType> BufferTypeOf(std::string_view keyword) {
  return ValueWithKeyword(keyword, kBufferTypes);
}

std::optional<ShardOrientation> ShardOrientationOf(std::string_view keyword) {
  return ValueWithKeyword(keyword, kShardOrientations);
}

std::optional<ShardDistribution> ShardDistributionOf(std::string_view keyword) {
  return ValueWithKeyword(keyword, kShardDistributions);
}

std::optional<ShardMode> ShardModeOf(std::string_view keyword) {
  return ValueWithKeyword(keyword, kShardModes);
}

std::string TtnnMemRef::ToString() const { return PrintToString(*this); }

void TtnnMemRef::AppendTo(TextWriter* writer) const {
  AppendShaped("memref", shape, element, "ttcore", writer);
  AppendBufferType(buffer_type, writer);
  writer->Char('>');
}

std::string TtnnLayout::ToString() const { return PrintToString(*this); }

void TtnnLayout::AppendTo(TextWriter* writer) const {
  Append(writer, "#ttnn.ttnn_layout<", linear, ", <", grid, ">, ");
  if (mesh.has_value()) {
    writer->Text("mesh = #ttcore.tensor_mesh<");
    AppendString(*mesh, writer);
    writer->Text(">, ");
  }
  memref.AppendTo(writer);
  AppendBracketedKeyword(memory_layout, writer);
  if (exact_grid) writer->Text(", exactGrid = true");
  if (ignore_physical_layout) writer->Text(", ignorePhysicalLayout = true");
  if (core_ranges.has_value()) {
    writer->Text(", core_ranges = ");
    AppendCoreRanges(*core_ranges, writer);
  }
  writer->Char('>');
}

std::string TtnnTensor::ToString() const { return PrintToString(*this); }

void TtnnTensor::AppendTo(TextWriter* writer) const {
  AppendShaped("tensor", shape, element, "ttcore", writer);
  Append(writer, layout, '>');
}

std::string TtnnNdLayout::ToString() const { return PrintToString(*this); }

void TtnnNdLayout::AppendTo(TextWriter* writer) const {
  Append(writer, "#ttnn.ttnn_nd_layout<<", grid, ">, ", memref);
  AppendBracketedKeyword(std::make_optional(memory_layout), writer);
  AppendBracketedKeyword(orientation, writer);
  AppendBracketedKeyword(distribution, writer);
  writer->Char('>');
}

std::string TtnnNdTensor::ToString() const { return PrintToString(*this); }

void TtnnNdTensor::AppendTo(TextWriter* writer) const {
  AppendShaped("tensor", shape, element, "ttcore", writer);
  Append(writer, layout, '>');
}

std::string ShardSpec::ToString() const { return PrintToString(*this); }

void ShardSpec::AppendTo(TextWriter* writer) const {
  writer->Text("#ttnn.shard_spec<");
  AppendCoreRanges(core_ranges, writer);
  Append(writer, ", <", shape, '>');
  AppendBracketedKeyword(std::make_optional(orientation), writer);
  AppendBracketedKeyword(mode, writer);
  if (physical_shape.has_value()) Append(writer, ", <", *physical_shape, '>');
  writer->Char('>');
}

std::string NdShardSpec::ToString() const { return PrintToString(*this); }

void NdShardSpec::AppendTo(TextWriter* writer) const {
  writer->Text("#ttnn.nd_shard_spec<");
  AppendCoreRanges(core_ranges, writer);
  Append(writer, ", <", shape, '>');
  AppendBracketedKeyword(std::make_optional(orientation), writer);
  AppendBracketedKeyword(std::make_optional(distribution), writer);
  writer->Char('>');
}

std::string MemoryConfig::ToString() const { return PrintToString(*this); }

void MemoryConfig::AppendTo(TextWriter* writer) const {
  writer->Text("#ttnn.memory_config<");
  AppendBufferType(buffer_type, writer);
  AppendBracketedKeyword(memory_layout, writer);
  if (shard_spec.has_value()) {
    Append(writer, ", ", *shard_spec);
  } else if (nd_shard_spec.has_value()) {
    Append(writer, ", ", *nd_shard_spec);
  }
  writer->Char('>');
}

// -- Reading ------------------------------------------------------------------

namespace {

constexpr std::string_view kBufferTypeExpected =
    "a buffer type such as #ttnn.buffer_type<dram>";
constexpr std::string_view kMemoryLayoutExpected =
    "a memory layout such as <interleaved>";
constexpr std::string_view kCoreRangeExpected =
    "a core range such as #ttnn.core_range<(0,0), (7,7)>";
constexpr std::string_view kCoreRangesExpected =
    "core ranges such as <[#ttnn.core_range<(0,0), (7,7)>]>";
constexpr std::string_view kShapeExpected = "a shape such as <32x128>";

// #ttcore.tensor_mesh<"mesh">
struct TensorMesh {
  std::string name;
};

// #ttnn.shape<32x128>
struct ShapeAttribute {
  Dimensions sizes;
};

constexpr KindOf<BufferType> kBufferTypeKind(
    "a buffer type", [](LayoutReader* reader, BufferType* value) {
      return reader->ReadKeywordBody("a buffer type", kBufferTypes, value);
    });

constexpr KindOf<TensorMemoryLayout> kTensorMemoryLayoutKind(
    "a memory layout", [](LayoutReader* reader, TensorMemoryLayout* value) {
      return reader->ReadKeywordBody("a memory layout", kTtnnMemoryLayouts,
                                     value);
    });

bool ReadTensorMemoryLayout(LayoutReader* reader,
                            std::optional<TensorMemoryLayout>* layout) {
  return reader->ReadPartOrBody(kMemoryLayoutExpected, kTensorMemoryLayoutKind,
                                &layout->emplace());
}

constexpr KindOf<ShardOrientation> kShardOrientationKind(
    "a shard orientation", [](LayoutReader* reader, ShardOrientation* value) {
      return reader->ReadKeywordBody("a shard orientation", kShardOrientations,
                                     value);
    });

constexpr KindOf<ShardDistribution> kShardDistributionKind(
    "a distribution of shards",
    [](LayoutReader* reader, ShardDistribution* value) {
      return reader->ReadKeywordBody("a distribution of shards",
                                     kShardDistributions, value);
    });

constexpr KindOf<ShardMode> kShardModeKind(
    "a shard mode", [](LayoutReader* reader, ShardMode* value) {
      return reader->ReadKeywordBody("a shard mode", kShardModes, value);
    });

bool ReadTensorMeshBody(LayoutReader* reader, TensorMesh* mesh) {
  if (!reader->Expect('<')) return false;
  if (!reader->cursor().TakeString(&mesh->name)) {
    const char* const begin = reader->position();
    if (reader->cursor().Take('"')) {
      return reader->Fail(begin,
                          "the string has no end, or an unknown escape in it");
    }
    return reader->FailExpected("the name of a mesh, such as \"mesh\"");
  }
  return reader->Expect('>');
}

int64_t SizeOf(const TensorMesh& mesh) { return mesh.name.size() / 16; }

constexpr KindOf<TensorMesh> kTensorMeshKind("a mesh", ReadTensorMeshBody,
                                             SizeOf);

bool ReadCore(LayoutReader* reader, CoreCoordinate* core) {
  return reader->Expect('(') &&
         reader->ReadNumber("a coordinate x", &core->x) &&
         reader->Expect(',') &&
         reader->ReadNumber("a coordinate y", &core->y) && reader->Expect(')');
}

bool ReadCoreRangeBody(LayoutReader* reader, CoreRange* range) {
  return reader->Expect('<') && ReadCore(reader, &range->start) &&
         reader->Expect(',') && ReadCore(reader, &range->end) &&
         reader->Expect('>');
}

constexpr KindOf<CoreRange> kCoreRangeKind("a core range", ReadCoreRangeBody);

// #ttcore.core_range writes (y, x).
bool ReadRowFirstCoreRangeBody(LayoutReader* reader, CoreRange* range) {
  if (!ReadCoreRangeBody(reader, range)) return false;
  std::swap(range->start.x, range->start.y);
  std::swap(range->end.x, range->end.y);
  return true;
}

constexpr KindOf<CoreRange> kRowFirstCoreRangeKind("a core range",
                                                   ReadRowFirstCoreRangeBody);

bool ReadCoreRange(LayoutReader* reader, CoreRange* range) {
  return reader->At(kRowFirstCoreRangeKind)
             ? reader->ReadPart(kCoreRangeExpected, kRowFirstCoreRangeKind,
                                range)
             : reader->ReadPartOrBody(kCoreRangeExpected, kCoreRangeKind,
                                      range);
}

bool ReadCoreRangesBody(LayoutReader* reader, CoreRanges* ranges) {
  if (!reader->Expect('<')) return false;
  if (reader->cursor().Take('>')) return true;
  if (!reader->cursor().Take('[')) return reader->FailExpected("'[' or '>'");
  do {
    if (ranges->size() == LayoutReader::kMaxSizes) {
      return reader->FailTooMany("a layout has at most 1024 core ranges");
    }
    ranges->emplace_back();
    if (!ReadCoreRange(reader, &ranges->back())) return false;
  } while (reader->cursor().Take(','));
  if (!reader->cursor().Take(']')) return reader->FailExpected("',' or ']'");
  return reader->Expect('>');
}

int64_t SizeOf(const CoreRanges& ranges) { return 2 * ranges.size(); }

constexpr KindOf<CoreRanges> kCoreRangesKind("a set of core ranges",
                                             ReadCoreRangesBody, SizeOf);

bool ReadCoreRanges(LayoutReader* reader, CoreRanges* ranges) {
  return reader->ReadPartOrBody(kCoreRangesExpected, kCoreRangesKind, ranges);
}

bool ReadShapeAttributeBody(LayoutReader* reader, ShapeAttribute* shape) {
  if (!reader->Expect('<') || !reader->ReadSizes(&shape->sizes)) return false;
  return reader->cursor().Take('>') ||
         reader->FailExpected(shape->sizes.empty() ? "a size" : "'x' or '>'");
}

int64_t SizeOf(const ShapeAttribute& shape) { return shape.sizes.size(); }

constexpr KindOf<ShapeAttribute> kShapeKind("a shape", ReadShapeAttributeBody,
                                            SizeOf);

bool ReadShape(LayoutReader* reader, Dimensions* sizes) {
  ShapeAttribute shape;
  if (!reader->ReadPartOrBody(kShapeExpected, kShapeKind, &shape)) {
    return false;
  }
  *sizes = std::move(shape.sizes);
  return true;
}

// The parts that both specifications begin with.
template <typename Spec>
bool ReadShardParts(LayoutReader* reader, Spec* spec) {
  return reader->Expect('<') && ReadCoreRanges(reader, &spec->core_ranges) &&
         reader->Expect(',') && ReadShape(reader, &spec->shape) &&
         reader->Expect(',') &&
         reader->ReadPartOrBody("a shard orientation such as <row_major>",
                                kShardOrientationKind, &spec->orientation);
}

bool ReadShardSpecBody(LayoutReader* reader, ShardSpec* spec) {
  if (!ReadShardParts(reader, spec)) return false;
  if (reader->cursor().Take(',')) {
    spec->mode.emplace();
    if (!reader->ReadPartOrBody("a shard mode such as <physical>",
                                kShardModeKind, &*spec->mode)) {
      return false;
    }
    if (reader->cursor().Take(',')) {
      spec->physical_shape.emplace();
      return ReadShape(reader, &*spec->physical_shape) && reader->Expect('>');
    }
  }
  return reader->cursor().Take('>') || reader->FailExpected("',' or '>'");
}

int64_t SizeOf(const ShardSpec& spec) {
  int64_t size = SizeOf(spec.core_ranges) + spec.shape.size();
  if (spec.physical_shape.has_value()) size += spec.physical_shape->size();
  return size;
}

constexpr KindOf<ShardSpec> kShardSpecKind("a shard specification",
                                           ReadShardSpecBody, SizeOf);

bool ReadNdShardSpecBody(LayoutReader* reader, NdShardSpec* spec) {
  return ReadShardParts(reader, spec) && reader->Expect(',') &&
         reader->ReadPartOrBody("a distribution of shards such as <grid_2d>",
                                kShardDistributionKind, &spec->distribution) &&
         reader->Expect('>');
}

int64_t SizeOf(const NdShardSpec& spec) {
  return SizeOf(spec.core_ranges) + spec.shape.size();
}

constexpr KindOf<NdShardSpec> kNdShardSpecKind("an ND shard specification",
                                               ReadNdShardSpecBody, SizeOf);

bool ReadMemoryConfigBody(LayoutReader* reader, MemoryConfig* config) {
  if (!reader->Expect('<') ||
      !reader->ReadPartOrBody(kBufferTypeExpected, kBufferTypeKind,
                              &config->buffer_type)) {
    return false;
  }
  bool has_comma = reader->cursor().Take(',');
  if (has_comma && !reader->At(kShardSpecKind) &&
      !reader->At(kNdShardSpecKind)) {
    if (!ReadTensorMemoryLayout(reader, &config->memory_layout)) return false;
    has_comma = reader->cursor().Take(',');
  }
  if (has_comma && reader->At(kNdShardSpecKind)) {
    config->nd_shard_spec.emplace();
    return reader->ReadPart("an ND shard specification", kNdShardSpecKind,
                            &*config->nd_shard_spec) &&
           reader->Expect('>');
  }
  if (has_comma) {
    config->shard_spec.emplace();
    return reader->ReadPart(
               "a shard specification such as #ttnn.shard_spec<...>",
               kShardSpecKind, &*config->shard_spec) &&
           reader->Expect('>');
  }
  return reader->cursor().Take('>') || reader->FailExpected("',' or '>'");
}

bool ReadTtnnMemRef(LayoutReader* reader, TtnnMemRef* memref) {
  return reader->ReadShaped("memref", &memref->shape, &memref->element) &&
         reader->ReadMemRefMap(kBufferTypeExpected, memref->shape.size()) &&
         reader->ReadPart(kBufferTypeExpected, kBufferTypeKind,
                          &memref->buffer_type) &&
         reader->Expect('>');
}

bool ReadBool(LayoutReader* reader, bool* value) {
  *value = reader->cursor().TakeKeyword("true");
  return *value || reader->cursor().TakeKeyword("false") ||
         reader->FailExpected("true or false");
}

bool ReadTtnnProperty(LayoutReader* reader, TtnnLayout* layout,
                      std::optional<bool>* exact_grid,
                      std::optional<bool>* ignore_physical_layout) {
  const char* const begin = reader->position();
  const auto is_new = [reader, begin](bool is_given, std::string_view what) {
    return !is_given ||
           reader->Fail(begin, StrCat(what, " is given a second time"));
  };
  if (reader->cursor().TakeKeyword("exactGrid")) {
    return is_new(exact_grid->has_value(), "exactGrid") &&
           reader->Expect('=') && ReadBool(reader, &exact_grid->emplace());
  }
  if (reader->cursor().TakeKeyword("ignorePhysicalLayout")) {
    return is_new(ignore_physical_layout->has_value(),
                  "ignorePhysicalLayout") &&
           reader->Expect('=') &&
           ReadBool(reader, &ignore_physical_layout->emplace());
  }
  if (reader->cursor().TakeKeyword("core_ranges")) {
    return is_new(layout->core_ranges.has_value(), "core_ranges") &&
           reader->Expect('=') &&
           ReadCoreRanges(reader, &layout->core_ranges.emplace());
  }
  // In the first weeks of this attribute, 2024-11, the keyword was bare.
  TensorMemoryLayout bare;
  if (reader->TakeKeyword(kTensorMemoryLayouts, &bare)) {
    if (!is_new(layout->memory_layout.has_value(), "the memory layout")) {
      return false;
    }
    layout->memory_layout = bare;
    return true;
  }
  if (MlirCursor(reader->cursor()).TakePrefixedIdentifier('#').empty() &&
      !MlirCursor(reader->cursor()).Take('<')) {
    return reader->FailExpected(
        StrCat(kMemoryLayoutExpected,
               ", exactGrid, ignorePhysicalLayout or core_ranges"));
  }
  return is_new(layout->memory_layout.has_value(), "the memory layout") &&
         ReadTensorMemoryLayout(reader, &layout->memory_layout);
}

bool ReadTtnnLayoutBody(LayoutReader* reader, TtnnLayout* layout) {
  Grid grid;
  if (!reader->Expect('<') || !reader->ReadMap(&layout->linear) ||
      !reader->Expect(',') || !reader->ReadGrid(&grid) ||
      !reader->Expect(',')) {
    return false;
  }
  layout->grid = std::move(grid.sizes);
  if (reader->cursor().TakeKeyword("mesh")) {
    TensorMesh mesh;
    if (!reader->Expect('=') ||
        !reader->ReadPartOrBody("a mesh such as #ttcore.tensor_mesh<\"mesh\">",
                                kTensorMeshKind, &mesh) ||
        !reader->Expect(',')) {
      return false;
    }
    layout->mesh = std::move(mesh.name);
  }
  if (!ReadTtnnMemRef(reader, &layout->memref)) return false;
  std::optional<bool> exact_grid, ignore_physical_layout;
  while (reader->cursor().Take(',')) {
    if (!ReadTtnnProperty(reader, layout, &exact_grid,
                          &ignore_physical_layout)) {
      return false;
    }
  }
  layout->exact_grid = exact_grid.value_or(false);
  layout->ignore_physical_layout = ignore_physical_layout.value_or(false);
  layout->precedes_core_ranges = grid.has_maps || exact_grid.has_value();
  return reader->cursor().Take('>') || reader->FailExpected("',' or '>'");
}

// Returns whether a distribution comes next. Its name may be omitted.
bool AtDistribution(LayoutReader* reader) {
  if (reader->At(kShardDistributionKind)) return true;
  MlirCursor ahead = reader->cursor();
  return ahead.Take('<') &&
         ShardDistributionOf(ahead.TakeIdentifier()).has_value();
}

bool ReadNdLayoutBody(LayoutReader* reader, TtnnNdLayout* layout) {
  Grid grid;
  if (!reader->Expect('<') || !reader->ReadGrid(&grid) ||
      !reader->Expect(',') || !ReadTtnnMemRef(reader, &layout->memref) ||
      !reader->Expect(',') ||
      !reader->ReadPartOrBody(kMemoryLayoutExpected, kTensorMemoryLayoutKind,
                              &layout->memory_layout)) {
    return false;
  }
  layout->grid = std::move(grid.sizes);
  bool has_comma = reader->cursor().Take(',');
  if (has_comma && !AtDistribution(reader)) {
    if (!reader->ReadPartOrBody("a shard orientation such as <row_major>",
                                kShardOrientationKind,
                                &layout->orientation.emplace())) {
      return false;
    }
    has_comma = reader->cursor().Take(',');
  }
  if (has_comma &&
      !reader->ReadPartOrBody("a distribution of shards such as <grid_2d>",
                              kShardDistributionKind,
                              &layout->distribution.emplace())) {
    return false;
  }
  return reader->cursor().Take('>') || reader->FailExpected("',' or '>'");
}

}  // namespace

constexpr KindOf<TtnnNdLayout> kTtnnNdLayoutKind("an ND layout of TTNN",
                                                 ReadNdLayoutBody);
constexpr KindOf<MemoryConfig> kMemoryConfigKind("a memory configuration",
                                                 ReadMemoryConfigBody);
constexpr KindOf<TtnnLayout> kTtnnLayoutKind("a layout of TTNN",
                                             ReadTtnnLayoutBody);

absl::Span<const AttributeName> TtnnAttributes() {
  static constexpr AttributeName kNames[] = {
      {"#ttcore.tensor_mesh", &kTensorMeshKind},
      {"#tt.tensor_mesh", &kTensorMeshKind},
      {"#ttnn.ttnn_layout", &kTtnnLayoutKind},
      {"#ttnn.buffer_type", &kBufferTypeKind},
      {"#ttnn.tensor_memory_layout", &kTensorMemoryLayoutKind},
      {"#ttnn.core_range", &kCoreRangeKind},
      {"#ttcore.core_range", &kRowFirstCoreRangeKind},
      {"#ttnn.core_range_set", &kCoreRangesKind},
      {"#ttnn.shape", &kShapeKind},
      {"#ttnn.shard_orientation", &kShardOrientationKind},
      {"#ttnn.shard_distribution_strategy", &kShardDistributionKind},
      {"#ttnn.shard_mode", &kShardModeKind},
      {"#ttnn.shard_spec", &kShardSpecKind},
      {"#ttnn.nd_shard_spec", &kNdShardSpecKind},
      {"#ttnn.ttnn_nd_layout", &kTtnnNdLayoutKind},
      {"#ttnn.memory_config", &kMemoryConfigKind},
  };
  return kNames;
}

}  // namespace tessera::tenstorrent

TESSERA_DEFINE_VALUE(tessera::tenstorrent, CoreRange)
TESSERA_DEFINE_VALUE(tessera::tenstorrent, TtnnMemRef)
TESSERA_DEFINE_VALUE(tessera::tenstorrent, TtnnLayout)
TESSERA_DEFINE_VALUE(tessera::tenstorrent, TtnnTensor)
TESSERA_DEFINE_VALUE(tessera::tenstorrent, ShardSpec)
TESSERA_DEFINE_VALUE(tessera::tenstorrent, NdShardSpec)
TESSERA_DEFINE_VALUE(tessera::tenstorrent, TtnnNdLayout)
TESSERA_DEFINE_VALUE(tessera::tenstorrent, TtnnNdTensor)
TESSERA_DEFINE_VALUE(tessera::tenstorrent, MemoryConfig)
