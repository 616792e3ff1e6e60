#include "tessera/tenstorrent/text/attribute_reader.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/text/diagnostic.h"

namespace tessera {
namespace tenstorrent {
namespace {

static_assert(AttributeReader::kMaxSizes == 1024);
constexpr absl::string_view kTooManySizes = "a shape has at most 1024 sizes";

std::vector<absl::string_view> Keywords(
    absl::string_view (*keyword_of)(DataType)) {
  std::vector<absl::string_view> keywords;
  for (const DataType type : kDataTypes) {
    if (!keyword_of(type).empty()) keywords.push_back(keyword_of(type));
  }
  return keywords;
}

}  // namespace

bool AttributeReader::Fail(const char* at, absl::string_view message,
                           absl::StatusCode code) {
  status_ = DiagnosticError(text_, at - text_.data(), message, code);
  return false;
}

bool AttributeReader::FailExpected(absl::string_view what) {
  const std::string found = cursor_.DescribeNextToken();
  return Fail(cursor_.position(),
              absl::StrCat("expected ", what, ", found ", found));
}

bool AttributeReader::FailTooMany(absl::string_view message) {
  return Fail(position(), message, absl::StatusCode::kResourceExhausted);
}

bool AttributeReader::Expect(char c) {
  return cursor_.Take(c) ||
         FailExpected(absl::StrCat("'", std::string(1, c), "'"));
}

bool AttributeReader::ExpectKeyword(absl::string_view keyword) {
  return cursor_.TakeKeyword(keyword) ||
         FailExpected(absl::StrCat("'", keyword, "'"));
}

bool AttributeReader::ReadNumber(absl::string_view what, int64_t* number) {
  if (!cursor_.AtDigit()) return FailExpected(what);
  return cursor_.TakeNumber(number) ||
         Fail(position(), "the number exceeds 2^63-1",
              absl::StatusCode::kOutOfRange);
}

bool AttributeReader::ReadInteger(absl::string_view what, int64_t* integer) {
  const bool is_negative = cursor_.Take('-');
  if (!ReadNumber(what, integer)) return false;
  if (is_negative) *integer = -*integer;
  return true;
}

bool AttributeReader::AtSize() {
  const char* const at = position();
  return cursor_.AtDigit() || (at != text_.data() + text_.size() && *at == '?');
}

bool AttributeReader::ReadSize(absl::string_view what, int64_t* size) {
  const char* const at = position();
  if (!cursor_.AtDigit()) {
    if (cursor_.Take('?')) {
      return Fail(at, absl::StrCat("a ", what,
                                   " of '?' is dynamic; only "
                                   "sizes that are known have a layout"));
    }
    return FailExpected(absl::StrCat("a ", what));
  }
  return cursor_.TakeDecimalNumber(size) ||
         Fail(at, absl::StrCat("the ", what, " exceeds 2^63-1"),
              absl::StatusCode::kOutOfRange);
}

bool AttributeReader::ReadSizes(Dimensions* sizes) {
  sizes->clear();
  if (!AtSize()) return true;
  do {
    if (sizes->size() == kMaxSizes) return FailTooMany(kTooManySizes);
    int64_t size;
    if (!ReadSize("size", &size)) return false;
    sizes->push_back(size);
  } while (cursor_.Take('x'));
  return true;
}

bool AttributeReader::ReadShaped(absl::string_view name, Dimensions* shape,
                                 ElementType* element) {
  if (!ExpectKeyword(name) || !Expect('<')) return false;
  const char* const at = position();
  if (cursor_.Take('*')) {
    return Fail(
        at, absl::StrCat("a ", name, " of '*' has no rank, and so no layout"));
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

bool AttributeReader::ReadElementType(absl::string_view what,
                                      ElementType* element) {
  const MlirCursor before = cursor_;
  const absl::string_view type = cursor_.TakePrefixedIdentifier('!');
  if (type == "!tt.tile" || type == "!ttcore.tile") return ReadTile(element);
  if (type.empty()) {
    const absl::optional<DataType> scalar =
        ScalarTypeOf(cursor_.TakeIdentifier());
    if (scalar.has_value()) {
      *element = ElementType{*scalar};
      return true;
    }
  }
  cursor_ = before;
  std::vector<absl::string_view> types = Keywords(ScalarKeyword);
  types.push_back("!tt.tile<32x32, f32>");
  return FailExpected(absl::StrCat(what, " (", OneOf(types), ")"));
}

bool AttributeReader::ReadTile(ElementType* element) {
  const auto read_size = [this](absl::string_view what, int64_t* size) {
    const char* const at = position();
    if (!ReadSize(what, size)) return false;
    return *size > 0 ||
           Fail(at, absl::StrCat("the ", what, " is 0; expected at least 1"));
  };
  TileShape tile;
  if (!Expect('<') || !read_size("tile height", &tile.height)) return false;
  if (!cursor_.Take('x')) return FailExpected("'x' and the tile width");
  if (!read_size("tile width", &tile.width)) return false;
  if (!cursor_.Take(',')) {
    return FailExpected("',' and a data type, as in !tt.tile<32x32, f32>");
  }
  const MlirCursor before = cursor_;
  const absl::optional<DataType> type = TileTypeOf(cursor_.TakeIdentifier());
  if (!type.has_value()) {
    cursor_ = before;
    return FailExpected(absl::StrCat("the data type of a tile (",
                                     OneOf(Keywords(TileKeyword)), ")"));
  }
  *element = ElementType{*type, tile};
  return Expect('>');
}

bool AttributeReader::AtInlineMap() {
  MlirCursor ahead = cursor_;
  return ahead.Take('(') || ahead.TakeKeyword("affine_map");
}

bool AttributeReader::ReadInlineMap(AffineMap* map) {
  size_t offset = position() - text_.data();
  absl::StatusOr<AffineMap> read = ReadAffineMap(text_, &offset);
  if (!read.ok()) {
    status_ = read.status();
    return false;
  }
  *map = *std::move(read);
  cursor_ = MlirCursor(text_, offset);
  return true;
}

bool AttributeReader::SkipBrackets() {
  constexpr absl::string_view kOpening = "<([{";
  constexpr absl::string_view kClosing = ">)]}";
  // The brackets that close what is open.
  std::string open;
  do {
    const char* const at = position();
    std::string ignored;
    if (cursor_.TakeArrow() || cursor_.TakeString(&ignored)) continue;
    if (cursor_.AtEnd()) {
      return FailExpected(absl::StrCat("'", open.substr(open.size() - 1), "'"));
    }
    const size_t opening = kOpening.find(*at);
    if (opening != absl::string_view::npos) {
      open.push_back(kClosing[opening]);
    } else if (absl::StrContains(kClosing, *at)) {
      if (*at != open.back()) {
        return FailExpected(
            absl::StrCat("'", open.substr(open.size() - 1), "'"));
      }
      open.pop_back();
    }
    cursor_.Take(*at);
  } while (!open.empty());
  return true;
}

std::string AttributeReader::OneOf(
    const std::vector<absl::string_view>& words) {
  const absl::Span<const absl::string_view> all = words;
  return absl::StrCat(absl::StrJoin(all.first(all.size() - 1), ", "), " or ",
                      all.back());
}

}  // namespace tenstorrent
}  // namespace tessera
