#include "tessera/tenstorrent/layout_reader.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"

namespace tessera {
namespace tenstorrent {
namespace {

// In the order of Attribute.
enum Kind : size_t {
  kAffineMap,
  kGrid,
  kMemorySpace,
  kMetalLayout,
  kAlignedLayout,
  kBufferType,
  kTensorMemoryLayout,
  kTensorMesh,
  kCoreRange,
  kCoreRanges,
  kShape,
  kShardOrientation,
  kShardMode,
  kShardSpec,
  kMemoryConfig,
  kTtnnLayout,
  kOtherAttribute,
  kNumKinds,
};
static_assert(absl::variant_size<Attribute>::value == kNumKinds);

constexpr absl::string_view kKindNames[] = {
    "an affine map",
    "a grid",
    "a memory space",
    "a layout with a memref",
    "a layout with a logical shape",
    "a buffer type",
    "a memory layout",
    "a mesh",
    "a core range",
    "a set of core ranges",
    "a shape",
    "a shard orientation",
    "a shard mode",
    "a shard specification",
    "a memory configuration",
    "a layout of TTNN",
    "an attribute that is no part of a layout",
};
static_assert(sizeof(kKindNames) / sizeof(kKindNames[0]) == kNumKinds);

struct AttributeName {
  absl::string_view name;
  Kind kind;
};

// The dialect tt became ttcore in 2025-06 (820a520791), and #tt.layout became
// #tt.metal_layout in 2024-11 (f3f3f0ec33).
constexpr AttributeName kNames[] = {
    {"#ttcore.metal_layout", kMetalLayout},
    {"#tt.metal_layout", kMetalLayout},
    {"#tt.layout", kMetalLayout},
    {"#ttcore.memory_space", kMemorySpace},
    {"#tt.memory_space", kMemorySpace},
    {"#ttcore.grid", kGrid},
    {"#tt.grid", kGrid},
    {"#ttcore.tensor_mesh", kTensorMesh},
    {"#tt.tensor_mesh", kTensorMesh},
    {"#ttnn.ttnn_layout", kTtnnLayout},
    {"#ttnn.buffer_type", kBufferType},
    {"#ttnn.tensor_memory_layout", kTensorMemoryLayout},
    {"#ttnn.core_range", kCoreRange},
    {"#ttnn.core_range_set", kCoreRanges},
    {"#ttnn.shape", kShape},
    {"#ttnn.shard_orientation", kShardOrientation},
    {"#ttnn.shard_mode", kShardMode},
    {"#ttnn.shard_spec", kShardSpec},
    {"#ttnn.memory_config", kMemoryConfig},
};

// Numbers, of 16 bytes at most.
constexpr int64_t kMaxSpent = 1 << 22;

int64_t SizeOf(const AffineMap& map) {
  int64_t size = 0;
  for (const AffineExpression& result : map.results()) {
    size += sizeof(result) / sizeof(AffineNode) + result.nodes().size();
  }
  return size;
}

constexpr absl::string_view kAttributeExpected =
    "an attribute such as #tt.metal_layout<...>, #ttnn.ttnn_layout<...>, "
    "#tt.memory_space<l1> or affine_map<...>";
constexpr absl::string_view kTooManyIntervals =
    "a layout has at most 1024 intervals";
constexpr absl::string_view kMapExpected =
    "an affine map such as (d0, d1) -> (d0, d1)";
constexpr absl::string_view kMemorySpaceExpected =
    "a memory space such as #tt.memory_space<l1>";

}  // namespace

bool LayoutReader::ReadAliases() {
  while (true) {
    MlirCursor ahead = cursor();
    const absl::string_view name = ahead.TakePrefixedIdentifier('#');
    if (name.empty() || !ahead.Take('=')) return true;
    if (absl::StrContains(name, '.')) {
      return Fail(name.data(), "the name of an alias has no '.'");
    }
    if (aliases_.contains(name)) {
      return Fail(name.data(), "this alias is defined a second time");
    }
    cursor() = ahead;
    last_value_ = position();
    Attribute attribute;
    if (!ReadAliasValue(&attribute)) return false;
    aliases_.emplace(name, std::move(attribute));
    last_alias_ = name;
  }
}

bool LayoutReader::ReadAliasValue(Attribute* attribute) {
  MlirCursor ahead = cursor();
  const absl::string_view name = ahead.TakePrefixedIdentifier('#');
  const bool has_body = MlirCursor(ahead).Take('<');
  // The file that a layout is copied from has other attributes as well, and the
  // locations of its operations.
  const bool is_other = KindNamed(name) == kNumKinds && !name.empty() &&
                        (has_body || absl::StrContains(name, '.'));
  const bool is_location =
      name.empty() && ahead.TakeKeyword("loc") && MlirCursor(ahead).Take('(');
  if (!is_other && !is_location) {
    return ReadAttribute(kAttributeExpected, attribute);
  }
  cursor() = ahead;
  *attribute = std::make_shared<const OtherAttribute>();
  return (!has_body && !is_location) || SkipBrackets();
}

bool LayoutReader::ReadSubject(absl::string_view what, Attribute* attribute,
                               const char** begin) {
  if (last_value_ != nullptr && cursor().AtEnd()) {
    *attribute = aliases_.find(last_alias_)->second;
    *begin = last_value_;
    return true;
  }
  *begin = position();
  return ReadAttribute(what, attribute);
}

bool LayoutReader::ReadAttribute(absl::string_view what, Attribute* attribute) {
  if (AtInlineMap()) return ReadShared(&LayoutReader::ReadMap, attribute);
  const MlirCursor before = cursor();
  const absl::string_view name = cursor().TakePrefixedIdentifier('#');
  switch (KindNamed(name)) {
    case kMetalLayout:
      if (!AtAlignedLayoutBody()) {
        return ReadShared(&LayoutReader::ReadMetalLayoutBody, attribute);
      }
      return ReadShared(&LayoutReader::ReadAlignedLayoutBody, attribute);
    case kTtnnLayout:
      return ReadShared(&LayoutReader::ReadTtnnLayoutBody, attribute);
    case kMemoryConfig:
      return ReadShared(&LayoutReader::ReadMemoryConfigBody, attribute);
    case kGrid:
      return ReadShared(&LayoutReader::ReadGridBody, attribute);
    case kMemorySpace:
      return ReadShared(&LayoutReader::ReadMemorySpaceBody, attribute);
    case kBufferType:
      return ReadShared(&LayoutReader::ReadBufferTypeBody, attribute);
    case kTensorMemoryLayout:
      return ReadShared(&LayoutReader::ReadTensorMemoryLayoutBody, attribute);
    case kTensorMesh:
      return ReadShared(&LayoutReader::ReadTensorMeshBody, attribute);
    case kCoreRange:
      return ReadShared(&LayoutReader::ReadCoreRangeBody, attribute);
    case kCoreRanges:
      return ReadShared(&LayoutReader::ReadCoreRangesBody, attribute);
    case kShape:
      return ReadShared(&LayoutReader::ReadShapeBody, attribute);
    case kShardOrientation:
      return ReadShared(&LayoutReader::ReadShardOrientationBody, attribute);
    case kShardMode:
      return ReadShared(&LayoutReader::ReadShardModeBody, attribute);
    case kShardSpec:
      return ReadShared(&LayoutReader::ReadShardSpecBody, attribute);
    default:
      break;
  }
  if (name.empty() || absl::StrContains(name, '.')) {
    cursor() = before;
    return FailExpected(what);
  }
  const Attribute* const found = FindAlias(name);
  if (found == nullptr) return false;
  *attribute = *found;
  return true;
}

bool LayoutReader::ReadTensor(absl::string_view what, Dimensions* shape,
                              ElementType* element, Attribute* attribute,
                              const char** begin) {
  if (!ReadShaped("tensor", shape, element)) return false;
  if (!cursor().Take(',')) return FailExpected(absl::StrCat("',' and ", what));
  *begin = position();
  return ReadAttribute(what, attribute);
}

bool LayoutReader::ReadEnd() {
  return cursor().AtEnd() || FailExpected("the end of the text");
}

const Attribute* LayoutReader::FindAlias(absl::string_view alias) {
  const auto found = aliases_.find(alias);
  if (found != aliases_.end()) return &found->second;
  cursor() = MlirCursor(text(), alias.data() - text().data());
  Fail(alias.data(), absl::StrCat("no alias ", cursor().DescribeNextToken(),
                                  " is defined before this"));
  return nullptr;
}

size_t LayoutReader::KindNamed(absl::string_view name) {
  for (const AttributeName& known : kNames) {
    if (known.name == name) return known.kind;
  }
  return kNumKinds;
}

const Attribute* LayoutReader::PeekAlias() {
  const auto alias =
      aliases_.find(MlirCursor(cursor()).TakePrefixedIdentifier('#'));
  return alias == aliases_.end() ? nullptr : &alias->second;
}

bool LayoutReader::FailKind(absl::string_view what, const char* begin,
                            const Attribute& attribute) {
  const std::string found =
      MlirCursor(text(), begin - text().data()).DescribeNextToken();
  return Fail(begin, absl::StrCat("expected ", what, ", found ", found, ", ",
                                  kKindNames[attribute.index()]));
}

bool LayoutReader::Spend(const Attribute& attribute) {
  // The others take no more memory than their aliases take text.
  int64_t size = 0;
  if (const auto* map = absl::get_if<Shared<AffineMap>>(&attribute)) {
    size += SizeOf(**map);
  } else if (const auto* grid = absl::get_if<Shared<Grid>>(&attribute)) {
    size += (*grid)->sizes.size();
  } else if (const auto* shape =
                 absl::get_if<Shared<ShapeAttribute>>(&attribute)) {
    size += (*shape)->sizes.size();
  } else if (const auto* mesh = absl::get_if<Shared<TensorMesh>>(&attribute)) {
    size += (*mesh)->name.size() / 16;
  } else if (const auto* ranges =
                 absl::get_if<Shared<CoreRanges>>(&attribute)) {
    size += 2 * (*ranges)->size();
  } else if (const auto* spec = absl::get_if<Shared<ShardSpec>>(&attribute)) {
    size += 2 * (*spec)->core_ranges.size() + (*spec)->shape.size();
    if ((*spec)->physical_shape.has_value()) {
      size += (*spec)->physical_shape->size();
    }
  }
  return Spend(size);
}

bool LayoutReader::Spend(int64_t size) {
  num_spent_ += size;
  return num_spent_ <= kMaxSpent ||
         FailTooMany(absl::StrCat("short forms stand for more than ", kMaxSpent,
                                  " numbers in all"));
}

bool LayoutReader::ReadGridBody(Grid* grid) {
  if (!Expect('<') || !ReadSizes(&grid->sizes)) return false;
  for (; cursor().Take(','); grid->has_maps = true) {
    // In later texts there are two, with names.
    if ((cursor().TakeKeyword("virt_to_physical_map") ||
         cursor().TakeKeyword("physical_to_virt_map")) &&
        !Expect('=')) {
      return false;
    }
    if (!AtInlineMap()) {
      return FailExpected(
          "the affine map of the grid, whose sizes have an 'x' between them");
    }
    AffineMap map;
    if (!ReadInlineMap(&map)) return false;
  }
  return cursor().Take('>') ||
         FailExpected(grid->has_maps        ? "',' or '>'"
                      : grid->sizes.empty() ? "a size"
                                            : "'x', ',' or '>'");
}

bool LayoutReader::ReadMemorySpaceBody(MemorySpace* space) {
  return ReadKeywordBody("a memory space", kMemorySpaces, space);
}

bool LayoutReader::ReadMetalLayoutBody(MetalLayout* layout) {
  if (!Expect('<')) return false;
  if (!AtInlineMap() &&
      MlirCursor(cursor()).TakePrefixedIdentifier('#').empty()) {
    return FailExpected(absl::StrCat(kMapExpected, ", or 'logical_shape'"));
  }
  Grid grid;
  if (!ReadMap(&layout->linear) || !Expect(',') ||
      !ReadKeyword("an out-of-bounds value", kOobValues, &layout->oob_value) ||
      !Expect(',') || !ReadGrid(&grid) || !Expect(',') ||
      !ReadMemRef(&layout->memref)) {
    return false;
  }
  layout->grid = std::move(grid.sizes);
  if (cursor().Take(',')) {
    layout->memory_layout.emplace(TensorMemoryLayout::kNone);
    // The name of `none` in 2024-09.
    if (!cursor().TakeKeyword("none_layout") &&
        !ReadKeyword("a memory layout", kTensorMemoryLayouts,
                     &*layout->memory_layout)) {
      return false;
    }
  }
  return cursor().Take('>') ||
         FailExpected(layout->memory_layout.has_value() ? "'>'" : "',' or '>'");
}

bool LayoutReader::AtAlignedLayoutBody() {
  MlirCursor ahead = cursor();
  return ahead.Take('<') && ahead.TakeKeyword("logical_shape");
}

bool LayoutReader::ReadAlignedLayoutBody(AlignedLayout* layout) {
  if (!Expect('<') || !ExpectKeyword("logical_shape") || !Expect('=') ||
      !ReadSizes(&layout->logical_shape) || !Expect(',') ||
      !ExpectKeyword("dim_alignments") || !Expect('=') ||
      !ReadSizes(&layout->dim_alignments) || !Expect(',')) {
    return false;
  }
  if (!cursor().TakeKeyword("collapse_dims") &&
      !ExpectKeyword("collapsed_intervals")) {
    return false;
  }
  if (!Expect('=') || !ReadIntervals(&layout->collapsed_intervals)) {
    return false;
  }
  // What may still come, in this order.
  enum { kOob, kSpace, kLayout, kIndexMap, kEnd } next = kOob;
  while (next != kEnd && cursor().Take(',')) {
    OobValue oob_value;
    MemorySpace memory_space;
    AlignedMemoryLayout memory_layout;
    if (next <= kOob && TakeKeyword(kOobValues, &oob_value)) {
      layout->oob_value = oob_value;
      next = kSpace;
    } else if (next <= kSpace && TakeKeyword(kMemorySpaces, &memory_space)) {
      layout->memory_space = memory_space;
      next = kLayout;
    } else if (next <= kLayout &&
               TakeKeyword(kAlignedMemoryLayouts, &memory_layout)) {
      layout->memory_layout = memory_layout;
      next = kIndexMap;
    } else if (cursor().TakeKeyword("index_map")) {
      layout->index_map.emplace();
      if (!Expect('=') || !ReadIndexMap(&*layout->index_map)) return false;
      next = kEnd;
    } else {
      std::vector<absl::string_view> known;
      if (next <= kOob) AppendKeywords(kOobValues, &known);
      if (next <= kSpace) AppendKeywords(kMemorySpaces, &known);
      if (next <= kLayout) AppendKeywords(kAlignedMemoryLayouts, &known);
      known.push_back("index_map");
      return FailExpected(known.size() == 1 ? "'index_map'" : OneOf(known));
    }
  }
  return cursor().Take('>') ||
         FailExpected(next == kEnd ? "'>'" : "',' or '>'");
}

bool LayoutReader::ReadIntervals(AlignedLayout::Intervals* intervals) {
  if (!ExpectKeyword("dense") || !Expect('<')) return false;
  // Of a number for all.
  absl::optional<int64_t> number;
  if (cursor().Take('[')) {
    do {
      if (intervals->size() == kMaxSizes) {
        return FailTooMany(kTooManyIntervals);
      }
      intervals->emplace_back();
      if (!ReadInterval(&intervals->back())) return false;
    } while (cursor().Take(','));
    if (!cursor().Take(']')) return FailExpected("',' or ']'");
    if (!Expect('>')) return false;
  } else if (!cursor().Take('>')) {
    number.emplace();
    if (!ReadInteger("'[', '>' or an integer", &*number) || !Expect('>')) {
      return false;
    }
  }
  if (!Expect(':')) return false;
  const char* const begin = position();
  int64_t size;
  if (!ReadIntervalsType(&size)) return false;
  if (!number.has_value()) {
    const int64_t given = intervals->size();
    return size == given ||
           Fail(begin,
                absl::StrCat("expected tensor<", given,
                             "x2xi64>, the type of the intervals before it"));
  }
  if (size > static_cast<int64_t>(kMaxSizes)) {
    return Fail(begin, kTooManyIntervals, absl::StatusCode::kResourceExhausted);
  }
  intervals->assign(size, {*number, *number});
  return Spend(size);
}

bool LayoutReader::ReadIntervalsType(int64_t* size) {
  const char* const begin = position();
  Dimensions shape;
  ElementType element;
  if (!ReadShaped("tensor", &shape, &element)) return false;
  if (shape.size() != 2 || shape[1] != 2 ||
      element != ElementType{DataType::kI64}) {
    return Fail(begin, "expected the type of pairs, such as tensor<2x2xi64>");
  }
  *size = shape[0];
  return Expect('>');
}

bool LayoutReader::ReadInterval(AlignedLayout::Interval* interval) {
  return Expect('[') && ReadInteger("an integer", &interval->first) &&
         Expect(',') && ReadInteger("an integer", &interval->second) &&
         Expect(']');
}

bool LayoutReader::ReadIndexMap(AffineMap* map) {
  if (!cursor().TakeKeyword("map")) return ReadMap(map);
  if (!Expect('(')) return false;
  const char* const begin = position();
  int64_t rank;
  if (!ReadNumber("a number of dimensions", &rank)) return false;
  if (rank > AffineExpression::kMaxDims) {
    return Fail(begin, "an affine map has at most 1024 dimensions",
                absl::StatusCode::kResourceExhausted);
  }
  *map = AffineMap::Identity(rank);
  return Expect(')') && Spend(SizeOf(*map));
}

bool LayoutReader::ReadMap(AffineMap* map) {
  if (AtInlineMap()) return ReadInlineMap(map);
  return ReadPart<AffineMap>(kMapExpected, nullptr, map);
}

bool LayoutReader::ReadGrid(Grid* grid) {
  return ReadPartOrBody("a grid such as <2x4>", &LayoutReader::ReadGridBody,
                        grid);
}

bool LayoutReader::ReadMemRef(MemRef* memref) {
  if (!ReadShaped("memref", &memref->shape, &memref->element) ||
      !ReadMemRefMap(kMemorySpaceExpected, memref->shape.size())) {
    return false;
  }
  return ReadPart(kMemorySpaceExpected, &LayoutReader::ReadMemorySpaceBody,
                  &memref->memory_space) &&
         Expect('>');
}

bool LayoutReader::ReadMemRefMap(absl::string_view what, size_t rank) {
  const std::string comma = absl::StrCat("',' and ", what);
  if (!cursor().Take(',')) return FailExpected(comma);
  const char* const begin = position();
  AffineMap written_out;
  const AffineMap* map = nullptr;
  MlirCursor ahead = cursor();
  if (ahead.TakeKeyword("strided")) {
    return Fail(begin, "a memref with strides is not supported",
                absl::StatusCode::kUnimplemented);
  }
  if (ahead.TakeKeyword("affine_map")) {
    if (!ReadInlineMap(&written_out)) return false;
    map = &written_out;
  } else {
    const Attribute* const alias = PeekAlias();
    const auto* const shared =
        alias == nullptr ? nullptr : absl::get_if<Shared<AffineMap>>(alias);
    if (shared == nullptr) return true;
    cursor().TakePrefixedIdentifier('#');
    map = shared->get();
  }
  if (map->num_dims() != static_cast<int64_t>(rank)) {
    return Fail(begin,
                absl::StrCat("the map of the memref has ", map->num_dims(),
                             " dimensions, the memref ", rank));
  }
  if (!map->is_identity()) {
    return Fail(begin,
                "a memref whose map is not the identity is not supported",
                absl::StatusCode::kUnimplemented);
  }
  return cursor().Take(',') || FailExpected(comma);
}

}  // namespace tenstorrent
}  // namespace tessera
