// Makes panels of the operands and the results of the operations in an
// expression.
//
//   const std::vector<ThreadPanel> panels =
//       *OperationPanelsOf("logical_divide((4,2,3):(2,1,8), 4:2)");
//   panels.size();          // 3: A, B, and the result
//   panels[2].is_result;    // true
//   // The offset 8 is in the fourth column of the result, and in the third of
//   // A: both cells have the same colour.
//   panels[0].colors[8] == panels[2].colors[4 * 2];    // true
//
// The expressions are those of cute/calculator/calculator.h.

#ifndef TESSERA_VIZ_OPERATION_PANELS_H_
#define TESSERA_VIZ_OPERATION_PANELS_H_

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/viz/thread_picture.h"

namespace tessera {

// Returns a row of panels for each call of a function from layouts to a layout:
// its layouts, as A and B, and then the result. In the result of a divide or
// product by mode, each tile or block has its own colour; in other results,
// each column does. Cells of A have the colour of the cell of the result with
// the same number. Cells of B have the colour of the elements that they select
// in A, or of the repetition that they place. Errors: those of the calculator;
// kInvalidArgument if nothing in the expression is such a call;
// kResourceExhausted past kMaxPictureCells cells in all.
absl::StatusOr<std::vector<ThreadPanel>> OperationPanelsOf(
    std::string_view expression);

}  // namespace tessera

#endif  // TESSERA_VIZ_OPERATION_PANELS_H_
