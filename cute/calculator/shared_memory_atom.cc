#include "tessera/cute/calculator/shared_memory_atom.h"

#include <optional>
#include <string_view>
#include <utility>

#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/calculator/pointer.h"

namespace tessera::cute {
namespace {

struct AtomKind {
  std::string_view name;
  int swizzle[3];     // of bytes
  int64_t row_bytes;  // along the major dimension
  int64_t rows;
};

constexpr AtomKind kAtomKinds[] = {
    {"INTER", {0, 4, 3}, 16, 8},      {"SW32", {1, 4, 3}, 32, 8},
    {"SW64", {2, 4, 3}, 64, 8},       {"SW128", {3, 4, 3}, 128, 8},
    {"SW128_32B", {2, 5, 2}, 128, 4},
};

struct NamedAtom {
  const AtomKind* kind;
  bool is_k_major;
};

std::optional<NamedAtom> FindNamedAtom(std::string_view name) {
  NamedAtom atom{nullptr, false};
  const bool is_cpp = ConsumePrefix(&name, "Layout_");
  ConsumeSuffix(&name, "_Bits");
  if (ConsumeSuffix(&name, "_Atom") != is_cpp) return std::nullopt;
  atom.is_k_major = ConsumePrefix(&name, "K_");
  if (!atom.is_k_major && !ConsumePrefix(&name, "MN_")) {
    return std::nullopt;
  }
  for (const AtomKind& kind : kAtomKinds) {
    if (kind.name == name) atom.kind = &kind;
  }
  // C++ has SW128_32B only for MN.
  const bool is_missing =
      atom.kind == nullptr || (atom.is_k_major && atom.kind->rows == 4);
  return is_missing ? std::nullopt : std::optional<NamedAtom>(atom);
}

}  // namespace

bool IsSharedMemoryAtom(std::string_view name) {
  return FindNamedAtom(name).has_value();
}

absl::StatusOr<ComposedLayout> SharedMemoryAtom(std::string_view name,
                                                int64_t bits) {
  const NamedAtom atom = *FindNamedAtom(name);
  const AtomKind& kind = *atom.kind;
  const int64_t row = 8 * kind.row_bytes / bits;
  if (row < 1 || row * bits != 8 * kind.row_bytes) {
    return InvalidArgumentError(name, " has rows of ", kind.row_bytes,
                                " bytes, which elements of ", bits,
                                " bits do not fill");
  }
  TESSERA_ASSIGN_OR_RETURN(
      const Swizzle bytes,
      Swizzle::Create(kind.swizzle[0], kind.swizzle[1], kind.swizzle[2]));
  TESSERA_ASSIGN_OR_RETURN(const Swizzle swizzle,
                           SwizzleOfElements(bytes, bits));
  TESSERA_ASSIGN_OR_RETURN(Layout layout,
                           atom.is_k_major
                               ? Layout::Create({kind.rows, row}, {row, 1})
                               : Layout::Create({row, kind.rows}, {1, row}));
  return ComposedLayout(swizzle, 0, std::move(layout));
}

}  // namespace tessera::cute
