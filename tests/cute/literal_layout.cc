#include "tessera/tests/cute/literal_layout.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::cute {
namespace {

// Takes a tuple from the front of `text`.
std::optional<LiteralTuple> TakeTuple(std::string_view* text) {
  LiteralTuple tuple;
  if (text->empty() || text->front() != '(') {
    const std::string_view digits =
        text->substr(0, text->find_first_of("(),:"));
    text->remove_prefix(digits.size());
    if (!absl::SimpleAtoi(AbslView(digits), &tuple.value)) return std::nullopt;
    return tuple;
  }
  tuple.is_leaf = false;
  do {
    text->remove_prefix(1);  // `(` or `,`
    std::optional<LiteralTuple> mode = TakeTuple(text);
    if (!mode) return std::nullopt;
    tuple.modes.push_back(*std::move(mode));
  } while (!text->empty() && text->front() == ',');
  if (text->empty() || text->front() != ')') return std::nullopt;
  text->remove_prefix(1);
  return tuple;
}

std::optional<LiteralLayout> Zip(const LiteralTuple& shape,
                                 const LiteralTuple& stride) {
  if (shape.is_leaf != stride.is_leaf ||
      shape.modes.size() != stride.modes.size()) {
    return std::nullopt;
  }
  if (shape.is_leaf) {
    if (shape.value < 1) return std::nullopt;
    return LiteralLayout::Leaf(shape.value, stride.value);
  }
  std::vector<LiteralLayout> modes;
  for (size_t i = 0; i < shape.modes.size(); ++i) {
    std::optional<LiteralLayout> mode = Zip(shape.modes[i], stride.modes[i]);
    if (!mode) return std::nullopt;
    modes.push_back(*std::move(mode));
  }
  return LiteralLayout::Tuple(std::move(modes));
}

// `layout` with its leaves, from left to right, replaced by what begins at
// *next.
LiteralLayout WithLeaves(const LiteralLayout& layout,
                         std::vector<LiteralLayout>::const_iterator* next) {
  if (layout.is_leaf) return *(*next)++;
  std::vector<LiteralLayout> modes;
  for (const LiteralLayout& mode : layout.modes) {
    modes.push_back(WithLeaves(mode, next));
  }
  return LiteralLayout::Tuple(std::move(modes));
}

}  // namespace

int64_t LiteralTuple::Product() const {
  if (is_leaf) return value;
  int64_t product = 1;
  for (const LiteralTuple& mode : modes) product *= mode.Product();
  return product;
}

std::string LiteralTuple::ToString() const {
  if (is_leaf) return absl::StrCat(value);
  return absl::StrCat("(",
                      absl::StrJoin(modes, ",",
                                    [](std::string* out, const auto& mode) {
                                      out->append(mode.ToString());
                                    }),
                      ")");
}

LiteralLayout LiteralLayout::Leaf(int64_t shape, int64_t stride) {
  LiteralLayout layout;
  layout.shape = shape;
  layout.stride = stride;
  return layout;
}

LiteralLayout LiteralLayout::Tuple(std::vector<LiteralLayout> modes) {
  LiteralLayout layout;
  layout.is_leaf = false;
  layout.modes = std::move(modes);
  return layout;
}

int64_t LiteralLayout::Size() const {
  if (is_leaf) return shape;
  int64_t size = 1;
  for (const LiteralLayout& mode : modes) size *= mode.Size();
  return size;
}

LiteralTuple LiteralLayout::Shape() const {
  LiteralTuple tuple;
  tuple.is_leaf = is_leaf;
  if (is_leaf) tuple.value = shape;
  for (const LiteralLayout& mode : modes) tuple.modes.push_back(mode.Shape());
  return tuple;
}

LiteralTuple LiteralLayout::Stride() const {
  LiteralTuple tuple;
  tuple.is_leaf = is_leaf;
  if (is_leaf) tuple.value = stride;
  for (const LiteralLayout& mode : modes) tuple.modes.push_back(mode.Stride());
  return tuple;
}

std::string LiteralLayout::ToString() const {
  return absl::StrCat(Shape().ToString(), ":", Stride().ToString());
}

std::vector<LiteralLayout> LiteralLayout::Leaves() const {
  if (is_leaf) return {*this};
  std::vector<LiteralLayout> leaves;
  for (const LiteralLayout& mode : modes) {
    for (LiteralLayout& leaf : mode.Leaves()) leaves.push_back(std::move(leaf));
  }
  return leaves;
}

int64_t LiteralLayout::Evaluate(int64_t index) const {
  if (is_leaf) return index * stride;
  int64_t sum = 0;
  for (size_t i = 0; i + 1 < modes.size(); ++i) {
    sum += modes[i].Evaluate(index % modes[i].Size());
    index /= modes[i].Size();
  }
  return sum + modes.back().Evaluate(index);
}

int64_t LiteralLayout::Evaluate(const LiteralTuple& coordinate) const {
  if (coordinate.is_leaf) return Evaluate(coordinate.value);
  int64_t sum = 0;
  for (size_t i = 0; i < modes.size(); ++i) {
    sum += modes[i].Evaluate(coordinate.modes[i]);
  }
  return sum;
}

std::vector<int64_t> LiteralLayout::Values() const {
  std::vector<int64_t> values(Size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = Evaluate(i);
  return values;
}

std::optional<LiteralTuple> ParseLiteralTuple(std::string_view text) {
  std::optional<LiteralTuple> tuple = TakeTuple(&text);
  if (!text.empty()) return std::nullopt;
  return tuple;
}

std::optional<LiteralLayout> ParseLiteralLayout(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto shape = ParseLiteralTuple(text.substr(0, colon));
  const auto stride = ParseLiteralTuple(text.substr(colon + 1));
  if (!shape || !stride) return std::nullopt;
  return Zip(*shape, *stride);
}

bool Compatible(const LiteralTuple& a, const LiteralTuple& b) {
  if (a.is_leaf) return a.value == b.Product();
  if (b.is_leaf || a.modes.size() != b.modes.size()) return false;
  for (size_t i = 0; i < a.modes.size(); ++i) {
    if (!Compatible(a.modes[i], b.modes[i])) return false;
  }
  return true;
}

// A layout with these values, its size-1 modes dropped and modes that continue
// one another merged, has a first mode that goes on exactly as long as the
// values are multiples of values[1]: the second mode's stride breaks the row.
// So the first mode is forced, and by the same argument each later one is.
std::optional<LiteralLayout> LayoutOfValues(
    const std::vector<int64_t>& values) {
  std::vector<LiteralLayout> modes;
  std::vector<int64_t> g = values;
  while (g.size() > 1) {
    const size_t size = g.size();
    size_t run = 1;
    while (run < size && g[run] == static_cast<int64_t>(run) * g[1]) ++run;
    modes.push_back(LiteralLayout::Leaf(run, g[1]));
    if (size % run != 0) return std::nullopt;
    std::vector<int64_t> rest;
    for (size_t x = 0; x < size; ++x) {
      if (x % run == 0) rest.push_back(g[x]);
      if (g[x] != g[x % run] + rest.back()) return std::nullopt;
    }
    g = std::move(rest);
  }
  if (modes.empty()) return LiteralLayout::Leaf(1, 0);
  if (modes.size() == 1) return modes[0];
  return LiteralLayout::Tuple(std::move(modes));
}

// A layout compatible with `b` is a sum of one layout for each leaf of `b`, and
// those are found by keeping all other coordinates at 0.
std::optional<LiteralLayout> LiteralComposition(const LiteralLayout& a,
                                                const LiteralLayout& b) {
  std::vector<LiteralLayout> parts;
  for (const LiteralLayout& leaf : b.Leaves()) {
    std::vector<int64_t> values;
    for (int64_t x = 0; x < leaf.shape; ++x) {
      values.push_back(a.Evaluate(x * leaf.stride));
    }
    std::optional<LiteralLayout> part = LayoutOfValues(values);
    if (!part) return std::nullopt;
    parts.push_back(*std::move(part));
  }
  auto next = parts.cbegin();
  const LiteralLayout composition = WithLeaves(b, &next);
  for (int64_t i = 0; i < b.Size(); ++i) {
    if (composition.Evaluate(i) != a.Evaluate(b.Evaluate(i))) {
      return std::nullopt;
    }
  }
  return composition;
}

bool LayoutExists(const LiteralLayout& a, const LiteralLayout& b) {
  return LiteralComposition(a, b).has_value();
}

}  // namespace tessera::cute
