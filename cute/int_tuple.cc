#include "tessera/cute/int_tuple.h"

#include <ostream>

#include "absl/hash/hash.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/text_writer.h"
#include "tessera/base/text/value_type.h"
#include "tessera/cute/internal/source_text.h"

namespace tessera::cute {

IntTuple IntTuple::Tuple(absl::Span<const IntTuple> modes) {
  Profile::Nodes nodes(1, modes.size());
  Values values;
  for (const IntTuple& mode : modes) {
    nodes.insert(nodes.end(), mode.profile_.nodes().begin(),
                 mode.profile_.nodes().end());
    values.insert(values.end(), mode.values_.begin(), mode.values_.end());
  }
  return IntTuple(Profile(std::move(nodes)), std::move(values));
}

IntTuple IntTuple::Flat(absl::Span<const int64_t> values) {
  return IntTuple(Profile::Flat(values.size()),
                  Values(values.begin(), values.end()));
}

IntTuple IntTuple::Subtree(ProfilePosition begin, ProfilePosition end) const {
  const Profile::Nodes& nodes = profile_.nodes();
  return IntTuple(
      Profile(
          Profile::Nodes(nodes.begin() + begin.node, nodes.begin() + end.node)),
      Values(values_.begin() + begin.leaf, values_.begin() + end.leaf));
}

IntTuple IntTuple::Mode(int64_t i) const {
  if (is_integer()) return *this;
  ProfilePosition begin{1, 0};
  for (int64_t k = 0; k < i; ++k) begin = PastSubtree(profile_.nodes(), begin);
  return Subtree(begin, PastSubtree(profile_.nodes(), begin));
}

std::vector<IntTuple> IntTuple::Modes() const {
  std::vector<IntTuple> modes;
  const auto positions = ModePositions(profile_);
  for (int64_t i = 0; i < rank(); ++i) {
    modes.push_back(Subtree(positions[i], positions[i + 1]));
  }
  return modes;
}

std::string IntTuple::ToString(const TextForm& form) const {
  if (form.style != Style::kPrint) return SourceText(*this, form.style);
  std::string out;
  {
    TextWriter writer(&out);
    VisitProfile(
        profile_.nodes(),
        [&](bool is_first) {
          if (!is_first) writer.Char(',');
          writer.Char('(');
        },
        [&](size_t leaf, bool is_first) {
          if (!is_first) writer.Char(',');
          if (values_[leaf] == kUnderscore) {
            writer.Char('_');
            return;
          }
          if (form.marks_compile_time) writer.Char('_');
          writer.Int(values_[leaf]);
        },
        [&] { writer.Char(')'); });
  }
  return out;
}

absl::StatusOr<int64_t> Size(const IntTuple& shape) {
  int64_t size = 1;
  for (const int64_t value : shape.values()) {
    if (value < 1) {
      return InvalidArgumentError("the size ", IntTuple(value).ToString(),
                                  " in ", shape.ToString(), " is less than 1");
    }
    if (__builtin_mul_overflow(size, value, &size)) {
      return OutOfRangeError("the size of ", shape.ToString(),
                             " exceeds 2^63-1");
    }
  }
  return size;
}

bool Congruent(const IntTuple& a, const IntTuple& b) {
  return a.profile() == b.profile();
}

namespace {

// Walks both tuples; at each leaf of `a` calls `matches` with it and the range
// of leaves of `b` there.
template <typename Matches>
bool RefinesProfile(const IntTuple& a, const IntTuple& b,
                    const Matches& matches) {
  const Profile::Nodes& b_nodes = b.profile().nodes();
  ProfilePosition in_b;
  size_t leaf = 0;
  for (const uint32_t node : a.profile().nodes()) {
    if (node == Profile::kLeaf) {
      const ProfilePosition end = PastSubtree(b_nodes, in_b);
      if (!matches(a.values()[leaf],
                   b.values().subspan(in_b.leaf, end.leaf - in_b.leaf))) {
        return false;
      }
      ++leaf;
      in_b = end;
    } else {
      if (b_nodes[in_b.node] != node) return false;
      ++in_b.node;
    }
  }
  return true;
}

}  // namespace

bool WeaklyCongruent(const IntTuple& a, const IntTuple& b) {
  return RefinesProfile(
      a, b, [](int64_t, absl::Span<const int64_t>) { return true; });
}

bool Compatible(const IntTuple& a, const IntTuple& b) {
  return RefinesProfile(
      a, b, [](int64_t size, absl::Span<const int64_t> sizes) {
        int64_t product = 1;
        for (const int64_t factor : sizes) {
          if (__builtin_mul_overflow(product, factor, &product)) return false;
        }
        return product == size;
      });
}

IntTuple Flatten(const IntTuple& tuple) {
  if (tuple.is_integer()) return tuple;
  Profile::Nodes nodes(tuple.values().size() + 1, Profile::kLeaf);
  nodes[0] = tuple.values().size();
  return IntTuple(
      Profile(std::move(nodes)),
      IntTuple::Values(tuple.values().begin(), tuple.values().end()));
}

absl::StatusOr<IntTuple> Unflatten(const IntTuple& tuple,
                                   const Profile& profile) {
  const int64_t leaf_count = profile.leaf_count();
  if (leaf_count != static_cast<int64_t>(tuple.values().size())) {
    return InvalidArgumentError(tuple.ToString(), " has ",
                                tuple.values().size(), " leaves, the profile ",
                                leaf_count);
  }
  return IntTuple(
      profile, IntTuple::Values(tuple.values().begin(), tuple.values().end()));
}

}  // namespace tessera::cute

TESSERA_DEFINE_VALUE(tessera::cute, IntTuple)
