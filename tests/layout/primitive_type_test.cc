#include "tessera/layout/primitive_type.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"
#include "proto/xla_data.pb.h"
#include "tessera/layout/layout_proto.h"

namespace tessera {
namespace {

struct ArrayTypeCase {
  const char* name;
  int proto_number;
  int64_t bits;
  int64_t bytes;
};

// As published for XLA's primitive types.
constexpr ArrayTypeCase kArrayTypes[] = {
    {"pred", 1, 1, 1},
    {"s1", 30, 1, 1},
    {"s2", 26, 2, 1},
    {"s4", 21, 4, 1},
    {"s8", 2, 8, 1},
    {"s16", 3, 16, 2},
    {"s32", 4, 32, 4},
    {"s64", 5, 64, 8},
    {"u1", 31, 1, 1},
    {"u2", 27, 2, 1},
    {"u4", 22, 4, 1},
    {"u8", 6, 8, 1},
    {"u16", 7, 16, 2},
    {"u32", 8, 32, 4},
    {"u64", 9, 64, 8},
    {"f16", 10, 16, 2},
    {"bf16", 16, 16, 2},
    {"f32", 11, 32, 4},
    {"f64", 12, 64, 8},
    {"f8e5m2", 19, 8, 1},
    {"f8e4m3", 28, 8, 1},
    {"f8e4m3fn", 20, 8, 1},
    {"f8e4m3b11fnuz", 23, 8, 1},
    {"f8e3m4", 29, 8, 1},
    {"f8e5m2fnuz", 24, 8, 1},
    {"f8e4m3fnuz", 25, 8, 1},
    {"f8e8m0fnu", 33, 8, 1},
    {"f4e2m1fn", 32, 4, 1},
    {"f6e3m2fn", 35, 8, 1},
    {"f6e2m3fn", 36, 8, 1},
    {"c64", 15, 64, 8},
    {"c128", 18, 128, 16},
};

TEST(PrimitiveType, ArrayTypes) {
  for (const ArrayTypeCase& c : kArrayTypes) {
    SCOPED_TRACE(c.name);
    const auto type = static_cast<PrimitiveType>(c.proto_number);
    EXPECT_EQ(PrimitiveTypeName(type), c.name);
    EXPECT_EQ(PrimitiveTypeFromName(c.name), type);
    EXPECT_EQ(BitWidth(type), c.bits);
    EXPECT_EQ(ByteWidth(type), c.bytes);
    EXPECT_TRUE(IsArrayType(type));
  }
}

// The name of the enumerator, or nullptr. The compiler refuses a switch that
// forgets one.
const char* EnumeratorName(PrimitiveType type) {
  switch (type) {
    case PRIMITIVE_TYPE_INVALID:
      return "PRIMITIVE_TYPE_INVALID";
    case PRED:
      return "PRED";
    case S1:
      return "S1";
    case S2:
      return "S2";
    case S4:
      return "S4";
    case S8:
      return "S8";
    case S16:
      return "S16";
    case S32:
      return "S32";
    case S64:
      return "S64";
    case U1:
      return "U1";
    case U2:
      return "U2";
    case U4:
      return "U4";
    case U8:
      return "U8";
    case U16:
      return "U16";
    case U32:
      return "U32";
    case U64:
      return "U64";
    case F16:
      return "F16";
    case F32:
      return "F32";
    case BF16:
      return "BF16";
    case F64:
      return "F64";
    case F8E5M2:
      return "F8E5M2";
    case F8E4M3:
      return "F8E4M3";
    case F8E4M3FN:
      return "F8E4M3FN";
    case F8E4M3B11FNUZ:
      return "F8E4M3B11FNUZ";
    case F8E3M4:
      return "F8E3M4";
    case F8E5M2FNUZ:
      return "F8E5M2FNUZ";
    case F8E4M3FNUZ:
      return "F8E4M3FNUZ";
    case F8E8M0FNU:
      return "F8E8M0FNU";
    case F4E2M1FN:
      return "F4E2M1FN";
    case F6E3M2FN:
      return "F6E3M2FN";
    case F6E2M3FN:
      return "F6E2M3FN";
    case C64:
      return "C64";
    case C128:
      return "C128";
    case TUPLE:
      return "TUPLE";
    case OPAQUE_TYPE:
      return "OPAQUE_TYPE";
    case TOKEN:
      return "TOKEN";
    case BUFFER:
      return "BUFFER";
  }
  return nullptr;
}

TEST(PrimitiveType, HasTheNamesAndNumbersOfTheMessage) {
  const google::protobuf::EnumDescriptor* message =
      xla_data_proto::PrimitiveType_descriptor();
  int64_t largest = 0;
  for (int i = 0; i < message->value_count(); ++i) {
    const google::protobuf::EnumValueDescriptor* value = message->value(i);
    const auto type = static_cast<PrimitiveType>(value->number());
    EXPECT_STREQ(EnumeratorName(type), value->name().c_str());
    EXPECT_EQ(PrimitiveTypeToProto(type), value->number());
    EXPECT_EQ(PrimitiveTypeFromProto(PrimitiveTypeToProto(type)), type);
    largest = std::max<int64_t>(largest, value->number());
  }
  EXPECT_EQ(PrimitiveType_ARRAYSIZE, largest + 1);
  for (int number = -1; number <= PrimitiveType_ARRAYSIZE + 100; ++number) {
    const char* name = EnumeratorName(static_cast<PrimitiveType>(number));
    const google::protobuf::EnumValueDescriptor* value =
        message->FindValueByNumber(number);
    ASSERT_EQ(name == nullptr, value == nullptr) << number;
    if (name != nullptr) {
      EXPECT_EQ(value->name(), name);
    }
  }
}

TEST(PrimitiveType, TypesThatNoArrayHas) {
  struct Case {
    PrimitiveType type;
    const char* name;
  };
  for (const Case& c :
       {Case{TUPLE, "tuple"}, Case{OPAQUE_TYPE, "opaque"}, Case{TOKEN, "token"},
        Case{BUFFER, "buffer"},
        Case{PRIMITIVE_TYPE_INVALID, "primitive_type_invalid"},
        Case{static_cast<PrimitiveType>(37), "primitive_type_invalid"},
        Case{static_cast<PrimitiveType>(-1), "primitive_type_invalid"}}) {
    SCOPED_TRACE(c.type);
    EXPECT_EQ(PrimitiveTypeName(c.type), c.name);
    EXPECT_EQ(PrimitiveTypeFromName(c.name), std::nullopt);
    EXPECT_EQ(BitWidth(c.type), 0);
    EXPECT_EQ(ByteWidth(c.type), 0);
    EXPECT_FALSE(IsArrayType(c.type));
    EXPECT_FALSE(IsSubByteNonPredType(c.type));
  }
}

// The names of the array types that `predicate` holds for.
std::set<std::string> NamesWhere(bool (*predicate)(PrimitiveType)) {
  std::set<std::string> names;
  for (int number = 0; number < PrimitiveType_ARRAYSIZE; ++number) {
    const auto type = static_cast<PrimitiveType>(number);
    if (predicate(type)) names.emplace(PrimitiveTypeName(type));
  }
  return names;
}

TEST(PrimitiveType, Families) {
  using Names = std::set<std::string>;
  EXPECT_EQ(NamesWhere(IsIntegralType),
            (Names{"s1", "s2", "s4", "s8", "s16", "s32", "s64", "u1", "u2",
                   "u4", "u8", "u16", "u32", "u64"}));
  EXPECT_EQ(NamesWhere(IsUnsignedIntegralType),
            (Names{"u1", "u2", "u4", "u8", "u16", "u32", "u64"}));
  EXPECT_EQ(NamesWhere(IsFloatingPointType),
            (Names{"f16", "bf16", "f32", "f64", "f8e5m2", "f8e4m3", "f8e4m3fn",
                   "f8e4m3b11fnuz", "f8e3m4", "f8e5m2fnuz", "f8e4m3fnuz",
                   "f8e8m0fnu", "f4e2m1fn", "f6e3m2fn", "f6e2m3fn"}));
  EXPECT_EQ(NamesWhere(IsComplexType), (Names{"c64", "c128"}));
  EXPECT_EQ(NamesWhere(IsSubByteNonPredType),
            (Names{"s1", "s2", "s4", "u1", "u2", "u4", "f4e2m1fn"}));
}

TEST(PrimitiveType, OnlyTheExactLowerCaseNameIsRead) {
  for (const char* name :
       {"", "f", "F32", "f32 ", " f32", "f3", "f322", "s3", "s128", "bf1",
        "BF16", "Pred", "opaque_type", "f8e4m3b11fnu", "f8e4m3b11fnuzz",
        "f8e4m3fnux", "f8e5m2fnu", "f8e8m0fn", "f6e3m2fnuz"}) {
    EXPECT_EQ(PrimitiveTypeFromName(name), std::nullopt) << name;
  }
  EXPECT_EQ(PrimitiveTypeFromName(std::string_view("s8\0", 3)), std::nullopt);
}

}  // namespace
}  // namespace tessera
