#include "tessera/cute/calculator/calculator_arguments.h"

#include <string_view>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::cute {
void CalculatorArguments::FailAt(size_t offset, std::string_view message,
                                 absl::StatusCode code) {
  if (status_.ok()) status_ = DiagnosticError(text_, offset, message, code);
}

void CalculatorArguments::Fail(size_t i, std::string_view message,
                               absl::StatusCode code) {
  FailAt(arguments_[i].offset, message, code);
}

void CalculatorArguments::Fail(std::string_view message) {
  FailAt(call_, message, absl::StatusCode::kInvalidArgument);
}

void CalculatorArguments::FailExpected(size_t i, std::string_view what) {
  Fail(i, StrCat("expected ", what, ", found ", Describe(value(i))));
}

void CalculatorArguments::Note(size_t i, std::string_view message) {
  constexpr size_t kMaxNotes = 64;
  if (notes_->size() == kMaxNotes) return;
  notes_->push_back(MakeDiagnostic(text_, arguments_[i].offset, message));
}

absl::Status CalculatorArguments::Refusal(const absl::Status& status) const {
  if (DiagnosticOf(status).has_value()) return status;
  return DiagnosticError(text_, blamed_, StdView(status.message()),
                         status.code());
}

bool CalculatorArguments::IsInteger(size_t i) const {
  const auto* tuple = std::get_if<IntTuple>(&value(i));
  return tuple != nullptr && tuple->is_integer() && !HasUnderscore(*tuple);
}

Layout CalculatorArguments::TakeLayout(size_t i) {
  if (const auto* layout = std::get_if<Layout>(&value(i))) return *layout;
  if (const auto* tiler = std::get_if<Tiler>(&value(i))) {
    if (!tiler->is_layout() && tiler->rank() == 1 &&
        tiler->Mode(0).is_layout()) {
      return tiler->Mode(0).layout();
    }
  }
  std::string hint;
  if (const auto* shape = std::get_if<IntTuple>(&value(i))) {
    const absl::StatusOr<Layout> column_major = Layout::ColumnMajor(*shape);
    if (column_major.ok()) {
      if (bare_shape_is_column_major_) return *column_major;
      hint = "; write make_layout(...) for the column-major layout";
    }
  }
  Fail(i, absl::StrCat("expected a layout, found ", Describe(value(i)), hint));
  return Layout();
}

Tiler CalculatorArguments::TakeTiler(size_t i) {
  if (const auto* layout = std::get_if<Layout>(&value(i))) return *layout;
  if (const auto* tiler = std::get_if<Tiler>(&value(i))) return *tiler;
  if (const auto* shape = std::get_if<IntTuple>(&value(i))) {
    absl::StatusOr<Tiler> tiler = Tiler::OfShape(*shape);
    if (tiler.ok()) return *std::move(tiler);
    Fail(i, StdView(tiler.status().message()));
  }
  FailExpected(i, "a layout, a tiler or a shape");
  return Tiler();
}

IntTuple CalculatorArguments::TakeIntTuple(size_t i) {
  if (const auto* tuple = std::get_if<IntTuple>(&value(i))) return *tuple;
  FailExpected(i, "an int tuple");
  return IntTuple(1);
}

IntTuple CalculatorArguments::TakeNumbers(size_t i) {
  const auto* tuple = std::get_if<IntTuple>(&value(i));
  if (tuple != nullptr && !HasUnderscore(*tuple)) return *tuple;
  FailExpected(i, "an int tuple of numbers");
  return IntTuple(1);
}

IntTuple CalculatorArguments::TakeShape(size_t i) {
  if (const auto* layout = std::get_if<Layout>(&value(i))) {
    return layout->shape();
  }
  if (const auto* composed = std::get_if<ComposedLayout>(&value(i))) {
    return composed->layout().shape();
  }
  const auto* tuple = std::get_if<IntTuple>(&value(i));
  if (tuple != nullptr && !HasUnderscore(*tuple)) return *tuple;
  FailExpected(i, "a shape or a layout");
  return IntTuple(1);
}

int64_t CalculatorArguments::TakeInteger(size_t i) {
  if (IsInteger(i)) return std::get<IntTuple>(value(i)).value();
  FailExpected(i, "an integer");
  return 1;
}

int64_t CalculatorArguments::TakeBits(size_t i) {
  const auto* type = std::get_if<ElementType>(&value(i));
  return type == nullptr ? TakeInteger(i) : type->bits;
}

int64_t CalculatorArguments::TakeSize(size_t i) {
  const absl::StatusOr<int64_t> size = Size(TakeShape(i));
  if (size.ok()) return *size;
  Fail(i, StdView(size.status().message()), size.status().code());
  return 1;
}

std::vector<int64_t> CalculatorArguments::TakeIntegers(size_t begin) {
  std::vector<int64_t> integers;
  for (size_t i = begin; i < count(); ++i) integers.push_back(TakeInteger(i));
  return integers;
}

}  // namespace tessera::cute
