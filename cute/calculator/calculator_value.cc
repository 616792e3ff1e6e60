#include "tessera/cute/calculator/calculator_value.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::cute {
namespace {

struct Printer {
  const TextForm& form;

  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(Major value) const {
    return value == Major::kLeft ? "LayoutLeft" : "LayoutRight";
  }
  template <typename T>
  std::string operator()(const T& value) const {
    return value.ToString(form);
  }
};

struct KindName {
  std::string_view operator()(const IntTuple& value) const {
    if (!value.is_integer()) return "the int tuple";
    // `_` does not need a further name.
    return value.value() == IntTuple::kUnderscore ? "" : "the integer";
  }
  std::string_view operator()(const Layout&) const { return "the layout"; }
  std::string_view operator()(const Tiler&) const { return "the tiler"; }
  std::string_view operator()(const Swizzle&) const { return "the swizzle"; }
  std::string_view operator()(const ComposedLayout&) const {
    return "the composed layout";
  }
  std::string_view operator()(const LayoutAfterSwizzle&) const {
    return "the layout after a swizzle";
  }
  std::string_view operator()(Major) const { return "the order"; }
  std::string_view operator()(bool) const { return "the truth"; }
  std::string_view operator()(const Pointer&) const { return "the pointer"; }
  std::string_view operator()(const Report&) const { return "the report"; }
  std::string_view operator()(const Atom&) const { return "the atom"; }
  std::string_view operator()(const BasisStride&) const { return "the stride"; }
  std::string_view operator()(const ElementType&) const { return "the type"; }
};

struct NodeCounter {
  size_t operator()(const IntTuple& value) const {
    return value.profile().nodes().size();
  }
  size_t operator()(const Layout& value) const {
    return value.profile().nodes().size();
  }
  size_t operator()(const Tiler& value) const {
    return value.profile().nodes().size();
  }
  size_t operator()(const ComposedLayout& value) const {
    const auto* outer = std::get_if<Layout>(&value.outer());
    return (*this)(value.layout()) + (outer == nullptr ? 1 : (*this)(*outer));
  }
  size_t operator()(const LayoutAfterSwizzle& value) const {
    return (*this)(value.layout()) + 1;
  }
  size_t operator()(const BasisStride& value) const {
    return (*this)(value.layout);
  }
  size_t operator()(const ElementType&) const { return 1; }
  size_t operator()(const Swizzle&) const { return 1; }
  size_t operator()(Major) const { return 1; }
  size_t operator()(const Pointer& value) const {
    return value.coordinates.has_value() ? (*this)(*value.coordinates) : 1;
  }
  size_t operator()(bool) const { return 1; }
  // The number of characters that take as much memory as a node.
  size_t operator()(const Report& value) const {
    return 1 + value.text.size() / 32;
  }
  size_t operator()(const Atom& value) const {
    size_t count = (*this)(value.threads);
    for (const AtomPart& part : value.parts) count += (*this)(part.layout);
    return count;
  }
};

}  // namespace

std::string ToString(const CalculatorValue& value, const TextForm& form) {
  return std::visit(Printer{form}, value);
}

std::string Describe(const CalculatorValue& value) {
  constexpr size_t kLongest = 80;
  const auto* atom = std::get_if<Atom>(&value);
  std::string text = atom == nullptr ? ToString(value) : atom->name;
  if (text.size() > kLongest) {
    text = absl::StrCat(text.substr(0, kLongest - 3), "...");
  }
  const std::string_view kind = std::visit(KindName(), value);
  return kind.empty() ? text : StrCat(kind, " ", text);
}

bool HasUnderscore(const IntTuple& tuple) {
  const absl::Span<const int64_t> values = tuple.values();
  return std::find(values.begin(), values.end(), IntTuple::kUnderscore) !=
         values.end();
}

size_t NodeCount(const CalculatorValue& value) {
  return std::visit(NodeCounter(), value);
}

}  // namespace tessera::cute
