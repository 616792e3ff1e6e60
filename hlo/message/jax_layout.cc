#include "tessera/hlo/message/jax_layout.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/layout/tile.h"
#include "tessera/layout/validate_layout.h"

namespace tessera {
namespace {

constexpr std::string_view kClass = "Layout(";
constexpr std::string_view kOrder = "major_to_minor";

// Whether the first field of a text that begins with `Layout(` is the order.
bool BeginsWithOrder(std::string_view text) {
  constexpr size_t kFurthest = 64;
  Cursor cursor(text.substr(kClass.size(), kFurthest));
  std::string_view field = cursor.TakeIdentifier();
  ConsumePrefix(&field, "_");
  return field == kOrder;
}

class JaxLayoutReader {
 public:
  JaxLayoutReader(std::string_view text, size_t begin)
      : text_(text), cursor_(text.substr(begin)) {}

  absl::StatusOr<Layout> Read() {
    Layout::Parts parts;
    TESSERA_RETURN_IF_ERROR(ReadField(&parts));
    // The last field may be followed by a comma.
    while (cursor_.Take(',') && !At(')')) {
      TESSERA_RETURN_IF_ERROR(ReadField(&parts));
    }
    if (!cursor_.Take(')')) return Expected("',' or ')'");
    return Layout(std::move(parts));
  }

 private:
  absl::Status ReadField(Layout::Parts* parts) {
    cursor_.SkipBlanks();
    const Cursor before = cursor_;
    std::string_view field = cursor_.TakeIdentifier();
    ConsumePrefix(&field, "_");
    if (field != kOrder && field != "tiling" &&
        field != "sub_byte_element_size_in_bits") {
      cursor_ = before;
      return Expected(
          "major_to_minor, tiling or sub_byte_element_size_in_bits");
    }
    if (!cursor_.Take('=')) return Expected("'='");
    if (field == kOrder) {
      std::vector<int64_t> order;
      TESSERA_RETURN_IF_ERROR(ReadIntegers(&order));
      parts->minor_to_major.assign(order.rbegin(), order.rend());
      return absl::OkStatus();
    }
    if (field == "tiling") return ReadTiling(parts);
    return TakeInteger(&parts->element_size_in_bits);
  }

  // Reads ((8, 128), (2, 1)), or None.
  absl::Status ReadTiling(Layout::Parts* parts) {
    if (cursor_.TakeIdentifier() == "None") return absl::OkStatus();
    return ReadList([&] {
      std::vector<int64_t> tile;
      TESSERA_RETURN_IF_ERROR(ReadIntegers(&tile));
      parts->tiles.emplace_back(Tile::Dimensions(tile.begin(), tile.end()));
      return absl::OkStatus();
    });
  }

  absl::Status ReadIntegers(std::vector<int64_t>* integers) {
    return ReadList([&] {
      integers->push_back(0);
      return TakeInteger(&integers->back());
    });
  }

  absl::Status TakeInteger(int64_t* integer) {
    return cursor_.TakeInteger(integer) ? absl::OkStatus()
                                        : Expected("an integer");
  }

  // Reads (0, 1), or [0, 1].
  template <typename ReadElement>
  absl::Status ReadList(ReadElement read_element) {
    const char close = cursor_.Take('[') ? ']' : ')';
    if (close == ')' && !cursor_.Take('(')) return Expected("'('");
    while (!cursor_.Take(close)) {
      TESSERA_RETURN_IF_ERROR(read_element());
      if (!cursor_.Take(',') && !At(close)) return Expected("',' or a bracket");
    }
    return absl::OkStatus();
  }

  bool At(char c) const { return Cursor(cursor_).Take(c); }

  absl::Status Expected(std::string_view what) {
    cursor_.SkipBlanks();
    return DiagnosticError(
        text_, cursor_.position() - text_.data(),
        absl::StrCat("in the layout of JAX: expected ", AbslView(what),
                     ", found ", cursor_.DescribeNextToken()));
  }

  const std::string_view text_;
  Cursor cursor_;
};

}  // namespace

size_t FindJaxLayout(std::string_view text) {
  for (size_t at = text.find(kClass); at != text.npos;
       at = text.find(kClass, at + kClass.size())) {
    if (!BeginsWithOrder(text.substr(at))) continue;
    constexpr std::string_view kOldClass = "DeviceLocal";
    const bool is_old = EndsWith(text.substr(0, at), kOldClass);
    const size_t begin = is_old ? at - kOldClass.size() : at;
    if (begin == 0 || !absl::ascii_isalnum(text[begin - 1])) return begin;
  }
  return text.npos;
}

absl::StatusOr<Layout> ReadJaxLayout(std::string_view text) {
  const size_t begin = FindJaxLayout(text);
  if (begin == text.npos) {
    return DiagnosticError(text, 0,
                           "the text has no Layout(major_to_minor=...)");
  }
  JaxLayoutReader reader(text, text.find('(', begin) + 1);
  TESSERA_ASSIGN_OR_RETURN(Layout layout, reader.Read());
  const absl::Status status = ValidateLayout(layout);
  if (!status.ok())
    return DiagnosticError(text, begin, StdView(status.message()));
  return layout;
}

std::string_view JaxLayoutText(std::string_view text) {
  const size_t begin = FindJaxLayout(text);
  if (begin == text.npos) return "";
  int64_t depth = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) {
      return text.substr(begin, i + 1 - begin);
    }
  }
  return text.substr(begin);
}

}  // namespace tessera
