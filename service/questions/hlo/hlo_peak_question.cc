#include "tessera/service/questions/hlo/hlo_peak_question.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/version/version.h"
#include "tessera/hlo/buffer_assignment/assigned_memory.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/buffer_assignment/occupancy.h"
#include "tessera/hlo/instruction_origin.h"
#include "tessera/hlo/memory/array_usage.h"
#include "tessera/hlo/memory/compiled_memory_stats.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/hlo/tpu_generation.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/layout/memory_space.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/hlo/scoped_vmem_answer.h"
#include "tessera/service/questions/hlo/space_map.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace {

constexpr int64_t kSeriesEntryBytes = sizeof(int64_t);

const char* KindText(LiveArray::Kind kind) {
  switch (kind) {
    case LiveArray::Kind::kParameter:
      return "parameter";
    case LiveArray::Kind::kConstant:
      return "constant";
    case LiveArray::Kind::kTemporary:
      return "temporary";
    case LiveArray::Kind::kResult:
      return "result";
  }
  return "";
}

// Fills in all fields except the largest padding.
absl::Status FillBuffer(const ModuleAnalysis& analysis, const LiveArray& live,
                        InstructionOrigins* origins, AnswerBytes* bytes,
                        PeakBuffer* buffer) {
  const std::string_view name = live.instruction.name();
  const std::string_view opcode = live.instruction.opcode();
  TESSERA_RETURN_IF_ERROR(
      bytes->Add(sizeof(PeakBuffer) + name.size() + opcode.size()));
  buffer->set_instruction(std::string(name));
  buffer->set_opcode(std::string(opcode));
  for (const int64_t i : live.index) buffer->add_index(i);
  buffer->set_kind(KindText(live.kind));
  buffer->set_padded_bytes(live.padded_bytes);
  buffer->set_first(live.first);
  buffer->set_last(live.last);
  buffer->set_unpadded_bytes(live.unpadded_bytes);
  buffer->set_holds_result(live.holds_result);
  buffer->set_is_donated(live.is_donated);
  InstructionOrigin origin = origins->Of(live.instruction);
  TESSERA_RETURN_IF_ERROR(
      bytes->Add(origin.op_name.size() + origin.source_line.size()));
  if (!origin.op_name.empty()) {
    buffer->set_op_name(std::move(origin.op_name));
  }
  if (!origin.source_line.empty()) {
    buffer->set_source_line(std::move(origin.source_line));
  }
  if (live.computation != 0) {
    buffer->set_path(analysis.PathOf(live.computation));
    TESSERA_RETURN_IF_ERROR(bytes->Add(buffer->path().size()));
  }
  if (live.shape == nullptr) return absl::OkStatus();
  buffer->set_shape(live.shape->ToString());
  return bytes->Add(buffer->shape().size());
}

absl::Status FillBuffers(
    const ModuleAnalysis& analysis, const std::vector<LiveArray>& live,
    int64_t rows, InstructionOrigins* origins, AnswerBytes* bytes,
    google::protobuf::RepeatedPtrField<PeakBuffer>* buffers) {
  const int64_t count = std::min<int64_t>(live.size(), rows);
  for (int64_t i = 0; i < count; ++i) {
    PeakBuffer* const buffer = buffers->Add();
    TESSERA_RETURN_IF_ERROR(
        FillBuffer(analysis, live[i], origins, bytes, buffer));
    if (live[i].shape != nullptr) {
      FillMostPadded(ComputeArraySizes(*live[i].shape), buffer);
    }
    TESSERA_RETURN_IF_ERROR(bytes->Add(buffer->most_padded().ByteSizeLong()));
    if (live[i].same_place_as >= 0) {
      const LiveArray& owner = live[live[i].same_place_as];
      buffer->set_same_place_as(
          StrCat(owner.instruction.name(),
                 owner.index.empty() ? "" : ShapeIndexToString(owner.index)));
    }
  }
  return absl::OkStatus();
}

absl::Status FillSpace(const ModuleAnalysis& analysis, int64_t memory_space,
                       const SpaceUse& use, const PeakTable& table,
                       InstructionOrigins* origins, AnswerBytes* bytes,
                       SpacePeak* peak) {
  const ModuleAnalysis::Step at = analysis.StepAt(use.peak_step);
  const HloInstruction instruction = at.instruction;
  TESSERA_RETURN_IF_ERROR(bytes->Add(sizeof(SpacePeak) +
                                     instruction.name().size() +
                                     instruction.opcode().size()));
  peak->set_peak_bytes(use.peak_bytes);
  peak->set_peak_unpadded_bytes(use.peak_unpadded_bytes);
  peak->set_unshared_peak_bytes(use.unshared_peak_bytes);
  peak->set_peak_position(use.peak_step);
  peak->set_peak_instruction(std::string(instruction.name()));
  peak->set_peak_opcode(std::string(instruction.opcode()));
  if (at.computation != 0) {
    peak->set_peak_path(analysis.PathOf(at.computation));
    TESSERA_RETURN_IF_ERROR(bytes->Add(peak->peak_path().size()));
  }
  const std::vector<LiveArray> live =
      analysis.LiveAt(memory_space, use.peak_step);
  peak->set_arrays_at_peak(live.size());
  TESSERA_RETURN_IF_ERROR(FillBuffers(analysis, live, table.rows, origins,
                                      bytes, peak->mutable_live_at_peak()));
  if (table.at.has_value()) {
    const std::vector<LiveArray> then =
        analysis.LiveAt(memory_space, *table.at);
    peak->set_bytes_at_step(analysis.UseByStep(memory_space)[*table.at]);
    peak->set_arrays_at_step(then.size());
    TESSERA_RETURN_IF_ERROR(FillBuffers(analysis, then, table.rows, origins,
                                        bytes, peak->mutable_live_at_step()));
  }
  if (!table.series) return absl::OkStatus();
  TESSERA_RETURN_IF_ERROR(
      bytes->Add(2 * analysis.step_count() * kSeriesEntryBytes));
  SetNumbers(analysis.UseByStep(memory_space), peak->mutable_bytes());
  SetNumbers(analysis.PaddingByStep(memory_space),
             peak->mutable_padding_bytes());
  return absl::OkStatus();
}

absl::Status FillSteps(const ModuleAnalysis& analysis, AnswerBytes* bytes,
                       ModulePeak* peak) {
  for (int64_t i = 0; i < analysis.step_count(); ++i) {
    const HloInstruction instruction = analysis.StepAt(i).instruction;
    TESSERA_RETURN_IF_ERROR(bytes->Add(2 * sizeof(std::string) +
                                       instruction.name().size() +
                                       instruction.opcode().size()));
    peak->add_step_instructions(std::string(instruction.name()));
    peak->add_step_opcodes(std::string(instruction.opcode()));
  }
  return absl::OkStatus();
}

// Fills in the places of all arrays over time.
absl::Status FillMaps(const ModuleAnalysis& analysis,
                      const MemorySpaceNames& names, MapColors colors,
                      InstructionOrigins* origins, AnswerBytes* bytes,
                      google::protobuf::Map<int64_t, SpacePeak>* spaces) {
  for (const LiveArray& live : analysis.Arrays()) {
    const auto space = spaces->find(live.memory_space);
    if (space == spaces->end()) continue;
    TESSERA_RETURN_IF_ERROR(
        FillBuffer(analysis, live, origins, bytes, space->second.add_arrays()));
  }
  for (auto& [number, map] : SpaceMapsOf(analysis, colors)) {
    TESSERA_RETURN_IF_ERROR(bytes->Add(map.ByteSizeLong()));
    SpacePeak& filled = (*spaces)[number];
    filled.set_name(names.NameOf(number));
    *filled.mutable_map() = std::move(map);
  }
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
  peak->set_is_lower_bound(space.is_lower_bound);
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

void FillMemoryAnalysis(const ModuleAnalysis& analysis,
                        MemoryAnalysis* filled) {
  const CompiledMemoryStats stats = analysis.memory_stats();
  filled->set_argument_size_in_bytes(stats.argument_size_in_bytes);
  filled->set_output_size_in_bytes(stats.output_size_in_bytes);
  filled->set_alias_size_in_bytes(stats.alias_size_in_bytes);
  filled->set_temp_size_in_bytes(stats.temp_size_in_bytes);
  filled->set_host_argument_size_in_bytes(stats.host_argument_size_in_bytes);
  filled->set_host_output_size_in_bytes(stats.host_output_size_in_bytes);
  filled->set_host_alias_size_in_bytes(stats.host_alias_size_in_bytes);
  filled->set_host_temp_size_in_bytes(stats.host_temp_size_in_bytes);
  filled->set_peak_memory_in_bytes(stats.peak_memory_in_bytes);
  filled->set_is_assigned_by_xla(analysis.is_assigned_by_xla());
}

// In HBM, an array after another one begins at a multiple of this.
constexpr int64_t kSlotOfHbm = 16384;

// Whether arrays lie in the memories of SparseCore. Its calls have more values
// of reducers in the text than in XLA, and these decide how tables lie.
bool HasSparseCore(const ModuleAnalysis& analysis) {
  constexpr int64_t kFirstOfSparseCore = 8;
  return analysis.target() == HloTarget::kTpu && !analysis.use().empty() &&
         analysis.use().rbegin()->first >= kFirstOfSparseCore;
}

// Returns the most that arrays take of a fast memory; 0 if that is not known.
// In VMEM, compiler options that enlarge scoped memory reduce the memory for
// arrays, and vice versa. If scoped memory lies among the arrays, they share
// all of it.
int64_t LimitOf(TpuGeneration generation, int64_t memory_space,
                const HloAssignments* assignments, bool has_reservations) {
  constexpr int64_t kVmem = 1;
  constexpr int64_t kCmem = 3;
  const TpuMemory memory = TpuMemoryOf(generation);
  if (generation == TpuGeneration::kV4) {
    return memory_space == kCmem ? memory.fast_memory_for_arrays : 0;
  }
  if (memory_space != kVmem || memory.vmem == 0) return 0;
  if (has_reservations) return memory.vmem;
  if (assignments == nullptr || !assignments->scoped_vmem_limit.has_value()) {
    return memory.fast_memory_for_arrays;
  }
  return std::max<int64_t>(memory.fast_memory_for_arrays +
                               memory.scoped_vmem_limit -
                               *assignments->scoped_vmem_limit,
                           0);
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
  PeakTable table;
  table.file = question.file();
  table.rows = *rows;
  table.series = question.series();
  table.map = question.map();
  if (question.has_at()) table.at = question.at();
  table.question.schedule = {question.computation(),
                             question.assume_text_order()};
  TESSERA_RETURN_IF_ERROR(
      SetTargetToAnswer(question.target(), &table.question));
  TESSERA_RETURN_IF_ERROR(
      CheckFromZero("scoped_limit_bytes", question.scoped_limit_bytes()));
  table.question.scoped_vmem_limit = question.scoped_limit_bytes();
  table.question.go_on = options.go_on;
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
  MemoryOptions question = table.question;
  if (!question.target.has_value()) question.target = GuessTarget(module);
  const HloTarget target = *question.target;
  const ScheduleOptions& schedule = question.schedule;
  std::optional<HloComputation> entry = module.entry_computation();
  if (!schedule.computation.empty()) {
    const absl::StatusOr<HloComputation> named =
        FindComputation(module, schedule.computation);
    entry.reset();
    if (named.ok()) entry = *named;
  }
  TESSERA_RETURN_IF_ERROR(
      bytes->Add(sizeof(ModulePeak) + table.file.size() + module.name().size() +
                 (entry.has_value() ? entry->name().size() : 0)));
  peak->set_file(table.file);
  peak->set_tessera_version(kVersion);
  peak->set_module(std::string(module.name()));
  if (entry.has_value()) peak->set_entry(std::string(entry->name()));
  peak->set_is_entry(entry.has_value() && entry->is_entry());
  peak->set_source(dump.is_from_proto() ? "proto" : "text");
  peak->set_target(std::string(HloTargetName(target)));
  peak->set_is_text_order_assumed(schedule.assume_text_order &&
                                  !module.is_scheduled());
  // Other errors of the analysis are only reasons why there is no peak.
  absl::Status interruption;
  if (question.go_on != nullptr) {
    question.go_on = [&] { return interruption = table.question.go_on(); };
  }
  const absl::StatusOr<ModuleAnalysis> analysis =
      ModuleAnalysis::Of(dump, module, question, table.assignments);
  TESSERA_RETURN_IF_ERROR(interruption);
  if (!analysis.ok()) {
    peak->set_is_unscheduled(!module.is_scheduled() &&
                             !schedule.assume_text_order);
    peak->set_reason(std::string(analysis.status().message()));
    return bytes->Add(peak->reason().size());
  }
  TESSERA_RETURN_IF_ERROR(analysis->FindReserved(question.go_on));
  if (analysis->is_assigned_by_xla() && table.assignments->are_sidecars) {
    peak->set_source("buffer-assignment");
  }
  if (table.at.has_value()) {
    if (*table.at < 0 || *table.at >= analysis->step_count()) {
      return InField(
          "at", OutOfRangeError("there is no step ", *table.at, " in module ",
                                module.name(), ": the last is ",
                                analysis->step_count() - 1));
    }
    peak->set_at(*table.at);
  }
  if (analysis->generation() != TpuGeneration::kUnknown) {
    peak->set_tpu_generation(
        std::string(TpuGenerationName(analysis->generation())));
  }
  const ModuleAnalysis::Doubts doubts = analysis->doubts();
  peak->set_instructions(analysis->entry().instructions().size());
  peak->set_steps(analysis->step_count());
  peak->set_instructions_without_shape(doubts.instructions_without_shape);
  peak->set_skipped_arrays(doubts.arrays_with_unbounded_dimension);
  peak->set_unresolved(doubts.unresolved);
  peak->set_unresolved_calls(doubts.unresolved_calls);
  const HloRange<HloComputation> computations = module.computations();
  peak->set_unclosed_computations(std::count_if(
      computations.begin(), computations.end(), [](HloComputation computation) {
        return !computation.is_inline() && !computation.is_closed();
      }));
  const MemorySpaceNames& names = MemorySpaceNamesOf(target);
  InstructionOrigins origins(module);
  auto& spaces = *peak->mutable_by_memory_space()->mutable_spaces();
  for (const auto& [number, use] : analysis->use()) {
    SpacePeak& filled = spaces[number];
    filled.set_name(names.NameOf(number));
    TESSERA_RETURN_IF_ERROR(
        FillSpace(*analysis, number, use, table, &origins, bytes, &filled));
  }
  if (table.series) {
    TESSERA_RETURN_IF_ERROR(FillSteps(*analysis, bytes, peak));
  }
  if (table.map) {
    TESSERA_RETURN_IF_ERROR(
        FillMaps(*analysis, names, table.colors, &origins, bytes, &spaces));
  }
  if (analysis->is_assigned_by_xla()) {
    TESSERA_RETURN_IF_ERROR(
        FillAssignment(analysis->assignment(), names, bytes, &spaces));
  }
  if (target == HloTarget::kTpu) {
    TESSERA_RETURN_IF_ERROR(FillScopedVmem(*analysis, question,
                                           table.assignments, table.rows, bytes,
                                           peak->mutable_scoped_vmem()));
  }
  // Memory that is reserved although nothing is live in it.
  for (const auto& [number, reserved] : analysis->reserved()) {
    if (reserved.sum().bytes() == 0 || spaces.contains(number)) continue;
    spaces[number].set_name(names.NameOf(number));
  }
  for (auto& [number, filled] : spaces) {
    // A caller can only donate the parameters of the program.
    if (analysis->entry().is_entry()) {
      const Donation donation = analysis->FindDonation(number);
      filled.set_donated_result_bytes(donation.result_bytes);
      filled.set_donatable_bytes(donation.savable_bytes);
      TESSERA_RETURN_IF_ERROR(FillBuffers(*analysis, donation.savable,
                                          table.rows, &origins, bytes,
                                          filled.mutable_donatable()));
    }
    FillReservation(analysis->ReservedIn(number), &filled);
    if (number == 0 && HasSparseCore(*analysis)) {
      filled.set_reserved_within_bytes(kSlotOfHbm);
    }
    const int64_t limit =
        LimitOf(target == HloTarget::kTpu ? analysis->generation()
                                          : TpuGeneration::kUnknown,
                number, table.assignments, peak->scoped_vmem().reserving() > 0);
    if (limit > 0) filled.set_limit_bytes(limit);
  }
  if (analysis->entry().is_entry()) {
    FillMemoryAnalysis(*analysis, peak->mutable_memory_analysis());
  }
  return absl::OkStatus();
}

std::optional<ReservedBytes> ReservedBytesOf(const SpacePeak& space) {
  if (!space.has_reserved_bytes() && !space.has_assigned_bytes()) {
    return std::nullopt;
  }
  ReservedBytes reserved;
  reserved.reserved_bytes = space.reserved_bytes();
  if (space.has_assigned_bytes()) {
    reserved.assigned_bytes = space.assigned_bytes();
  }
  return reserved;
}

}  // namespace tessera
