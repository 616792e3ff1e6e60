// Applies an operation on whole layouts mode by mode, guided by a profile for
// coalesce and by a tiler for the others.
//
// At a tuple of the guide, the walk pairs each of its modes with the mode of
// the layout in the same place. At a leaf of the guide, it applies the
// operation. It does not recurse, however deep the guide is.

#ifndef TESSERA_CUTE_INTERNAL_BY_MODE_H_
#define TESSERA_CUTE_INTERNAL_BY_MODE_H_

#include <cstddef>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/internal/profile.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

// The treatment of the layout's modes that the guide does not reach.
enum class RestOfModes { kKept, kDropped };

// The mode at each level of nesting, the outermost first.
using ModePath = absl::InlinedVector<size_t, 4>;

// A part of the layout that the walk visits.
struct Subtree {
  ProfilePosition begin;
  ProfilePosition end;
};

// Returns `status` with "in mode 1,0: " before its message and the same
// payloads; unchanged if `path` is empty.
inline absl::Status InMode(const ModePath& path, const absl::Status& status) {
  if (status.ok() || path.empty()) return status;
  absl::Status in_mode(status.code(),
                       absl::StrCat("in mode ", absl::StrJoin(path, ","), ": ",
                                    status.message()));
  status.ForEachPayload([&](absl::string_view url, const absl::Cord& payload) {
    in_mode.SetPayload(url, payload);
  });
  return in_mode;
}

// Walks `layout` under `guide`, a tree in preorder. If `goes_by_mode(i)`, node
// i of the guide is a tuple, and a tuple is appended to `builder`. For the
// other nodes, calls `terminal(position in the guide, subtree of the layout,
// path of modes to it)`, which appends one tree.
//
// Errors: that of `terminal`, with the mode; kInvalidArgument if the guide has
// more modes than the layout.
template <typename GoesByMode, typename Terminal>
absl::Status ForEachMode(const Layout& layout, absl::Span<const uint32_t> guide,
                         const GoesByMode& goes_by_mode, RestOfModes rest,
                         Layout::Builder* builder, const Terminal& terminal) {
  // An open tuple: the number of modes that the guide still has for it, and the
  // number of the layout's modes after them.
  struct Open {
    size_t guided;
    size_t kept;
  };
  absl::InlinedVector<Open, 8> open;
  ModePath path;
  const Profile::Nodes& nodes = layout.profile().nodes();
  ProfilePosition in_guide;
  ProfilePosition in_layout;
  do {
    if (goes_by_mode(in_guide.node)) {
      const size_t arity = guide[in_guide.node];
      const uint32_t mode = nodes[in_layout.node];
      const size_t rank = mode == Profile::kLeaf ? 1 : mode;
      if (arity > rank) {
        return InMode(path,
                      InvalidArgumentError(
                          arity, " modes are asked of a layout with ", rank));
      }
      const size_t kept = rest == RestOfModes::kKept ? rank - arity : 0;
      builder->Tuple(arity + kept);
      open.push_back({arity, rank - arity});
      path.push_back(0);
      ++in_guide.node;
      if (mode != Profile::kLeaf) ++in_layout.node;
    } else {
      const ProfilePosition end = PastSubtree(nodes, in_layout);
      absl::Status status = terminal(in_guide, Subtree{in_layout, end}, path);
      if (!status.ok()) return InMode(path, status);
      in_layout = end;
      in_guide = PastSubtree(guide, in_guide);
      if (!open.empty()) --open.back().guided;
      if (!path.empty()) ++path.back();
    }
    while (!open.empty() && open.back().guided == 0) {
      for (; open.back().kept > 0; --open.back().kept) {
        const ProfilePosition end = PastSubtree(nodes, in_layout);
        if (rest == RestOfModes::kKept) {
          builder->Append(layout, in_layout, end);
        }
        in_layout = end;
      }
      open.pop_back();
      path.pop_back();
      if (!open.empty()) --open.back().guided;
      if (!path.empty()) ++path.back();
    }
  } while (!open.empty());
  return absl::OkStatus();
}

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_INTERNAL_BY_MODE_H_
