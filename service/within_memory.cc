#include "tessera/service/within_memory.h"

#include <new>

namespace tessera {

absl::Status RunWithinMemory(absl::FunctionRef<void()> task) {
  try {
    task();
    return absl::OkStatus();
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError("there is not enough memory");
  }
}

}  // namespace tessera
