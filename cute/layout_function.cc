#include "tessera/cute/layout_function.h"

namespace tessera::cute {

LayoutFunction::LayoutFunction(const Layout& layout) {
  const auto positions = ModePositions(layout.profile());
  for (int64_t i = 0; i < layout.rank(); ++i) {
    slopes_.push_back(AppendTerms(layout, positions[i].leaf,
                                  positions[i + 1].leaf, i, &terms_));
  }
  whole_slope_ =
      AppendTerms(layout, 0, layout.leaves().size(), 0, &whole_terms_);
}

uint64_t LayoutFunction::AppendTerms(const Layout& layout, size_t begin,
                                     size_t end, size_t mode, Terms* terms) {
  uint64_t slope = 0;
  uint64_t* coefficient = &slope;
  int64_t divisor = 1;
  for (size_t i = begin; i < end; ++i) {
    const Layout::Leaf& leaf = layout.leaves()[i];
    *coefficient += static_cast<uint64_t>(leaf.stride);
    if (i + 1 == end) break;
    // The amount that the remainder subtracts, and the next leaf partly adds
    // again.
    const uint64_t taken =
        static_cast<uint64_t>(leaf.size) * static_cast<uint64_t>(leaf.stride);
    if (leaf.size == 1) {
      *coefficient -= taken;
      continue;
    }
    divisor *= leaf.size;
    if (coefficient != &slope && *coefficient == 0) terms->pop_back();
    terms->push_back({FastDivider(divisor), -taken, mode});
    coefficient = &terms->back().coefficient;
  }
  if (coefficient != &slope && *coefficient == 0) terms->pop_back();
  return slope;
}

}  // namespace tessera::cute
