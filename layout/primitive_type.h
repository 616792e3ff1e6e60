// The element types, their names and their sizes in bits.
//
// The types are those of XLA's PrimitiveType (proto/xla_data.proto); names and
// widths follow xla/primitive_util.h.
//
//   PrimitiveTypeName(BF16);                      // "bf16"
//   PrimitiveTypeFromName("f8e4m3fn") == F8E4M3FN;   // true
//   BitWidth(S4);                                 // 4
//   ByteWidth(S4);                                // 1: unpacked, a byte

#ifndef TESSERA_LAYOUT_PRIMITIVE_TYPE_H_
#define TESSERA_LAYOUT_PRIMITIVE_TYPE_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

// The names and numbers are those of the enum in proto/xla_data.proto, and a
// static_cast between the two keeps every value. A message may contain a number
// that names no type; that number is a value here, too.
enum PrimitiveType : int {
  PRIMITIVE_TYPE_INVALID = 0,
  PRED = 1,
  S1 = 30,
  S2 = 26,
  S4 = 21,
  S8 = 2,
  S16 = 3,
  S32 = 4,
  S64 = 5,
  U1 = 31,
  U2 = 27,
  U4 = 22,
  U8 = 6,
  U16 = 7,
  U32 = 8,
  U64 = 9,
  F16 = 10,
  F32 = 11,
  BF16 = 16,
  F64 = 12,
  F8E5M2 = 19,
  F8E4M3 = 28,
  F8E4M3FN = 20,
  F8E4M3B11FNUZ = 23,
  F8E3M4 = 29,
  F8E5M2FNUZ = 24,
  F8E4M3FNUZ = 25,
  F8E8M0FNU = 33,
  F4E2M1FN = 32,
  F6E3M2FN = 35,
  F6E2M3FN = 36,
  C64 = 15,
  C128 = 18,
  TUPLE = 13,
  OPAQUE_TYPE = 14,
  TOKEN = 17,
  BUFFER = 34,
};

// The largest number of a type, plus 1.
constexpr int PrimitiveType_ARRAYSIZE = 37;

// Returns XLA's lower-case spelling: "f32", "pred", "tuple", "token",
// "opaque", "buffer". "primitive_type_invalid" for PRIMITIVE_TYPE_INVALID and
// for numbers that name no type.
std::string_view PrimitiveTypeName(PrimitiveType type);

// Returns the *array* type with that exact lower-case spelling; nullopt for
// anything else, including "tuple", "token", "opaque" and "buffer".
std::optional<PrimitiveType> PrimitiveTypeFromName(std::string_view name);

// Whether an array can have this element type: pred, integral, floating and
// complex types.
bool IsArrayType(PrimitiveType type);
bool IsIntegralType(PrimitiveType type);
bool IsUnsignedIntegralType(PrimitiveType type);
bool IsFloatingPointType(PrimitiveType type);
bool IsComplexType(PrimitiveType type);

// Whether XLA packs this type if the layout has E(n): s1 s2 s4 u1 u2 u4
// f4e2m1fn.
bool IsSubByteNonPredType(PrimitiveType type);

// XLA's BitWidth: 1 for pred, 4 for s4, 8 for the f6 types (whose values have
// six bits but whose storage is a byte). 0 for types without a width.
int64_t BitWidth(PrimitiveType type);

// Returns the bytes of one element that no E(n) packs: BitWidth rounded up to
// whole bytes. 0 for types without a width.
int64_t ByteWidth(PrimitiveType type);

}  // namespace tessera

#endif  // TESSERA_LAYOUT_PRIMITIVE_TYPE_H_
