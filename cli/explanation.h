// File: cli/explanation.h
//
// The derivation of a linear index in the words of XLA's document on tiled
// layouts:
//
//   physical index (2,3) within (3,5)
//   tile (2,2): (2,3) div (2,2) = (1,1), (2,3) mod (2,2) = (0,1)
//   index (1,1,0,1) within (2,3,2,2)
//   linear_index((1,1,0,1), (2,3,2,2)) = ((1*3+1)*2+0)*2+1 = 17

#ifndef TESSERA_CLI_EXPLANATION_H_
#define TESSERA_CLI_EXPLANATION_H_

#include <string>
#include <vector>

#include "tessera/cli/json.h"
#include "tessera/index_util/derivation.h"

namespace tessera {

// One string a step.
std::vector<std::string> ExplainSteps(const Derivation& derivation);

Json DerivationToJson(const Derivation& derivation);

}  // namespace tessera

#endif  // TESSERA_CLI_EXPLANATION_H_
