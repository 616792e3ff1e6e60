// File: hlo/memory/assignment/backend_guess.h
//
// By the rules of which backend of XLA were the buffers of a module assigned?
//
//   BufferAssigner::Options options = GuessOptions(module);

#ifndef TESSERA_HLO_MEMORY_ASSIGNMENT_BACKEND_GUESS_H_
#define TESSERA_HLO_MEMORY_ASSIGNMENT_BACKEND_GUESS_H_

#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/assignment/buffer_assigner.h"

namespace tessera {
namespace hlo_internal {

// Guesses from what a backend leaves in a module: backend configs, custom calls
// and the names that it gives to fusions.
BufferAssigner::Options GuessOptions(HloModule module);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_ASSIGNMENT_BACKEND_GUESS_H_
