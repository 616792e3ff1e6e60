// File: layout/primitive_type.h
//
// Which element types are there, how are they spelled, how wide are they?
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

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "proto/xla_data.pb.h"

namespace tessera {

// Returns XLA's lower-case spelling: "f32", "pred", "tuple", "token",
// "opaque", "buffer". "primitive_type_invalid" for PRIMITIVE_TYPE_INVALID and
// for numbers that name no type.
absl::string_view PrimitiveTypeName(PrimitiveType type);

// Returns the *array* type of that exact lower-case spelling; nullopt for
// anything else, "tuple", "token", "opaque" and "buffer" included.
absl::optional<PrimitiveType> PrimitiveTypeFromName(absl::string_view name);

// pred, integral, floating and complex types: those that an array can have.
bool IsArrayType(PrimitiveType type);
bool IsIntegralType(PrimitiveType type);
bool IsUnsignedIntegralType(PrimitiveType type);
bool IsFloatingPointType(PrimitiveType type);
bool IsComplexType(PrimitiveType type);

// s1 s2 s4 u1 u2 u4 f4e2m1fn: the types that XLA packs when E(n) says so.
bool IsSubByteNonPredType(PrimitiveType type);

// XLA's BitWidth: 1 for pred, 4 for s4, 8 for the f6 types (whose values have
// six bits but whose storage is a byte). 0 for types without a width.
int64_t BitWidth(PrimitiveType type);

// Bytes that one element takes where no E(n) packs it: BitWidth rounded up to
// whole bytes. 0 for types without a width.
int64_t ByteWidth(PrimitiveType type);

}  // namespace tessera

#endif  // TESSERA_LAYOUT_PRIMITIVE_TYPE_H_
