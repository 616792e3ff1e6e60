#include "tessera/cute/internal/exact_layout.h"

namespace tessera::cute {

ExactLayout FindExactLayout(int64_t size,
                            absl::FunctionRef<int64_t(int64_t)> values) {
  ExactLayout result;
  int64_t rest = size;
  int64_t scale = 1;
  while (rest > 1) {
    const int64_t stride = values(scale);
    int64_t run = 2;
    int64_t expected = stride;
    while (run < rest &&
           values(scale * run) == (expected = static_cast<int64_t>(
                                       static_cast<uint64_t>(run) * stride))) {
      ++run;
    }
    if (rest % run != 0) {
      result.witness = scale * run;
      result.value = values(result.witness);
      result.expected = expected;
      result.run = run;
      result.rest = rest;
      return result;
    }
    result.modes.push_back({run, stride, Basis()});
    scale *= run;
    rest /= run;
  }
  // The modes are correct if all digits but one are zero. Checks the other
  // coordinates in order, which avoids divisions.
  absl::InlinedVector<int64_t, 8> digits(result.modes.size(), 0);
  uint64_t expected = 0;
  for (int64_t i = 1; i < size; ++i) {
    for (size_t k = 0;; ++k) {
      const Layout::Leaf& mode = result.modes[k];
      expected += mode.stride;
      if (++digits[k] < mode.size) break;
      expected -= static_cast<uint64_t>(mode.size) * mode.stride;
      digits[k] = 0;
    }
    const int64_t value = values(i);
    if (value != static_cast<int64_t>(expected)) {
      result.witness = i;
      result.value = value;
      result.expected = static_cast<int64_t>(expected);
      return result;
    }
  }
  return result;
}

}  // namespace tessera::cute
