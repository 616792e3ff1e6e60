#include "tessera/tenstorrent/text/layout_reader.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::tenstorrent {
namespace {

// Numbers, of 16 bytes at most.
constexpr int64_t kMaxSpent = 1 << 22;

constexpr std::string_view kAttributeExpected =
    "an attribute such as #tt.metal_layout<...>, #ttnn.ttnn_layout<...>, "
    "#tt.memory_space<l1> or affine_map<...>";

int64_t SizeOfMap(const AffineMap& map) {
  int64_t size = 0;
  for (const AffineExpression& result : map.results()) {
    size += sizeof(result) / sizeof(AffineNode) + result.nodes().size();
  }
  return size;
}

bool ReadMapBody(LayoutReader* reader, AffineMap* map) {
  return reader->ReadInlineMap(map);
}

int64_t SizeOfGrid(const Grid& grid) { return grid.sizes.size(); }

bool ReadGridBody(LayoutReader* reader, Grid* grid) {
  if (!reader->Expect('<') || !reader->ReadSizes(&grid->sizes)) return false;
  for (; reader->cursor().Take(','); grid->has_maps = true) {
    // Later texts have two maps, with names.
    if ((reader->cursor().TakeKeyword("virt_to_physical_map") ||
         reader->cursor().TakeKeyword("physical_to_virt_map")) &&
        !reader->Expect('=')) {
      return false;
    }
    if (!reader->AtInlineMap()) {
      return reader->FailExpected(
          "the affine map of the grid, whose sizes have an 'x' between them");
    }
    AffineMap map;
    if (!reader->ReadInlineMap(&map)) return false;
  }
  return reader->cursor().Take('>') ||
         reader->FailExpected(grid->has_maps        ? "',' or '>'"
                              : grid->sizes.empty() ? "a size"
                                                    : "'x', ',' or '>'");
}

// An attribute that layouts do not use, such as the description of a device.
struct OtherAttribute {};

bool ReadOtherBody(LayoutReader* reader, OtherAttribute*) {
  return reader->SkipBrackets();
}

constexpr KindOf<OtherAttribute> kOtherKind(
    "an attribute that is not part of a layout", ReadOtherBody);

}  // namespace

constexpr KindOf<AffineMap> kAffineMapKind("an affine map", ReadMapBody,
                                           SizeOfMap);
constexpr KindOf<Grid> kGridKind("a grid", ReadGridBody, SizeOfGrid);

namespace {

// The names that forms share. The dialect tt became ttcore in 2025-06
// (820a520791).
constexpr AttributeName kSharedNames[] = {{"#ttcore.grid", &kGridKind},
                                          {"#tt.grid", &kGridKind}};

}  // namespace

bool LayoutReader::ReadAliases() {
  while (true) {
    MlirCursor ahead = cursor();
    const std::string_view name = ahead.TakePrefixedIdentifier('#');
    if (name.empty() || !ahead.Take('=')) return true;
    if (StrContains(name, '.')) {
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
  const std::string_view name = ahead.TakePrefixedIdentifier('#');
  const bool has_body = MlirCursor(ahead).Take('<');
  // The file that a layout is copied from has other attributes as well, and the
  // locations of its operations.
  const bool is_other = KindNamed(name) == nullptr && !name.empty() &&
                        (has_body || StrContains(name, '.'));
  const bool is_location =
      name.empty() && ahead.TakeKeyword("loc") && MlirCursor(ahead).Take('(');
  if (!is_other && !is_location) {
    return ReadAttribute(kAttributeExpected, attribute);
  }
  cursor() = ahead;
  attribute->kind = &kOtherKind;
  return (!has_body && !is_location) ||
         kOtherKind.Read(this, &attribute->value);
}

bool LayoutReader::ReadSubject(std::string_view what, Attribute* attribute,
                               const char** begin) {
  if (last_value_ != nullptr && cursor().AtEnd()) {
    *attribute = aliases_.find(last_alias_)->second;
    *begin = last_value_;
    return true;
  }
  *begin = position();
  return ReadAttribute(what, attribute);
}

bool LayoutReader::ReadAttribute(std::string_view what, Attribute* attribute) {
  const MlirCursor before = cursor();
  const bool is_map = AtInlineMap();
  const std::string_view name =
      is_map ? "" : cursor().TakePrefixedIdentifier('#');
  attribute->kind = is_map ? &kAffineMapKind : KindNamed(name);
  if (attribute->kind != nullptr) {
    return attribute->kind->Read(this, &attribute->value);
  }
  if (name.empty() || StrContains(name, '.')) {
    cursor() = before;
    return FailExpected(what);
  }
  const Attribute* const found = FindAlias(name);
  if (found == nullptr) return false;
  *attribute = *found;
  return true;
}

bool LayoutReader::ReadTensor(std::string_view what, Dimensions* shape,
                              ElementType* element, Attribute* attribute,
                              const char** begin) {
  if (!ReadShaped("tensor", shape, element)) return false;
  if (!cursor().Take(',')) return FailExpected(StrCat("',' and ", what));
  *begin = position();
  return ReadAttribute(what, attribute);
}

bool LayoutReader::ReadEnd() {
  return cursor().AtEnd() || FailExpected("the end of the text");
}

const Attribute* LayoutReader::FindAlias(std::string_view alias) {
  const auto found = aliases_.find(alias);
  if (found != aliases_.end()) return &found->second;
  cursor() = MlirCursor(text(), alias.data() - text().data());
  Fail(alias.data(), absl::StrCat("no alias ", cursor().DescribeNextToken(),
                                  " is defined before this"));
  return nullptr;
}

const AttributeKind* LayoutReader::KindNamed(std::string_view name) {
  for (const AttributeName& known : kSharedNames) {
    if (known.name == name) return known.kind;
  }
  for (const absl::Span<const AttributeName> names : names_) {
    for (const AttributeName& known : names) {
      if (known.name != name) continue;
      if (known.first_keyword.empty()) return known.kind;
      MlirCursor body(text(), name.data() + name.size() - text().data());
      if (body.Take('<') && body.TakeKeyword(known.first_keyword)) {
        return known.kind;
      }
    }
  }
  return nullptr;
}

const Attribute* LayoutReader::PeekAlias() {
  const auto alias =
      aliases_.find(MlirCursor(cursor()).TakePrefixedIdentifier('#'));
  return alias == aliases_.end() ? nullptr : &alias->second;
}

bool LayoutReader::At(const AttributeKind& kind) {
  const Attribute* const alias = PeekAlias();
  if (alias != nullptr) return alias->kind == &kind;
  return KindNamed(MlirCursor(cursor()).TakePrefixedIdentifier('#')) == &kind;
}

bool LayoutReader::FailKind(std::string_view what, const char* begin,
                            const Attribute& attribute) {
  const std::string found =
      MlirCursor(text(), begin - text().data()).DescribeNextToken();
  return Fail(begin, StrCat("expected ", what, ", found ", found, ", ",
                            attribute.kind->description()));
}

bool LayoutReader::Spend(const Attribute& attribute) {
  return Spend(attribute.kind->SizeOf(attribute.value.get()));
}

bool LayoutReader::Spend(const AffineMap& map) { return Spend(SizeOfMap(map)); }

bool LayoutReader::Spend(int64_t size) {
  num_spent_ += size;
  return num_spent_ <= kMaxSpent ||
         FailTooMany(absl::StrCat("short forms expand to more than ", kMaxSpent,
                                  " numbers in all"));
}

bool LayoutReader::ReadMap(AffineMap* map) {
  if (AtInlineMap()) return ReadInlineMap(map);
  return ReadPart(kMapExpected, kAffineMapKind, map);
}

bool LayoutReader::ReadGrid(Grid* grid) {
  return ReadPartOrBody("a grid such as <2x4>", kGridKind, grid);
}

bool LayoutReader::ReadMemRefMap(std::string_view what, size_t rank) {
  const std::string comma = StrCat("',' and ", what);
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
    map = alias == nullptr ? nullptr : alias->As(kAffineMapKind);
    if (map == nullptr) return true;
    cursor().TakePrefixedIdentifier('#');
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

}  // namespace tessera::tenstorrent
