#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cute/algebra/collision.h"
#include "tessera/cute/algebra/filter.h"
#include "tessera/cute/algebra/ordered_layout.h"
#include "tessera/cute/calculator/calculator_function.h"
#include "tessera/cute/identity_layout.h"
#include "tessera/cute/swizzle.h"

namespace tessera::cute {
namespace {

using Arguments = CalculatorArguments;

// Returns an order of the leaves of a tuple: from the left, or from the right.
IntTuple OrderOf(const IntTuple& tuple, Major major) {
  IntTuple::Values order;
  for (size_t i = 0; i < tuple.values().size(); ++i) {
    order.push_back(major == Major::kLeft ? i : tuple.values().size() - i);
  }
  return IntTuple(tuple.profile(), std::move(order));
}

// Takes the order that argument i requests.
IntTuple TakeOrder(Arguments& a, size_t i, const IntTuple& tuple) {
  if (a.Is<Major>(i)) return OrderOf(tuple, std::get<Major>(a.value(i)));
  return a.TakeNumbers(i);
}

ValueOr StrideOf(const absl::StatusOr<Layout>& layout) {
  if (!layout.ok()) return layout.status();
  return ToValue(layout->stride());
}

ValueOr MakeLayout(Arguments& a) {
  if (a.Is<IntTuple>(0)) {
    const IntTuple shape = a.TakeNumbers(0);
    if (a.count() == 1) return ToValue(Layout::ColumnMajor(shape));
    if (a.count() > 2) {
      a.Fail(2, "make_layout takes a shape and a stride, or layouts");
    }
    if (a.Is<Major>(1)) {
      return ToValue(MakeOrderedLayout(shape, TakeOrder(a, 1, shape)));
    }
    if (!a.Is<IntTuple>(1) && !a.Is<BasisStride>(1)) {
      a.FailExpected(1, "a stride or LayoutRight");
    }
    return LayoutOfStride(a);
  }
  std::vector<Layout> modes;
  for (size_t i = 0; i < a.count(); ++i) modes.push_back(a.TakeLayout(i));
  return ToValue(Layout::Concatenate(modes));
}

// Returns the tuple of strides, some of which are multiples of basis elements.
ValueOr MakeBasisStride(Arguments& a) {
  std::vector<Layout> modes;
  for (size_t i = 0; i < a.count(); ++i) {
    if (const auto* stride = std::get_if<BasisStride>(&a.value(i))) {
      modes.push_back(stride->layout);
      continue;
    }
    const IntTuple stride = a.TakeNumbers(i);
    const IntTuple ones(stride.profile(),
                        IntTuple::Values(stride.values().size(), 1));
    TESSERA_ASSIGN_OR_RETURN(Layout mode, Layout::Create(ones, stride));
    modes.push_back(std::move(mode));
  }
  TESSERA_ASSIGN_OR_RETURN(Layout layout, Layout::Concatenate(modes));
  return ToValue(BasisStride{std::move(layout)});
}

ValueOr MakeTuple(Arguments& a) {
  for (size_t i = 0; i < a.count(); ++i) {
    if (a.Is<BasisStride>(i)) return MakeBasisStride(a);
  }
  std::vector<IntTuple> modes;
  for (size_t i = 0; i < a.count(); ++i) modes.push_back(a.TakeIntTuple(i));
  return ToValue(IntTuple::Tuple(modes));
}

ValueOr MakeTile(Arguments& a) {
  std::vector<Tiler> modes;
  for (size_t i = 0; i < a.count(); ++i) modes.push_back(a.TakeTiler(i));
  return ToValue(Tiler::Tuple(modes));
}

// Adds a note if equal orders or strides give several coordinates the same
// offset.
void NoteCollision(Arguments& a, size_t i, const Layout& layout) {
  const Layout moving = FilterZeros(layout);
  const auto collision = FindCollision(moving, a.options().max_evaluations);
  if (!collision.ok() || !collision->has_value()) return;
  a.Note(i, absl::StrCat(
                "the layout is not injective, as in C++: ", moving.ToString(),
                " is ", moving((*collision)->first), " at the coordinates ",
                (*collision)->first, " and ", (*collision)->second));
}

absl::StatusOr<Layout> TakeOrderedLayout(Arguments& a) {
  const IntTuple shape = a.TakeShape(0);
  const absl::StatusOr<Layout> layout =
      MakeOrderedLayout(shape, TakeOrder(a, 1, shape));
  if (layout.ok()) NoteCollision(a, 1, *layout);
  return layout;
}

ValueOr CompactMajor(Arguments& a, Major major) {
  const IntTuple shape = a.TakeShape(0);
  const IntTuple first = a.count() == 2 ? a.TakeNumbers(1) : IntTuple(1);
  if (!a.status().ok()) return a.status();
  return ToValue(major == Major::kLeft ? CompactColumnMajor(shape, first)
                                       : CompactRowMajor(shape, first));
}

// The modes of the repeated block are counted from the left.
ValueOr TileToShapeInOrder(Arguments& a) {
  const Layout block = a.TakeLayout(0);
  const IntTuple shape = a.TakeShape(1);
  if (a.count() == 2) return ToValue(TileToShape(block, shape));
  const IntTuple modes = IntTuple::Flat(std::vector<int64_t>(shape.rank(), 1));
  const absl::StatusOr<Layout> layout =
      TileToShape(block, shape, TakeOrder(a, 2, modes));
  if (layout.ok()) NoteCollision(a, 2, *layout);
  return ToValue(layout);
}

ValueOr MakeSwizzle(Arguments& a) {
  return ToValue(
      Swizzle::Create(a.TakeInteger(0), a.TakeInteger(1), a.TakeInteger(2)));
}

}  // namespace

ValueOr LayoutOfStride(Arguments& a) {
  const IntTuple shape = a.TakeNumbers(0);
  const auto* stride = std::get_if<BasisStride>(&a.value(1));
  if (stride == nullptr)
    return ToValue(Layout::Create(shape, a.TakeNumbers(1)));
  if (stride->layout.profile() != shape.profile()) {
    return InvalidArgumentError("the stride ", stride->ToString(),
                                " is not nested like the shape ",
                                shape.ToString());
  }
  Layout::Leaves leaves = stride->layout.leaves();
  for (size_t i = 0; i < leaves.size(); ++i) leaves[i].size = shape.values()[i];
  return ToValue(
      Layout::Builder(shape.profile().nodes(), std::move(leaves)).Build());
}

absl::Span<const CalculatorFunction> MakerFunctions() {
  constexpr size_t kAny = CalculatorFunction::kAnyNumber;
  static constexpr CalculatorFunction kFunctions[] = {
      {"Int", "n", 1, 1, false,
       [](Arguments& a) { return ToValue(a.TakeInteger(0)); }},
      {"Swizzle", "bits, base, shift", 3, 3, false, MakeSwizzle},
      {"make_swizzle", "bits, base, shift", 3, 3, false, MakeSwizzle},
      {"make_composed_layout", "outer, offset, A", 3, 3, false, Compose},
      {"make_layout", "shape[, stride]", 1, kAny, false, MakeLayout},
      {"make_ordered_layout", "shape, order", 2, 2, false,
       [](Arguments& a) { return ToValue(TakeOrderedLayout(a)); }},
      {"make_layout_like", "A", 1, 1, false,
       [](Arguments& a) {
         const absl::StatusOr<Layout> layout = MakeLayoutLike(a.TakeLayout(0));
         if (layout.ok()) NoteCollision(a, 0, *layout);
         return ToValue(layout);
       }},
      {"make_identity_layout", "shape", 1, 1, false,
       [](Arguments& a) {
         return ToValue(MakeIdentityLayout(a.TakeShape(0)));
       }},
      {"compact_col_major", "shape[, first]", 1, 2, false,
       [](Arguments& a) { return CompactMajor(a, Major::kLeft); }},
      {"compact_row_major", "shape[, first]", 1, 2, false,
       [](Arguments& a) { return CompactMajor(a, Major::kRight); }},
      {"compact_order", "shape, order", 2, 2, false,
       [](Arguments& a) { return StrideOf(TakeOrderedLayout(a)); }},
      {"tile_to_shape", "block, shape[, order]", 2, 3, true,
       TileToShapeInOrder},
      {"make_shape", "n, ...", 0, kAny, false, MakeTuple},
      {"make_stride", "n, ...", 0, kAny, false, MakeTuple},
      {"make_coord", "n, ...", 0, kAny, false, MakeTuple},
      {"make_step", "n, ...", 0, kAny, false, MakeTuple},
      {"make_tuple", "n, ...", 0, kAny, false, MakeTuple},
      {"make_tile", "tiler, ...", 0, kAny, false, MakeTile},
      {"make_tiler", "tiler, ...", 0, kAny, false, MakeTile},
  };
  return kFunctions;
}

}  // namespace tessera::cute
