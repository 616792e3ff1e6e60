#include "tessera/strided/parse.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/mlir_reader.h"
#include "tessera/layout/foreign_type_name.h"

namespace tessera {
namespace {

class Reader : public MlirReader {
 public:
  using MlirReader::MlirReader;

  bool Read(StridedArray* array) {
    strides_at_ = position();
    const bool is_read =
        cursor().TakeKeyword("memref") ? ReadMemref(array) : ReadArray(array);
    if (!is_read) return false;
    if (!cursor().AtEnd()) return FailExpected("end of text");
    const absl::Status status = ValidateStridedArray(*array);
    return status.ok() ||
           Fail(strides_at_, StdView(status.message()), status.code());
  }

 private:
  // The unit of a stride or an offset.
  struct Unit {
    std::string_view name;
    int64_t elements_bytes = 1;
  };
  struct Number {
    const char* at;
    int64_t value;
  };

  // A number that may be negative, but not '?'.
  bool ReadKnown(std::string_view what, Number* number) {
    number->at = position();
    if (cursor().Take('?')) {
      return Fail(number->at,
                  StrCat(what,
                         " of '?' is dynamic; only known strides and "
                         "offsets have positions"));
    }
    return ReadInteger(what, &number->value);
  }

  // -- memref<4x8xf32, strided<[16, 2], offset: 3>> ---------------------------

  bool ReadMemref(StridedArray* array) {
    array->notation = StridedArray::Notation::kMemref;
    if (!Expect('<')) return false;
    const char* const at = position();
    if (cursor().Take('*')) {
      return Fail(at, "a memref of '*' has no rank, and so no positions");
    }
    while (AtSize()) {
      int64_t size;
      if (!ReadSize("size", &size) || !Expect('x')) return false;
      array->dimensions.push_back(size);
    }
    if (!ReadElementType(array)) return false;
    bool has_strides = false, has_space = false;
    while (cursor().Take(',')) {
      const char* const attribute = position();
      if (has_space)
        return Fail(attribute, "expected '>' after a memory space");
      if (!has_strides && cursor().TakeKeyword("strided")) {
        strides_at_ = attribute;
        has_strides = true;
        if (!ReadStrided(array)) return false;
      } else if (cursor().TakeKeyword("affine_map")) {
        return Fail(attribute,
                    "an affine_map may be any function; a layout that has "
                    "strides is written strided<...>",
                    absl::StatusCode::kUnimplemented);
      } else {
        has_space = true;
        if (!ReadMemorySpace(has_strides)) return false;
        array->memory_space =
            std::string(attribute, cursor().position() - attribute);
      }
    }
    if (!has_strides && !MakeRowMajor(array)) return false;
    return Expect('>');
  }

  bool ReadElementType(StridedArray* array) {
    const MlirCursor before = cursor();
    const char* const at = position();
    std::string name(cursor().TakeIdentifier());
    if (name == "index") {
      return Fail(at,
                  "the size of an index depends on the target; only elements "
                  "of a known size have positions");
    }
    if (name == "complex" && cursor().Take('<')) {
      StrAppend(&name, "<", cursor().TakeIdentifier(), ">");
      if (!Expect('>')) return false;
    }
    for (int i = 0; !name.empty() && i < PrimitiveType_ARRAYSIZE; ++i) {
      const PrimitiveType type = static_cast<PrimitiveType>(i);
      for (const bool says_signed : {false, true}) {
        if (!IsArrayType(type) || MlirTypeName(type, says_signed) != name) {
          continue;
        }
        array->element_type = type;
        array->says_signed = says_signed;
        return true;
      }
    }
    cursor() = before;
    return FailExpected(
        "a size or an element type (f64, f32, f16, bf16, f8E4M3FN, i64, i32, "
        "i16, i8, i4, i1, si8, ui8, complex<f32> or the like)");
  }

  bool ReadStrided(StridedArray* array) {
    if (!Expect('<') || !Expect('[')) return false;
    const char* const at = position();
    if (!cursor().Take(']')) {
      do {
        Number stride;
        if (!ReadKnown("a stride", &stride)) return false;
        array->strides.push_back(stride.value);
      } while (cursor().Take(','));
      if (!cursor().Take(']')) return FailExpected("',' or ']'");
    }
    if (!CheckRank(at, *array)) return false;
    if (cursor().Take(',')) {
      Number offset;
      if (!ExpectKeyword("offset") || !Expect(':') ||
          !ReadKnown("an offset", &offset)) {
        return false;
      }
      array->offset = offset.value;
    }
    return Expect('>');
  }

  bool ReadMemorySpace(bool has_strides) {
    const char* const at = position();
    std::string ignored;
    if (cursor().TakeString(&ignored)) return true;
    const std::string_view name = cursor().TakePrefixedIdentifier('#');
    if (StrContains(name, '.')) {
      MlirCursor ahead = cursor();
      return !ahead.Take('<') || SkipBrackets();
    }
    if (!name.empty()) {
      return Fail(
          at,
          StrCat(name, " is an alias, whose definition is not in the text"));
    }
    if (!cursor().AtDigit()) {
      return FailExpected(absl::StrCat(
          has_strides ? "" : "strided<...> or ",
          "a memory space (an integer, a string or #dialect.name<...>)"));
    }
    int64_t number;
    if (!ReadNumber("a memory space", &number)) return false;
    return !cursor().Take(':') || !cursor().TakeIdentifier().empty() ||
           FailExpected("the type of the memory space");
  }

  bool MakeRowMajor(StridedArray* array) {
    std::optional<int64_t> stride = 1;
    array->strides.resize(array->dimensions.size());
    for (size_t i = array->dimensions.size(); i-- > 0;) {
      if (!stride.has_value()) {
        return Fail(strides_at_, "the row-major strides exceed 2^63-1",
                    absl::StatusCode::kOutOfRange);
      }
      array->strides[i] = *stride;
      stride = CheckedMultiply(*stride, array->dimensions[i]);
    }
    return true;
  }

  // -- f32[4,8] strides (64, 8) bytes, offset 12 bytes ------------------------

  bool ReadArray(StridedArray* array) {
    array->notation = StridedArray::Notation::kBytes;
    const MlirCursor before = cursor();
    const std::optional<PrimitiveType> type =
        PrimitiveTypeFromForeignName(cursor().TakeIdentifier());
    if (!type.has_value()) {
      cursor() = before;
      return FailExpected(
          "memref<...> or an element type of XLA or NumPy (f32, bf16, s8, "
          "pred, float32, ...)");
    }
    array->element_type = *type;
    if (!Expect('[') || !ReadDimensions(array)) return false;
    strides_at_ = position();
    if (!ExpectKeyword("strides") || !Expect('(')) return false;
    std::vector<Number> strides;
    const char* const at = position();
    while (!cursor().Take(')')) {
      strides.emplace_back();
      if (!ReadKnown("a stride", &strides.back())) return false;
      MlirCursor ahead = cursor();
      if (!cursor().Take(',') && !ahead.Take(')')) {
        return FailExpected("',' or ')'");
      }
    }
    bool in_bytes;
    if (!ReadUnit(&in_bytes)) return false;
    for (size_t i = 0; i < strides.size(); ++i) {
      if (!ToElements(in_bytes, absl::StrCat("stride ", i), *array,
                      &strides[i])) {
        return false;
      }
      array->strides.push_back(strides[i].value);
    }
    return CheckRank(at, *array) && ReadOffset(array);
  }

  bool ReadDimensions(StridedArray* array) {
    if (cursor().Take(']')) return true;
    do {
      int64_t size;
      if (!ReadSize("size", &size)) return false;
      array->dimensions.push_back(size);
    } while (cursor().Take(','));
    return cursor().Take(']') || FailExpected("',' or ']'");
  }

  bool ReadOffset(StridedArray* array) {
    const bool has_comma = cursor().Take(',');
    if (!has_comma && cursor().AtEnd()) {
      const std::optional<int64_t> lowest = LowestOffset(*array);
      // If it overflows, ValidateStridedArray rejects the strides.
      array->offset = lowest.value_or(0);
      return true;
    }
    Number offset;
    bool in_bytes;
    if (!ExpectKeyword("offset") || !ReadKnown("an offset", &offset) ||
        !ReadUnit(&in_bytes) ||
        !ToElements(in_bytes, "the offset", *array, &offset)) {
      return false;
    }
    array->offset = offset.value;
    return true;
  }

  bool ReadUnit(bool* in_bytes) {
    *in_bytes = cursor().TakeKeyword("bytes") || cursor().TakeKeyword("byte");
    return *in_bytes || cursor().TakeKeyword("elements") ||
           cursor().TakeKeyword("element") ||
           FailExpected("the unit, bytes or elements");
  }

  bool ToElements(bool in_bytes, std::string_view what,
                  const StridedArray& array, Number* number) {
    if (!in_bytes) return true;
    const int64_t bytes = array.element_bytes();
    if (number->value % bytes != 0) {
      return Fail(number->at, StrCat(what, ", ", number->value,
                                     " bytes, is not a multiple of the ", bytes,
                                     " bytes of an element of ",
                                     PrimitiveTypeName(array.element_type)));
    }
    number->value /= bytes;
    return true;
  }

  bool CheckRank(const char* at, const StridedArray& array) {
    return array.strides.size() == array.dimensions.size() ||
           Fail(at, absl::StrCat("expected a stride for each of ",
                                 array.dimensions.size(), " dimensions, found ",
                                 array.strides.size()));
  }

  // The place of errors about the array as a whole.
  const char* strides_at_ = nullptr;
};

}  // namespace

absl::StatusOr<StridedArray> ParseStridedArray(std::string_view text) {
  Reader reader(text);
  StridedArray array;
  if (!reader.Read(&array)) return reader.status();
  return array;
}

}  // namespace tessera
