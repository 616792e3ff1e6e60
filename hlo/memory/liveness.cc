#include "tessera/hlo/memory/liveness.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/numeric/int128.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/attributes/module_header.h"
#include "tessera/hlo/hlo_call_kind.h"
#include "tessera/hlo/memory/array_table.h"
#include "tessera/hlo/memory/assignment/opcode_traits.h"
#include "tessera/hlo/memory/computation_buffers.h"
#include "tessera/math/status_macros.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace {

using Buffer = ComputationBuffers::Buffer;

// XLA keeps a memory space in 8 bits, and no backend has ten.
constexpr size_t kMaxMemorySpaces = 64;

// Bytes that stay at 2^63-1. Sums of fewer than 2^64 of them fit in 128 bits,
// so that what is subtracted again is exact.
int64_t Clamp(absl::uint128 bytes, bool* is_saturated) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  if (bytes <= absl::uint128(kMax)) return static_cast<int64_t>(bytes);
  *is_saturated = true;
  return kMax;
}

struct SpaceBytes {
  int64_t memory_space = 0;
  int64_t bytes = 0;
  int64_t unpadded_bytes = 0;
  bool is_saturated = false;
};

// One for each memory space that is used, by its number.
using Need = std::vector<SpaceBytes>;

// The greater of both in every memory space.
Need Greater(const Need& a, const Need& b) {
  Need greater;
  auto x = a.begin(), y = b.begin();
  while (x != a.end() || y != b.end()) {
    if (y == b.end() || (x != a.end() && x->memory_space < y->memory_space)) {
      greater.push_back(*x++);
    } else if (x == a.end() || y->memory_space < x->memory_space) {
      greater.push_back(*y++);
    } else {
      greater.push_back(x->bytes >= y->bytes ? *x : *y);
      ++x, ++y;
    }
  }
  return greater;
}

// Memory that is taken from one instruction to another, both included.
struct Interval {
  int64_t memory_space;
  int64_t first;
  int64_t last;
  int64_t bytes;
  int64_t unpadded_bytes;
  bool is_saturated = false;
};

// The peaks of all intervals together.
Need PeaksOf(const std::vector<Interval>& intervals) {
  struct Event {
    int64_t memory_space;
    int64_t time;
    absl::uint128 change;  // modulo 2^128
    absl::uint128 unpadded_change;
  };
  std::vector<Event> events;
  events.reserve(2 * intervals.size());
  absl::flat_hash_set<int64_t> saturated;
  for (const Interval& interval : intervals) {
    const absl::uint128 bytes = interval.bytes;
    const absl::uint128 unpadded = interval.unpadded_bytes;
    events.push_back({interval.memory_space, interval.first, bytes, unpadded});
    events.push_back(
        {interval.memory_space, interval.last + 1, -bytes, -unpadded});
    if (interval.is_saturated) saturated.insert(interval.memory_space);
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return a.memory_space != b.memory_space ? a.memory_space < b.memory_space
                                            : a.time < b.time;
  });
  Need peaks;
  for (auto event = events.begin(); event != events.end();) {
    SpaceBytes peak;
    peak.memory_space = event->memory_space;
    peak.is_saturated = saturated.contains(peak.memory_space);
    absl::uint128 bytes = 0, greatest = 0;
    absl::uint128 unpadded = 0, unpadded_there = 0;
    while (event != events.end() && event->memory_space == peak.memory_space) {
      const int64_t time = event->time;
      while (event != events.end() &&
             event->memory_space == peak.memory_space && event->time == time) {
        bytes += event->change;
        unpadded += event->unpadded_change;
        ++event;
      }
      if (bytes > greatest) {
        greatest = bytes;
        unpadded_there = unpadded;
      }
    }
    peak.bytes = Clamp(greatest, &peak.is_saturated);
    peak.unpadded_bytes = Clamp(unpadded_there, &peak.is_saturated);
    if (peak.bytes > 0) peaks.push_back(peak);
  }
  return peaks;
}

class ModuleLiveness {
 public:
  ModuleLiveness(const HloDump& dump, HloModule module,
                 const LivenessOptions& options)
      : dump_(dump),
        module_(module),
        options_(options),
        arrays_(&dump.shapes()) {}

  absl::StatusOr<Liveness> Compute() && {
    TESSERA_ASSIGN_OR_RETURN(const HloComputation entry,
                             FindSchedule(dump_, module_, options_.schedule));
    Liveness liveness{entry, {}, {}};
    result_ = &liveness;
    last_ = entry.instructions().size() - 1;

    TESSERA_RETURN_IF_ERROR(AnalyzeCallees(entry));
    const ComputationBuffers buffers = Find(entry);
    TESSERA_RETURN_IF_ERROR(CheckSpaces());
    AddEntryBuffers(entry, buffers);
    AddCalls(entry, buffers);
    std::stable_sort(liveness.buffers.begin(), liveness.buffers.end(),
                     [](const LiveBuffer& a, const LiveBuffer& b) {
                       return a.first != b.first ? a.first < b.first
                                                 : a.instruction.index() <
                                                       b.instruction.index();
                     });
    AddSpaces();
    return liveness;
  }

 private:
  // What callers must know of a computation.
  struct Known {
    ComputationResult result;
    // The peak of what lies in no parameter, without the result, which is the
    // caller's, and with it.
    Need own;
    Need own_and_result;
  };

  const ComputationResult* ResultOf(HloComputation computation) const {
    const auto known = known_.find(computation.index());
    return known == known_.end() ? nullptr : &known->second.result;
  }

  ComputationBuffers Find(HloComputation computation) {
    ComputationBuffers found = FindComputationBuffers(
        computation, &arrays_,
        [this](HloComputation callee) { return ResultOf(callee); });
    result_->instructions_without_shape += found.instructions_without_shape;
    result_->skipped_arrays += found.skipped_arrays;
    result_->unresolved += found.unresolved;
    for (const Buffer& buffer : found.buffers) {
      spaces_.insert(SpaceOf(buffer));
    }
    return found;
  }

  absl::Status CheckSpaces() const {
    if (spaces_.size() <= kMaxMemorySpaces) return absl::OkStatus();
    return absl::ResourceExhaustedError(
        absl::StrCat("the module '", module_.name(), "' uses more than ",
                     kMaxMemorySpaces, " memory spaces"));
  }

  const ArrayTable::Array& ArrayOf(const Buffer& buffer) const {
    return arrays_.array(buffer.array);
  }
  int64_t SpaceOf(const Buffer& buffer) const {
    return ArrayOf(buffer).shape->layout().memory_space();
  }

  // -- Called computations ----------------------------------------------------

  // All that run when `entry` does, each after those that it calls. Without
  // recursion, and without end in itself: text can call in circles.
  absl::Status AnalyzeCallees(HloComputation entry) {
    struct Frame {
      HloComputation computation;
      std::vector<HloComputation> callees;
      size_t next = 0;
    };
    std::vector<Frame> open;
    absl::flat_hash_set<int64_t> entered;
    auto enter = [&](HloComputation computation) {
      if (!entered.insert(computation.index()).second) return;
      Frame frame{computation, {}};
      for (const HloInstruction instruction : computation.instructions()) {
        if (instruction.calls().empty() ||
            !hlo_internal::TraitsOf(instruction.opcode()).runs_computations) {
          continue;
        }
        for (const HloCall call : instruction.calls()) {
          const absl::optional<HloComputation> callee = call.computation();
          if (callee.has_value()) frame.callees.push_back(*callee);
        }
      }
      open.push_back(std::move(frame));
    };
    enter(entry);
    while (true) {
      Frame& frame = open.back();
      if (frame.next < frame.callees.size()) {
        const HloComputation callee = frame.callees[frame.next++];
        enter(callee);
        continue;
      }
      if (open.size() == 1) return absl::OkStatus();
      Analyze(frame.computation);
      TESSERA_RETURN_IF_ERROR(CheckSpaces());
      open.pop_back();
    }
  }

  void Analyze(HloComputation computation) {
    const ComputationBuffers found = Find(computation);
    std::vector<Interval> own, result;
    for (const Buffer& buffer : found.buffers) {
      if (buffer.kind == Buffer::Kind::kConstant) {
        Add(computation, buffer, LiveBuffer::Kind::kConstant, 0, last_);
      }
      if (buffer.kind != Buffer::Kind::kOwn) continue;
      (buffer.is_result ? result : own)
          .push_back({SpaceOf(buffer), buffer.first, buffer.last,
                      ArrayOf(buffer).sizes->padded_bytes,
                      ArrayOf(buffer).sizes->unpadded_bytes});
    }
    for (const ComputationBuffers::Call& call : found.calls) {
      for (const SpaceBytes& need :
           NeedOf(computation.instructions()[call.instruction])) {
        own.push_back({need.memory_space, call.first, call.last, need.bytes,
                       need.unpadded_bytes, need.is_saturated});
      }
    }
    Known known;
    known.result = found.ForCallers(computation, &arrays_);
    known.own = PeaksOf(own);
    own.insert(own.end(), result.begin(), result.end());
    known.own_and_result = PeaksOf(own);
    known_.emplace(computation.index(), std::move(known));
  }

  // Of the computations that the instruction calls: no two run at once.
  Need NeedOf(HloInstruction instruction) {
    Need need;
    absl::flat_hash_set<int64_t> seen;
    for (const HloCall call : instruction.calls()) {
      const absl::optional<HloComputation> callee = call.computation();
      const auto known =
          callee.has_value() ? known_.find(callee->index()) : known_.end();
      if (known == known_.end()) {
        ++result_->unresolved_calls;
        continue;
      }
      if (!seen.insert(callee->index()).second) continue;
      // What a condition finds lies in no buffer of the caller.
      need = Greater(need, call.kind() == HloCallKind::kWhileCondition
                               ? known->second.own_and_result
                               : known->second.own);
    }
    return need;
  }

  // -- The entry computation --------------------------------------------------

  void Add(HloComputation computation, const Buffer& buffer,
           LiveBuffer::Kind kind, int64_t first, int64_t last) {
    const ArrayTable::Array& array = ArrayOf(buffer);
    if (array.sizes->padded_bytes == 0) return;
    LiveBuffer live{kind, computation.instructions()[buffer.instruction]};
    live.part = buffer.part;
    live.shape = array.shape;
    live.memory_space = SpaceOf(buffer);
    live.padded_bytes = array.sizes->padded_bytes;
    live.unpadded_bytes = array.sizes->unpadded_bytes;
    live.first = first;
    live.last = last;
    live.holds_result = buffer.is_result;
    result_->buffers.push_back(live);
  }

  void AddEntryBuffers(HloComputation entry, const ComputationBuffers& found) {
    ReadParameters(entry, found);
    const absl::flat_hash_map<int64_t, int64_t> results_in_parameters =
        ReadInputOutputAliases(entry, found);
    const absl::flat_hash_set<int64_t> donated = ReadDonors();
    absl::flat_hash_set<int64_t> holding_results;
    for (const auto& [result, parameter] : results_in_parameters) {
      holding_results.insert(parameter);
    }
    for (size_t i = 0; i < found.buffers.size(); ++i) {
      Buffer buffer = found.buffers[i];
      switch (buffer.kind) {
        case Buffer::Kind::kParameter:
          buffer.is_result |= holding_results.contains(i);
          Add(entry, buffer, LiveBuffer::Kind::kParameter, 0,
              donated.contains(i) && !buffer.is_result ? buffer.last : last_);
          break;
        case Buffer::Kind::kConstant:
          Add(entry, buffer, LiveBuffer::Kind::kConstant, 0, last_);
          break;
        case Buffer::Kind::kOwn:
          if (results_in_parameters.contains(i)) break;
          Add(entry, buffer,
              buffer.is_result ? LiveBuffer::Kind::kResult
                               : LiveBuffer::Kind::kTemporary,
              buffer.first, buffer.last);
          break;
      }
    }
  }

  // The leaves of parameters, by their number and part.
  void ReadParameters(HloComputation entry, const ComputationBuffers& found) {
    for (size_t i = 0; i < found.buffers.size(); ++i) {
      const Buffer& buffer = found.buffers[i];
      if (buffer.kind != Buffer::Kind::kParameter) continue;
      const HloInstruction parameter = entry.instructions()[buffer.instruction];
      const absl::optional<int64_t> number = parameter.parameter_number();
      if (!number.has_value()) continue;
      parameter_shapes_.emplace(*number, parameter.shape_index());
      parameter_buffers_.emplace(std::make_pair(*number, buffer.part), i);
    }
  }

  // The buffer of a leaf of a parameter; -1 for what is none.
  int64_t ParameterBuffer(int64_t number, ShapeIndexView index) {
    const auto shape = parameter_shapes_.find(number);
    if (shape == parameter_shapes_.end()) return -1;
    const int64_t part = arrays_.parts(shape->second).Find(index);
    const auto buffer = parameter_buffers_.find({number, part});
    return buffer == parameter_buffers_.end() ? -1 : buffer->second;
  }

  // What the header says of parameters it says of those of ENTRY.
  absl::optional<absl::string_view> HeaderAttribute(
      absl::string_view key) const {
    if (!result_->entry.is_entry()) return absl::nullopt;
    return module_.attribute(key);
  }

  // Buffers of results, each with that of the parameter in which it lies.
  absl::flat_hash_map<int64_t, int64_t> ReadInputOutputAliases(
      HloComputation entry, const ComputationBuffers& found) {
    absl::flat_hash_map<int64_t, int64_t> lies_in;
    const absl::optional<absl::string_view> text =
        HeaderAttribute("input_output_alias");
    if (!text.has_value()) return lies_in;
    const absl::StatusOr<std::vector<InputOutputAlias>> aliases =
        DecodeInputOutputAliases(*text);
    const absl::optional<HloInstruction> root = entry.root();
    if (!aliases.ok() || !root->has_shape()) {
      ++result_->unresolved;
      return lies_in;
    }
    const ArrayTable::ShapeParts& parts = arrays_.parts(root->shape_index());
    absl::flat_hash_set<int64_t> taken;
    for (const InputOutputAlias& alias : *aliases) {
      const int64_t part = parts.Find(alias.output_index);
      if (part >= 0 && parts[part].is_tuple()) continue;  // has no memory
      const int64_t result = part < 0 ? -1 : found.result[part];
      const int64_t parameter =
          ParameterBuffer(alias.parameter_number, alias.parameter_index);
      if (result < 0 || parameter < 0) {
        ++result_->unresolved;
        continue;
      }
      if (result == parameter) continue;
      const Buffer& from = found.buffers[result];
      const Buffer& to = found.buffers[parameter];
      // What XLA would copy, or what does not fit, keeps its own buffer.
      if (from.kind != Buffer::Kind::kOwn || SpaceOf(from) != SpaceOf(to) ||
          ArrayOf(from).sizes->padded_bytes > ArrayOf(to).sizes->padded_bytes ||
          lies_in.contains(result) || !taken.insert(parameter).second) {
        ++result_->unresolved;
        continue;
      }
      lies_in[result] = parameter;
    }
    return lies_in;
  }

  absl::flat_hash_set<int64_t> ReadDonors() {
    absl::flat_hash_set<int64_t> donated;
    const absl::optional<absl::string_view> text =
        HeaderAttribute("buffer_donor");
    if (!text.has_value()) return donated;
    const absl::StatusOr<std::vector<BufferDonor>> donors =
        DecodeBufferDonors(*text);
    if (!donors.ok()) {
      ++result_->unresolved;
      return donated;
    }
    for (const BufferDonor& donor : *donors) {
      const int64_t buffer =
          ParameterBuffer(donor.parameter_number, donor.parameter_index);
      if (buffer >= 0) donated.insert(buffer);
    }
    return donated;
  }

  void AddCalls(HloComputation entry, const ComputationBuffers& found) {
    for (const ComputationBuffers::Call& call : found.calls) {
      const HloInstruction instruction = entry.instructions()[call.instruction];
      for (const SpaceBytes& need : NeedOf(instruction)) {
        LiveBuffer live{LiveBuffer::Kind::kCalled, instruction};
        live.memory_space = need.memory_space;
        live.padded_bytes = need.bytes;
        live.unpadded_bytes = need.unpadded_bytes;
        live.first = call.first;
        live.last = call.last;
        result_->buffers.push_back(live);
        if (need.is_saturated) saturated_spaces_.insert(need.memory_space);
      }
    }
  }

  void AddSpaces() {
    const std::vector<LiveBuffer>& buffers = result_->buffers;
    std::map<int64_t, std::vector<int64_t>> by_space;
    for (size_t i = 0; i < buffers.size(); ++i) {
      by_space[buffers[i].memory_space].push_back(i);
    }
    // A division, as a product could overflow.
    const int64_t instructions = last_ + 1;
    const bool has_series = options_.series_entries / instructions >=
                            static_cast<int64_t>(by_space.size());
    for (const auto& [space, indices] : by_space) {
      SpaceLiveness& live = result_->by_memory_space[space];
      live.is_saturated = saturated_spaces_.contains(space);
      std::vector<absl::uint128> changes(last_ + 2);  // modulo 2^128
      for (const int64_t i : indices) {
        changes[buffers[i].first] += buffers[i].padded_bytes;
        changes[buffers[i].last + 1] -= buffers[i].padded_bytes;
      }
      absl::uint128 sum = 0;
      if (has_series) live.bytes.reserve(instructions);
      for (int64_t time = 0; time <= last_; ++time) {
        sum += changes[time];
        const int64_t bytes = Clamp(sum, &live.is_saturated);
        if (has_series) live.bytes.push_back(bytes);
        if (bytes > live.peak_bytes) {
          live.peak_bytes = bytes;
          live.peak_instruction = time;
        }
      }
      absl::uint128 unpadded = 0;
      for (const int64_t i : indices) {
        if (buffers[i].first <= live.peak_instruction &&
            live.peak_instruction <= buffers[i].last) {
          live.live_at_peak.push_back(i);
          unpadded += buffers[i].unpadded_bytes;
        }
      }
      live.peak_unpadded_bytes = Clamp(unpadded, &live.is_saturated);
      std::stable_sort(live.live_at_peak.begin(), live.live_at_peak.end(),
                       [&buffers](int64_t a, int64_t b) {
                         return buffers[a].padded_bytes >
                                buffers[b].padded_bytes;
                       });
    }
  }

  const HloDump& dump_;
  const HloModule module_;
  const LivenessOptions options_;
  ArrayTable arrays_;
  Liveness* result_ = nullptr;
  int64_t last_ = 0;  // instruction of the entry computation
  absl::flat_hash_set<int64_t> spaces_;
  absl::flat_hash_set<int64_t> saturated_spaces_;
  // By computation.
  absl::flat_hash_map<int64_t, Known> known_;
  // Of the entry computation, by number, and by number and part.
  absl::flat_hash_map<int64_t, int64_t> parameter_shapes_;
  absl::flat_hash_map<std::pair<int64_t, int64_t>, int64_t> parameter_buffers_;
};

}  // namespace

absl::StatusOr<Liveness> ComputeLiveness(const HloDump& dump, HloModule module,
                                         const LivenessOptions& options) {
  return ModuleLiveness(dump, module, options).Compute();
}

}  // namespace tessera
