// How much memory does a module take beside its text?
//
//   PrintModuleMemory();
//   // a module takes 0.6 bytes for each byte of text beside it, at most 1.5

#ifndef TESSERA_TESTS_BENCH_MODULE_MEMORY_H_
#define TESSERA_TESTS_BENCH_MODULE_MEMORY_H_

namespace tessera {

// Parses dumps of some megabytes and prints how much more malloc has handed out
// when the module is there.
void PrintModuleMemory();

}  // namespace tessera

#endif  // TESSERA_TESTS_BENCH_MODULE_MEMORY_H_
