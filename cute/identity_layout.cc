#include "tessera/cute/identity_layout.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::cute {
namespace {

// An open tuple, and the number of its next mode.
struct Open {
  int64_t mode;
  int64_t arity;
};
using Path = absl::InlinedVector<Open, 8>;

// Returns the basis element of the next mode.
std::optional<Basis> BasisAt(const Path& path) {
  std::optional<Basis> basis = Basis();
  for (size_t i = path.size(); i > 0 && basis.has_value(); --i) {
    basis = basis->Within(path[i - 1].mode);
  }
  return basis;
}

}  // namespace

absl::StatusOr<Layout> MakeIdentityLayout(const IntTuple& shape) {
  Layout::Builder builder;
  Path path;
  size_t leaf = 0;
  for (const uint32_t node : shape.profile().nodes()) {
    if (node == Profile::kLeaf) {
      const std::optional<Basis> basis = BasisAt(path);
      if (!basis.has_value()) {
        return InvalidArgumentError("a basis element names modes 0 to ",
                                    Basis::kMaxMode, ", nested at most ",
                                    Basis::kMaxDepth, " deep");
      }
      builder.Append({shape.values()[leaf++], 1, *basis});
      if (!path.empty()) ++path.back().mode;
    } else {
      builder.Tuple(node);
      path.push_back({0, node});
    }
    while (!path.empty() && path.back().mode == path.back().arity) {
      path.pop_back();
      if (!path.empty()) ++path.back().mode;
    }
  }
  return std::move(builder).Build();
}

}  // namespace tessera::cute
