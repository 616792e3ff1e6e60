#include "tessera/tenstorrent/text/attribute_reader.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"

namespace tessera::tenstorrent {
namespace {

static_assert(AttributeReader::kMaxSizes == 1024);
constexpr std::string_view kTooManySizes = "a shape has at most 1024 sizes";

std::vector<std::string_view> Keywords(
    std::string_view (*keyword_of)(DataType)) {
  std::vector<std::string_view> keywords;
  for (const DataType type : kDataTypes) {
    if (!keyword_of(type).empty()) keywords.push_back(keyword_of(type));
  }
  return keywords;
}

}  // namespace

bool AttributeReader::ReadSizes(Dimensions* sizes) {
  sizes->clear();
  if (!AtSize()) return true;
  do {
    if (sizes->size() == kMaxSizes) return FailTooMany(kTooManySizes);
    int64_t size;
    if (!ReadSize("size", &size)) return false;
    sizes->push_back(size);
  } while (cursor().Take('x'));
  return true;
}

bool AttributeReader::ReadShaped(std::string_view name, Dimensions* shape,
                                 ElementType* element) {
  if (!ExpectKeyword(name) || !Expect('<')) return false;
  const char* const at = position();
  if (cursor().Take('*')) {
    return Fail(at,
                StrCat("a ", name, " of '*' has no rank, and so no layout"));
  }
  shape->clear();
  while (AtSize()) {
    if (shape->size() == kMaxSizes) return FailTooMany(kTooManySizes);
    int64_t size;
    if (!ReadSize("size", &size) || !Expect('x')) return false;
    shape->push_back(size);
  }
  return ReadElementType("a size or an element type", element);
}

bool AttributeReader::ReadElementType(std::string_view what,
                                      ElementType* element) {
  const MlirCursor before = cursor();
  const std::string_view type = cursor().TakePrefixedIdentifier('!');
  if (type == "!tt.tile" || type == "!ttcore.tile") return ReadTile(element);
  if (type.empty()) {
    const std::optional<DataType> scalar =
        ScalarTypeOf(cursor().TakeIdentifier());
    if (scalar.has_value()) {
      *element = ElementType{*scalar};
      return true;
    }
  }
  cursor() = before;
  std::vector<std::string_view> types = Keywords(ScalarKeyword);
  types.push_back("!tt.tile<32x32, f32>");
  return FailExpected(StrCat(what, " (", OneOf(types), ")"));
}

bool AttributeReader::ReadTile(ElementType* element) {
  const auto read_size = [this](std::string_view what, int64_t* size) {
    const char* const at = position();
    if (!ReadSize(what, size)) return false;
    return *size > 0 ||
           Fail(at, StrCat("the ", what, " is 0; expected at least 1"));
  };
  TileShape tile;
  if (!Expect('<') || !read_size("tile height", &tile.height)) return false;
  if (!cursor().Take('x')) return FailExpected("'x' and the tile width");
  if (!read_size("tile width", &tile.width)) return false;
  if (!cursor().Take(',')) {
    return FailExpected("',' and a data type, as in !tt.tile<32x32, f32>");
  }
  const MlirCursor before = cursor();
  const std::optional<DataType> type = TileTypeOf(cursor().TakeIdentifier());
  if (!type.has_value()) {
    cursor() = before;
    return FailExpected(absl::StrCat("the data type of a tile (",
                                     OneOf(Keywords(TileKeyword)), ")"));
  }
  *element = ElementType{*type, tile};
  return Expect('>');
}

bool AttributeReader::AtInlineMap() {
  MlirCursor ahead = cursor();
  return ahead.Take('(') || ahead.TakeKeyword("affine_map");
}

bool AttributeReader::ReadInlineMap(AffineMap* map) {
  size_t offset = position() - text().data();
  absl::StatusOr<AffineMap> read = ReadAffineMap(text(), &offset);
  if (!read.ok()) return Fail(read.status());
  *map = *std::move(read);
  cursor() = MlirCursor(text(), offset);
  return true;
}

std::string AttributeReader::OneOf(const std::vector<std::string_view>& words) {
  const absl::Span<const std::string_view> all = words;
  return StrCat(JoinViews(all.first(all.size() - 1), ", "), " or ", all.back());
}

}  // namespace tessera::tenstorrent
