// How slow can a damaged dump make the reader?
//
//   PrintSlowestMutation();
//   // slowest of 20000 mutations of 11 dumps: 1.8 times the clean parse, at
//   // most 20 (while.hlo, number 1234)

#ifndef TESSERA_TESTS_BENCH_MUTATIONS_H_
#define TESSERA_TESTS_BENCH_MUTATIONS_H_

namespace tessera {

// Damages real dumps at random, parses each, and prints by how much the slowest
// took longer than the clean dump that it was made from.
void PrintSlowestMutation();

}  // namespace tessera

#endif  // TESSERA_TESTS_BENCH_MUTATIONS_H_
