#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/collision.h"
#include "tessera/cute/algebra/common_layout.h"
#include "tessera/cute/algebra/complement.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/algebra/divide.h"
#include "tessera/cute/algebra/filter.h"
#include "tessera/cute/algebra/inverse.h"
#include "tessera/cute/algebra/product.h"
#include "tessera/cute/algebra/recast.h"
#include "tessera/cute/algebra/swizzled.h"
#include "tessera/cute/calculator/calculator_function.h"
#include "tessera/cute/calculator/tiler_reading.h"
#include "tessera/cute/shape_division.h"

namespace tessera::cute {
namespace {

using Arguments = CalculatorArguments;
using TilerOperation = absl::StatusOr<Layout> (*)(const Layout&, const Tiler&,
                                                  const CompositionOptions&);

std::string InAngleBrackets(const Tiler& tiler) {
  TextForm form;
  form.dialect = Dialect::kDocumentation;
  return tiler.ToString(form);
}

// The tiler that the user may have meant by argument 1, and both tilers in
// words.
struct OtherReading {
  Tiler tiler;
  std::string taken;
  std::string other;
};

std::optional<OtherReading> OtherReadingOf(const Layout& layout,
                                           const CalculatorValue& value,
                                           TilerUse use) {
  if (const auto* whole = std::get_if<Layout>(&value)) {
    const std::optional<Tiler> by_mode = ByModeReading(layout, *whole, use);
    if (!by_mode.has_value()) return std::nullopt;
    return OtherReading{
        *by_mode,
        absl::StrCat(whole->ToString(), " is taken as a layout, over all of ",
                     layout.ToString(), " as one dimension"),
        absl::StrCat("by mode, ", InAngleBrackets(*by_mode))};
  }
  if (const auto* shape = std::get_if<IntTuple>(&value)) {
    const std::optional<Layout> whole = WholeReading(layout, *shape, use);
    if (!whole.has_value()) return std::nullopt;
    return OtherReading{
        *whole, absl::StrCat(shape->ToString(), " is taken by mode"),
        absl::StrCat("as a layout over all of ", layout.ToString(),
                     " as one dimension, ", whole->ToString())};
  }
  return std::nullopt;
}

// Applies the operation. If the tiler may have been meant differently, that
// result is added as a note, or to the error.
absl::StatusOr<Layout> Tile(Arguments& a, const Layout& layout,
                            const Tiler& tiler, TilerUse use,
                            TilerOperation operation) {
  absl::StatusOr<Layout> result = operation(layout, tiler, a.options());
  const std::optional<OtherReading> reading =
      OtherReadingOf(layout, a.value(1), use);
  if (!reading.has_value()) return result;
  const absl::StatusOr<Layout> other =
      operation(layout, reading->tiler, a.options());
  if (!other.ok() || (result.ok() && *other == *result)) return result;
  const std::string gives =
      absl::StrCat("; ", reading->other, ", gives ", other->ToString());
  if (result.ok()) {
    a.Note(1, absl::StrCat(reading->taken, ", and gives ", result->ToString(),
                           gives));
    return result;
  }
  return absl::Status(result.status().code(),
                      absl::StrCat(result.status().message(), gives));
}

template <TilerOperation operation>
ValueOr Divide(Arguments& a) {
  const Layout layout = a.TakeLayout(0);
  const Tiler tiler = a.TakeTiler(1);
  if (!a.status().ok()) return a.status();
  const absl::StatusOr<Layout> result =
      Tile(a, layout, tiler, TilerUse::kPicks, operation);
  const auto ragged = RaggedModes(layout, tiler);
  if (result.ok() && ragged.ok()) {
    for (const RaggedMode& mode : *ragged) {
      a.Note(1, absl::StrCat("tiles reach past the end; there are elements "
                             "only where ",
                             mode.ToString()));
    }
  }
  return ToValue(result);
}

// Adds a note if several tiles are at the same place, except for modes of
// stride 0, which request that.
void NoteOverlap(Arguments& a, const Tiler& tiler) {
  if (tiler.is_underscore()) return;
  if (!tiler.is_layout()) {
    for (int64_t i = 0; i < tiler.rank(); ++i) NoteOverlap(a, tiler.Mode(i));
    return;
  }
  const Layout tiles = FilterZeros(tiler.layout());
  const auto collision = FindCollision(tiles, a.options().max_evaluations);
  if (!collision.ok() || !collision->has_value()) return;
  a.Note(1, absl::StrCat("tiles overlap: ", tiles.ToString(), " is ",
                         tiles((*collision)->first), " at the coordinates ",
                         (*collision)->first, " and ", (*collision)->second));
}

template <TilerOperation operation>
ValueOr Product(Arguments& a) {
  const Layout layout = a.TakeLayout(0);
  const Tiler tiler = a.TakeTiler(1);
  if (!a.status().ok()) return a.status();
  const absl::StatusOr<Layout> result =
      Tile(a, layout, tiler, TilerUse::kRepeats, operation);
  if (result.ok()) NoteOverlap(a, tiler);
  return ToValue(result);
}

template <absl::StatusOr<Layout> (*operation)(const Layout&, const Layout&,
                                              const CompositionOptions&)>
ValueOr ProductByRank(Arguments& a) {
  const Layout block = a.TakeLayout(0);
  const Layout tiler = a.TakeLayout(1);
  if (!a.status().ok()) return a.status();
  const absl::StatusOr<Layout> result = operation(block, tiler, a.options());
  if (result.ok()) NoteOverlap(a, tiler);
  return ToValue(result);
}

absl::StatusOr<Layout> ComposeLayouts(const Layout& a, const Tiler& b,
                                      const CompositionOptions& options) {
  return Composition(a, b, options);
}

// Adds a note if B reaches past the size of A.
void NotePast(Arguments& a, const Layout& layout, const Tiler& tiler) {
  if (tiler.is_underscore()) return;
  if (tiler.is_layout()) {
    const Layout b = tiler.layout();
    // A negative stride does not reach past the coordinate 0.
    const bool rises =
        std::all_of(b.leaves().begin(), b.leaves().end(),
                    [](const Layout::Leaf& leaf) { return leaf.stride >= 0; });
    if (!rises || b.cosize() <= layout.size()) return;
    a.Note(1, absl::StrCat(b.ToString(), " reaches coordinate ", b.cosize() - 1,
                           ", past the size ", layout.size(), " of ",
                           layout.ToString(), ", whose last mode goes on"));
    return;
  }
  for (int64_t i = 0; i < tiler.rank(); ++i) {
    if (tiler.Mode(i).is_layout()) {
      NotePast(a, layout.Mode(i), tiler.Mode(i));
    }
  }
}

absl::StatusOr<Layout> ComposeOne(Arguments& a, const Layout& layout,
                                  const Tiler& tiler) {
  TESSERA_ASSIGN_OR_RETURN(
      Layout result, Tile(a, layout, tiler, TilerUse::kPicks, ComposeLayouts));
  NotePast(a, layout, tiler);
  if (!tiler.is_layout() && !tiler.is_underscore() &&
      tiler.rank() < layout.rank()) {
    a.Note(1, absl::StrCat("modes of ", layout.ToString(), " from mode ",
                           tiler.rank(),
                           " on are dropped, as in C++: the tiler has ",
                           tiler.rank(), tiler.rank() == 1 ? " mode" : " modes",
                           "; write _ to keep one"));
  }
  return result;
}

// Returns outer o offset o inner, not folded.
ValueOr ComposeUnfolded(Arguments& a, int64_t offset, size_t inner) {
  if (a.Is<Swizzle>(inner) && !a.Is<Swizzle>(0)) {
    return ToValue(LayoutAfterSwizzle(a.TakeLayout(0), offset,
                                      std::get<Swizzle>(a.value(inner))));
  }
  const Layout layout = a.TakeLayout(inner);
  if (a.Is<Swizzle>(0)) {
    return ToValue(
        ComposedLayout(std::get<Swizzle>(a.value(0)), offset, layout));
  }
  if (a.Is<ComposedLayout>(0)) {
    // A composed layout cannot hold three functions in a row.
    a.FailExpected(0, "a swizzle or a layout");
    return ToValue(false);
  }
  return ToValue(ComposedLayout(a.TakeLayout(0), offset, layout));
}

// A function with a swizzle on the right.
ValueOr ComposeWithSwizzled(Arguments& a) {
  const auto* swizzle = std::get_if<Swizzle>(&a.value(1));
  const auto* composed = std::get_if<ComposedLayout>(&a.value(1));
  if (const auto* first = std::get_if<Swizzle>(&a.value(0))) {
    if (swizzle != nullptr) return ToValue(Composition(*first, *swizzle));
    const auto* second = std::get_if<Swizzle>(&composed->outer());
    if (second == nullptr) {
      a.FailExpected(1, "a layout or a swizzled layout");
      return ToValue(false);
    }
    TESSERA_ASSIGN_OR_RETURN(const Swizzle both, Composition(*first, *second));
    return Folded(ComposedLayout(both, composed->offset(), composed->layout()));
  }
  const Layout layout = a.TakeLayout(0);
  if (!a.status().ok()) return a.status();
  return swizzle != nullptr
             ? Folded(Composition(layout, *swizzle, a.options()))
             : Folded(Composition(layout, *composed, a.options()));
}

// Takes argument i as a composed layout. A layout becomes one with an identity.
ComposedLayout TakeComposed(Arguments& a, size_t i) {
  if (const auto* composed = std::get_if<ComposedLayout>(&a.value(i))) {
    return *composed;
  }
  return ComposedLayout(Swizzle(), 0, a.TakeLayout(i));
}

// Calls `cast` with argument 0, whatever its kind.
template <typename Cast>
ValueOr CastOf(Arguments& a, const Cast& cast) {
  if (const auto* swizzle = std::get_if<Swizzle>(&a.value(0))) {
    return ToValue(cast(*swizzle));
  }
  if (const auto* composed = std::get_if<ComposedLayout>(&a.value(0))) {
    return ToValue(cast(*composed));
  }
  return ToValue(cast(a.TakeLayout(0)));
}

// Applies `inverse` to argument 0, or `with_offset` to a swizzled layout with
// an offset.
template <typename Inverse>
ValueOr InverseOf(
    Arguments& a, const Inverse& inverse,
    absl::StatusOr<LayoutAfterSwizzle> (*with_offset)(const ComposedLayout&)) {
  if (const auto* after = std::get_if<LayoutAfterSwizzle>(&a.value(0))) {
    return Folded(inverse(*after));
  }
  const auto* composed = std::get_if<ComposedLayout>(&a.value(0));
  if (composed != nullptr && composed->offset() != 0 &&
      std::holds_alternative<Swizzle>(composed->outer())) {
    return ToValue(with_offset(*composed));
  }
  if (composed != nullptr) return Folded(inverse(*composed, a.options()));
  if (const auto* swizzle = std::get_if<Swizzle>(&a.value(0))) {
    return ToValue(*swizzle);
  }
  return ToValue(inverse(a.TakeLayout(0)));
}

ValueOr RecastOf(Arguments& a) {
  // In the Python package the bits come first, the new ones before the old
  // ones.
  if (a.IsInteger(0)) {
    const int64_t to = a.TakeInteger(0);
    const int64_t from = a.TakeInteger(1);
    if (const auto* composed = std::get_if<ComposedLayout>(&a.value(2))) {
      return ToValue(Recast(*composed, from, to));
    }
    return ToValue(Recast(a.TakeLayout(2), from, to));
  }
  return CastOf(a, [&](const auto& value) {
    return Recast(value, a.TakeBits(1), a.TakeBits(2));
  });
}

ValueOr ComplementOf(Arguments& a) {
  const Layout layout = TakeComposed(a, 0).layout();
  if (a.count() == 1) return ToValue(Complement(layout));
  const int64_t size = a.TakeSize(1);
  if (!a.status().ok() || a.IsInteger(1)) {
    return ToValue(Complement(layout, size));
  }
  return ToValue(Complement(layout, a.TakeShape(1)));
}

bool IsComposed(Arguments& a, size_t i) { return a.Is<ComposedLayout>(i); }

}  // namespace

ValueOr Folded(const absl::StatusOr<ComposedLayout>& composed) {
  if (!composed.ok()) return composed.status();
  const auto* swizzle = std::get_if<Swizzle>(&composed->outer());
  if (swizzle != nullptr && swizzle->is_identity() && composed->offset() == 0) {
    return ToValue(composed->layout());
  }
  return ToValue(*composed);
}

ValueOr Compose(Arguments& a) {
  if (a.count() == 3) return ComposeUnfolded(a, a.TakeInteger(1), 2);
  if (!a.Is<ComposedLayout>(0) &&
      (a.Is<Swizzle>(1) || a.Is<ComposedLayout>(1))) {
    return ComposeWithSwizzled(a);
  }
  if (a.Is<Swizzle>(0)) return ComposeUnfolded(a, 0, 1);
  const Tiler tiler = a.TakeTiler(1);
  if (const auto* composed = std::get_if<ComposedLayout>(&a.value(0))) {
    TESSERA_ASSIGN_OR_RETURN(const Layout& inner,
                             ComposeOne(a, composed->layout(), tiler));
    return ToValue(
        ComposedLayout(composed->outer(), composed->offset(), inner));
  }
  const Layout layout = a.TakeLayout(0);
  if (!a.status().ok()) return a.status();
  return ToValue(ComposeOne(a, layout, tiler));
}

absl::Span<const CalculatorFunction> AlgebraFunctions() {
  static constexpr CalculatorFunction kFunctions[] = {
      {"coalesce", "A[, profile]", 1, 2, true,
       [](Arguments& a) {
         if (a.count() == 2) {
           return ToValue(
               CoalesceByProfile(a.TakeLayout(0), a.TakeIntTuple(1)));
         }
         // CuTe has an overload for shapes.
         if (a.Is<IntTuple>(0) && !a.bare_shape_is_column_major()) {
           return ToValue(a.TakeSize(0));
         }
         return ToValue(Coalesce(a.TakeLayout(0)));
       }},
      {"composition", "A, B", 2, 3, false, Compose},
      {"complement", "A[, cotarget]", 1, 2, false, ComplementOf},
      {"logical_divide", "A, tiler", 2, 2, true, Divide<LogicalDivide>},
      {"zipped_divide", "A, tiler", 2, 2, true, Divide<ZippedDivide>},
      {"tiled_divide", "A, tiler", 2, 2, true, Divide<TiledDivide>},
      {"flat_divide", "A, tiler", 2, 2, true, Divide<FlatDivide>},
      {"logical_product", "A, tiler", 2, 2, true, Product<LogicalProduct>},
      {"zipped_product", "A, tiler", 2, 2, true, Product<ZippedProduct>},
      {"tiled_product", "A, tiler", 2, 2, true, Product<TiledProduct>},
      {"flat_product", "A, tiler", 2, 2, true, Product<FlatProduct>},
      {"blocked_product", "block, tiler", 2, 2, true,
       ProductByRank<BlockedProduct>},
      {"raked_product", "block, tiler", 2, 2, true,
       ProductByRank<RakedProduct>},
      {"right_inverse", "A", 1, 1, false,
       [](Arguments& a) {
         return InverseOf(
             a, [](const auto&... of) { return RightInverse(of...); },
             RightInverseWithOffset);
       }},
      {"left_inverse", "A", 1, 1, false,
       [](Arguments& a) {
         return InverseOf(
             a, [](const auto&... of) { return LeftInverse(of...); },
             LeftInverseWithOffset);
       }},
      {"nullspace", "A", 1, 1, false,
       [](Arguments& a) {
         // C++ does not search further for composed layouts.
         return ToValue(IsComposed(a, 0) ? Layout()
                                         : Nullspace(a.TakeLayout(0)));
       }},
      {"filter", "A[, profile]", 1, 2, true,
       [](Arguments& a) {
         return a.count() == 1 ? ToValue(Filter(a.TakeLayout(0)))
                               : ToValue(FilterByProfile(a.TakeLayout(0),
                                                         a.TakeIntTuple(1)));
       }},
      {"filter_zeros", "A[, profile]", 1, 2, true,
       [](Arguments& a) {
         return a.count() == 1 ? ToValue(FilterZeros(a.TakeLayout(0)))
                               : ToValue(FilterZerosByProfile(
                                     a.TakeLayout(0), a.TakeIntTuple(1)));
       }},
      {"max_common_layout", "A, B", 2, 2, false,
       [](Arguments& a) {
         return IsComposed(a, 0) || IsComposed(a, 1)
                    ? ToValue(MaxCommonLayout(TakeComposed(a, 0),
                                              TakeComposed(a, 1), a.options()))
                    : ToValue(MaxCommonLayout(a.TakeLayout(0), a.TakeLayout(1),
                                              a.options()));
       }},
      {"max_common_vector", "A, B", 2, 2, false,
       [](Arguments& a) {
         return IsComposed(a, 0) || IsComposed(a, 1)
                    ? ToValue(MaxCommonVector(TakeComposed(a, 0),
                                              TakeComposed(a, 1), a.options()))
                    : ToValue(MaxCommonVector(a.TakeLayout(0), a.TakeLayout(1),
                                              a.options()));
       }},
      {"max_alignment", "A", 1, 1, false,
       [](Arguments& a) {
         if (IsComposed(a, 0)) return ToValue(MaxAlignment(TakeComposed(a, 0)));
         if (const auto* swizzle = std::get_if<Swizzle>(&a.value(0))) {
           return ToValue(MaxAlignment(*swizzle));
         }
         return ToValue(MaxAlignment(a.TakeLayout(0)));
       }},
      {"upcast", "A, n", 2, 2, false,
       [](Arguments& a) {
         return CastOf(a, [&](const auto& value) {
           return Upcast(value, a.TakeInteger(1));
         });
       }},
      {"downcast", "A, n", 2, 2, false,
       [](Arguments& a) {
         return CastOf(a, [&](const auto& value) {
           return Downcast(value, a.TakeInteger(1));
         });
       }},
      {"recast", "A, from_bits, to_bits", 3, 3, false, RecastOf},
      {"recast_layout", "A, from_bits, to_bits", 3, 3, false, RecastOf},
      {"domain_distribute", "shape, n", 2, 2, false,
       [](Arguments& a) {
         return ToValue(DomainDistribute(a.TakeShape(0), a.TakeSize(1)));
       }},
      {"ceil_div", "shape, tiler", 2, 2, false,
       [](Arguments& a) {
         return a.Is<Layout>(1)
                    ? ToValue(CeilDiv(a.TakeShape(0), a.TakeLayout(1)))
                    : ToValue(CeilDiv(a.TakeShape(0), a.TakeShape(1)));
       }},
      {"round_up", "shape, multiple", 2, 2, false, OfShapes<RoundUp>},
      {"evenly_divides", "shape, tiler", 2, 2, false, OfShapes<EvenlyDivides>},
      {"shape_div", "shape, divisor", 2, 2, false, OfShapes<ShapeDiv>},
      {"shape_mod", "shape, modulus", 2, 2, false, OfShapes<ShapeMod>},
  };
  return kFunctions;
}

}  // namespace tessera::cute
