#include "tessera/hlo/hlo_target.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include "tessera/base/text/absl_view.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace {

// In the order of the enumerators.
constexpr std::string_view kTargetNames[] = {"none", "tpu", "gpu", "cpu"};

// The evidence in the attributes of an instruction.
struct Evidence {
  HloTarget target;
  std::string_view text;
};

constexpr Evidence kEvidence[] = {
    {HloTarget::kTpu, "\"flag_configs\""},
    {HloTarget::kTpu, "\"scoped_memory_configs\""},
    {HloTarget::kTpu, "\"used_scoped_memory_configs\""},
    {HloTarget::kTpu, "\"tpu_custom_call\""},
    {HloTarget::kGpu, "\"operation_queue_id\""},
    {HloTarget::kGpu, "\"fusion_backend_config\""},
    {HloTarget::kGpu, "\"gemm_backend_config\""},
    {HloTarget::kGpu, "\"force_earliest_schedule\""},
    {HloTarget::kGpu, "__cublas$"},
    {HloTarget::kGpu, "__cudnn$"},
    {HloTarget::kGpu, "__triton"},
    {HloTarget::kCpu, "\"outer_dimension_partitions\""},
    {HloTarget::kCpu, "\"onednn_matmul_config\""},
    {HloTarget::kCpu, "__onednn"},
    {HloTarget::kCpu, "__xnn_fusion"},
    {HloTarget::kCpu, "__ynn_fusion"},
    {HloTarget::kCpu, "__eigen"},
};

// Used only without other evidence: newer versions of CPU wrap instructions,
// too.
constexpr std::string_view kLikelyGpuFusion = "wrapped_";

// Whether GPU's scheduler left its mark in the HloModule line.
bool HasMarkOfGpu(HloModule module) {
  const std::optional<std::string_view> attributes =
      module.attribute("frontend_attributes");
  return attributes.has_value() &&
         StrContains(*attributes, "fingerprint_before_lhs=");
}

bool HasTiles(HloInstruction instruction) {
  const Shape* shape = instruction.shape();
  if (shape == nullptr) return false;
  bool has_tiles = false;
  ForEachLeafShape(*shape, [&](const Shape& leaf, ShapeIndexView) {
    has_tiles |=
        leaf.IsArray() && leaf.has_layout() && !leaf.layout().tiles().empty();
  });
  return has_tiles;
}

HloTarget TargetOf(HloInstruction instruction) {
  if (HasTiles(instruction)) return HloTarget::kTpu;
  // GPU names a fusion after the emitter that it chooses.
  if (instruction.opcode() == "fusion" &&
      (StartsWith(instruction.name(), "loop_") ||
       StartsWith(instruction.name(), "input_"))) {
    return HloTarget::kGpu;
  }
  const std::string_view attributes = instruction.attributes_text();
  for (const Evidence& evidence : kEvidence) {
    if (StrContains(attributes, evidence.text)) return evidence.target;
  }
  return HloTarget::kNone;
}

}  // namespace

std::string_view HloTargetName(HloTarget target) {
  return kTargetNames[static_cast<size_t>(target)];
}

std::optional<HloTarget> HloTargetOfName(std::string_view name) {
  const auto* const found =
      std::find(std::begin(kTargetNames), std::end(kTargetNames), name);
  if (found == std::end(kTargetNames)) return std::nullopt;
  return static_cast<HloTarget>(found - std::begin(kTargetNames));
}

HloTarget GuessTarget(HloModule module) {
  if (HasMarkOfGpu(module)) return HloTarget::kGpu;
  std::optional<HloComputation> computation = module.entry_computation();
  if (!computation.has_value()) {
    const int64_t count = module.computations().size();
    if (count == 0) return HloTarget::kNone;
    computation = module.computations()[count - 1];
  }
  HloTarget likely = HloTarget::kNone;
  int64_t instructions_left = 5000;
  for (const HloInstruction instruction : computation->instructions()) {
    if (instructions_left-- == 0) break;
    const HloTarget target = TargetOf(instruction);
    if (target != HloTarget::kNone) return target;
    // Frame tables are newer than the mark.
    if (instruction.opcode() == "fusion" &&
        module.frame_tables_text().empty() &&
        StartsWith(instruction.name(), kLikelyGpuFusion)) {
      likely = HloTarget::kGpu;
    }
  }
  return likely;
}

HloTarget GuessTarget(const HloDump& dump) {
  HloTarget all = HloTarget::kNone;
  for (const HloModule module : dump.modules()) {
    const HloTarget target = GuessTarget(module);
    if (target == HloTarget::kNone || target == all) continue;
    if (all != HloTarget::kNone) return HloTarget::kNone;
    all = target;
  }
  return all;
}

const MemorySpaceNames& MemorySpaceNamesOf(HloTarget target) {
  constexpr const MemorySpaceNames& (*kNames[])() = {
      MemorySpaceNames::OfAny, MemorySpaceNames::OfTpu, MemorySpaceNames::OfGpu,
      MemorySpaceNames::OfCpu};
  return kNames[static_cast<size_t>(target)]();
}

}  // namespace tessera
