#include "tessera/report/page/memory_map_of.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/instruction_origin.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/report/text/units.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace {

using Kind = BufferAssignment::Kind;

class MapMaker {
 public:
  MapMaker(const ModuleAnalysis& analysis, MapColors colors)
      : analysis_(analysis),
        assignment_(analysis.assignment()),
        colors_(colors),
        steps_(std::max<int64_t>(analysis.step_count(), 1)),
        origins_(analysis.module()) {
    // Names are those of one computation; those of the entry come first.
    const HloModule module = analysis.module();
    const absl::optional<HloComputation> entry = module.entry_computation();
    if (entry.has_value()) AddNames(*entry);
    for (const HloComputation computation : module.computations()) {
      AddNames(computation);
    }
  }

  std::map<int64_t, MemoryMap> Make() {
    const MemorySpaceNames& names = MemorySpaceNamesOf(analysis_.target());
    for (const Kind kind :
         {Kind::kParameter, Kind::kConstant, Kind::kOutput, Kind::kTemporary}) {
      for (size_t i = 0; i < assignment_.allocations.size(); ++i) {
        if (assignment_.allocations[i].kind == kind) Add(i);
      }
    }
    for (auto& [number, map] : maps_) {
      map.title = absl::StrCat(ModuleText(analysis_.module().name()), ", ",
                               HumanMemorySpace(number, names.NameOf(number)));
      map.steps = steps_;
      for (const absl::string_view name : assignment_.steps) {
        map.step_names.emplace_back(name);
      }
      map.used_bytes = analysis_.UseByStep(number);
    }
    return std::move(maps_);
  }

 private:
  void AddNames(HloComputation computation) {
    for (const HloInstruction instruction : computation.instructions()) {
      instructions_.emplace(instruction.name(), instruction);
    }
  }

  void Add(size_t index) {
    const BufferAssignment::Allocation& from = assignment_.allocations[index];
    if (from.bytes == 0) return;
    MemoryMap& map = maps_[from.memory_space];
    MemoryMap::Allocation allocation;
    allocation.name = absl::StrCat("allocation ", from.index);
    allocation.kind = from.parameter_number.has_value()
                          ? absl::StrCat("parameter ", *from.parameter_number)
                          : std::string(AllocationKindName(from.kind));
    allocation.offset = map.bytes;
    allocation.bytes = from.bytes;
    map.allocations.push_back(std::move(allocation));
    const size_t first_value = map.values.size();
    for (const BufferAssignment::Tenant& tenant :
         assignment_.TenantsOf(index)) {
      MemoryMap::Value value = ValueOf(tenant, from.kind, map.bytes);
      const BufferAssignment::Value& assigned =
          assignment_.values[tenant.value];
      // One rectangle for each time in which it is there.
      for (const auto& [first, last] : assignment_.IntervalsOf(assigned)) {
        value.first = first;
        value.last = std::min(last, steps_ - 1);
        map.values.push_back(value);
      }
      if (assigned.first < 0) {
        // Without a live range, for the whole run.
        value.first = 0;
        value.last = steps_ - 1;
        map.values.push_back(std::move(value));
      }
    }
    // What is there for the whole run is drawn over results that XLA gives no
    // live range: those of a donated parameter.
    std::stable_partition(map.values.begin() + first_value, map.values.end(),
                          [](const MemoryMap::Value& value) {
                            return value.group != "parameter";
                          });
    map.is_placed &= from.is_placed;
    map.bytes += from.bytes;
  }

  MemoryMap::Value ValueOf(const BufferAssignment::Tenant& tenant, Kind kind,
                           int64_t base) {
    const BufferAssignment::Value& from = assignment_.values[tenant.value];
    MemoryMap::Value value;
    value.name = absl::StrCat(
        from.instruction,
        from.shape_index.empty() ? "" : ShapeIndexToString(from.shape_index));
    value.offset = base + tenant.offset;
    value.bytes = tenant.bytes;
    std::string opcode;
    const auto found = instructions_.find(from.instruction);
    if (found != instructions_.end()) {
      const HloInstruction instruction = found->second;
      opcode = std::string(instruction.opcode());
      const InstructionOrigin origin = origins_.Of(instruction);
      value.source =
          origin.source_line.empty() ? origin.op_name : origin.source_line;
      FillShape(instruction, from.shape_index, &value);
    }
    value.group = colors_ == MapColors::kOpcode ? opcode
                  : colors_ == MapColors::kSource
                      ? value.source
                      : std::string(AllocationKindName(kind));
    return value;
  }

  static void FillShape(HloInstruction instruction, const ShapeIndex& index,
                        MemoryMap::Value* value) {
    if (!instruction.has_shape()) return;
    const absl::StatusOr<Shape> shape =
        GetSubshape(*instruction.shape(), index);
    if (!shape.ok()) return;
    value->shape = shape->ToString();
    if (!shape->IsArray()) return;
    const absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(*shape);
    if (!sizes.ok()) return;
    value->padding_bytes =
        std::max<int64_t>(value->bytes - sizes->unpadded_bytes, 0);
  }

  const ModuleAnalysis& analysis_;
  const BufferAssignment& assignment_;
  const MapColors colors_;
  const int64_t steps_;
  InstructionOrigins origins_;
  absl::flat_hash_map<absl::string_view, HloInstruction> instructions_;
  std::map<int64_t, MemoryMap> maps_;
};

}  // namespace

std::map<int64_t, MemoryMap> MemoryMapsOf(const ModuleAnalysis& analysis,
                                          MapColors colors) {
  return MapMaker(analysis, colors).Make();
}

}  // namespace tessera
