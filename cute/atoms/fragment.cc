#include "tessera/cute/atoms/fragment.h"

#include <algorithm>

namespace tessera::cute {
namespace {

Layout::Leaves MovingLeaves(std::initializer_list<FragmentMode> modes) {
  Layout::Leaves moving;
  for (const FragmentMode& mode : modes) {
    if (mode.size != 1) moving.push_back({mode.size, mode.stride, Basis()});
  }
  return moving;
}

}  // namespace

Layout ThreadValue(std::initializer_list<FragmentMode> threads,
                   std::initializer_list<FragmentMode> values) {
  Layout::Builder builder;
  builder.Tuple(2);
  builder.AppendFlat(MovingLeaves(threads));
  builder.AppendFlat(MovingLeaves(values));
  // The sizes of the table are small.
  return *std::move(builder).Build();
}

Layout Fragment(int64_t rows, int64_t columns, int64_t per_register) {
  const int64_t group = 4 * per_register;
  return ThreadValue({{4, per_register * rows}, {8, 1}, {(rows + 15) / 16, 16}},
                     {{per_register, rows},
                      {std::min<int64_t>(rows / 8, 2), 8},
                      {columns / group, group * rows}});
}

Layout SharedTile(int64_t rows, int64_t columns, int64_t threads,
                  int64_t ctas) {
  return ThreadValue({{threads, 0}, {ctas, rows / ctas}},
                     {{rows / ctas, 1}, {columns, rows}});
}

}  // namespace tessera::cute
