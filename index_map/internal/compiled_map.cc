#include "tessera/index_map/internal/compiled_map.h"

#include <memory>

#include "tessera/index_map/internal/gather_bits.h"
#include "tessera/index_map/internal/programs.h"

namespace tessera::index_map_internal {
namespace {

bool ProcessorGathersBits() {
  static const bool can_gather_bits = CanGatherBits();
  return can_gather_bits;
}

// Sets `function` to `program`, unless another thread was faster. Returns the
// program that is then set.
template <typename Program, typename Function>
const Program& Publish(std::unique_ptr<const Program> program,
                       const Function* to_compile,
                       std::atomic<const Function*>* function) {
  const Function* current = to_compile;
  if (function->compare_exchange_strong(current, program.get(),
                                        std::memory_order_acq_rel)) {
    return *program.release();
  }
  return static_cast<const Program&>(*current);
}

int64_t CompileAndCall(const ForwardFunction&, const CompiledMap& map,
                       const int64_t* index) {
  const ForwardProgram& program =
      Publish(MakeForwardProgram(map, ProcessorGathersBits()),
              &kForwardToCompile, &map.forward);
  return program.run(program, map, index);
}

PositionKind CompileAndCallInverse(const InverseFunction&,
                                   const CompiledMap& map, int64_t linear_index,
                                   int64_t* index) {
  const InverseProgram& program = InverseProgramOf(map);
  return program.run(program, map, linear_index, index);
}

}  // namespace

const ForwardFunction kForwardToCompile = {CompileAndCall};
const InverseFunction kInverseToCompile = {CompileAndCallInverse};

const InverseProgram& InverseProgramOf(const CompiledMap& map) {
  const InverseFunction* const known =
      map.inverse.load(std::memory_order_acquire);
  if (known != &kInverseToCompile) {
    return static_cast<const InverseProgram&>(*known);
  }
  return Publish(MakeInverseProgram(map, ProcessorGathersBits()),
                 &kInverseToCompile, &map.inverse);
}

CompiledMap::~CompiledMap() {
  const ForwardFunction* const f = forward.load(std::memory_order_relaxed);
  if (f != &kForwardToCompile) delete static_cast<const ForwardProgram*>(f);
  const InverseFunction* const g = inverse.load(std::memory_order_relaxed);
  if (g != &kInverseToCompile) delete static_cast<const InverseProgram*>(g);
}

}  // namespace tessera::index_map_internal
