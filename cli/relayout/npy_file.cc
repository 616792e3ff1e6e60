#include "tessera/cli/relayout/npy_file.h"

#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/primitive_type.h"

namespace tessera::cli {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kVersionBytes = 2;
constexpr int64_t kAlignment = 64;
// The longest name of a type that is read.
constexpr size_t kMaxDescrBytes = 32;

// Reads the literal in one pass. Keeps the first error.
class HeaderReader {
 public:
  // `text` begins `offset` bytes into the file.
  HeaderReader(std::string_view text, size_t offset)
      : text_(text), offset_(offset) {}

  absl::Status Read(NpyHeader* header) {
    Expect('{');
    bool has_descr = false, has_order = false, has_shape = false;
    while (status_.ok() && !Take('}')) {
      const size_t at = (SkipBlanks(), position_);
      const std::string key = ReadString();
      Expect(':');
      if (key == "descr") {
        CheckNew(at, &has_descr);
        header->descr = ReadDescr();
      } else if (key == "fortran_order") {
        CheckNew(at, &has_order);
        header->fortran_order = ReadBool();
      } else if (key == "shape") {
        CheckNew(at, &has_shape);
        header->shape = ReadShape();
      } else {
        Fail(at, "expected 'descr', 'fortran_order' or 'shape'");
      }
      if (Take(',')) continue;
      Expect('}');
      break;
    }
    SkipBlanks();
    if (position_ != text_.size()) Fail(position_, "expected the end");
    if (!(has_descr && has_order && has_shape)) {
      Fail(position_, "'descr', 'fortran_order' and 'shape' are needed");
    }
    return status_;
  }

 private:
  void Fail(size_t at, std::string_view what,
            absl::StatusCode code = absl::StatusCode::kInvalidArgument) {
    if (!status_.ok()) return;
    status_ = absl::Status(
        code, StrCat("in the .npy header: at byte ", offset_ + at, ": ", what));
    position_ = text_.size();
  }

  void CheckNew(size_t at, bool* is_seen) {
    if (*is_seen) Fail(at, "a key is given twice");
    *is_seen = true;
  }

  bool At(char c) const {
    return position_ < text_.size() && text_[position_] == c;
  }
  bool AtDigit() const {
    return position_ < text_.size() && text_[position_] >= '0' &&
           text_[position_] <= '9';
  }
  void SkipBlanks() {
    while (At(' ') || At('\n') || At('\t') || At('\r')) ++position_;
  }
  bool Take(char c) {
    SkipBlanks();
    if (!At(c)) return false;
    ++position_;
    return true;
  }
  void Expect(char c) {
    if (!Take(c))
      Fail(position_, absl::StrCat("expected '", std::string(1, c), "'"));
  }

  // Printable, without escapes.
  std::string ReadString() {
    SkipBlanks();
    const size_t begin = position_ + 1;
    const char quote = At('"') ? '"' : '\'';
    if (!Take(quote)) {
      Fail(position_, "expected a string");
      return "";
    }
    while (position_ < text_.size() && !At(quote)) {
      const char c = text_[position_];
      if (c < ' ' || c > '~' || c == '\\' ||
          position_ - begin >= kMaxDescrBytes) {
        Fail(position_, "expected a string of a few plain characters");
        return "";
      }
      ++position_;
    }
    const std::string value(text_.substr(begin, position_ - begin));
    Expect(quote);
    return value;
  }

  std::string ReadDescr() {
    SkipBlanks();
    if (At('[')) {
      Fail(position_, "structured element types are not read",
           absl::StatusCode::kUnimplemented);
      return "";
    }
    return ReadString();
  }

  bool ReadBool() {
    SkipBlanks();
    for (const bool value : {false, true}) {
      const std::string_view name = value ? "True" : "False";
      if (StartsWith(text_.substr(position_), name)) {
        position_ += name.size();
        return value;
      }
    }
    Fail(position_, "expected True or False");
    return false;
  }

  int64_t ReadDimension() {
    SkipBlanks();
    const size_t at = position_;
    if (!AtDigit()) Fail(at, "expected a dimension");
    int64_t value = 0;
    for (; AtDigit(); ++position_) {
      const int digit = text_[position_] - '0';
      if (value > (std::numeric_limits<int64_t>::max() - digit) / 10) {
        Fail(at, "a dimension exceeds 2^63-1", absl::StatusCode::kOutOfRange);
        return 0;
      }
      if (value == 0 && position_ != at) {
        Fail(at, "a number begins with 0");
        return 0;
      }
      value = 10 * value + digit;
    }
    return value;
  }

  // "()", "(3,)", "(3, 5)", and "(3, 5,)" as well.
  std::vector<int64_t> ReadShape() {
    std::vector<int64_t> shape;
    Expect('(');
    while (status_.ok() && !Take(')')) {
      shape.push_back(ReadDimension());
      if (Take(',')) continue;
      if (shape.size() == 1) Fail(position_, "expected ','");
      Expect(')');
      break;
    }
    return shape;
  }

  const std::string_view text_;
  const size_t offset_;
  size_t position_ = 0;
  absl::Status status_;
};

}  // namespace

bool HasNpyMagic(std::string_view file) { return StartsWith(file, kMagic); }

absl::StatusOr<NpyHeader> ReadNpyHeader(std::string_view file) {
  if (!HasNpyMagic(file)) {
    return absl::InvalidArgumentError(
        "is not a .npy file: it does not begin with \\x93NUMPY");
  }
  const auto byte = [&](size_t i) {
    return static_cast<size_t>(static_cast<unsigned char>(file[i]));
  };
  const auto ends = [&] {
    return InvalidArgumentError("the file ends within the .npy header, after ",
                                file.size(), " bytes");
  };
  size_t begin = kMagic.size() + kVersionBytes;
  if (file.size() < begin) return ends();
  const size_t major = byte(begin - 2), minor = byte(begin - 1);
  if (major < 1 || major > 3 || minor != 0) {
    return UnimplementedError("is of .npy version ", major, ".", minor,
                              ", and those from 1.0 to 3.0 are read");
  }
  const size_t size_bytes = major == 1 ? 2 : 4;
  if (file.size() < begin + size_bytes) return ends();
  size_t size = 0;
  for (size_t i = size_bytes; i-- > 0;) size = size << 8 | byte(begin + i);
  begin += size_bytes;
  if (begin + size > static_cast<size_t>(kMaxNpyHeaderBytes)) {
    return ResourceExhaustedError("has a .npy header of ", begin + size,
                                  " bytes, and at most ", kMaxNpyHeaderBytes,
                                  " are read");
  }
  if (file.size() < begin + size) return ends();

  NpyHeader header;
  HeaderReader reader(file.substr(begin, size), begin);
  TESSERA_RETURN_IF_ERROR(reader.Read(&header));
  header.data_begin = static_cast<int64_t>(begin + size);
  return header;
}

std::string NpyHeaderBytes(const NpyHeader& header) {
  const std::string literal = absl::StrCat(
      "{'descr': '", header.descr,
      "', 'fortran_order': ", header.fortran_order ? "True" : "False",
      ", 'shape': (", absl::StrJoin(header.shape, ", "),
      header.shape.size() == 1 ? ",), }" : "), }");
  constexpr size_t kMaxSizeOfVersion1 = 0xffff;
  for (const char version : {'\1', '\2'}) {
    const size_t size_bytes = version == 1 ? 2 : 4;
    const size_t begin = kMagic.size() + kVersionBytes + size_bytes;
    // Padding: blanks, and a line feed at the end.
    const size_t padded =
        (begin + literal.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
    const size_t size = padded - begin;
    if (version == 1 && size > kMaxSizeOfVersion1) continue;
    std::string bytes(kMagic);
    bytes.push_back(version);
    bytes.push_back('\0');
    for (size_t i = 0; i < size_bytes; ++i) {
      bytes.push_back(static_cast<char>(size >> (8 * i) & 0xff));
    }
    bytes += literal;
    bytes.resize(padded - 1, ' ');
    bytes.push_back('\n');
    return bytes;
  }
  return "";  // not reached
}

absl::Span<const std::string_view> NpyDescrs(PrimitiveType type) {
  static constexpr std::string_view kByte[] = {"|u1", "<V1", "|V1", "V1"};
  struct Descrs {
    PrimitiveType type;
    std::vector<std::string_view> descrs;
  };
  static const auto* const kDescrs =
      new std::vector<Descrs>{{PRED, {"|b1"}},
                              {S1, {"|i1", "<V1", "|V1", "V1"}},
                              {S2, {"|i1", "<V1", "|V1", "V1"}},
                              {S4, {"|i1", "<V1", "|V1", "V1"}},
                              {S8, {"|i1", "<i1"}},
                              {S16, {"<i2"}},
                              {S32, {"<i4"}},
                              {S64, {"<i8"}},
                              {U8, {"|u1", "<u1"}},
                              {U16, {"<u2"}},
                              {U32, {"<u4"}},
                              {U64, {"<u8"}},
                              {F16, {"<f2"}},
                              {F32, {"<f4"}},
                              {F64, {"<f8"}},
                              {C64, {"<c8"}},
                              {C128, {"<c16"}},
                              {BF16, {"<u2", "<V2", "|V2", "V2"}}};
  for (const Descrs& of_type : *kDescrs) {
    if (of_type.type == type) return of_type.descrs;
  }
  // Types of one byte, and smaller types, whose elements take a byte each.
  if (ByteWidth(type) == 1) return kByte;
  return {};
}

}  // namespace tessera::cli
