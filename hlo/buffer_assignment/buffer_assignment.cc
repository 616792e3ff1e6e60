#include "tessera/hlo/buffer_assignment/buffer_assignment.h"

#include <string_view>

namespace tessera {

std::string_view AllocationKindName(BufferAssignment::Kind kind) {
  switch (kind) {
    case BufferAssignment::Kind::kThreadLocal:
      return "thread-local";
    case BufferAssignment::Kind::kParameter:
      return "parameter";
    case BufferAssignment::Kind::kConstant:
      return "constant";
    case BufferAssignment::Kind::kOutput:
      return "output";
    case BufferAssignment::Kind::kTemporary:
      return "temporary";
  }
  return "";
}

}  // namespace tessera
