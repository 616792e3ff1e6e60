#include "tessera/cute/layout.h"

#include <limits>
#include <ostream>

#include "absl/base/optimization.h"
#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/text_writer.h"
#include "tessera/base/text/value_type.h"
#include "tessera/cute/internal/source_text.h"

namespace tessera::cute {
namespace {

// Writes the text of each leaf in the brackets of the profile.
template <typename WriteLeaf>
void WriteNested(const Layout& layout, const TextForm& form, TextWriter* writer,
                 const WriteLeaf& write_leaf) {
  VisitProfile(
      layout.profile().nodes(),
      [&](bool is_first) {
        if (!is_first) writer->Char(',');
        writer->Char('(');
      },
      [&](size_t i, bool is_first) {
        if (!is_first) writer->Char(',');
        if (form.marks_compile_time) writer->Char('_');
        write_leaf(layout.leaves()[i]);
      },
      [&] { writer->Char(')'); });
}

void WriteStride(const Layout& layout, const TextForm& form,
                 TextWriter* writer) {
  WriteNested(layout, form, writer, [&](const Layout::Leaf& leaf) {
    writer->Int(leaf.stride);
    if (!leaf.basis.is_none()) writer->Text(leaf.basis.ToString());
  });
}

}  // namespace

absl::Status CheckBases(absl::Span<const Layout::Leaf> leaves) {
  absl::flat_hash_set<Basis> bases;
  for (const Layout::Leaf& leaf : leaves) {
    if (leaf.stride != 0 && leaf.size > 1) bases.insert(leaf.basis);
  }
  for (const Basis basis : bases) {
    for (int levels = 0; levels < basis.depth(); ++levels) {
      const Basis outer = basis.Outermost(levels);
      if (!bases.contains(outer)) continue;
      return InvalidArgumentError(
          "strides of ", basis.ToString(), " and of ",
          outer.is_none() ? "plain offsets" : outer.ToString(),
          " cannot be added: one counts within what the other counts");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Layout> Layout::Create(const IntTuple& shape,
                                      const IntTuple& stride) {
  if (!Congruent(shape, stride)) {
    return InvalidArgumentError("the stride ", stride.ToString(),
                                " is not nested like the shape ",
                                shape.ToString());
  }
  Builder builder;
  size_t leaf = 0;
  for (const uint32_t node : shape.profile().nodes()) {
    if (node == Profile::kLeaf) {
      builder.Append({shape.values()[leaf], stride.values()[leaf], Basis()});
      ++leaf;
    } else {
      builder.Tuple(node);
    }
  }
  return std::move(builder).Build();
}

absl::StatusOr<Layout> Layout::ColumnMajor(const IntTuple& shape) {
  TESSERA_RETURN_IF_ERROR(Size(shape).status());
  IntTuple::Values strides;
  int64_t stride = 1;
  for (const int64_t value : shape.values()) {
    strides.push_back(value == 1 ? 0 : stride);
    stride *= value;
  }
  return Create(shape, IntTuple(shape.profile(), std::move(strides)));
}

absl::StatusOr<Layout> Layout::Concatenate(absl::Span<const Layout> modes) {
  Builder builder;
  builder.Tuple(modes.size());
  for (const Layout& mode : modes) builder.Append(mode);
  return std::move(builder).Build();
}

IntTuple Layout::shape() const {
  IntTuple::Values values;
  for (const Leaf& leaf : leaves_) values.push_back(leaf.size);
  return IntTuple(profile_, std::move(values));
}

IntTuple Layout::stride() const {
  IntTuple::Values values;
  for (const Leaf& leaf : leaves_) values.push_back(leaf.stride);
  return IntTuple(profile_, std::move(values));
}

Layout Layout::Subtree(ProfilePosition begin, ProfilePosition end) const {
  Builder builder;
  builder.Append(*this, begin, end);
  // A part of a layout that has passed the checks passes them, too.
  return *std::move(builder).Build();
}

Layout Layout::Mode(int64_t i) const {
  if (profile_.is_leaf()) return *this;
  ProfilePosition begin{1, 0};
  for (int64_t k = 0; k < i; ++k) begin = PastSubtree(profile_.nodes(), begin);
  return Subtree(begin, PastSubtree(profile_.nodes(), begin));
}

absl::InlinedVector<Layout, 2> Layout::Modes() const {
  absl::InlinedVector<Layout, 2> modes;
  const auto positions = ModePositions(profile_);
  for (int64_t i = 0; i < rank(); ++i) {
    modes.push_back(Subtree(positions[i], positions[i + 1]));
  }
  return modes;
}

int64_t Layout::operator()(int64_t coordinate) const {
  uint64_t rest = coordinate;
  uint64_t offset = 0;
  const size_t last = leaves_.size() - 1;
  for (size_t i = 0; i < leaves_.size(); ++i) {
    const uint64_t size = leaves_[i].size;
    const uint64_t stride = leaves_[i].stride;
    if (i == last) {
      offset += rest * stride;
    } else {
      offset += rest % size * stride;
      rest /= size;
    }
  }
  return offset;
}

int64_t Layout::At(absl::Span<const int64_t> coordinates) const {
  if (profile_.is_leaf()) return (*this)(coordinates[0]);
  uint64_t offset = 0;
  const Leaf* leaf = leaves_.data();
  const uint32_t* node = profile_.nodes().data() + 1;
  for (const int64_t coordinate : coordinates) {
    uint64_t rest = coordinate;
    // The number of remaining trees of this mode.
    for (size_t left = 1; left > 0; ++node) {
      --left;
      if (*node != Profile::kLeaf) {
        left += *node;
        continue;
      }
      if (left == 0) {
        offset += rest * leaf->stride;
      } else {
        offset += rest % leaf->size * leaf->stride;
        rest /= leaf->size;
      }
      ++leaf;
    }
  }
  return offset;
}

std::string Layout::ToString(const TextForm& form) const {
  if (form.style != Style::kPrint) return SourceText(*this, form.style);
  std::string out;
  {
    TextWriter writer(&out);
    WriteNested(*this, form, &writer,
                [&](const Leaf& leaf) { writer.Int(leaf.size); });
    writer.Char(':');
    WriteStride(*this, form, &writer);
  }
  return out;
}

std::string Layout::StrideToString(const TextForm& form) const {
  if (form.style != Style::kPrint) return StrideSourceText(*this, form.style);
  std::string out;
  {
    TextWriter writer(&out);
    WriteStride(*this, form, &writer);
  }
  return out;
}

void Layout::Builder::AppendFlat(absl::Span<const Leaf> leaves) {
  if (leaves.empty()) {
    Append(Leaf());
    return;
  }
  if (leaves.size() > 1) Tuple(leaves.size());
  for (const Leaf& leaf : leaves) Append(leaf);
}

void Layout::Builder::Append(const Layout& layout) {
  nodes_.insert(nodes_.end(), layout.profile_.nodes().begin(),
                layout.profile_.nodes().end());
  leaves_.insert(leaves_.end(), layout.leaves_.begin(), layout.leaves_.end());
  has_empty_tuple_ |= layout.leaves_.empty();
}

void Layout::Builder::Append(const Layout& layout, ProfilePosition begin,
                             ProfilePosition end) {
  const Profile::Nodes& nodes = layout.profile_.nodes();
  nodes_.insert(nodes_.end(), nodes.begin() + begin.node,
                nodes.begin() + end.node);
  has_empty_tuple_ |= layout.leaves_.empty();
  leaves_.insert(leaves_.end(), layout.leaves_.begin() + begin.leaf,
                 layout.leaves_.begin() + end.leaf);
}

absl::StatusOr<Layout> Layout::Builder::Build() && {
  int64_t size = 1;
  int64_t cosize = 1;
  bool has_basis = false;
  bool fails = has_empty_tuple_ && nodes_.size() > 1;
  for (const Leaf& leaf : leaves_) {
    int64_t reach;
    // The least int64_t does not have a negative.
    fails |=
        leaf.size < 1 || leaf.stride == std::numeric_limits<int64_t>::min() ||
        __builtin_mul_overflow(size, leaf.size, &size) ||
        __builtin_mul_overflow(leaf.size - 1,
                               leaf.stride < 0 ? -leaf.stride : leaf.stride,
                               &reach) ||
        __builtin_add_overflow(cosize, reach, &cosize);
    has_basis |= !leaf.basis.is_none();
  }
  if (ABSL_PREDICT_FALSE(fails)) return FindError();
  if (ABSL_PREDICT_FALSE(has_basis)) {
    TESSERA_RETURN_IF_ERROR(CheckBases(leaves_));
    cosize = 0;
  }
  return Layout(std::move(nodes_), std::move(leaves_), size, cosize);
}

absl::Status Layout::Builder::FindError() const {
  int64_t size = 1;
  for (const Leaf& leaf : leaves_) {
    if (leaf.size < 1) {
      return InvalidArgumentError("the size ", leaf.size, " is less than 1");
    }
    if (__builtin_mul_overflow(size, leaf.size, &size)) {
      return OutOfRangeError("the size exceeds 2^63-1 at the factor ",
                             leaf.size);
    }
  }
  if (has_empty_tuple_) {
    return absl::InvalidArgumentError(
        "an empty tuple is not a mode of a layout");
  }
  __int128 cosize = 1;
  for (const Leaf& leaf : leaves_) {
    const __int128 stride = leaf.stride;
    cosize += (leaf.size - 1) * (stride < 0 ? -stride : stride);
    if (cosize > std::numeric_limits<int64_t>::max() ||
        leaf.stride == std::numeric_limits<int64_t>::min()) {
      return OutOfRangeError("the cosize exceeds 2^63-1 at the mode ",
                             leaf.size, ":", leaf.stride,
                             leaf.basis.ToString());
    }
  }
  return absl::OkStatus();
}

}  // namespace tessera::cute

TESSERA_DEFINE_VALUE(tessera::cute, Layout)
