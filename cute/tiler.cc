#include "tessera/cute/tiler.h"

#include <ostream>
#include <string_view>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/value_type.h"
#include "tessera/cute/internal/source_text.h"

namespace tessera::cute {

Tiler::Tiler(const Layout& layout)
    : profile_(layout.profile()),
      leaves_(layout.leaves()),
      is_by_mode_(layout.profile().nodes().size(), false) {}

Tiler Tiler::Tuple(absl::Span<const Tiler> modes) {
  Tiler result;
  Profile::Nodes nodes(1, modes.size());
  result.leaves_.clear();
  result.is_by_mode_.assign(1, true);
  for (const Tiler& mode : modes) {
    nodes.insert(nodes.end(), mode.profile_.nodes().begin(),
                 mode.profile_.nodes().end());
    result.leaves_.insert(result.leaves_.end(), mode.leaves_.begin(),
                          mode.leaves_.end());
    result.is_by_mode_.insert(result.is_by_mode_.end(),
                              mode.is_by_mode_.begin(), mode.is_by_mode_.end());
  }
  result.profile_ = Profile(std::move(nodes));
  return result;
}

Tiler Tiler::Underscore() {
  Tiler result;
  result.leaves_[0].size = IntTuple::kUnderscore;
  return result;
}

absl::StatusOr<Tiler> Tiler::OfShape(const IntTuple& shape) {
  Tiler result;
  result.profile_ = shape.profile();
  result.is_by_mode_.clear();
  for (const uint32_t node : shape.profile().nodes()) {
    result.is_by_mode_.push_back(node != Profile::kLeaf);
  }
  result.leaves_.clear();
  for (const int64_t size : shape.values()) {
    if (size < 1 && size != IntTuple::kUnderscore) {
      return InvalidArgumentError("the size ", size, " in the tiler ",
                                  shape.ToString(), " is less than 1");
    }
    result.leaves_.push_back(OfSize(size));
  }
  return result;
}

Tiler Tiler::Mode(int64_t i) const {
  if (!is_by_mode_[0]) return *this;
  const Profile::Nodes& nodes = profile_.nodes();
  ProfilePosition begin{1, 0};
  for (int64_t k = 0; k < i; ++k) begin = PastSubtree(nodes, begin);
  const ProfilePosition end = PastSubtree(nodes, begin);
  Tiler result;
  result.profile_ = Profile(
      Profile::Nodes(nodes.begin() + begin.node, nodes.begin() + end.node));
  result.leaves_.assign(leaves_.begin() + begin.leaf,
                        leaves_.begin() + end.leaf);
  result.is_by_mode_.assign(is_by_mode_.begin() + begin.node,
                            is_by_mode_.begin() + end.node);
  return result;
}

Layout Tiler::LayoutAt(ProfilePosition position) const {
  const Profile::Nodes& nodes = profile_.nodes();
  const ProfilePosition end = PastSubtree(nodes, position);
  Layout::Builder builder;
  size_t leaf = position.leaf;
  for (size_t i = position.node; i < end.node; ++i) {
    if (nodes[i] == Profile::kLeaf) {
      builder.Append(leaves_[leaf++]);
    } else {
      builder.Tuple(nodes[i]);
    }
  }
  // This part came from a layout, or is n:1 or 1:0.
  return *std::move(builder).Build();
}

std::string Tiler::ToString(const TextForm& form) const {
  if (form.style != Style::kPrint) return SourceText(*this, form.style);
  const std::string_view open = form.dialect == Dialect::kCpp  ? "("
                                : form.dialect == Dialect::kIr ? "["
                                                               : "<";
  const std::string_view comma = form.dialect == Dialect::kCpp  ? ","
                                 : form.dialect == Dialect::kIr ? ";"
                                                                : ", ";
  const std::string_view close = form.dialect == Dialect::kCpp  ? ")"
                                 : form.dialect == Dialect::kIr ? "]"
                                                                : ">";
  std::string out;
  // For each open tuple, the number of its remaining modes.
  absl::InlinedVector<size_t, 8> left;
  ProfilePosition position;
  const Profile::Nodes& nodes = profile_.nodes();
  do {
    if (is_by_mode_[position.node]) {
      StrAppend(&out, open);
      left.push_back(nodes[position.node++]);
    } else {
      absl::StrAppend(&out, IsUnderscore(position)
                                ? std::string("_")
                                : LayoutAt(position).ToString(form));
      position = PastSubtree(nodes, position);
      if (!left.empty() && --left.back() > 0) StrAppend(&out, comma);
    }
    while (!left.empty() && left.back() == 0) {
      StrAppend(&out, close);
      left.pop_back();
      if (!left.empty() && --left.back() > 0) StrAppend(&out, comma);
    }
  } while (!left.empty());
  return out;
}

}  // namespace tessera::cute

TESSERA_DEFINE_VALUE(tessera::cute, Tiler)
