#include "tessera/cute/algebra/swizzled.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/common_layout.h"
#include "tessera/cute/algebra/inverse.h"
#include "tessera/cute/algebra/recast.h"
#include "tessera/cute/internal/walk.h"
#include "tessera/cute/layout_values.h"

namespace tessera::cute {
namespace {

// The two fields of bits: `read` is moved by the shift into `written`.
struct Fields {
  uint64_t read;
  uint64_t written;
};

Fields FieldsOf(const Swizzle& swizzle) {
  const uint64_t bits = (uint64_t{1} << swizzle.bits()) - 1;
  const int up = std::max(swizzle.shift(), 0);
  const int down = std::max(-swizzle.shift(), 0);
  return {bits << (swizzle.base() + up), bits << (swizzle.base() + down)};
}

// Returns whether the set bits are contiguous.
bool IsField(uint64_t bits) {
  if (bits == 0) return true;
  const uint64_t lowest = bits & -bits;
  return (bits & (bits + lowest)) == 0;
}

std::optional<Swizzle> SwizzleOf(const Fields& fields) {
  if (fields.read == 0 && fields.written == 0) return Swizzle();
  if (fields.read == 0 || fields.written == 0 || !IsField(fields.read) ||
      !IsField(fields.written)) {
    return std::nullopt;
  }
  const int bits = __builtin_popcountll(fields.read);
  if (bits != __builtin_popcountll(fields.written)) return std::nullopt;
  const int read = __builtin_ctzll(fields.read);
  const int written = __builtin_ctzll(fields.written);
  const absl::StatusOr<Swizzle> swizzle =
      Swizzle::Create(bits, std::min(read, written), read - written);
  if (!swizzle.ok()) return std::nullopt;
  return *swizzle;
}

absl::StatusOr<int> LogarithmOf(const Swizzle& swizzle, int64_t factor) {
  if (factor >= 1 && (factor & (factor - 1)) == 0) {
    return __builtin_ctzll(factor);
  }
  return InvalidArgumentError(swizzle.ToString(), " moves bits; the factor ",
                              factor, " is not a power of two");
}

// The swizzle of a composed layout; others are not supported.
absl::StatusOr<Swizzle> SwizzleOf(const ComposedLayout& layout) {
  if (const auto* swizzle = std::get_if<Swizzle>(&layout.outer())) {
    return *swizzle;
  }
  return UnimplementedError("the outer function of ", layout.ToString(),
                            " is not a swizzle");
}

absl::Status CheckNoOffset(const ComposedLayout& layout,
                           std::string_view what) {
  if (layout.offset() == 0) return absl::OkStatus();
  return InvalidArgumentError(what, " of ", layout.ToString(),
                              " requires the offset 0, as in C++");
}

// Checks that all values of `layout` are offsets of at least 0.
absl::Status CheckOffsets(const Layout& layout) {
  for (const Layout::Leaf& leaf : layout.leaves()) {
    if (leaf.size == 1 || (leaf.stride >= 0 && leaf.basis.is_none())) continue;
    return InvalidArgumentError(
        "a swizzle applies to offsets of at least 0; ", layout.ToString(),
        leaf.basis.is_none() ? " has others" : " gives coordinates");
  }
  return absl::OkStatus();
}

// A law of what C++'s rule gives: `result` equals `other`, or is `other`.
struct Law {
  std::string result;
  bool is_equation;
  std::string other;  // "A o B", "a left inverse of A"
};

// Checks a law at every coordinate below `size`. `find` returns an error
// message about a coordinate, or "".
absl::Status CheckEverywhere(int64_t size, const CompositionOptions& options,
                             const Law& law,
                             absl::FunctionRef<std::string(int64_t)> find) {
  if (size > options.max_evaluations) {
    return ResourceExhaustedError(
        "whether ", law.result, law.is_equation ? " equals " : " is ",
        law.other, " takes ", size,
        " values to decide, and max_evaluations is ", options.max_evaluations);
  }
  for (int64_t i = 0; i < size; ++i) {
    const std::string wrong = find(i);
    if (!wrong.empty()) {
      return InvalidArgumentError(
          "C++'s rule gives ", law.result,
          law.is_equation ? ", which does not equal " : ", which is not ",
          law.other, ": ", wrong);
    }
  }
  return absl::OkStatus();
}

// Returns whether the swizzle moves an offset of the layout, whose offsets are
// at least 0.
bool Moves(const Swizzle& swizzle, const Layout& layout) {
  const uint64_t read = FieldsOf(swizzle).read;
  const uint64_t lowest = read & (~read + 1);
  return read != 0 && static_cast<uint64_t>(layout.cosize()) > lowest;
}

// Returns the swizzled layout that C++'s rule gives for `a` after the swizzle,
// without a check.
absl::StatusOr<ComposedLayout> PassThrough(const Layout& a,
                                           const Swizzle& swizzle) {
  TESSERA_RETURN_IF_ERROR(CheckOffsets(a));
  const Fields fields = FieldsOf(swizzle);
  const Fields passed = {static_cast<uint64_t>(a(fields.read)),
                         static_cast<uint64_t>(a(fields.written))};
  const std::optional<Swizzle> result = SwizzleOf(passed);
  if (!result.has_value()) {
    return InvalidArgumentError(
        "no swizzled layout equals ", a.ToString(), " o ", swizzle.ToString(),
        ": the layout takes the bits that the swizzle reads and writes, ",
        fields.read, " and ", fields.written, ", to ", passed.read, " and ",
        passed.written, ", which are not the bits of a swizzle");
  }
  return ComposedLayout(*result, 0, a);
}

// Returns the inverse of a swizzled layout, given that of its inner layout.
// `find` returns an error message about it at a coordinate of the domain of the
// law.
absl::StatusOr<ComposedLayout> InverseOf(
    const ComposedLayout& layout, const absl::StatusOr<Layout>& inner_inverse,
    const CompositionOptions& options, std::string_view what,
    absl::FunctionRef<int64_t(const ComposedLayout&)> size,
    absl::FunctionRef<std::string(const ComposedLayout&, int64_t)> find) {
  TESSERA_ASSIGN_OR_RETURN(const Swizzle swizzle, SwizzleOf(layout));
  TESSERA_RETURN_IF_ERROR(
      CheckNoOffset(layout, "the inverse that is a swizzled layout"));
  TESSERA_RETURN_IF_ERROR(CheckOffsets(layout.layout()));
  if (!inner_inverse.ok()) return inner_inverse.status();
  const absl::StatusOr<ComposedLayout> inverse =
      PassThrough(*inner_inverse, swizzle);
  const absl::Status status =
      inverse.ok()
          ? CheckEverywhere(size(*inverse), options,
                            {inverse->ToString(), false,
                             StrCat("a ", what, " of ", layout.ToString())},
                            [&](int64_t i) { return find(*inverse, i); })
          : inverse.status();
  if (status.ok()) return inverse;
  // The layout equals its inner layout.
  if (!Moves(swizzle, layout.layout())) {
    return ComposedLayout(Swizzle(), 0, *inner_inverse);
  }
  return status;
}

using LayoutInverse = absl::StatusOr<Layout> (*)(const Layout&);

// B' o -x o A' for the inverses of the parts of A o x o B.
absl::StatusOr<ComposedLayout> InverseOfLayouts(const ComposedLayout& layout,
                                                LayoutInverse inverse) {
  TESSERA_RETURN_IF_ERROR(LayoutValues::Create(layout).status());
  TESSERA_ASSIGN_OR_RETURN(Layout outer, inverse(layout.layout()));
  TESSERA_ASSIGN_OR_RETURN(Layout inner,
                           inverse(std::get<Layout>(layout.outer())));
  return ComposedLayout(std::move(outer), -layout.offset(), std::move(inner));
}

absl::StatusOr<LayoutAfterSwizzle> InverseWithOffset(
    const ComposedLayout& layout, LayoutInverse inverse) {
  TESSERA_ASSIGN_OR_RETURN(const Swizzle swizzle, SwizzleOf(layout));
  TESSERA_RETURN_IF_ERROR(LayoutValues::Create(layout).status());
  TESSERA_ASSIGN_OR_RETURN(Layout outer, inverse(layout.layout()));
  return LayoutAfterSwizzle(std::move(outer), -layout.offset(), swizzle);
}

absl::StatusOr<ComposedLayout> InverseOfInverse(
    const LayoutAfterSwizzle& layout, LayoutInverse inverse) {
  int64_t offset;
  if (__builtin_sub_overflow(0, layout.offset(), &offset)) {
    return absl::OutOfRangeError("the offset of the inverse exceeds int64_t");
  }
  TESSERA_ASSIGN_OR_RETURN(Layout inner, inverse(layout.layout()));
  return ComposedLayout(layout.swizzle(), offset, std::move(inner));
}

// Checks that each element of `narrow` is within the corresponding element of
// `wide`, and, if `is_downcast`, that `narrow` numbers the parts of that
// element.
absl::Status CheckCast(const ComposedLayout& narrow, const ComposedLayout& wide,
                       int64_t factor, bool is_downcast) {
  TESSERA_RETURN_IF_ERROR(LayoutValues::Create(wide).status());
  TESSERA_ASSIGN_OR_RETURN(LayoutValues values, LayoutValues::Create(narrow));
  const Layout& inner = narrow.layout();
  return CheckEverywhere(
      narrow.size(), CompositionOptions(),
      {wide.ToString(), false,
       absl::StrCat(narrow.ToString(), " in elements ", factor,
                    " times as wide")},
      [&](int64_t i) {
        int64_t rest = i, place = 0, extent = 1;
        for (size_t k = 0; k < inner.leaves().size(); ++k) {
          const Layout::Leaf& leaf = inner.leaves()[k];
          const int64_t stride = std::abs(leaf.stride);
          const int64_t parts =
              stride == 0 || stride >= factor ? 1 : factor / stride;
          place += rest % leaf.size / parts * extent;
          rest /= leaf.size;
          extent *= wide.layout().leaves()[k].size;
        }
        const int64_t value = values.value().value();
        values.Next();
        if (value / factor == wide(place) &&
            (!is_downcast || (value - inner(i)) % factor == 0)) {
          return std::string();
        }
        return absl::StrCat(i, " is at ", value, ", and ", place,
                            " of the wide elements is at ", wide(place));
      });
}

// Converts through elements that divide both widths.
template <typename Value>
absl::StatusOr<Value> RecastByCasts(const Value& value, int64_t from_bits,
                                    int64_t to_bits) {
  TESSERA_RETURN_IF_ERROR(CheckElementBits(from_bits, to_bits));
  const int64_t common = std::gcd(from_bits, to_bits);
  TESSERA_ASSIGN_OR_RETURN(const Value narrow,
                           Downcast(value, from_bits / common));
  return Upcast(narrow, to_bits / common);
}

}  // namespace

absl::StatusOr<Swizzle> Composition(const Swizzle& a, const Swizzle& b) {
  if (a.is_identity()) return b;
  if (b.is_identity()) return a;
  const auto refuse = [&](std::string_view why) {
    return InvalidArgumentError(a.ToString(), " o ", b.ToString(),
                                " is not a swizzle: ", why);
  };
  if (a.shift() != b.shift()) return refuse("the shifts differ");
  const Fields first = FieldsOf(b);
  const Fields second = FieldsOf(a);
  if ((first.written & second.read) != 0) {
    return refuse("the second moves bits that the first reads");
  }
  const std::optional<Swizzle> result = SwizzleOf(
      Fields{first.read ^ second.read, first.written ^ second.written});
  if (!result.has_value()) return refuse("its bits have a gap");
  return *result;
}

absl::StatusOr<Swizzle> Upcast(const Swizzle& swizzle, int64_t factor) {
  TESSERA_ASSIGN_OR_RETURN(const int dropped, LogarithmOf(swizzle, factor));
  const int base = swizzle.base() - dropped;
  return Swizzle::Create(std::max(swizzle.bits() + std::min(base, 0), 0),
                         std::max(base, 0), swizzle.shift());
}

absl::StatusOr<Swizzle> Downcast(const Swizzle& swizzle, int64_t factor) {
  TESSERA_ASSIGN_OR_RETURN(const int added, LogarithmOf(swizzle, factor));
  return Swizzle::Create(swizzle.bits(), swizzle.base() + added,
                         swizzle.shift());
}

absl::StatusOr<Swizzle> Recast(const Swizzle& swizzle, int64_t from_bits,
                               int64_t to_bits) {
  return RecastByCasts(swizzle, from_bits, to_bits);
}

absl::StatusOr<ComposedLayout> Upcast(const ComposedLayout& layout,
                                      int64_t factor) {
  TESSERA_ASSIGN_OR_RETURN(Layout inner, Upcast(layout.layout(), factor));
  if (layout.offset() % factor != 0) {
    return InvalidArgumentError("the offset ", layout.offset(),
                                " is within an element that is ", factor,
                                " times as wide");
  }
  if (const auto* outer = std::get_if<Layout>(&layout.outer())) {
    TESSERA_ASSIGN_OR_RETURN(Layout wide_outer, Upcast(*outer, factor));
    ComposedLayout wide(std::move(wide_outer), layout.offset() / factor,
                        std::move(inner));
    TESSERA_RETURN_IF_ERROR(CheckCast(layout, wide, factor, false));
    return wide;
  }
  const Swizzle& swizzle = std::get<Swizzle>(layout.outer());
  // An identity does not move anything, whatever the factor.
  if (swizzle.is_identity()) {
    return ComposedLayout(swizzle, layout.offset() / factor, std::move(inner));
  }
  TESSERA_ASSIGN_OR_RETURN(const Swizzle wide, Upcast(swizzle, factor));
  const auto is_within = [&](const Layout::Leaf& leaf) {
    return leaf.size > 1 && leaf.stride % factor != 0;
  };
  // Bits within a wide element that move bits of its number.
  const uint64_t read_within =
      FieldsOf(swizzle).read & static_cast<uint64_t>(factor - 1);
  const bool tears =
      swizzle.shift() < 0 && read_within != 0 &&
      (read_within << -swizzle.shift()) >= static_cast<uint64_t>(factor) &&
      std::any_of(layout.layout().leaves().begin(),
                  layout.layout().leaves().end(), is_within);
  if (tears) {
    return InvalidArgumentError(
        swizzle.ToString(), " splits elements of ", layout.layout().ToString(),
        " that are within one ", factor, " times as wide");
  }
  return ComposedLayout(wide, layout.offset() / factor, std::move(inner));
}

absl::StatusOr<ComposedLayout> Downcast(const ComposedLayout& layout,
                                        int64_t factor) {
  TESSERA_ASSIGN_OR_RETURN(Layout inner, Downcast(layout.layout(), factor));
  int64_t offset;
  if (__builtin_mul_overflow(layout.offset(), factor, &offset)) {
    return OutOfRangeError("the offset ", layout.offset(), " times ", factor,
                           " exceeds int64_t");
  }
  if (const auto* outer = std::get_if<Layout>(&layout.outer())) {
    TESSERA_ASSIGN_OR_RETURN(Layout narrow_outer, Downcast(*outer, factor));
    ComposedLayout narrow(std::move(narrow_outer), offset, std::move(inner));
    TESSERA_RETURN_IF_ERROR(CheckCast(narrow, layout, factor, true));
    return narrow;
  }
  const Swizzle& swizzle = std::get<Swizzle>(layout.outer());
  if (swizzle.is_identity()) {
    return ComposedLayout(swizzle, offset, std::move(inner));
  }
  TESSERA_ASSIGN_OR_RETURN(const Swizzle narrow, Downcast(swizzle, factor));
  return ComposedLayout(narrow, offset, std::move(inner));
}

absl::StatusOr<ComposedLayout> Recast(const ComposedLayout& layout,
                                      int64_t from_bits, int64_t to_bits) {
  return RecastByCasts(layout, from_bits, to_bits);
}

absl::StatusOr<ComposedLayout> Composition(const Layout& a,
                                           const Swizzle& swizzle,
                                           const CompositionOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(ComposedLayout result, PassThrough(a, swizzle));
  TESSERA_RETURN_IF_ERROR(
      CheckEverywhere(a.size(), options,
                      {result.ToString(), true,
                       absl::StrCat(a.ToString(), " o ", swizzle.ToString())},
                      [&](int64_t i) {
                        const int64_t value = a(swizzle(i));
                        if (result(i) == value) return std::string();
                        return absl::StrCat("at coordinate ", i, " it is ",
                                            result(i), " instead of ", value);
                      }));
  return result;
}

absl::StatusOr<ComposedLayout> Composition(const Layout& a,
                                           const ComposedLayout& b,
                                           const CompositionOptions& options) {
  TESSERA_RETURN_IF_ERROR(CheckNoOffset(
      b,
      absl::StrCat("the composition of ", a.ToString(), " with the layout")));
  if (const auto* outer = std::get_if<Layout>(&b.outer())) {
    TESSERA_ASSIGN_OR_RETURN(const Layout both,
                             Composition(a, *outer, options));
    TESSERA_ASSIGN_OR_RETURN(Layout result,
                             Composition(both, b.layout(), options));
    return ComposedLayout(Swizzle(), 0, std::move(result));
  }
  const Swizzle& swizzle = std::get<Swizzle>(b.outer());
  TESSERA_RETURN_IF_ERROR(CheckOffsets(b.layout()));
  TESSERA_ASSIGN_OR_RETURN(const ComposedLayout outer, PassThrough(a, swizzle));
  TESSERA_ASSIGN_OR_RETURN(const ComposedLayout result,
                           Composition(outer, b.layout(), options));
  LayoutWalk walk(b.layout());
  TESSERA_RETURN_IF_ERROR(
      CheckEverywhere(b.size(), options,
                      {result.ToString(), true,
                       absl::StrCat(a.ToString(), " o ", b.ToString())},
                      [&](int64_t i) {
                        const int64_t value = a(swizzle(walk.offset()));
                        walk.Next();
                        if (result(i) == value) return std::string();
                        return absl::StrCat("at coordinate ", i, " it is ",
                                            result(i), " instead of ", value);
                      }));
  return result;
}

absl::StatusOr<ComposedLayout> RightInverse(const ComposedLayout& layout,
                                            const CompositionOptions& options) {
  if (std::holds_alternative<Layout>(layout.outer())) {
    return InverseOfLayouts(layout, RightInverse);
  }
  return InverseOf(
      layout, RightInverse(layout.layout()), options, "right inverse",
      [](const ComposedLayout& inverse) { return inverse.size(); },
      [&](const ComposedLayout& inverse, int64_t i) {
        const int64_t value = layout(inverse(i));
        if (value == i) return std::string();
        return absl::StrCat("the offset ", i, " leads to coordinate ",
                            inverse(i), ", whose offset is ", value);
      });
}

absl::StatusOr<ComposedLayout> LeftInverse(const ComposedLayout& layout,
                                           const CompositionOptions& options) {
  if (std::holds_alternative<Layout>(layout.outer())) {
    TESSERA_ASSIGN_OR_RETURN(ComposedLayout inverse,
                             InverseOfLayouts(layout, LeftInverse));
    const Layout& first = inverse.layout();
    const Layout& second = std::get<Layout>(inverse.outer());
    TESSERA_RETURN_IF_ERROR(CheckEverywhere(
        layout.size(), options,
        {inverse.ToString(), false,
         absl::StrCat("a left inverse of ", layout.ToString())},
        [&](int64_t i) {
          const int64_t value = layout(i);
          const int64_t argument =
              value < 0 ? -1 : first(value) + inverse.offset();
          const int64_t back = argument < 0 ? -1 : second(argument);
          if (back >= 0 && back < layout.size() && layout(back) == value) {
            return std::string();
          }
          return absl::StrCat("the value ", value, " of coordinate ", i,
                              " does not lead back");
        }));
    return inverse;
  }
  return InverseOf(
      layout, LeftInverse(layout.layout()), options, "left inverse",
      [&](const ComposedLayout&) { return layout.size(); },
      [&](const ComposedLayout& inverse, int64_t i) {
        const int64_t value = layout(i);
        const int64_t again = layout(inverse(value));
        if (again == value) return std::string();
        return absl::StrCat("the offset ", value, " of coordinate ", i,
                            " leads to coordinate ", inverse(value),
                            ", whose offset is ", again);
      });
}

absl::StatusOr<LayoutAfterSwizzle> RightInverseWithOffset(
    const ComposedLayout& layout) {
  return InverseWithOffset(layout, RightInverse);
}

absl::StatusOr<LayoutAfterSwizzle> LeftInverseWithOffset(
    const ComposedLayout& layout) {
  return InverseWithOffset(layout, LeftInverse);
}

absl::StatusOr<ComposedLayout> RightInverse(const LayoutAfterSwizzle& layout) {
  return InverseOfInverse(layout, RightInverse);
}

absl::StatusOr<ComposedLayout> LeftInverse(const LayoutAfterSwizzle& layout) {
  return InverseOfInverse(layout, LeftInverse);
}

absl::StatusOr<Layout> MaxCommonLayout(const ComposedLayout& a,
                                       const ComposedLayout& b,
                                       const CompositionOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(const Swizzle swizzle_a, SwizzleOf(a));
  TESSERA_ASSIGN_OR_RETURN(const Swizzle swizzle_b, SwizzleOf(b));
  TESSERA_ASSIGN_OR_RETURN(Layout common,
                           MaxCommonLayout(a.layout(), b.layout(), options));
  int64_t longest = common.size();
  for (const Swizzle& swizzle : {swizzle_a, swizzle_b}) {
    if (!swizzle.is_identity()) {
      longest = std::min(longest, MaxAlignment(swizzle));
    }
  }
  if (longest == common.size()) return common;
  return Composition(common, *Tiler::OfShape(IntTuple(longest)), options);
}

absl::StatusOr<int64_t> MaxCommonVector(const ComposedLayout& a,
                                        const ComposedLayout& b,
                                        const CompositionOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(const Swizzle swizzle_a, SwizzleOf(a));
  TESSERA_ASSIGN_OR_RETURN(const Swizzle swizzle_b, SwizzleOf(b));
  TESSERA_ASSIGN_OR_RETURN(int64_t longest,
                           MaxCommonVector(a.layout(), b.layout(), options));
  if (swizzle_a == swizzle_b) return longest;
  for (const Swizzle& swizzle : {swizzle_a, swizzle_b}) {
    if (!swizzle.is_identity()) {
      longest = std::min(longest, MaxAlignment(swizzle));
    }
  }
  return longest;
}

int64_t MaxAlignment(const Swizzle& swizzle) {
  return int64_t{1} << swizzle.base();
}

absl::StatusOr<int64_t> MaxAlignment(const ComposedLayout& layout) {
  const auto* swizzle = std::get_if<Swizzle>(&layout.outer());
  if (swizzle == nullptr) return 1;
  TESSERA_ASSIGN_OR_RETURN(const int64_t of_layout,
                           MaxAlignment(layout.layout()));
  return std::gcd(std::gcd(MaxAlignment(*swizzle), layout.offset()), of_layout);
}

int64_t ContiguousElements(const ComposedLayout& layout) {
  const Swizzle& swizzle = std::get<Swizzle>(layout.outer());
  const int64_t elements = ContiguousElements(layout.layout());
  if (swizzle.is_identity()) return elements;
  return std::min(elements, std::gcd(MaxAlignment(swizzle), layout.offset()));
}

int64_t VectorElements(const ComposedLayout& layout) {
  const Swizzle& swizzle = std::get<Swizzle>(layout.outer());
  const int64_t elements =
      std::gcd(VectorElements(layout.layout()), layout.offset());
  if (swizzle.is_identity()) return elements;
  return std::gcd(elements, MaxAlignment(swizzle));
}

std::optional<PlainLayout> ToPlainLayout(const ComposedLayout& layout,
                                         const CompositionOptions& options) {
  const auto* swizzle = std::get_if<Swizzle>(&layout.outer());
  const Layout& inner = layout.layout();
  if (swizzle == nullptr || layout.offset() < 0 || !CheckOffsets(inner).ok() ||
      inner.size() > options.max_evaluations) {
    return std::nullopt;
  }
  if (swizzle->is_identity()) return PlainLayout{inner, layout.offset()};
  // For each bit of a field: the amount that setting it adds to the value,
  // given the other bit that the swizzle combines with it.
  const auto added_by = [&](int bit) {
    const int64_t flipped = layout.offset() ^ (int64_t{1} << bit);
    const int64_t change = (*swizzle)(flipped) - (*swizzle)(layout.offset());
    return flipped > layout.offset() ? change : -change;
  };
  const int bits = swizzle->bits();
  const int base = swizzle->base();
  const int distance = std::abs(swizzle->shift());
  Layout::Leaves modes;
  modes.push_back({int64_t{1} << base, 1, Basis()});
  for (int i = 0; i < bits; ++i) {
    modes.push_back({2, added_by(base + i), Basis()});
  }
  modes.push_back(
      {int64_t{1} << (distance - bits), int64_t{1} << (base + bits), Basis()});
  for (int i = 0; i < bits; ++i) {
    modes.push_back({2, added_by(base + distance + i), Basis()});
  }
  if (base + bits + distance > 61) return std::nullopt;
  modes.push_back({1, int64_t{1} << (base + bits + distance), Basis()});
  Layout::Builder builder;
  builder.AppendFlat(modes);
  const absl::StatusOr<Layout> unfolded = std::move(builder).Build();
  if (!unfolded.ok()) return std::nullopt;
  absl::StatusOr<Layout> plain = Composition(*unfolded, inner, options);
  if (!plain.ok()) return std::nullopt;
  const int64_t offset = (*swizzle)(layout.offset());
  LayoutWalk given(inner);
  for (LayoutWalk walk(*plain); !walk.AtEnd(); walk.Next(), given.Next()) {
    if (offset + walk.offset() != layout.Apply(given.offset())) {
      return std::nullopt;
    }
  }
  return PlainLayout{*std::move(plain), offset};
}

}  // namespace tessera::cute
