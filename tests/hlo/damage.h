// What can happen to a dump on its way: bytes changed, cut out and put in,
// tokens swapped, the end cut off.
//
//   std::mt19937 random(1);
//   std::string text = ReadDump("while.hlo");
//   DamageHlo(&random, &text);

#ifndef TESSERA_TESTS_HLO_DAMAGE_H_
#define TESSERA_TESTS_HLO_DAMAGE_H_

#include <random>
#include <string>

namespace tessera {

// Does one to eight things to `*text`, to bytes that matter above all.
void DamageHlo(std::mt19937* random, std::string* text);

}  // namespace tessera

#endif  // TESSERA_TESTS_HLO_DAMAGE_H_
