#include "tessera/cute/composed_layout.h"

#include <ostream>
#include <variant>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/value_type.h"
#include "tessera/cute/internal/source_text.h"

namespace tessera::cute {

int64_t ComposedLayout::Apply(int64_t value) const {
  const int64_t argument = offset_ + value;
  return std::visit([&](const auto& outer) { return outer(argument); }, outer_);
}

std::string ComposedLayout::ToString(const TextForm& form) const {
  if (form.style != Style::kPrint) return SourceText(*this, form.style);
  return absl::StrCat(
      std::visit([&](const auto& outer) { return outer.ToString(form); },
                 outer_),
      " o ", IntTuple(offset_).ToString(form), " o ", layout_.ToString(form));
}

std::string LayoutAfterSwizzle::ToString(const TextForm& form) const {
  if (form.style != Style::kPrint) return SourceText(*this, form.style);
  return absl::StrCat(layout_.ToString(form), " o ",
                      IntTuple(offset_).ToString(form), " o ",
                      swizzle_.ToString(form));
}

absl::StatusOr<ComposedLayout> Composition(const ComposedLayout& a,
                                           const Tiler& tiler,
                                           const CompositionOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(Layout layout,
                           Composition(a.layout(), tiler, options));
  return ComposedLayout(a.outer(), a.offset(), std::move(layout));
}

}  // namespace tessera::cute

TESSERA_DEFINE_VALUE(tessera::cute, ComposedLayout)
TESSERA_DEFINE_VALUE(tessera::cute, LayoutAfterSwizzle)
