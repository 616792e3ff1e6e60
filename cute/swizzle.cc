#include "tessera/cute/swizzle.h"

#include <ostream>
#include <string_view>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/value_type.h"
#include "tessera/cute/internal/source_text.h"

namespace tessera::cute {

absl::StatusOr<Swizzle> Swizzle::Create(int64_t bits, int64_t base,
                                        int64_t shift) {
  constexpr int64_t kBits = 63;
  const auto refuse = [&](std::string_view rule) {
    return InvalidArgumentError("Sw<", bits, ",", base, ",", shift,
                                ">: ", rule);
  };
  if (bits < 0 || base < 0) {
    return refuse("the number of bits and the base are at least 0");
  }
  if (bits > kBits || base > kBits || shift > kBits || shift < -kBits ||
      bits + base + (shift < 0 ? -shift : shift) > kBits) {
    return refuse("a field of bits reaches past bit 62");
  }
  if ((shift < 0 ? -shift : shift) < bits) {
    return refuse("the fields overlap: the shift is less than the bits");
  }
  Swizzle result;
  result.bits_ = static_cast<int>(bits);
  result.base_ = static_cast<int>(base);
  result.shift_ = static_cast<int>(shift);
  return result;
}

std::string Swizzle::ToString(const TextForm& form) const {
  if (form.style != Style::kPrint) return SourceText(*this, form.style);
  return absl::StrCat(form.dialect == Dialect::kIr ? "S<" : "Sw<", bits_, ",",
                      base_, ",", shift_, ">");
}

}  // namespace tessera::cute

TESSERA_DEFINE_VALUE(tessera::cute, Swizzle)
