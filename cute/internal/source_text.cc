#include "tessera/cute/internal/source_text.h"

#include <cstdint>
#include <string_view>
#include <variant>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/internal/profile.h"

namespace tessera::cute {
namespace {

// Returns whether C++ has a name for the integer, such as _4
// (include/cute/numeric/integral_constant.hpp).
bool HasCppName(int64_t n) {
  if (n < 0) {
    return n >= -10 || n == -12 || n == -16 || n == -24 || n == -32;
  }
  const bool is_power = (n & (n - 1)) == 0;
  return n <= 10 || n == 12 || n == 384 || n == 768 ||
         (n >= 16 && n <= 256 && n % 8 == 0) || (is_power && n <= 524288);
}

std::string Number(int64_t n, Style style) {
  if (n == IntTuple::kUnderscore) {
    return style == Style::kCpp ? "Underscore" : "None";
  }
  if (style == Style::kPython) return absl::StrCat(n);
  if (!HasCppName(n)) return absl::StrCat("Int<", n, ">");
  return n < 0 ? absl::StrCat("_m", -n) : absl::StrCat("_", n);
}

// The nested numbers of a shape, stride or coordinate; `open` is the word of
// C++ for a tuple. `leaf(i)` is the text of the i-th number.
template <typename LeafText>
std::string Nested(const Profile& profile, std::string_view word, Style style,
                   const LeafText& leaf) {
  const bool is_cpp = style == Style::kCpp;
  const std::string_view comma = is_cpp ? "," : ", ";
  std::string out;
  // The number of entries of each open tuple.
  absl::InlinedVector<int, 8> entries;
  const auto begin_entry = [&](bool is_first) {
    if (!is_first) StrAppend(&out, comma);
    if (!entries.empty()) ++entries.back();
  };
  VisitProfile(
      profile.nodes(),
      [&](bool is_first) {
        begin_entry(is_first);
        StrAppend(&out, is_cpp ? word : "", is_cpp ? "<" : "(");
        entries.push_back(0);
      },
      [&](size_t i, bool is_first) {
        begin_entry(is_first);
        absl::StrAppend(&out, leaf(i));
      },
      [&] {
        // Python reads (4) as 4.
        if (!is_cpp && entries.back() == 1) out.push_back(',');
        entries.pop_back();
        out.push_back(is_cpp ? '>' : ')');
      });
  return out;
}

std::string StrideText(const Layout::Leaf& leaf, Style style) {
  if (leaf.basis.is_none()) return Number(leaf.stride, style);
  const bool is_cpp = style == Style::kCpp;
  std::string modes;
  for (int level = 0; level < leaf.basis.depth(); ++level) {
    absl::StrAppend(&modes,
                    level == 0 ? ""
                    : is_cpp   ? ","
                               : ", ",
                    leaf.basis.mode(level));
  }
  if (is_cpp) {
    return leaf.stride == 1
               ? absl::StrCat("E<", modes, ">")
               : absl::StrCat("ScaledBasis<", Number(leaf.stride, style), ",",
                              modes, ">");
  }
  return leaf.stride == 1 ? absl::StrCat("cute.E([", modes, "])")
                          : absl::StrCat("cute.ScaledBasis(", leaf.stride,
                                         ", [", modes, "])");
}

std::string TypeText(const Layout& layout) {
  const auto& leaves = layout.leaves();
  return absl::StrCat(
      "Layout<",
      Nested(layout.profile(), "Shape", Style::kCpp,
             [&](size_t i) { return Number(leaves[i].size, Style::kCpp); }),
      ",",
      Nested(layout.profile(), "Stride", Style::kCpp,
             [&](size_t i) { return StrideText(leaves[i], Style::kCpp); }),
      ">");
}

std::string TypeText(const Swizzle& swizzle) {
  return absl::StrCat("Swizzle<", swizzle.bits(), ",", swizzle.base(), ",",
                      swizzle.shift(), ">");
}

template <typename Outer, typename Inner>
std::string ComposedText(const Outer& outer, int64_t offset, const Inner& inner,
                         Style style) {
  if (style == Style::kPython) {
    return absl::StrCat("cute.make_composed_layout(", SourceText(outer, style),
                        ", ", offset, ", ", SourceText(inner, style), ")");
  }
  return absl::StrCat("ComposedLayout<", TypeText(outer), ",",
                      Number(offset, style), ",", TypeText(inner), ">{}");
}

}  // namespace

std::string SourceText(const IntTuple& tuple, Style style) {
  return absl::StrCat(
      Nested(tuple.profile(), "tuple", style,
             [&](size_t i) { return Number(tuple.values()[i], style); }),
      style == Style::kCpp ? "{}" : "");
}

std::string SourceText(const Layout& layout, Style style) {
  if (style == Style::kCpp) return absl::StrCat(TypeText(layout), "{}");
  const auto& leaves = layout.leaves();
  return absl::StrCat(
      "cute.make_layout(",
      Nested(layout.profile(), "", style,
             [&](size_t i) { return Number(leaves[i].size, style); }),
      ", stride=",
      Nested(layout.profile(), "", style,
             [&](size_t i) { return StrideText(leaves[i], style); }),
      ")");
}

std::string StrideSourceText(const Layout& layout, Style style) {
  return absl::StrCat(
      Nested(layout.profile(), "Stride", style,
             [&](size_t i) { return StrideText(layout.leaves()[i], style); }),
      style == Style::kCpp ? "{}" : "");
}

std::string SourceText(const Tiler& tiler, Style style) {
  const bool is_cpp = style == Style::kCpp;
  struct OpenTuple {
    size_t left;
    size_t arity;
  };
  std::string out;
  absl::InlinedVector<OpenTuple, 8> open;
  ProfilePosition position;
  const Profile::Nodes& nodes = tiler.profile().nodes();
  do {
    if (tiler.GoesByMode(position.node)) {
      const size_t arity = nodes[position.node++];
      out.append(is_cpp ? "Tile<" : "(");
      open.push_back({arity, arity});
    } else {
      if (tiler.IsUnderscore(position)) {
        out.append(Number(IntTuple::kUnderscore, style));
      } else {
        const Layout layout = tiler.LayoutAt(position);
        out.append(is_cpp ? TypeText(layout) : SourceText(layout, style));
      }
      position = PastSubtree(nodes, position);
      if (!open.empty()) --open.back().left;
    }
    while (!open.empty() && open.back().left == 0) {
      if (!is_cpp && open.back().arity == 1) out.push_back(',');
      out.push_back(is_cpp ? '>' : ')');
      open.pop_back();
      if (!open.empty()) --open.back().left;
    }
    if (!open.empty() && open.back().left < open.back().arity) {
      out.append(is_cpp ? "," : ", ");
    }
  } while (!open.empty());
  if (is_cpp) out.append("{}");
  return out;
}

std::string SourceText(const Swizzle& swizzle, Style style) {
  if (style == Style::kCpp) return absl::StrCat(TypeText(swizzle), "{}");
  return absl::StrCat("cute.make_swizzle(", swizzle.bits(), ", ",
                      swizzle.base(), ", ", swizzle.shift(), ")");
}

std::string SourceText(const ComposedLayout& composed, Style style) {
  return std::visit(
      [&](const auto& outer) {
        return ComposedText(outer, composed.offset(), composed.layout(), style);
      },
      composed.outer());
}

std::string SourceText(const LayoutAfterSwizzle& composed, Style style) {
  return ComposedText(composed.layout(), composed.offset(), composed.swizzle(),
                      style);
}

}  // namespace tessera::cute
