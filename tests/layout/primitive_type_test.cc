#include "tessera/layout/primitive_type.h"

#include <cstdint>
#include <set>
#include <string>

#include "gtest/gtest.h"

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
    EXPECT_EQ(PrimitiveTypeFromName(c.name), absl::nullopt);
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
    EXPECT_EQ(PrimitiveTypeFromName(name), absl::nullopt) << name;
  }
  EXPECT_EQ(PrimitiveTypeFromName(absl::string_view("s8\0", 3)), absl::nullopt);
}

}  // namespace
}  // namespace tessera
