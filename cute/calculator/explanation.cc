#include "tessera/cute/calculator/explanation.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/modes.h"

namespace tessera::cute {
namespace {

struct ExplainedFunction {
  std::string_view name;
  // The reason of the call itself, if it is a step.
  std::string_view reason;
};

constexpr ExplainedFunction kExplained[] = {
    {"coalesce",
     "neighboring modes are merged if the stride of the right one is size "
     "times stride of the left one; modes of size 1 are dropped"},
    {"composition", "each value is that of A at the coordinate that B returns"},
    {"complement",
     "the modes that fill the gaps between the strides, and one that repeats "
     "the whole up to the size"},
    {"logical_divide", "each mode is divided by its part of the tiler"},
    {"zipped_divide",
     "mode 0 joins the tiles of all modes, mode 1 the modes that count them"},
    {"tiled_divide",
     "mode 0 joins the tiles; the modes that count them stay apart"},
    {"flat_divide",
     "the tiles are modes of their own, and so are the modes that count them"},
    {"logical_product", "each mode is repeated by its part of the tiler"},
    {"zipped_product",
     "mode 0 joins the blocks of all modes, mode 1 their repetitions"},
    {"tiled_product", "mode 0 joins the blocks; each repetition is a mode"},
    {"flat_product",
     "the blocks are modes of their own, and so are the repetitions"},
    {"blocked_product",
     "mode by mode, the block comes first and its repetitions after it"},
    {"raked_product",
     "mode by mode, the repetitions come first and the block after them"},
    {"right_inverse",
     "starting at stride 1, each mode whose stride is the extent so far "
     "follows; its new stride is the coordinate at which it begins in A"},
    {"left_inverse",
     "each size is a stride divided by the previous one; its stride is the "
     "coordinate at which the previous mode begins in A"},
};

const ExplainedFunction* FindExplained(std::string_view name) {
  for (const ExplainedFunction& function : kExplained) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

std::string CallText(std::string_view function,
                     absl::Span<const CalculatorValue> arguments) {
  std::string text = StrCat(function, "(");
  for (size_t i = 0; i < arguments.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", ToString(arguments[i]));
  }
  return absl::StrCat(text, ")");
}

// A mode of size and stride, in a message.
std::string ModeText(int64_t size, int64_t stride) {
  return absl::StrCat(size, ":", stride);
}

std::optional<Tiler> TilerOf(const CalculatorValue& value) {
  if (const auto* layout = std::get_if<Layout>(&value)) return Tiler(*layout);
  if (const auto* tiler = std::get_if<Tiler>(&value)) return *tiler;
  const auto* shape = std::get_if<IntTuple>(&value);
  if (shape == nullptr) return std::nullopt;
  absl::StatusOr<Tiler> tiler = Tiler::OfShape(*shape);
  return tiler.ok() ? std::optional<Tiler>(*std::move(tiler)) : std::nullopt;
}

std::string OrdinalText(int64_t n) {
  const bool is_teen = n % 100 >= 11 && n % 100 <= 13;
  const char* ending = is_teen       ? "th"
                       : n % 10 == 1 ? "st"
                       : n % 10 == 2 ? "nd"
                       : n % 10 == 3 ? "rd"
                                     : "th";
  return absl::StrCat(n, ending);
}

bool IsPlain(const Layout& layout) {
  return std::all_of(layout.leaves().begin(), layout.leaves().end(),
                     [](const Layout::Leaf& leaf) {
                       return leaf.stride >= 0 && leaf.basis.is_none();
                     });
}

// The modes of more than one element and a stride, by stride.
std::optional<Layout> ByStride(const Layout& layout) {
  Layout::Leaves leaves;
  for (const Layout::Leaf& leaf : layout.leaves()) {
    if (leaf.size > 1 && leaf.stride > 0) leaves.push_back(leaf);
  }
  std::stable_sort(leaves.begin(), leaves.end(),
                   [](const Layout::Leaf& a, const Layout::Leaf& b) {
                     return a.stride < b.stride;
                   });
  Layout::Builder builder;
  builder.AppendFlat(leaves);
  absl::StatusOr<Layout> sorted = std::move(builder).Build();
  if (!sorted.ok()) return std::nullopt;
  return *std::move(sorted);
}

}  // namespace

std::optional<Layout> Explanation::Step(const std::string& expression,
                                        std::string_view reason) {
  const absl::StatusOr<CalculatorResult> result =
      Calculator(options_).Evaluate(expression);
  const auto* layout =
      result.ok() ? std::get_if<Layout>(&result->value) : nullptr;
  if (layout == nullptr) return std::nullopt;
  steps_.push_back({expression, layout->ToString(), std::string(reason)});
  return *layout;
}

bool Explanation::DeriveDivide(const Layout& layout, const Layout& tile) {
  const std::optional<Layout> tiles = Step(
      absl::StrCat("complement(", tile.ToString(), ", ", layout.size(), ")"),
      absl::StrCat(
          "the tiles: the tile and this layout together reach each of the ",
          layout.size(), " coordinates of A once"));
  if (!tiles.has_value()) return false;
  const std::optional<Layout> both =
      Step(absl::StrCat("make_layout(", tile.ToString(), ", ",
                        tiles->ToString(), ")"),
           "the coordinates of A, by place in the tile and by tile");
  if (!both.has_value()) return false;
  const std::string_view reason =
      "A at these coordinates: mode 0 is a tile, mode 1 counts the tiles";
  const auto compose = [&](const Layout& a) {
    return Step(absl::StrCat("composition(", a.ToString(), ", ",
                             both->ToString(), ")"),
                reason)
        .has_value();
  };
  if (compose(layout)) return true;
  // A last mode of size 1 determines what follows the last element.
  const std::optional<Layout> flat =
      Step(absl::StrCat("coalesce(", layout.ToString(), ")"),
           "the last mode of A has one element and is dropped");
  return flat.has_value() && compose(*flat);
}

bool Explanation::DeriveProduct(const Layout& block, const Layout& tiles) {
  bool is_saturated = false;
  const int64_t extent =
      SaturatingMultiply(block.size(), tiles.cosize(), &is_saturated);
  if (is_saturated) return false;
  const std::optional<Layout> places = Step(
      absl::StrCat("complement(", block.ToString(), ", ", extent, ")"),
      absl::StrCat("the offsets at which the block can be repeated: it has ",
                   block.size(), " elements, and B reaches ", tiles.cosize(),
                   " repetitions"));
  if (!places.has_value()) return false;
  const std::optional<Layout> placed =
      Step(absl::StrCat("composition(", places->ToString(), ", ",
                        tiles.ToString(), ")"),
           "the repetitions that B selects, in the order of B");
  return placed.has_value() &&
         Step(absl::StrCat("make_layout(", block.ToString(), ", ",
                           placed->ToString(), ")"),
              "mode 0 is the block, mode 1 counts its repetitions")
             .has_value();
}

// Explains a B of one mode.
bool Explanation::DeriveLeaf(const Layout& a, const Layout& b) {
  const Layout::Leaf& leaf = b.leaves()[0];
  const auto call = [&](const Layout& of, std::string_view reason) {
    return Step(absl::StrCat("composition(", of.ToString(), ", ", b.ToString(),
                             ")"),
                reason)
        .has_value();
  };
  if (leaf.size == 1) {
    return call(a, "B has only one coordinate, so its stride does not matter");
  }
  if (leaf.stride == 0) {
    return call(a, "B stays at coordinate 0, and so does A");
  }
  if (leaf.stride < 0 || !leaf.basis.is_none()) {
    return call(a, FindExplained("composition")->reason);
  }
  Layout flat = a;
  if (a.leaves().size() > 1) {
    const std::optional<Layout> coalesced = Step(
        absl::StrCat("coalesce(", a.ToString(), ")"),
        "B indexes A as one dimension, so the nesting of A does not matter");
    if (!coalesced.has_value()) return false;
    flat = *coalesced;
    if (flat == a) steps_.pop_back();
  }
  const std::string first = absl::StrCat(
      "the first ", leaf.size, leaf.stride == 1 ? " elements" : " of these",
      ", counted from the leftmost mode");
  if (leaf.stride == 1) return call(flat, first);
  const int64_t count = flat.size() / leaf.stride;
  if (count <= leaf.size || flat.size() % leaf.stride != 0) {
    return call(flat,
                absl::StrCat("each ", OrdinalText(leaf.stride),
                             " element: ", leaf.stride,
                             " is divided out of the sizes from the left, and "
                             "the strides grow by the same factors"));
  }
  const std::optional<Layout> strided = Step(
      absl::StrCat("composition(", flat.ToString(), ", ",
                   ModeText(count, leaf.stride), ")"),
      absl::StrCat("each ", OrdinalText(leaf.stride), " element: ", leaf.stride,
                   " is divided out of the sizes from the left, and the "
                   "strides grow by the same factors"));
  return strided.has_value() &&
         Step(absl::StrCat("composition(", strided->ToString(), ", ",
                           ModeText(leaf.size, 1), ")"),
              first)
             .has_value();
}

bool Explanation::DeriveComposition(const Layout& a, const Layout& b) {
  if (b.profile().is_leaf()) return DeriveLeaf(a, b);
  std::vector<std::string> modes;
  for (int64_t i = 0; i < b.rank(); ++i) {
    const Layout mode = b.Mode(i);
    const size_t first = steps_.size();
    if (mode.profile().is_leaf() && b.rank() > 1) {
      if (!DeriveLeaf(a, mode)) return false;
    } else if (!Step(absl::StrCat("composition(", a.ToString(), ", ",
                                  mode.ToString(), ")"),
                     "")
                    .has_value()) {
      return false;
    }
    ExplanationStep& step = steps_[first];
    step.reason =
        absl::StrCat("mode ", i, " of B, ", mode.ToString(), ", by itself",
                     step.reason.empty() ? "" : ": ", step.reason);
    modes.push_back(steps_.back().value);
  }
  return Step(absl::StrCat("make_layout(", absl::StrJoin(modes, ", "), ")"),
              "A is composed with each mode of B; the results become modes")
      .has_value();
}

bool Explanation::DeriveOne(std::string_view function, const Layout& layout,
                            const Layout& second) {
  if (function == "composition") return DeriveComposition(layout, second);
  return EndsWith(function, "divide") ? DeriveDivide(layout, second)
                                      : DeriveProduct(layout, second);
}

bool Explanation::DeriveByMode(std::string_view function, const Layout& layout,
                               const Tiler& tiler) {
  if (tiler.is_underscore() || tiler.rank() > layout.rank()) return false;
  const std::string logical = function == "composition" ? "composition"
                              : EndsWith(function, "divide")
                                  ? "logical_divide"
                                  : "logical_product";
  std::vector<std::string> modes;
  for (int64_t i = 0; i < tiler.rank(); ++i) {
    const Layout mode = layout.Mode(i);
    const Tiler part = tiler.Mode(i);
    const size_t first = steps_.size();
    const bool is_derived =
        part.is_layout() ? DeriveOne(function, mode, part.layout())
                         : Step(absl::StrCat(logical, "(", mode.ToString(),
                                             ", ", part.ToString(), ")"),
                                FindExplained(logical)->reason)
                               .has_value();
    if (!is_derived) return false;
    steps_[first].reason =
        absl::StrCat("mode ", i, ", ", mode.ToString(), " by ", part.ToString(),
                     ": ", steps_[first].reason);
    modes.push_back(steps_.back().value);
  }
  if (function != "composition") {
    for (int64_t i = tiler.rank(); i < layout.rank(); ++i) {
      modes.push_back(layout.Mode(i).ToString());
    }
  }
  return Step(absl::StrCat("make_layout(", absl::StrJoin(modes, ", "), ")"),
              "the tiler applies mode by mode; the results become modes")
      .has_value();
}

bool Explanation::DeriveComplement(const Layout& layout) {
  if (!IsPlain(layout)) return false;
  const std::optional<Layout> sorted = ByStride(layout);
  if (!sorted.has_value()) return false;
  std::vector<std::string> gaps;
  int64_t extent = 1;
  for (const Layout::Leaf& leaf : sorted->leaves()) {
    if (leaf.stride > extent) {
      gaps.push_back(absl::StrCat(ModeText(leaf.stride / extent, extent),
                                  " fills the gap below stride ", leaf.stride));
    }
    if (__builtin_mul_overflow(leaf.size, leaf.stride, &extent)) return false;
  }
  if (sorted->leaves()[0].stride == 0) extent = 1;
  return Step(sorted->ToString(),
              absl::StrCat(
                  "the modes of A that have a stride, sorted by stride; they "
                  "end at ",
                  extent,
                  gaps.empty()
                      ? " and leave no gap"
                      : absl::StrCat(", and ", absl::StrJoin(gaps, ", "))))
      .has_value();
}

bool Explanation::DeriveInverse(const Layout& layout) {
  if (!IsPlain(layout)) return false;
  const std::optional<Layout> flat = Step(
      absl::StrCat("coalesce(", layout.ToString(), ")"),
      "only the order of the values matters, so neighboring modes are merged");
  if (!flat.has_value()) return false;
  if (*flat == layout) steps_.pop_back();
  std::vector<std::pair<int64_t, std::string>> places;
  int64_t step = 1;
  for (const Layout::Leaf& leaf : flat->leaves()) {
    if (leaf.stride > 0) {
      places.emplace_back(leaf.stride,
                          absl::StrCat(ModeText(leaf.size, leaf.stride),
                                       " begins at coordinate ", step));
    }
    step *= leaf.size;
  }
  std::stable_sort(
      places.begin(), places.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  const std::optional<Layout> sorted = ByStride(*flat);
  if (!sorted.has_value() || places.empty()) return sorted.has_value();
  std::vector<std::string> texts;
  for (const auto& [stride, text] : places) texts.push_back(text);
  return Step(sorted->ToString(), absl::StrCat("the modes sorted by stride: ",
                                               absl::StrJoin(texts, ", ")))
      .has_value();
}

bool Explanation::Derive(std::string_view function, const Layout& layout,
                         const CalculatorValue* second) {
  if (function == "complement") return DeriveComplement(layout);
  if (EndsWith(function, "inverse")) return DeriveInverse(layout);
  // The second argument of coalesce is a profile, which does not divide or
  // repeat anything.
  if (second == nullptr || function == "coalesce") return true;
  const std::optional<Tiler> tiler = TilerOf(*second);
  if (!tiler.has_value()) return false;
  if (function == "blocked_product" || function == "raked_product") {
    if (!tiler->is_layout()) return false;
    const int64_t rank = std::max(layout.rank(), tiler->layout().rank());
    const absl::StatusOr<Layout> block = AppendToRank(layout, rank);
    const absl::StatusOr<Layout> tiles = AppendToRank(tiler->layout(), rank);
    return block.ok() && tiles.ok() && DeriveProduct(*block, *tiles);
  }
  return tiler->is_layout() ? DeriveOne(function, layout, tiler->layout())
                            : DeriveByMode(function, layout, *tiler);
}

void Explanation::Explain(std::string_view function,
                          absl::Span<const CalculatorValue> arguments,
                          const CalculatorValue& result) {
  const ExplainedFunction* known = FindExplained(function);
  if (known == nullptr || arguments.empty() || arguments.size() > 2 ||
      steps_.size() >= kMaxSteps) {
    return;
  }
  const auto* layout = std::get_if<Layout>(&arguments[0]);
  const auto* composed = std::get_if<ComposedLayout>(&arguments[0]);
  if (layout == nullptr && composed == nullptr &&
      !std::holds_alternative<Swizzle>(arguments[0])) {
    return;
  }
  const size_t first = steps_.size();
  const std::string value = ToString(result);
  const CalculatorValue* second =
      arguments.size() == 2 ? &arguments[1] : nullptr;
  std::string reason(known->reason);
  if (function == "coalesce" && second != nullptr) {
    reason = absl::StrCat("within each mode of the profile, ", reason);
  }
  bool is_derived = layout != nullptr && Derive(function, *layout, second);
  if (composed != nullptr) {
    is_derived = Derive(function, composed->layout(), second);
    absl::StrAppend(&reason,
                    "; the function left of the layout does not change");
  }
  if (!is_derived) steps_.resize(first);
  if (steps_.size() > first && steps_.back().value == value) return;
  steps_.push_back({CallText(function, arguments), value, reason});
}

void Explanation::Finish(std::string_view line, const CalculatorValue& value) {
  if (steps_.empty() || steps_.back().value == ToString(value)) return;
  steps_.push_back({std::string(line), ToString(value), "the whole line"});
}

}  // namespace tessera::cute
