// What makes a class a value to users: it can be compared, printed, and be a
// key of a map.
//
//   #include <unordered_set>
//
//   #include "tessera/layout/tile.h"
//
//   const std::unordered_set<Tile> tiles = {Tile({8, 128}), Tile({8, 128})};
//   tiles.size();   // 1
//
// Tile has this from three lines. For a class `Size` of the namespace tessera
// with the members `height` and `width` and with a ToString() they are:
//
// TESSERA_VALUE_BY(Size, height, width)   in the class
// TESSERA_DECLARE_VALUE(tessera, Size);   in the header
// TESSERA_DEFINE_VALUE(tessera, Size)     in the source

#ifndef TESSERA_BASE_TEXT_VALUE_TYPE_H_
#define TESSERA_BASE_TEXT_VALUE_TYPE_H_

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <optional>
#include <tuple>
#include <utility>

namespace tessera::value_internal {

template <typename H, typename Member>
H HashMember(H h, const Member& member) {
  return H::combine(std::move(h), member);
}
// Debian's Abseil hashes only its own optional.
template <typename H, typename Member>
H HashMember(H h, const std::optional<Member>& member) {
  h = H::combine(std::move(h), member.has_value());
  return member.has_value() ? HashMember(std::move(h), *member) : std::move(h);
}

template <typename H, typename... Members>
H HashMembers(H h, const std::tuple<const Members&...>& members) {
  std::apply(
      [&h](const Members&... each) {
        ((h = HashMember(std::move(h), each)), ...);
      },
      members);
  return h;
}

}  // namespace tessera::value_internal

// For use in a class: defines equality and Abseil's hash by the listed members.
#define TESSERA_VALUE_BY(Type, ...)                                          \
  auto ValueMembers() const { return std::tie(__VA_ARGS__); }                \
  friend bool operator==(const Type& a, const Type& b) {                     \
    return a.ValueMembers() == b.ValueMembers();                             \
  }                                                                          \
  friend bool operator!=(const Type& a, const Type& b) { return !(a == b); } \
  template <typename H>                                                      \
  friend H AbslHashValue(H h, const Type& value) {                           \
    return ::tessera::value_internal::HashMembers(std::move(h),              \
                                                  value.ValueMembers());     \
  }

// For use after a class with ToString() and Abseil's hash, outside of all
// namespaces: declares `<<`, which writes ToString(), and std::hash.
#define TESSERA_DECLARE_VALUE(space, Type)                        \
  namespace space {                                               \
  std::ostream& operator<<(std::ostream& out, const Type& value); \
  }                                                               \
  template <>                                                     \
  struct std::hash<space::Type> {                                 \
    std::size_t operator()(const space::Type& value) const;       \
  }

// Defines the two. The source also includes <ostream> and "absl/hash/hash.h",
// which would make the header slow to compile.
#define TESSERA_DEFINE_VALUE(space, Type)                                  \
  namespace space {                                                        \
  std::ostream& operator<<(std::ostream& out, const Type& value) {         \
    return out << value.ToString();                                        \
  }                                                                        \
  }                                                                        \
  std::size_t std::hash<space::Type>::operator()(const space::Type& value) \
      const {                                                              \
    return absl::HashOf(value);                                            \
  }

#endif  // TESSERA_BASE_TEXT_VALUE_TYPE_H_
