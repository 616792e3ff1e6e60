#include "tessera/layout/primitive_type.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace tessera {
namespace {

enum class Kind : uint8_t {
  kNone,
  kPred,
  kSigned,
  kUnsigned,
  kFloatingPoint,
  kComplex,
};

struct Traits {
  std::string_view name;
  Kind kind = Kind::kNone;
  uint8_t bit_width = 0;
};

constexpr std::string_view kInvalidName = "primitive_type_invalid";

// Indexed by the number of the type in xla_data.proto.
constexpr Traits kTraits[] = {
    /* 0*/ {kInvalidName},
    /* 1*/ {"pred", Kind::kPred, 1},
    /* 2*/ {"s8", Kind::kSigned, 8},
    /* 3*/ {"s16", Kind::kSigned, 16},
    /* 4*/ {"s32", Kind::kSigned, 32},
    /* 5*/ {"s64", Kind::kSigned, 64},
    /* 6*/ {"u8", Kind::kUnsigned, 8},
    /* 7*/ {"u16", Kind::kUnsigned, 16},
    /* 8*/ {"u32", Kind::kUnsigned, 32},
    /* 9*/ {"u64", Kind::kUnsigned, 64},
    /*10*/ {"f16", Kind::kFloatingPoint, 16},
    /*11*/ {"f32", Kind::kFloatingPoint, 32},
    /*12*/ {"f64", Kind::kFloatingPoint, 64},
    /*13*/ {"tuple"},
    /*14*/ {"opaque"},
    /*15*/ {"c64", Kind::kComplex, 64},
    /*16*/ {"bf16", Kind::kFloatingPoint, 16},
    /*17*/ {"token"},
    /*18*/ {"c128", Kind::kComplex, 128},
    /*19*/ {"f8e5m2", Kind::kFloatingPoint, 8},
    /*20*/ {"f8e4m3fn", Kind::kFloatingPoint, 8},
    /*21*/ {"s4", Kind::kSigned, 4},
    /*22*/ {"u4", Kind::kUnsigned, 4},
    /*23*/ {"f8e4m3b11fnuz", Kind::kFloatingPoint, 8},
    /*24*/ {"f8e5m2fnuz", Kind::kFloatingPoint, 8},
    /*25*/ {"f8e4m3fnuz", Kind::kFloatingPoint, 8},
    /*26*/ {"s2", Kind::kSigned, 2},
    /*27*/ {"u2", Kind::kUnsigned, 2},
    /*28*/ {"f8e4m3", Kind::kFloatingPoint, 8},
    /*29*/ {"f8e3m4", Kind::kFloatingPoint, 8},
    /*30*/ {"s1", Kind::kSigned, 1},
    /*31*/ {"u1", Kind::kUnsigned, 1},
    /*32*/ {"f4e2m1fn", Kind::kFloatingPoint, 4},
    /*33*/ {"f8e8m0fnu", Kind::kFloatingPoint, 8},
    /*34*/ {"buffer"},
    /*35*/ {"f6e3m2fn", Kind::kFloatingPoint, 8},
    /*36*/ {"f6e2m3fn", Kind::kFloatingPoint, 8},
};
constexpr size_t kTypeCount = sizeof(kTraits) / sizeof(kTraits[0]);
static_assert(kTypeCount == PrimitiveType_ARRAYSIZE,
              "a type of xla_data.proto has no row");

const Traits& TraitsOf(PrimitiveType type) {
  const size_t number = static_cast<size_t>(type);
  return kTraits[number < kTypeCount ? number : 0];
}

// Each name of an array type has its own slot in a table of 64, so that one
// comparison decides whether a text is a name. Reading a shape begins with this
// decision.
constexpr size_t kShortestName = 2;
constexpr size_t kLongestName = 13;
constexpr size_t kHeadSize = 8;
constexpr int kSlotBits = 6;

constexpr uint64_t Byte(const char* p, int i) {
  return uint64_t{static_cast<unsigned char>(p[i])} << (8 * i);
}

// Two and four characters as a number; the compiler makes either one load.
constexpr uint64_t Load2(const char* p) { return Byte(p, 0) | Byte(p, 1); }
constexpr uint64_t Load4(const char* p) {
  return Byte(p, 0) | Byte(p, 1) | Byte(p, 2) | Byte(p, 3);
}

// Returns the first kHeadSize characters of `name`, which has at least two, as
// a number. Overlapping loads replace a loop over the characters.
constexpr uint64_t Head(std::string_view name) {
  const char* const p = name.data();
  const size_t size = name.size();
  if (size >= kHeadSize) return Load4(p) | Load4(p + 4) << 32;
  if (size >= 4) return Load4(p) | Load4(p + size - 4) << 8 * (size - 4);
  return Load2(p) | Load2(p + size - 2) << 8 * (size - 2);
}

constexpr size_t Slot(uint64_t head, size_t size) {
  // The multiplier was found by search; BuildSlots checks it.
  constexpr uint64_t kMultiplier = 0xc12d512f43f89eed;
  return static_cast<size_t>(((head + size) * kMultiplier) >> (64 - kSlotBits));
}

struct Slots {
  uint64_t heads[1 << kSlotBits] = {};
  uint8_t types[1 << kSlotBits] = {};
  bool is_perfect = true;
};

constexpr Slots BuildSlots() {
  Slots slots;
  for (size_t type = 0; type < kTypeCount; ++type) {
    if (kTraits[type].kind == Kind::kNone) continue;
    const std::string_view name = kTraits[type].name;
    if (name.size() < kShortestName || name.size() > kLongestName) {
      slots.is_perfect = false;
    }
    const uint64_t head = Head(name);
    const size_t slot = Slot(head, name.size());
    if (slots.types[slot] != 0) slots.is_perfect = false;
    slots.heads[slot] = head;
    slots.types[slot] = static_cast<uint8_t>(type);
  }
  return slots;
}

constexpr Slots kSlots = BuildSlots();
static_assert(kSlots.is_perfect, "two names share a slot: search again");

}  // namespace

std::string_view PrimitiveTypeName(PrimitiveType type) {
  return TraitsOf(type).name;
}

std::optional<PrimitiveType> PrimitiveTypeFromName(std::string_view name) {
  if (name.size() < kShortestName || name.size() > kLongestName) {
    return std::nullopt;
  }
  const uint64_t head = Head(name);
  const size_t slot = Slot(head, name.size());
  const uint8_t type = kSlots.types[slot];
  const std::string_view candidate = kTraits[type].name;
  if (kSlots.heads[slot] != head || candidate.size() != name.size()) {
    return std::nullopt;
  }
  if (name.size() > kHeadSize &&
      name.substr(kHeadSize) != candidate.substr(kHeadSize)) {
    return std::nullopt;
  }
  return static_cast<PrimitiveType>(type);
}

bool IsArrayType(PrimitiveType type) {
  return TraitsOf(type).kind != Kind::kNone;
}

bool IsIntegralType(PrimitiveType type) {
  const Kind kind = TraitsOf(type).kind;
  return kind == Kind::kSigned || kind == Kind::kUnsigned;
}

bool IsUnsignedIntegralType(PrimitiveType type) {
  return TraitsOf(type).kind == Kind::kUnsigned;
}

bool IsFloatingPointType(PrimitiveType type) {
  return TraitsOf(type).kind == Kind::kFloatingPoint;
}

bool IsComplexType(PrimitiveType type) {
  return TraitsOf(type).kind == Kind::kComplex;
}

bool IsSubByteNonPredType(PrimitiveType type) {
  return type != PRED && IsArrayType(type) && BitWidth(type) < 8;
}

int64_t BitWidth(PrimitiveType type) { return TraitsOf(type).bit_width; }

int64_t ByteWidth(PrimitiveType type) { return (BitWidth(type) + 7) / 8; }

}  // namespace tessera
