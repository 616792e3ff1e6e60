#include "tessera/tenstorrent/mlir_file/function_memory.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::tenstorrent {
namespace {

// Regions nest deeper only in texts that are not programs.
constexpr size_t kMaxOpen = 256;

// The most callees of one function. Compiled programs do not have more.
constexpr size_t kMaxCallees = 512;

int64_t SaturatedAdd(int64_t a, int64_t b) {
  return CheckedAdd(a, b).value_or(std::numeric_limits<int64_t>::max());
}

// Returns whether the operation returns another view of its first operand.
bool SeesItsOperand(std::string_view name) {
  constexpr std::string_view kEndings[] = {
      "_cast",           ".cast",        ".get_tuple_element",
      ".subview",        ".view_layout", ".expand_shape",
      ".collapse_shape", ".view",        ".transpose_view"};
  return std::any_of(
      std::begin(kEndings), std::end(kEndings),
      [name](std::string_view ending) { return EndsWith(name, ending); });
}

bool Frees(std::string_view name) {
  return name == "ttnn.deallocate" || name == "memref.dealloc";
}

// Other operations have memrefs of memory that is allocated elsewhere.
bool AllocatesMemRefs(std::string_view name) {
  return name == "memref.alloc" || name == "memref.alloca";
}

bool IsCall(std::string_view name) {
  return name == "func.call" || name == "call" || name == "ttcore.load_cached";
}

bool MakesRoom(std::string_view name) { return EndsWith(name, ".empty"); }

std::string_view WithoutNumber(std::string_view value) {
  return value.substr(0, value.find('#'));
}

// Returns the number of operations, including the entry, that each number of
// the chart covers.
int64_t OperationsPerPart(int64_t operations) {
  return CeilOfRatio(operations + 1, FunctionMemory::kMaxSeries);
}

// Puts the largest first, and keeps kMaxLive.
void SortLive(SpaceUse* use) {
  std::stable_sort(use->live.begin(), use->live.end(),
                   [](const LiveTensor& a, const LiveTensor& b) {
                     return a.bytes > b.bytes;
                   });
  if (use->live.size() > FunctionMemory::kMaxLive) {
    use->live.resize(FunctionMemory::kMaxLive);
  }
}

int64_t BytesIn(MemorySpace space, const FileItem& item) {
  return item.space == space && item.sizes.has_value()
             ? item.sizes->taken_per_bank
             : 0;
}

// Returns the memory in use in a caller and its callee together, at the
// callee's peak.
SpaceUse WithCallee(const CallsOf& calls, const SpaceUse& callee,
                    int64_t bytes) {
  SpaceUse use = calls.most;
  use.peak = bytes;
  for (const int64_t freed : callee.freed_arguments) {
    if (freed >= static_cast<int64_t>(calls.operands.size())) break;
    const auto gone = std::find_if(use.live.begin(), use.live.end(),
                                   [&](const LiveTensor& live) {
                                     return live.name == calls.operands[freed];
                                   });
    if (gone == use.live.end()) continue;
    use.live.erase(gone);
    --use.live_count;
  }
  for (const LiveTensor& live : callee.live) {
    if (live.is_argument) continue;
    use.live.push_back(live);
    if (!StrContains(live.name, " of ")) {
      absl::StrAppend(&use.live.back().name, " of ", calls.callee);
    }
  }
  use.live_count += callee.live_count - callee.live_arguments;
  SortLive(&use);
  return use;
}

// Adds callees to callers, each function once.
class CalleeAdder {
 public:
  explicit CalleeAdder(absl::Span<FunctionMemory> functions)
      : functions_(functions), states_(functions.size(), kNew) {
    for (size_t i = 0; i < functions.size(); ++i) {
      numbers_[functions[i].name].push_back(i);
    }
  }

  void Add(size_t caller) {
    if (states_[caller] != kNew) return;
    states_[caller] = kBegun;
    AddIn(caller, &FunctionMemory::l1);
    AddIn(caller, &FunctionMemory::dram);
    states_[caller] = kDone;
  }

 private:
  enum State : uint8_t { kNew, kBegun, kDone };

  // The number of the nearest function of that name, or -1.
  int64_t Nearest(size_t caller, const std::string& name) const {
    const auto found = numbers_.find(name);
    int64_t nearest = -1;
    if (found == numbers_.end()) return nearest;
    const auto distance = [caller](int64_t number) {
      return std::abs(number - static_cast<int64_t>(caller));
    };
    for (const int64_t number : found->second) {
      if (nearest < 0 || distance(number) < distance(nearest)) {
        nearest = number;
      }
    }
    return nearest;
  }

  void AddIn(size_t caller, SpacePeak FunctionMemory::*space) {
    SpacePeak& peak = functions_[caller].*space;
    const int64_t per_part = OperationsPerPart(functions_[caller].operations);
    for (const CallsOf& calls : peak.callees) {
      const int64_t number = Nearest(caller, calls.callee);
      if (number < 0) continue;
      Add(number);
      if (states_[number] != kDone) continue;
      const SpacePeak& callee = functions_[number].*space;
      const int64_t own = callee.peak - callee.argument_bytes;
      for (const auto& [operation, held] : calls.calls) {
        int64_t& part = peak.series[operation / per_part];
        part = std::max(part, SaturatedAdd(held, own));
      }
      const int64_t bytes = SaturatedAdd(calls.most.peak, own);
      if (bytes > peak.peak ||
          (bytes == peak.peak && calls.most.operation < peak.operation)) {
        static_cast<SpaceUse&>(peak) = WithCallee(calls, callee, bytes);
      }
    }
    peak.callees.clear();
  }

  absl::Span<FunctionMemory> functions_;
  std::vector<State> states_;
  TextMap<std::string, std::vector<int64_t>> numbers_;
};

}  // namespace

void AddCallees(absl::Span<FunctionMemory> functions) {
  CalleeAdder adder(functions);
  for (size_t i = 0; i < functions.size(); ++i) adder.Add(i);
}

void OperationCounts::Add(const OperationCounts& other) {
  operations += other.operations;
  shardable += other.shardable;
  sharded += other.sharded;
  sharded_and_spilled += other.sharded_and_spilled;
  dram_spilled += other.dram_spilled;
  system_memory += other.system_memory;
}

void FunctionTimeline::Begin(std::string_view name, const FilePlace& place) {
  name_ = std::string(name);
  place_ = place;
  operations_.clear();
  values_.clear();
  first_results_.clear();
  first_values_.clear();
  moves_.clear();
  calls_.clear();
  open_.clear();
  names_.clear();
  depth_ = 0;
}

void FunctionTimeline::AddArgument(std::string_view value, int64_t item) {
  if (item < 0) return;
  names_[value] = {static_cast<int64_t>(values_.size()), 1};
  Value added;
  added.item = item;
  added.name = value;
  added.is_argument = true;
  values_.push_back(added);
}

void FunctionTimeline::BeginOperation(
    std::string_view name, absl::Span<const std::string_view> results,
    const FilePlace& place) {
  EndOperations(depth_);
  // A text whose brackets do not close does not have nested regions.
  if (open_.size() == kMaxOpen) {
    depth_ = 0;
    EndOperations(0);
  }
  operations_.push_back({name, place});
  first_results_.push_back(-1);
  first_values_.push_back(-1);
  OpenOperation operation;
  operation.number = operations_.size();
  operation.depth = depth_;
  operation.results.assign(results.begin(), results.end());
  open_.push_back(std::move(operation));
}

void FunctionTimeline::AddUse(std::string_view value) {
  if (open_.empty()) return;
  const auto found = names_.find(WithoutNumber(value));
  if (found == names_.end()) return;
  // An operation that ends names its results, which may move them all.
  const Names named = found->second;
  // After its regions, an operation continues at its own depth.
  while (open_.size() > 1 && open_.back().depth > depth_) {
    EndOperation(open_.back());
    open_.pop_back();
  }
  OpenOperation& operation = open_.back();
  const int64_t now = operations_.size();
  for (int64_t i = 0; i < named.count; ++i) {
    const int64_t number = named.first + i;
    Value& used = values_[number];
    operation.operands.push_back(number);
    if (Frees(operations_[operation.number - 1].name)) {
      used.is_freed = true;
      used.last = now;
    }
    if (!used.is_freed) used.last = now;
    // A region may run again.
    for (OpenOperation& outer : open_) {
      if (outer.depth >= used.depth && &outer != &operation &&
          outer.number > used.first) {
        outer.used_inside.push_back(number);
        break;
      }
    }
  }
}

void FunctionTimeline::AddSymbol(std::string_view symbol) {
  if (open_.empty()) return;
  const int64_t number = open_.back().number;
  if (!IsCall(operations_[number - 1].name) ||
      (!calls_.empty() && calls_.back().number == number)) {
    return;
  }
  calls_.push_back({number, symbol, {}});
}

void FunctionTimeline::AddType(int64_t item, bool is_memref) {
  EndOperations(depth_ + 1);
  if (open_.empty()) return;
  const std::string_view name = operations_[open_.back().number - 1].name;
  open_.back().types.push_back(is_memref && !AllocatesMemRefs(name) ? -1
                                                                    : item);
}

void FunctionTimeline::DropTypes(bool is_arrow) {
  EndOperations(depth_ + 1);
  if (open_.empty() || open_.back().depth != depth_) return;
  open_.back().types.clear();
  open_.back().has_arrow |= is_arrow;
}

void FunctionTimeline::EndLine() {
  if (!open_.empty() && open_.back().depth == depth_ &&
      open_.back().has_arrow && !open_.back().types.empty()) {
    EndOperations(depth_);
  }
}

void FunctionTimeline::EndOperations(int32_t depth) {
  while (!open_.empty() && open_.back().depth >= depth) {
    EndOperation(open_.back());
    open_.pop_back();
  }
}

void FunctionTimeline::EndOperation(const OpenOperation& operation) {
  const std::string_view name = operations_[operation.number - 1].name;
  for (const int64_t used : operation.used_inside) {
    Value& value = values_[used];
    if (!value.is_freed) {
      value.last = std::max<int64_t>(value.last, operations_.size());
    }
  }
  if (!calls_.empty() && calls_.back().number == operation.number) {
    calls_.back().operands = operation.operands;
  }
  if (operation.results.empty()) return;
  first_results_[operation.number - 1] =
      operation.types.empty() ? -1 : operation.types.front();
  if (name == "ttnn.to_memory_config" && !operation.operands.empty() &&
      !operation.types.empty() && operation.types.front() >= 0) {
    moves_.push_back({operation.operands.front(), operation.types.front()});
  }
  // The operand that the result is in.
  int64_t in_operand = -1;
  if (SeesItsOperand(name)) {
    if (!operation.operands.empty()) in_operand = operation.operands.front();
  } else if (!operation.operands.empty() && !operation.types.empty() &&
             !MakesRoom(name)) {
    const int64_t last = operation.operands.back();
    if (values_[last].is_new && values_[last].item == operation.types.front()) {
      values_[last].is_new = false;
      in_operand = last;
    }
  }
  if (in_operand >= 0) {
    first_values_[operation.number - 1] = in_operand;
    for (const std::string_view result : operation.results) {
      names_[result] = {in_operand, 1};
    }
    return;
  }
  if (SeesItsOperand(name)) return;
  size_t type = 0;
  for (size_t i = 0; i < operation.results.size(); ++i) {
    // The last result has the rest of the types: "%0:2" are two.
    const size_t end = i + 1 == operation.results.size()
                           ? operation.types.size()
                           : std::min(type + 1, operation.types.size());
    const int64_t first = values_.size();
    for (; type < end; ++type) {
      if (operation.types[type] < 0) continue;
      Value value;
      value.item = operation.types[type];
      value.name = operation.results[i];
      value.first = value.last = operation.number;
      value.depth = operation.depth;
      value.is_new = MakesRoom(name);
      values_.push_back(value);
    }
    const int64_t count = static_cast<int64_t>(values_.size()) - first;
    if (count > 0) {
      names_[operation.results[i]] = {first, count};
      if (i == 0) first_values_[operation.number - 1] = first;
    } else {
      names_.erase(operation.results[i]);
    }
  }
}

bool FunctionTimeline::IsLiveAt(const Value& value, int64_t operation) const {
  const bool stays = value.is_argument && !value.is_freed;
  return value.first <= operation && (stays || value.last >= operation);
}

SpaceUse FunctionTimeline::UseAt(int64_t operation, bool with_results,
                                 MemorySpace space,
                                 absl::Span<const FileItem> items) const {
  SpaceUse use;
  use.operation = operation;
  use.place = place_;
  if (operation > 0) {
    const Operation& at = operations_[operation - 1];
    use.operation_name = std::string(at.name);
    use.place = at.place;
  }
  int64_t arguments = 0;
  for (const Value& value : values_) {
    const int64_t taken = BytesIn(space, items[value.item]);
    const bool is_live = IsLiveAt(value, operation);
    if (value.is_argument) {
      if (!is_live) use.freed_arguments.push_back(arguments);
      ++arguments;
    }
    if (taken == 0 || !is_live ||
        (!with_results && !value.is_argument && value.first == operation)) {
      continue;
    }
    LiveTensor live;
    live.name = std::string(value.name);
    live.item = value.item;
    live.bytes = taken;
    live.is_argument = value.is_argument;
    live.line = value.first == 0 ? place_.line
                                 : operations_[value.first - 1].place.line;
    use.live_arguments += value.is_argument;
    use.live.push_back(std::move(live));
  }
  use.live_count = use.live.size();
  SortLive(&use);
  return use;
}

std::vector<CallsOf> FunctionTimeline::CallsIn(
    MemorySpace space, absl::Span<const FileItem> items,
    absl::Span<const int64_t> bytes) const {
  std::vector<CallsOf> callees;
  TextMap<std::string_view, size_t> numbers;
  std::vector<const Call*> most;
  // The bytes that each operation makes.
  std::vector<int64_t> made(bytes.size());
  for (const Value& value : values_) {
    if (!value.is_argument) {
      made[value.first] =
          SaturatedAdd(made[value.first], BytesIn(space, items[value.item]));
    }
  }
  for (const Call& call : calls_) {
    if (callees.size() == kMaxCallees && !numbers.contains(call.callee)) {
      continue;
    }
    const auto [found, is_new] = numbers.emplace(call.callee, callees.size());
    if (is_new) {
      callees.emplace_back().callee = std::string(call.callee);
      callees.back().most.peak = -1;
      most.push_back(&call);
    }
    CallsOf& calls = callees[found->second];
    const int64_t held =
        std::max<int64_t>(0, bytes[call.number] - made[call.number]);
    calls.calls.push_back({call.number, held});
    if (held > calls.most.peak) {
      calls.most.peak = held;
      most[found->second] = &call;
    }
  }
  for (size_t i = 0; i < callees.size(); ++i) {
    const int64_t held = callees[i].most.peak;
    callees[i].most =
        UseAt(most[i]->number, /*with_results=*/false, space, items);
    callees[i].most.peak = held;
    for (const int64_t operand : most[i]->operands) {
      callees[i].operands.push_back(std::string(values_[operand].name));
    }
  }
  return callees;
}

SpacePeak FunctionTimeline::PeakOf(MemorySpace space,
                                   absl::Span<const FileItem> items) const {
  const int64_t end = operations_.size();
  std::vector<int64_t> changes(end + 2);
  int64_t argument_bytes = 0;
  for (const Value& value : values_) {
    const int64_t bytes = BytesIn(space, items[value.item]);
    if (bytes == 0) continue;
    if (value.is_argument) argument_bytes = SaturatedAdd(argument_bytes, bytes);
    const bool stays = value.is_argument && !value.is_freed;
    const int64_t last = stays ? end : std::min(value.last, end);
    changes[value.first] = SaturatedAdd(changes[value.first], bytes);
    changes[last + 1] = CheckedAdd(changes[last + 1], -bytes)
                            .value_or(std::numeric_limits<int64_t>::min());
  }
  std::vector<int64_t> in_use(end + 1);
  std::vector<int64_t> series;
  int64_t bytes = 0, most = 0, operation = 0;
  const int64_t per_part = OperationsPerPart(end);
  for (int64_t i = 0; i <= end; ++i) {
    bytes = std::max<int64_t>(0, SaturatedAdd(bytes, changes[i]));
    in_use[i] = bytes;
    if (bytes > most) {
      most = bytes;
      operation = i;
    }
    if (i % per_part == 0) series.push_back(0);
    series.back() = std::max(series.back(), bytes);
  }
  SpacePeak peak;
  static_cast<SpaceUse&>(peak) =
      UseAt(operation, /*with_results=*/true, space, items);
  peak.peak = most;
  peak.argument_bytes = argument_bytes;
  peak.callees = CallsIn(space, items, in_use);
  peak.series = std::move(series);
  return peak;
}

OperationCounts FunctionTimeline::Count(
    absl::Span<const FileItem> items) const {
  OperationCounts counts;
  std::vector<bool> is_spilled(values_.size());
  for (const auto& [value, result] : moves_) {
    if (items[result].space == MemorySpace::kDeviceDRAM) {
      is_spilled[value] = true;
    }
  }
  for (size_t i = 0; i < operations_.size(); ++i) {
    const std::string_view name = operations_[i].name;
    if (name == "ttnn.get_device") continue;
    ++counts.operations;
    if (first_results_[i] < 0 || !StartsWith(name, "ttnn.") ||
        name == "ttnn.to_memory_config") {
      continue;
    }
    const FileItem& item = items[first_results_[i]];
    if (item.kind != FileItem::kTensor) continue;
    ++counts.shardable;
    if (item.space == MemorySpace::kDeviceDRAM) ++counts.dram_spilled;
    if (item.space == MemorySpace::kSystem) ++counts.system_memory;
    if (item.space != MemorySpace::kDeviceL1 || !item.is_sharded) continue;
    ++counts.sharded;
    const int64_t value = first_values_[i];
    if (value >= 0 && is_spilled[value]) ++counts.sharded_and_spilled;
  }
  return counts;
}

FunctionMemory FunctionTimeline::Finish(absl::Span<const FileItem> items) {
  EndOperations(0);
  FunctionMemory memory;
  memory.name = name_;
  memory.place = place_;
  memory.operations = operations_.size();
  memory.tensors = values_.size();
  memory.l1 = PeakOf(MemorySpace::kDeviceL1, items);
  memory.dram = PeakOf(MemorySpace::kDeviceDRAM, items);
  memory.counts = Count(items);
  return memory;
}

}  // namespace tessera::tenstorrent
