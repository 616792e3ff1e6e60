// Runs a task that may run out of memory. If it does, only this request is
// refused, and all others are answered.
//
//   absl::Status status =
//       RunWithinMemory([&] { answer = service.Answer(request); });
//   // RESOURCE_EXHAUSTED: there is not enough memory

#ifndef TESSERA_SERVICE_WITHIN_MEMORY_H_
#define TESSERA_SERVICE_WITHIN_MEMORY_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace tessera {

// Runs `task`. Errors: kResourceExhausted if it runs out of memory. The effects
// that it had until then remain.
absl::Status RunWithinMemory(absl::FunctionRef<void()> task);

}  // namespace tessera

#endif  // TESSERA_SERVICE_WITHIN_MEMORY_H_
