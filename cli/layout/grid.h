// A table of values with numbered rows and columns, as CuTe's print_layout
// draws one.
//
//   GridToText({"0", "1", "2", "10"}, 2);
//
//   //       0    1
//   //    +----+----+
//   //  0 |  0 |  2 |
//   //    +----+----+
//   //  1 |  1 | 10 |
//   //    +----+----+

#ifndef TESSERA_CLI_LAYOUT_GRID_H_
#define TESSERA_CLI_LAYOUT_GRID_H_

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::cli {

// `cells` are given column by column. Precondition: rows >= 1, and rows divides
// the number of cells.
std::string GridToText(const std::vector<std::string>& cells, size_t rows);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_GRID_H_
