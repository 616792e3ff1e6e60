#include "tessera/service/questions/hlo/space_map.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/instruction_origin.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/service/questions/hlo/hlo_texts.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace {

using Kind = BufferAssignment::Kind;

class MapMaker {
 public:
  MapMaker(const ModuleAnalysis& analysis, MapColors colors)
      : assignment_(analysis.assignment()),
        colors_(colors),
        steps_(std::max<int64_t>(analysis.step_count(), 1)),
        origins_(std::in_place, analysis.module()) {
    // Names are those of one computation; those of the entry come first.
    const HloModule module = analysis.module();
    const std::optional<HloComputation> entry = module.entry_computation();
    if (entry.has_value()) AddNames(*entry);
    for (const HloComputation computation : module.computations()) {
      AddNames(computation);
    }
  }

  explicit MapMaker(const BufferAssignment& assignment)
      : assignment_(assignment),
        colors_(MapColors::kKind),
        steps_(std::max<int64_t>(assignment.steps.size(), 1)) {}

  std::map<int64_t, SpaceMap> Make() {
    for (const Kind kind :
         {Kind::kParameter, Kind::kConstant, Kind::kOutput, Kind::kTemporary}) {
      for (size_t i = 0; i < assignment_.allocations.size(); ++i) {
        if (assignment_.allocations[i].kind == kind) Add(i);
      }
    }
    for (auto& [number, map] : maps_) map.set_value_count(map.values_size());
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
    SpaceMap& map = maps_[from.memory_space];
    map.set_steps(steps_);
    MapAllocation& allocation = *map.add_allocations();
    allocation.set_name(absl::StrCat("allocation ", from.index));
    allocation.set_kind(from.parameter_number.has_value()
                            ? absl::StrCat("parameter ", *from.parameter_number)
                            : std::string(AllocationKindName(from.kind)));
    allocation.set_offset(map.bytes());
    allocation.set_bytes(from.bytes);
    const int first_value = map.values_size();
    for (const BufferAssignment::Tenant& tenant :
         assignment_.TenantsOf(index)) {
      MapValue value = ValueOf(tenant, from.kind, map.bytes());
      const BufferAssignment::Value& assigned =
          assignment_.values[tenant.value];
      const auto add = [&](int64_t first, int64_t last) {
        value.set_first(first);
        value.set_last(last);
        *map.add_values() = value;
      };
      // One rectangle for each interval in which it is live.
      for (const auto& [first, last] : assignment_.IntervalsOf(assigned)) {
        add(first, std::min(last, steps_ - 1));
      }
      // Without a live range, it is live for the whole run.
      if (assigned.first < 0) add(0, steps_ - 1);
    }
    // Values that are live for the whole run are drawn over results without a
    // live range in XLA: those of a donated parameter.
    std::stable_partition(
        map.mutable_values()->pointer_begin() + first_value,
        map.mutable_values()->pointer_end(),
        [](const MapValue* value) { return value->group() != "parameter"; });
    map.set_is_unplaced(map.is_unplaced() || !from.is_placed);
    map.set_bytes(map.bytes() + from.bytes);
  }

  MapValue ValueOf(const BufferAssignment::Tenant& tenant, Kind kind,
                   int64_t base) {
    const BufferAssignment::Value& from = assignment_.values[tenant.value];
    MapValue value;
    value.set_name(StrCat(
        from.instruction,
        from.shape_index.empty() ? "" : ShapeIndexToString(from.shape_index)));
    value.set_offset(base + tenant.offset);
    value.set_bytes(tenant.bytes);
    std::string opcode;
    const auto found = instructions_.find(from.instruction);
    if (found != instructions_.end()) {
      const HloInstruction instruction = found->second;
      opcode = std::string(instruction.opcode());
      InstructionOrigin origin = origins_->Of(instruction);
      value.set_source(std::move(
          origin.source_line.empty() ? origin.op_name : origin.source_line));
      if (instruction.has_shape()) {
        FillShape(GetSubshape(*instruction.shape(), from.shape_index), &value);
      }
    } else if (!from.shape_text.empty()) {
      value.set_shape(std::string(from.shape_text));
      FillShape(ReadShapeOfHlo(from.shape_text), &value);
    }
    value.set_group(colors_ == MapColors::kOpcode ? opcode
                    : colors_ == MapColors::kSource
                        ? value.source()
                        : std::string(AllocationKindName(kind)));
    return value;
  }

  static void FillShape(const absl::StatusOr<Shape>& shape, MapValue* value) {
    if (!shape.ok()) return;
    value->set_shape(shape->ToString());
    if (!shape->IsArray()) return;
    const absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(*shape);
    if (!sizes.ok()) return;
    value->set_padding_bytes(
        std::max<int64_t>(value->bytes() - sizes->unpadded_bytes, 0));
  }

  const BufferAssignment& assignment_;
  const MapColors colors_;
  const int64_t steps_;
  std::optional<InstructionOrigins> origins_;  // nullopt without a module
  TextMap<std::string_view, HloInstruction> instructions_;
  std::map<int64_t, SpaceMap> maps_;
};

}  // namespace

std::map<int64_t, SpaceMap> SpaceMapsOf(const ModuleAnalysis& analysis,
                                        MapColors colors) {
  return MapMaker(analysis, colors).Make();
}

std::map<int64_t, SpaceMap> SpaceMapsOf(const BufferAssignment& assignment) {
  return MapMaker(assignment).Make();
}

}  // namespace tessera
