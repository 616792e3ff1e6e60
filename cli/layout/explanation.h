// Explains why an element lies where it does, in the words of XLA's document on
// tiled layouts:
//
//   physical index (2,3) within (3,5)
//   tile (2,2): (2,3) div (2,2) = (1,1), (2,3) mod (2,2) = (0,1)
//   index (1,1,0,1) within (2,3,2,2)
//   linear_index((1,1,0,1), (2,3,2,2)) = ((1*3+1)*2+0)*2+1 = 17
//
// or, for other families and other units than elements, as a sum:
//
//   (i0 mod 2) * 24 = 1 * 24 = 24
//   (i1 mod 3) * 8 = 2 * 8 = 16
//   (i0 div 2 mod 2) * 2 = 1 * 2 = 2
//   linear_index = 24+16+2 = 42

#ifndef TESSERA_CLI_LAYOUT_EXPLANATION_H_
#define TESSERA_CLI_LAYOUT_EXPLANATION_H_

#include <string>
#include <vector>

#include "proto/layout_questions.pb.h"

namespace tessera::cli {

// Returns one string for each step.
std::vector<std::string> ExplainSteps(const ExplainResult& result);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_EXPLANATION_H_
