#include "tessera/cute/calculator/calculator_algebra.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/common_layout.h"
#include "tessera/cute/algebra/complement.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/algebra/divide.h"
#include "tessera/cute/algebra/filter.h"
#include "tessera/cute/algebra/inverse.h"
#include "tessera/cute/algebra/product.h"
#include "tessera/cute/algebra/recast.h"
#include "tessera/cute/calculator/tiler_reading.h"
#include "tessera/cute/shape_division.h"

namespace tessera {
namespace cute {
namespace {

using Arguments = CalculatorArguments;
using TilerOperation = absl::StatusOr<Layout> (*)(const Layout&, const Tiler&,
                                                  const CompositionOptions&);

std::string InAngleBrackets(const Tiler& tiler) {
  TextForm form;
  form.dialect = Dialect::kDocumentation;
  return tiler.ToString(form);
}

// The tiler that argument 1 may have been meant to be, and both in words.
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

// The operation; where its tiler may have been meant otherwise, with what that
// gives as a note, or as a part of the refusal.
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

ValueOr Divide(Arguments& a, TilerOperation operation) {
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

ValueOr Product(Arguments& a, TilerOperation operation) {
  const Layout layout = a.TakeLayout(0);
  const Tiler tiler = a.TakeTiler(1);
  if (!a.status().ok()) return a.status();
  return ToValue(Tile(a, layout, tiler, TilerUse::kRepeats, operation));
}

absl::StatusOr<Layout> ComposeLayouts(const Layout& a, const Tiler& b,
                                      const CompositionOptions& options) {
  return Composition(a, b, options);
}

// Says so where B reaches past the size of A.
void NotePast(Arguments& a, const Layout& layout, const Tiler& tiler) {
  if (tiler.is_underscore()) return;
  if (tiler.is_layout()) {
    const Layout b = tiler.layout();
    // A negative stride reaches no further than the coordinate 0.
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
  absl::StatusOr<Layout> result =
      Tile(a, layout, tiler, TilerUse::kPicks, ComposeLayouts);
  if (result.ok()) NotePast(a, layout, tiler);
  return result;
}

// outer o offset o inner, not folded.
ValueOr ComposeUnfolded(Arguments& a, int64_t offset, size_t inner) {
  const Layout layout = a.TakeLayout(inner);
  if (a.Is<Swizzle>(0)) {
    return ToValue(
        ComposedLayout(std::get<Swizzle>(a.value(0)), offset, layout));
  }
  if (a.Is<ComposedLayout>(0)) {
    // Three functions in a row are more than a composed layout has room for.
    a.FailExpected(0, "a swizzle or a layout");
    return ToValue(false);
  }
  return ToValue(ComposedLayout(a.TakeLayout(0), offset, layout));
}

}  // namespace

ValueOr Compose(Arguments& a) {
  if (a.count() == 3) return ComposeUnfolded(a, a.TakeInteger(1), 2);
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
      {"complement", "A[, cotarget]", 1, 2, false,
       [](Arguments& a) {
         return ToValue(a.count() == 1
                            ? Complement(a.TakeLayout(0))
                            : Complement(a.TakeLayout(0), a.TakeSize(1)));
       }},
      {"logical_divide", "A, tiler", 2, 2, true,
       [](Arguments& a) { return Divide(a, LogicalDivide); }},
      {"zipped_divide", "A, tiler", 2, 2, true,
       [](Arguments& a) { return Divide(a, ZippedDivide); }},
      {"tiled_divide", "A, tiler", 2, 2, true,
       [](Arguments& a) { return Divide(a, TiledDivide); }},
      {"flat_divide", "A, tiler", 2, 2, true,
       [](Arguments& a) { return Divide(a, FlatDivide); }},
      {"logical_product", "A, tiler", 2, 2, true,
       [](Arguments& a) { return Product(a, LogicalProduct); }},
      {"zipped_product", "A, tiler", 2, 2, true,
       [](Arguments& a) { return Product(a, ZippedProduct); }},
      {"tiled_product", "A, tiler", 2, 2, true,
       [](Arguments& a) { return Product(a, TiledProduct); }},
      {"flat_product", "A, tiler", 2, 2, true,
       [](Arguments& a) { return Product(a, FlatProduct); }},
      {"blocked_product", "block, tiler", 2, 2, true,
       [](Arguments& a) {
         return ToValue(
             BlockedProduct(a.TakeLayout(0), a.TakeLayout(1), a.options()));
       }},
      {"raked_product", "block, tiler", 2, 2, true,
       [](Arguments& a) {
         return ToValue(
             RakedProduct(a.TakeLayout(0), a.TakeLayout(1), a.options()));
       }},
      {"right_inverse", "A", 1, 1, false,
       [](Arguments& a) { return ToValue(RightInverse(a.TakeLayout(0))); }},
      {"left_inverse", "A", 1, 1, false,
       [](Arguments& a) { return ToValue(LeftInverse(a.TakeLayout(0))); }},
      {"nullspace", "A", 1, 1, false,
       [](Arguments& a) { return ToValue(Nullspace(a.TakeLayout(0))); }},
      {"filter", "A", 1, 1, true,
       [](Arguments& a) { return ToValue(Filter(a.TakeLayout(0))); }},
      {"filter_zeros", "A", 1, 1, true,
       [](Arguments& a) { return ToValue(FilterZeros(a.TakeLayout(0))); }},
      {"max_common_layout", "A, B", 2, 2, false,
       [](Arguments& a) {
         return ToValue(
             MaxCommonLayout(a.TakeLayout(0), a.TakeLayout(1), a.options()));
       }},
      {"max_common_vector", "A, B", 2, 2, false,
       [](Arguments& a) {
         return ToValue(
             MaxCommonVector(a.TakeLayout(0), a.TakeLayout(1), a.options()));
       }},
      {"max_alignment", "A", 1, 1, false,
       [](Arguments& a) { return ToValue(MaxAlignment(a.TakeLayout(0))); }},
      {"upcast", "A, n", 2, 2, false,
       [](Arguments& a) {
         return ToValue(Upcast(a.TakeLayout(0), a.TakeInteger(1)));
       }},
      {"downcast", "A, n", 2, 2, false,
       [](Arguments& a) {
         return ToValue(Downcast(a.TakeLayout(0), a.TakeInteger(1)));
       }},
      {"recast", "A, from_bits, to_bits", 3, 3, false,
       [](Arguments& a) {
         return ToValue(
             Recast(a.TakeLayout(0), a.TakeInteger(1), a.TakeInteger(2)));
       }},
      {"recast_layout", "A, from_bits, to_bits", 3, 3, false,
       [](Arguments& a) {
         return ToValue(
             Recast(a.TakeLayout(0), a.TakeInteger(1), a.TakeInteger(2)));
       }},
      {"domain_distribute", "shape, n", 2, 2, false,
       [](Arguments& a) {
         return ToValue(DomainDistribute(a.TakeShape(0), a.TakeSize(1)));
       }},
      {"ceil_div", "shape, tiler", 2, 2, false,
       [](Arguments& a) {
         return ToValue(CeilDiv(a.TakeShape(0), a.TakeShape(1)));
       }},
      {"shape_div", "shape, divisor", 2, 2, false,
       [](Arguments& a) {
         return ToValue(ShapeDiv(a.TakeShape(0), a.TakeShape(1)));
       }},
      {"shape_mod", "shape, modulus", 2, 2, false,
       [](Arguments& a) {
         return ToValue(ShapeMod(a.TakeShape(0), a.TakeShape(1)));
       }},
  };
  return kFunctions;
}

}  // namespace cute
}  // namespace tessera
