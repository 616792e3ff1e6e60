#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/swizzled.h"
#include "tessera/cute/calculator/calculator_function.h"
#include "tessera/cute/coordinates.h"
#include "tessera/cute/modes.h"

namespace tessera::cute {
namespace {

using Arguments = CalculatorArguments;

absl::StatusOr<int64_t> ValueAt(const IntTuple& coordinate,
                                const ComposedLayout& composed) {
  TESSERA_ASSIGN_OR_RETURN(const int64_t offset,
                           Crd2Idx(coordinate, composed.layout()));
  int64_t argument;
  if (__builtin_add_overflow(composed.offset(), offset, &argument)) {
    return absl::OutOfRangeError("the value exceeds int64_t");
  }
  if (const auto* layout = std::get_if<Layout>(&composed.outer())) {
    return Crd2Idx(argument, *layout);
  }
  if (argument < 0) {
    return OutOfRangeError("the offset ", argument,
                           " before the swizzle is negative");
  }
  return composed.Apply(offset);
}

// Returns the open modes of the layout, with a note about their beginning.
ValueOr TakeSlice(Arguments& a, const Layout& layout, size_t coordinate) {
  const IntTuple at = a.TakeIntTuple(coordinate);
  a.Blame(coordinate);
  absl::StatusOr<Layout> slice = Slice(at, layout);
  if (!slice.ok() || layout.has_basis()) return ToValue(std::move(slice));
  const absl::StatusOr<int64_t> offset = Crd2Idx(at, layout);
  if (offset.ok() && *offset != 0) {
    a.Note(coordinate, absl::StrCat("the slice begins at offset ", *offset));
  }
  return ToValue(std::move(slice));
}

ValueOr TakeSlice(Arguments& a, const ComposedLayout& composed,
                  size_t coordinate) {
  const IntTuple at = a.TakeIntTuple(coordinate);
  a.Blame(coordinate);
  TESSERA_ASSIGN_OR_RETURN(Layout slice, Slice(at, composed.layout()));
  TESSERA_ASSIGN_OR_RETURN(int64_t offset, Crd2Idx(at, composed.layout()));
  if (__builtin_add_overflow(offset, composed.offset(), &offset)) {
    return absl::OutOfRangeError("the offset exceeds int64_t");
  }
  const ComposedLayout result(composed.outer(), offset, std::move(slice));
  if (const auto plain = ToPlainLayout(result, a.options())) {
    a.Note(coordinate, absl::StrCat("as a plain layout the slice is ",
                                    plain->layout.ToString(), " at offset ",
                                    plain->offset));
  }
  return ToValue(result);
}

// Like a slice. If possible, a swizzled slice becomes a plain layout, as in
// C++, and the note gives its beginning.
ValueOr SliceAndOffset(Arguments& a) {
  if (!a.Is<ComposedLayout>(1)) return TakeSlice(a, a.TakeLayout(1), 0);
  TESSERA_ASSIGN_OR_RETURN(
      const CalculatorValue slice,
      TakeSlice(a, std::get<ComposedLayout>(a.value(1)), 0));
  const auto plain =
      ToPlainLayout(std::get<ComposedLayout>(slice), a.options());
  if (!plain.has_value()) return ValueOr(slice);
  return ToValue(plain->layout);
}

// Returns the part of `value` that the modes in the arguments from `begin` on
// name.
CalculatorValue TakeMode(Arguments& a, CalculatorValue value, size_t begin) {
  for (size_t i = begin; i < a.count(); ++i) {
    const int64_t mode = a.TakeInteger(i);
    const auto descend = [&](auto& from) {
      if (mode < 0 || mode >= from.rank()) {
        a.Fail(i,
               absl::StrCat("mode ", mode, " is outside [0, ", from.rank(),
                            "), the rank of ", Describe(value)),
               absl::StatusCode::kOutOfRange);
        return;
      }
      // Not in one step, because the assigned value is a part of the replaced
      // one.
      auto part = from.Mode(mode);
      from = std::move(part);
    };
    if (auto* tuple = std::get_if<IntTuple>(&value)) {
      descend(*tuple);
    } else if (auto* layout = std::get_if<Layout>(&value)) {
      descend(*layout);
    } else if (auto* tiler = std::get_if<Tiler>(&value)) {
      descend(*tiler);
    } else {
      break;
    }
  }
  return value;
}

CalculatorValue TakeMode(Arguments& a, size_t begin) {
  return TakeMode(a, a.value(0), begin);
}

// Calls `function` with argument 0, a layout or an int tuple.
template <typename Function>
ValueOr OfLayoutOrTuple(Arguments& a, const CalculatorValue& value,
                        const Function& function) {
  if (const auto* tuple = std::get_if<IntTuple>(&value)) {
    return ToValue(function(*tuple));
  }
  if (const auto* layout = std::get_if<Layout>(&value)) {
    return ToValue(function(*layout));
  }
  a.FailExpected(0, "a layout or an int tuple");
  return ToValue(false);
}

template <typename Function>
ValueOr OfLayoutOrTuple(Arguments& a, const Function& function) {
  return OfLayoutOrTuple(a, a.value(0), function);
}

IntTuple ShapeOf(const IntTuple& tuple) { return tuple; }
IntTuple ShapeOf(const Layout& layout) { return layout.shape(); }

// Takes argument i as a value of the same kind as `like`.
IntTuple TakeLike(Arguments& a, size_t i, const IntTuple&) {
  return a.TakeIntTuple(i);
}
Layout TakeLike(Arguments& a, size_t i, const Layout&) {
  return a.TakeLayout(i);
}

ValueOr StrideOf(Arguments& a) {
  const CalculatorValue value = TakeMode(a, 1);
  const auto* layout = std::get_if<Layout>(&value);
  if (layout == nullptr) {
    a.FailExpected(0, "a layout");
    return ToValue(false);
  }
  if (layout->has_basis()) {
    a.Fail(0, absl::StrCat("the strides of ", layout->ToString(),
                           " are multiples of basis elements, not integers"));
  }
  return ToValue(layout->stride());
}

using FillFunction = absl::StatusOr<Layout> (*)(const Layout&, int64_t,
                                                const Layout&);

// append<rank>(A[, mode]) and append(A, mode, rank): up to a rank.
ValueOr Fill(Arguments& a, FillFunction fill) {
  const size_t rank = a.count() - 1;
  return ToValue(fill(a.TakeLayout(0), a.TakeInteger(rank),
                      rank == 2 ? a.TakeLayout(1) : Layout()));
}

bool IsFill(const Arguments& a) {
  return a.count() == 3 || a.template_count() == 1;
}

ValueOr ReplaceMode(Arguments& a) {
  // replace<i>(A, mode).
  const size_t number = a.template_count() == 1 ? 2 : 1;
  return OfLayoutOrTuple(a, [&](const auto& value) {
    return Replace(value, a.TakeInteger(number),
                   TakeLike(a, 3 - number, value));
  });
}

ValueOr CoordinateToIndex(Arguments& a) {
  if (a.count() == 3) {
    return ToValue([&]() -> absl::StatusOr<int64_t> {
      TESSERA_ASSIGN_OR_RETURN(
          const Layout& layout,
          Layout::Create(a.TakeShape(1), a.TakeNumbers(2)));
      a.Blame(0);
      return Crd2Idx(a.TakeIntTuple(0), layout);
    }());
  }
  if (a.Is<IntTuple>(1)) {
    const IntTuple shape = a.TakeNumbers(1);
    TESSERA_ASSIGN_OR_RETURN(const Layout& layout, Layout::ColumnMajor(shape));
    a.Blame(0);
    NoteOutside(a, 0, a.TakeIntTuple(0), shape);
    return ToValue(Crd2Idx(a.TakeIntTuple(0), layout));
  }
  return Apply(a, 1, 0);
}

ValueOr IndexToCoordinate(Arguments& a) {
  if (a.count() == 2) {
    NoteOutside(a, 0, a.TakeIntTuple(0), a.TakeShape(1));
    return ToValue(Idx2Crd(a.TakeNumbers(0), a.TakeShape(1)));
  }
  TESSERA_ASSIGN_OR_RETURN(const Layout layout,
                           Layout::Create(a.TakeShape(1), a.TakeNumbers(2)));
  a.Blame(0);
  return ToValue(Idx2Crd(a.TakeInteger(0), layout));
}

ValueOr CosizeOf(Arguments& a) {
  CalculatorValue value = a.value(0);
  if (const auto* composed = std::get_if<ComposedLayout>(&value)) {
    const Layout inner = composed->layout();
    value = inner;
  } else {
    value = a.TakeLayout(0);
  }
  value = TakeMode(a, std::move(value), 1);
  const auto* layout = std::get_if<Layout>(&value);
  if (layout == nullptr) return ToValue(int64_t{1});
  // For coordinates, the size of the shape that contains them.
  TESSERA_ASSIGN_OR_RETURN(const IntTuple coshape, Coshape(*layout));
  return ToValue(Size(coshape));
}

ValueOr SliceOf(Arguments& a) {
  a.Blame(0);
  if (a.Is<Layout>(1) || a.Is<ComposedLayout>(1)) {
    NoteOutside(a, 0, a.TakeIntTuple(0), a.TakeShape(1));
  }
  if (a.Is<ComposedLayout>(1)) {
    return TakeSlice(a, std::get<ComposedLayout>(a.value(1)), 0);
  }
  if (a.Is<IntTuple>(1) && !a.bare_shape_is_column_major()) {
    return ToValue(Slice(a.TakeIntTuple(0), a.TakeIntTuple(1)));
  }
  return TakeSlice(a, a.TakeLayout(1), 0);
}

ValueOr DiceOf(Arguments& a) {
  a.Blame(0);
  if (a.Is<IntTuple>(1) && !a.bare_shape_is_column_major()) {
    return ToValue(Dice(a.TakeIntTuple(0), a.TakeIntTuple(1)));
  }
  return ToValue(Dice(a.TakeIntTuple(0), a.TakeLayout(1)));
}

ValueOr ProductEach(Arguments& a) {
  const IntTuple shape = a.TakeShape(0);
  if (shape.is_integer()) return ToValue(shape);
  std::vector<IntTuple> sizes;
  for (const IntTuple& mode : shape.Modes()) {
    TESSERA_ASSIGN_OR_RETURN(const int64_t size, Size(mode));
    sizes.emplace_back(size);
  }
  return ToValue(IntTuple::Tuple(sizes));
}

}  // namespace

void NoteOutside(Arguments& a, size_t i, const IntTuple& coordinate,
                 const IntTuple& shape, std::string_view what) {
  const absl::StatusOr<bool> is_within = IsWithin(coordinate, shape);
  if (!is_within.ok() || *is_within) return;
  a.Note(i, StrCat("the coordinate ", coordinate.ToString(), " is outside ",
                   what, " ", shape.ToString(),
                   ", past which the last mode of each part goes on"));
}

ValueOr Apply(Arguments& a, size_t function, size_t coordinate) {
  const IntTuple at = a.TakeIntTuple(coordinate);
  a.Blame(coordinate);
  const bool is_open = HasUnderscore(at);
  const auto* swizzle = std::get_if<Swizzle>(&a.value(function));
  const auto* after = std::get_if<LayoutAfterSwizzle>(&a.value(function));
  if (after != nullptr) swizzle = &after->swizzle();
  if (swizzle != nullptr) {
    const int64_t offset = a.TakeInteger(coordinate);
    if (offset < 0) {
      a.Fail(coordinate, absl::StrCat("the offset ", offset, " is negative"),
             absl::StatusCode::kOutOfRange);
      return ToValue(false);
    }
    const int64_t swizzled = (*swizzle)(offset);
    if (after == nullptr) return ToValue(swizzled);
    int64_t argument;
    if (__builtin_add_overflow(after->offset(), swizzled, &argument)) {
      return absl::OutOfRangeError("the value exceeds int64_t");
    }
    return ToValue(Crd2Idx(argument, after->layout()));
  }
  if (a.Is<ComposedLayout>(function)) {
    const auto& composed = std::get<ComposedLayout>(a.value(function));
    NoteOutside(a, coordinate, at, composed.layout().shape());
    return is_open ? TakeSlice(a, composed, coordinate)
                   : ToValue(ValueAt(at, composed));
  }
  if (a.Is<IntTuple>(function) && !a.bare_shape_is_column_major()) {
    a.FailExpected(function, "a layout or a swizzle before '('");
    return ToValue(false);
  }
  const Layout layout = a.TakeLayout(function);
  NoteOutside(a, coordinate, at, layout.shape());
  return is_open ? TakeSlice(a, layout, coordinate)
                 : ToValue(Evaluate(at, layout));
}

absl::Span<const CalculatorFunction> TupleFunctions() {
  constexpr size_t kAny = CalculatorFunction::kAnyNumber;
  static constexpr CalculatorFunction kFunctions[] = {
      {"size", "A[, mode, ...]", 1, kAny, true,
       [](Arguments& a) {
         return OfLayoutOrTuple(a, TakeMode(a, 1), [](const auto& value) {
           return Size(ShapeOf(value));
         });
       }},
      {"cosize", "A[, mode, ...]", 1, kAny, false, CosizeOf},
      {"coshape", "A", 1, 1, true,
       [](Arguments& a) { return ToValue(Coshape(a.TakeLayout(0))); }},
      {"rank", "A[, mode, ...]", 1, kAny, true,
       [](Arguments& a) {
         return OfLayoutOrTuple(a, TakeMode(a, 1),
                                [](const auto& value) { return value.rank(); });
       }},
      {"depth", "A[, mode, ...]", 1, kAny, true,
       [](Arguments& a) {
         return OfLayoutOrTuple(a, TakeMode(a, 1), [](const auto& value) {
           return value.depth();
         });
       }},
      {"shape", "A[, mode, ...]", 1, kAny, true,
       [](Arguments& a) {
         return OfLayoutOrTuple(a, TakeMode(a, 1), [](const auto& value) {
           return ShapeOf(value);
         });
       }},
      {"stride", "A[, mode, ...]", 1, kAny, true, StrideOf},
      {"layout", "A[, mode, ...]", 1, kAny, true,
       [](Arguments& a) {
         a.TakeLayout(0);
         return ValueOr(TakeMode(a, 1));
       }},
      {"get", "A, mode, ...", 2, kAny, true,
       [](Arguments& a) {
         if (!a.Is<Tiler>(0)) {
           OfLayoutOrTuple(a, [](const auto& value) {
             return value;
           }).IgnoreError();
         }
         return ValueOr(TakeMode(a, 1));
       }},
      {"flatten", "A", 1, 1, true,
       [](Arguments& a) {
         return OfLayoutOrTuple(
             a, [](const auto& value) { return Flatten(value); });
       }},
      {"unflatten", "A, profile", 2, 2, true,
       [](Arguments& a) {
         return OfLayoutOrTuple(a, [&](const auto& value) {
           return Unflatten(value, a.TakeIntTuple(1).profile());
         });
       }},
      {"group", "A, begin, end", 3, 3, true,
       [](Arguments& a) {
         return OfLayoutOrTuple(a, [&](const auto& value) {
           return Group(value, a.TakeInteger(1), a.TakeInteger(2));
         });
       }},
      {"group_modes", "A, begin, end", 3, 3, true,
       [](Arguments& a) {
         return OfLayoutOrTuple(a, [&](const auto& value) {
           return Group(value, a.TakeInteger(1), a.TakeInteger(2));
         });
       }},
      {"select", "A, mode, ...", 1, kAny, true,
       [](Arguments& a) {
         return OfLayoutOrTuple(a, [&](const auto& value) {
           return Select(value, a.TakeIntegers(1));
         });
       }},
      {"take", "A, begin, end", 3, 3, true,
       [](Arguments& a) {
         if (a.TakeInteger(1) == a.TakeInteger(2)) {
           a.Fail(1,
                  absl::StrCat("begin = ", a.TakeInteger(1),
                               " is not less than end = ", a.TakeInteger(2)));
         }
         return OfLayoutOrTuple(a, [&](const auto& value) {
           return Take(value, a.TakeInteger(1), a.TakeInteger(2));
         });
       }},
      {"append", "A, mode[, rank]", 2, 3, true,
       [](Arguments& a) {
         if (IsFill(a)) return Fill(a, AppendToRank);
         return OfLayoutOrTuple(a, [&](const auto& value) {
           return Append(value, TakeLike(a, 1, value));
         });
       }},
      {"prepend", "A, mode[, rank]", 2, 3, true,
       [](Arguments& a) {
         if (IsFill(a)) return Fill(a, PrependToRank);
         return OfLayoutOrTuple(a, [&](const auto& value) {
           return Prepend(value, TakeLike(a, 1, value));
         });
       }},
      {"replace", "A, number, mode", 3, 3, true, ReplaceMode},
      {"congruent", "A, B", 2, 2, false, OfShapes<Congruent>},
      {"weakly_congruent", "A, B", 2, 2, false, OfShapes<WeaklyCongruent>},
      {"compatible", "A, B", 2, 2, false, OfShapes<Compatible>},
      {"elem_less", "A, B", 2, 2, false, OfShapes<ElementwiseLess>},
      {"product", "shape", 1, 1, false,
       [](Arguments& a) { return ToValue(a.TakeSize(0)); }},
      {"product_each", "shape", 1, 1, false, ProductEach},
      {"crd2idx", "coordinate, A | shape[, stride]", 2, 3, false,
       CoordinateToIndex},
      {"idx2crd", "index | coordinate, shape[, stride]", 2, 3, false,
       IndexToCoordinate},
      {"crd2crd", "coordinate, from_shape, to_shape", 3, 3, false,
       [](Arguments& a) {
         return ToValue(
             Crd2Crd(a.TakeNumbers(0), a.TakeShape(1), a.TakeShape(2)));
       }},
      {"slice", "coordinate, A", 2, 2, false, SliceOf},
      {"slice_and_offset", "coordinate, A", 2, 2, false, SliceAndOffset},
      {"dice", "coordinate, A", 2, 2, false, DiceOf},
  };
  return kFunctions;
}

}  // namespace tessera::cute
