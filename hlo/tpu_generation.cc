#include "tessera/hlo/tpu_generation.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/numbers.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace {

struct GenerationRow {
  TpuGeneration generation;
  std::string_view name;
  TpuMemory memory;
};

constexpr int64_t kMiB = int64_t{1} << 20;

// In the order of the enumerators.
constexpr GenerationRow kGenerations[] = {
    {TpuGeneration::kUnknown, "", {}},
    {TpuGeneration::kV4, "v4", {512, 67'108'864, 16 * kMiB, 16 * kMiB}},
    {TpuGeneration::kV5e, "v5e", {512, 117'440'512, 128 * kMiB, 16 * kMiB}},
    {TpuGeneration::kV5p, "v5p", {32, 50'266'112, 64 * kMiB, 16 * kMiB}},
    {TpuGeneration::kV6e, "v6e", {32, 100'597'760, 128 * kMiB, 32 * kMiB}},
    {TpuGeneration::kV7x, "v7x", {32, 33'488'896, 64 * kMiB, 32 * kMiB}},
};

const GenerationRow& RowOf(TpuGeneration generation) {
  return kGenerations[static_cast<size_t>(generation)];
}

bool HasArrayInCmem(const Shape& shape) {
  constexpr int64_t kCmem = 3;
  bool has_array = false;
  ForEachLeafShape(shape, [&](const Shape& leaf, ShapeIndexView) {
    has_array |= leaf.IsArray() && leaf.has_layout() &&
                 leaf.layout().memory_space() == kCmem;
  });
  return has_array;
}

}  // namespace

std::string_view TpuGenerationName(TpuGeneration generation) {
  return RowOf(generation).name;
}

TpuGeneration TpuGenerationOfName(std::string_view name) {
  for (const GenerationRow& row : kGenerations) {
    if (row.name == name) return row.generation;
  }
  return TpuGeneration::kUnknown;
}

TpuGeneration TpuGenerationOfArguments(std::string_view text) {
  if (StrContains(text, "TPU_VERSION_PUFFERFISH")) return TpuGeneration::kV4;
  if (StrContains(text, "TPU_VERSION_VIPERFISH")) {
    return StrContains(text, "variant: \"lite\"") ? TpuGeneration::kV5e
                                                  : TpuGeneration::kV5p;
  }
  if (StrContains(text, "TPU_VERSION_GHOSTLITE")) return TpuGeneration::kV6e;
  if (StrContains(text, "TPU_VERSION_6acc60406")) return TpuGeneration::kV7x;
  return TpuGeneration::kUnknown;
}

TpuGeneration GuessTpuGeneration(HloModule module) {
  absl::flat_hash_set<int64_t> shapes;
  for (const HloComputation computation : module.computations()) {
    for (const HloInstruction instruction : computation.instructions()) {
      if (instruction.has_shape() &&
          shapes.insert(instruction.shape_index()).second &&
          HasArrayInCmem(*instruction.shape())) {
        return TpuGeneration::kV4;
      }
    }
  }
  return TpuGeneration::kUnknown;
}

TpuMemory TpuMemoryOf(TpuGeneration generation) {
  return RowOf(generation).memory;
}

std::optional<int64_t> ScopedVmemLimitOfOptions(std::string_view text) {
  constexpr std::string_view kOption = "xla_tpu_scoped_vmem_limit_kib:";
  constexpr int64_t kKiB = 1024;
  constexpr int64_t kMostKiB = int64_t{1} << 40;
  for (const std::string_view line : SplitViews(text, '\n')) {
    std::string_view value = line;
    int64_t kib = 0;
    if (!ConsumePrefix(&value, kOption)) continue;
    if (!absl::SimpleAtoi(AbslView(value), &kib) || kib <= 0 || kib > kMostKiB)
      break;
    return kib * kKiB;
  }
  return std::nullopt;
}

}  // namespace tessera
