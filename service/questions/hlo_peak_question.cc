#include "tessera/service/questions/hlo_peak_question.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/allocations/assigned_memory.h"
#include "tessera/hlo/allocations/buffer_assignment.h"
#include "tessera/hlo/allocations/occupancy.h"
#include "tessera/hlo/instruction_origin.h"
#include "tessera/hlo/memory/array_usage.h"
#include "tessera/hlo/memory/liveness.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/layout/memory_space.h"
#include "tessera/math/status_macros.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/numbers.h"

namespace tessera {
namespace {

constexpr int64_t kSeriesEntryBytes = sizeof(int64_t);

const char* KindText(LiveBuffer::Kind kind) {
  switch (kind) {
    case LiveBuffer::Kind::kParameter:
      return "parameter";
    case LiveBuffer::Kind::kConstant:
      return "constant";
    case LiveBuffer::Kind::kTemporary:
      return "temporary";
    case LiveBuffer::Kind::kResult:
      return "result";
    case LiveBuffer::Kind::kCalled:
      return "called";
  }
  return "";
}

void FillMostPadded(const Shape& array, PeakBuffer* buffer) {
  const absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(array);
  if (!sizes.ok()) return;
  const PaddingBlame blame = BlamePadding(*sizes);
  if (blame.cause == PaddingCause::kNone) return;
  SetMostPadded(blame, buffer->mutable_most_padded());
}

absl::Status FillBuffer(const LiveBuffer& live, InstructionOrigins* origins,
                        AnswerBytes* bytes, PeakBuffer* buffer) {
  const absl::string_view name = live.instruction.name();
  const absl::string_view opcode = live.instruction.opcode();
  TESSERA_RETURN_IF_ERROR(
      bytes->Add(sizeof(PeakBuffer) + name.size() + opcode.size()));
  buffer->set_instruction(std::string(name));
  buffer->set_opcode(std::string(opcode));
  buffer->set_kind(KindText(live.kind));
  buffer->set_padded_bytes(live.padded_bytes);
  buffer->set_first(live.first);
  buffer->set_last(live.last);
  buffer->set_unpadded_bytes(live.unpadded_bytes);
  buffer->set_holds_result(live.holds_result);
  InstructionOrigin origin = origins->Of(live.instruction);
  TESSERA_RETURN_IF_ERROR(
      bytes->Add(origin.op_name.size() + origin.source_line.size()));
  if (!origin.op_name.empty()) {
    buffer->set_op_name(std::move(origin.op_name));
  }
  if (!origin.source_line.empty()) {
    buffer->set_source_line(std::move(origin.source_line));
  }
  if (live.shape == nullptr) return absl::OkStatus();
  buffer->set_shape(live.shape->ToString());
  FillMostPadded(*live.shape, buffer);
  return bytes->Add(buffer->shape().size() +
                    buffer->most_padded().ByteSizeLong());
}

absl::Status FillSpace(const Liveness& liveness, const SpaceLiveness& space,
                       const PeakTable& table, InstructionOrigins* origins,
                       AnswerBytes* bytes, SpacePeak* peak) {
  const HloInstruction at =
      liveness.entry.instructions()[space.peak_instruction];
  TESSERA_RETURN_IF_ERROR(
      bytes->Add(sizeof(SpacePeak) + at.name().size() + at.opcode().size()));
  peak->set_peak_bytes(space.peak_bytes);
  peak->set_peak_unpadded_bytes(space.peak_unpadded_bytes);
  peak->set_is_saturated(space.is_saturated);
  peak->set_peak_position(space.peak_instruction);
  peak->set_peak_instruction(std::string(at.name()));
  peak->set_peak_opcode(std::string(at.opcode()));
  const int64_t arrays = space.live_at_peak.size();
  peak->set_arrays_at_peak(arrays);
  for (int64_t i = 0; i < std::min(arrays, table.rows); ++i) {
    TESSERA_RETURN_IF_ERROR(FillBuffer(liveness.buffers[space.live_at_peak[i]],
                                       origins, bytes,
                                       peak->add_live_at_peak()));
  }
  if (!table.series) return absl::OkStatus();
  // Where this has no room, `bytes` is empty.
  const int64_t entries = liveness.entry.instructions().size();
  TESSERA_RETURN_IF_ERROR(bytes->Add(entries * kSeriesEntryBytes));
  SetNumbers(space.bytes, peak->mutable_bytes());
  return absl::OkStatus();
}

void FillReservation(const SpaceReservation& space, SpacePeak* peak) {
  peak->set_reserved_bytes(space.reserved_bytes());
  peak->set_parameter_bytes(space.parameter_bytes);
  peak->set_constant_bytes(space.constant_bytes);
  peak->set_output_bytes(space.output_bytes);
  peak->set_temporary_bytes(space.temporary_bytes);
  peak->set_temporary_peak_bytes(space.temporary_peak_bytes);
  peak->set_reserved_unpadded_bytes(space.reserved_unpadded_bytes);
  peak->set_thread_local_bytes(space.thread_local_bytes);
}

// A space that has allocations, but nothing that is live, gets an entry too.
absl::Status FillAssignment(const BufferAssignment& assignment,
                            const MemorySpaceNames& names, AnswerBytes* bytes,
                            google::protobuf::Map<int64_t, SpacePeak>* spaces) {
  for (auto& [number, filled] : *spaces) {
    filled.set_assigned_bytes(0);
    filled.set_fragmentation_bytes(0);
  }
  for (const auto& [number, space] : FindAssignedMemory(assignment)) {
    SpacePeak& filled = (*spaces)[number];
    if (filled.name().empty()) filled.set_name(names.NameOf(number));
    filled.set_assigned_bytes(space.assigned_bytes);
    filled.set_fragmentation_bytes(space.fragmentation_bytes());
  }
  for (size_t i = 0; i < assignment.allocations.size(); ++i) {
    TESSERA_RETURN_IF_ERROR(bytes->Add(sizeof(AllocationSummary)));
    const BufferAssignment::Allocation& allocation = assignment.allocations[i];
    AllocationSummary& filled =
        *(*spaces)[allocation.memory_space].add_allocations();
    filled.set_index(allocation.index);
    filled.set_kind(std::string(AllocationKindName(allocation.kind)));
    filled.set_bytes(allocation.bytes);
    filled.set_values(allocation.tenant_count);
    filled.set_most_used_bytes(FindOccupancy(assignment, i).most_used_bytes);
    if (allocation.parameter_number.has_value()) {
      filled.set_parameter_number(*allocation.parameter_number);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status AnswerPeak(const ServiceOptions& options,
                        const PeakRequest& question, PeakResult* result) {
  const absl::StatusOr<int64_t> rows =
      RowsToAnswer(options, question.rows(), kUsualHloRows);
  if (!rows.ok()) return InField("rows", rows.status());
  TESSERA_ASSIGN_OR_RETURN(
      const HloDump dump,
      HloTexts(options).Parse("hlo", question.hlo(), question.strict()));
  TESSERA_ASSIGN_OR_RETURN(const absl::optional<HloTarget> target,
                           TargetToAnswer(question.target()));
  const PeakTable table = {
      question.file(),
      *rows,
      question.series(),
      {question.computation(), question.assume_text_order()},
      target};
  return InField("hlo", FillPeak(options, dump, table, result));
}

absl::Status FillPeak(const ServiceOptions& options, const HloDump& dump,
                      const PeakTable& table, PeakResult* result) {
  AnswerBytes bytes(options);
  for (const HloModule module : dump.modules()) {
    TESSERA_RETURN_IF_ERROR(
        FillModulePeak(dump, module, table, &bytes, result->add_modules()));
  }
  FillDumpReading(dump, table.rows, result->mutable_reading());
  return absl::OkStatus();
}

absl::Status FillModulePeak(const HloDump& dump, HloModule module,
                            const PeakTable& table, AnswerBytes* bytes,
                            ModulePeak* peak) {
  const HloTarget target =
      table.target.has_value() ? *table.target : GuessTarget(module);
  const ScheduleOptions& schedule = table.schedule;
  const absl::optional<HloComputation> entry =
      schedule.computation.empty()
          ? module.entry_computation()
          : FindComputation(module, schedule.computation);
  TESSERA_RETURN_IF_ERROR(
      bytes->Add(sizeof(ModulePeak) + table.file.size() + module.name().size() +
                 (entry.has_value() ? entry->name().size() : 0)));
  peak->set_file(table.file);
  peak->set_module(std::string(module.name()));
  if (entry.has_value()) peak->set_entry(std::string(entry->name()));
  peak->set_is_entry(entry.has_value() && entry->is_entry());
  const BufferAssignment* const assignment = AssignmentThatCounts(
      table.assignments == nullptr ? nullptr : table.assignments->Of(module),
      module, schedule);
  peak->set_source(assignment != nullptr && table.assignments->are_sidecars
                       ? "buffer-assignment"
                   : dump.is_from_proto() ? "proto"
                                          : "text");
  peak->set_target(std::string(HloTargetName(target)));
  peak->set_is_text_order_assumed(schedule.assume_text_order &&
                                  !module.is_scheduled());
  LivenessOptions liveness_options;
  liveness_options.schedule = schedule;
  liveness_options.series_entries =
      table.series ? bytes->room() / kSeriesEntryBytes : 0;
  const absl::StatusOr<Liveness> liveness =
      ComputeLiveness(dump, module, liveness_options);
  if (!liveness.ok()) {
    peak->set_reason(std::string(liveness.status().message()));
    return bytes->Add(peak->reason().size());
  }
  peak->set_instructions(liveness->entry.instructions().size());
  peak->set_instructions_without_shape(liveness->instructions_without_shape);
  peak->set_skipped_arrays(liveness->skipped_arrays);
  peak->set_unresolved(liveness->unresolved);
  peak->set_unresolved_calls(liveness->unresolved_calls);
  const absl::StatusOr<ReservedMemory> reserved =
      ComputeReservedMemory(dump, module, {schedule, target});
  const MemorySpaceNames& names = MemorySpaceNamesOf(target);
  InstructionOrigins origins(module);
  auto& spaces = *peak->mutable_by_memory_space()->mutable_spaces();
  for (const auto& [number, space] : liveness->by_memory_space) {
    SpacePeak& filled = spaces[number];
    filled.set_name(names.NameOf(number));
    TESSERA_RETURN_IF_ERROR(
        FillSpace(*liveness, space, table, &origins, bytes, &filled));
  }
  if (assignment != nullptr) {
    TESSERA_RETURN_IF_ERROR(FillAssignment(*assignment, names, bytes, &spaces));
  }
  if (!reserved.ok()) return absl::OkStatus();
  for (auto& [number, filled] : spaces) {
    const auto reservation = reserved->by_memory_space.find(number);
    FillReservation(reservation == reserved->by_memory_space.end()
                        ? SpaceReservation()
                        : reservation->second,
                    &filled);
  }
  return absl::OkStatus();
}

absl::optional<TakenSpace> TakenSpaceOf(const SpacePeak& space) {
  if (!space.has_reserved_bytes() && !space.has_assigned_bytes()) {
    return absl::nullopt;
  }
  TakenSpace taken;
  taken.reserved_bytes = space.reserved_bytes();
  if (space.has_assigned_bytes()) taken.assigned_bytes = space.assigned_bytes();
  return taken;
}

}  // namespace tessera
