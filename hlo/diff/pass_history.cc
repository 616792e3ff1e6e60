#include "tessera/hlo/diff/pass_history.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/diff/instruction_graph.h"
#include "tessera/hlo/diff/result_arrays.h"
#include "tessera/hlo/instruction_origin.h"

namespace tessera {
namespace {

void AddTo(int64_t bytes, ArrayCount* count) {
  ++count->count;
  bool is_saturated = false;
  SaturatingAdd(bytes, &count->bytes, &is_saturated);
}

// Returns the instruction that computes array `array` of the `count` arrays of
// a fusion; nullopt if it is not known.
std::optional<HloInstruction> FusedRoot(HloInstruction fusion, int64_t array,
                                        int64_t count) {
  // Fusions within fusions and chains of bitcasts are short.
  constexpr int kMostLevels = 16;
  std::optional<HloInstruction> root = fusion;
  for (int level = 0; level < kMostLevels; ++level) {
    if (!root.has_value()) return root;
    // A bitcast has the same bytes in other dimensions.
    if (root->opcode() == "bitcast" && root->operand_count() == 1) {
      root = root->operand(0).instruction();
      continue;
    }
    if (root->opcode() != "fusion") return root;
    const std::optional<HloComputation> fused =
        root->called(HloCallKind::kCalls);
    if (!fused.has_value()) return std::nullopt;
    root = fused->root();
    if (root.has_value() && root->opcode() == "tuple") {
      if (root->operand_count() != count) return std::nullopt;
      root = root->operand(array).instruction();
      array = 0;
      count = 1;
    }
  }
  return std::nullopt;
}

CountedArrays CountedOf(const ResultArrays& results, CountedArrays counted) {
  return results.has_running() ? counted : CountedArrays::kResults;
}

}  // namespace

struct PassHistory::State {
  // An array of a result, whether or not it counts.
  struct Array {
    int64_t node = -1;
    bool counts = false;
    int64_t bytes = 0;
    // A hash of the shape with its layout.
    uint64_t shape = 0;
    // For a fusion: the node that computes its array; -1 otherwise.
    int64_t fused_root = -1;
    ArrayOrigin origin;
  };

  State(const HloDump& dump, CountedArrays counted, PassChange* change,
        uint64_t* print)
      : graph(dump.modules()[0]) {
    ResultArrays results(dump);
    const int64_t nodes = graph.nodes().size();
    for (int64_t node = 0; node < nodes; ++node) {
      begins.push_back(arrays.size());
      const HloInstruction instruction =
          graph.InstructionOf(node, dump.modules()[0]);
      const auto found = results.Of(instruction, CountedOf(results, counted));
      const int64_t count = found.size();
      for (int64_t i = 0; i < count; ++i) {
        Array& array = arrays.emplace_back();
        array.node = node;
        if (found[i] == nullptr) continue;
        array.counts = true;
        array.bytes = found[i]->padded_bytes();
        array.shape = absl::HashOf(*found[i]->shape);
        *print += absl::HashOf(AbslView(instruction.opcode()), array.shape);
        AddTo(array.bytes, &change->arrays);
        if (instruction.opcode() != "fusion") continue;
        const std::optional<HloInstruction> root =
            FusedRoot(instruction, i, count);
        if (root.has_value()) array.fused_root = graph.NodeOf(*root);
      }
    }
    change->instructions = nodes;
    begins.push_back(arrays.size());
  }

  int64_t size(int64_t node) const { return begins[node + 1] - begins[node]; }

  // Keeps the first `rows` of the numbers of arrays: the largest first, and
  // equal ones in order.
  void KeepLargest(int64_t rows, std::vector<int64_t>* numbers) const {
    const auto kept = std::min<int64_t>(rows, numbers->size());
    std::partial_sort(numbers->begin(), numbers->begin() + kept, numbers->end(),
                      [this](int64_t a, int64_t b) {
                        const int64_t x = arrays[a].bytes, y = arrays[b].bytes;
                        return x != y ? x > y : a < b;
                      });
    numbers->resize(kept);
  }

  // Returns the arrays with these numbers, in order.
  std::vector<DumpedArray> Describe(const HloDump& dump, CountedArrays counted,
                                    const std::vector<int64_t>& numbers) const {
    std::vector<DumpedArray> described;
    if (numbers.empty()) return described;
    ResultArrays results(dump);
    InstructionOrigins origins(dump.modules()[0]);
    absl::flat_hash_map<int64_t, std::vector<const ArrayTable::Array*>> of_node;
    for (const int64_t number : numbers) {
      const int64_t node = arrays[number].node;
      const HloInstruction instruction =
          graph.InstructionOf(node, dump.modules()[0]);
      const auto [found, is_new] = of_node.try_emplace(node);
      if (is_new) {
        found->second = results.Of(instruction, CountedOf(results, counted));
      }
      InstructionOrigin origin = origins.Of(instruction);
      DumpedArray& array = described.emplace_back();
      array.instruction = std::string(instruction.name());
      array.opcode = std::string(instruction.opcode());
      array.computation = std::string(instruction.computation().name());
      array.array = number - begins[node];
      array.shape = found->second[array.array]->shape->ToString();
      array.bytes = arrays[number].bytes;
      array.op_name = std::move(origin.op_name);
      array.source_line = std::move(origin.source_line);
    }
    return described;
  }

  InstructionGraph graph;
  // By node: the beginning of its arrays, and finally their end.
  std::vector<int64_t> begins;
  std::vector<Array> arrays;
};

PassHistory::PassHistory(const PassHistoryOptions& options)
    : options_(options) {}

PassHistory::~PassHistory() = default;

std::vector<int64_t> PassHistory::Compare(State* state, PassChange* change) {
  const int64_t pass = passes_.size();
  State& last = *last_;
  const std::vector<NodeMatch> matches =
      MatchGraphs(last.graph, state->graph, MatchOptions{true});
  for (const NodeMatch& match : matches) {
    change->new_instructions += match.node < 0;
  }
  change->bytes_before = passes_.back().arrays.bytes;
  const int64_t kept = change->instructions - change->new_instructions;
  change->gone_instructions = passes_.back().instructions - kept;

  // For the arrays of the last dump and of this one: whether the partner is
  // known.
  std::vector<bool> is_old_known(last.arrays.size());
  std::vector<bool> is_known(state->arrays.size());
  const auto try_same = [&](int64_t old_array, int64_t new_array) {
    State::Array& before = last.arrays[old_array];
    State::Array& after = state->arrays[new_array];
    if (!before.counts || !after.counts || is_old_known[old_array] ||
        is_known[new_array]) {
      return;
    }
    is_old_known[old_array] = is_known[new_array] = true;
    after.origin = std::move(before.origin);
    if (before.shape == after.shape) return;
    after.origin.changed_by = pass;
    AddTo(before.bytes, &change->changed_before);
    AddTo(after.bytes, &change->changed_after);
  };
  const int64_t nodes = matches.size();
  for (int64_t node = 0; node < nodes; ++node) {
    const int64_t old_node = matches[node].node;
    if (old_node < 0) continue;
    const int64_t count = std::min(last.size(old_node), state->size(node));
    for (int64_t i = 0; i < count; ++i) {
      try_same(last.begins[old_node] + i, state->begins[node] + i);
    }
  }

  // Fusions, by their roots.
  absl::flat_hash_map<int64_t, int64_t> old_fusions;  // array by root
  for (size_t i = 0; i < last.arrays.size(); ++i) {
    const int64_t root = last.arrays[i].fused_root;
    if (root >= 0) old_fusions.emplace(root, i);
  }
  for (size_t i = 0; i < state->arrays.size(); ++i) {
    const int64_t root = state->arrays[i].fused_root;
    const int64_t node = state->arrays[i].node;
    const int64_t old_node = root >= 0                ? matches[root].node
                             : state->size(node) == 1 ? matches[node].node
                                                      : -1;
    if (old_node < 0) continue;
    if (last.size(old_node) == 1) try_same(last.begins[old_node], i);
    const auto fusion = old_fusions.find(old_node);
    if (fusion != old_fusions.end()) try_same(fusion->second, i);
  }

  for (size_t i = 0; i < last.arrays.size(); ++i) {
    if (last.arrays[i].counts && !is_old_known[i]) {
      AddTo(last.arrays[i].bytes, &change->gone_arrays);
    }
  }
  std::vector<int64_t> added;
  for (size_t i = 0; i < state->arrays.size(); ++i) {
    if (!state->arrays[i].counts || is_known[i]) continue;
    AddTo(state->arrays[i].bytes, &change->new_arrays);
    added.push_back(i);
  }
  return added;
}

absl::Status PassHistory::Add(const DumpPass& pass, const HloDump& dump) {
  if (dump.modules().size() != 1) {
    return InvalidArgumentError("the dump of a pass has ",
                                dump.modules().size(),
                                " modules, but must have 1");
  }
  PassChange change;
  change.pass = pass;
  uint64_t print = 0;
  auto made = std::make_unique<State>(dump, options_.counted, &change, &print);
  State& state = *made;
  std::vector<int64_t> added;
  if (passes_.empty()) {
    added.resize(state.arrays.size());
    std::iota(added.begin(), added.end(), 0);
  } else {
    added = Compare(&state, &change);
  }
  for (const int64_t number : added) {
    const HloInstruction instruction =
        state.graph.InstructionOf(state.arrays[number].node, dump.modules()[0]);
    state.arrays[number].origin = {static_cast<int64_t>(passes_.size()), -1,
                                   std::string(instruction.name()),
                                   std::string(instruction.opcode())};
  }
  if (!passes_.empty()) {
    state.KeepLargest(options_.rows, &added);
    change.largest_new = state.Describe(dump, options_.counted, added);
  }
  passes_.push_back(std::move(change));
  prints_.push_back(print);
  last_ = std::move(made);
  return absl::OkStatus();
}

const ArrayOrigin* PassHistory::OriginOf(HloInstruction instruction,
                                         int64_t array) const {
  if (last_ == nullptr) return nullptr;
  const int64_t node = last_->graph.NodeOf(instruction);
  if (array < 0 || array >= last_->size(node)) return nullptr;
  const State::Array& found = last_->arrays[last_->begins[node] + array];
  return found.counts ? &found.origin : nullptr;
}

std::vector<LastArray> PassHistory::LargestArrays(const HloDump& last,
                                                  int64_t rows) const {
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < last_->arrays.size(); ++i) {
    if (last_->arrays[i].counts) numbers.push_back(i);
  }
  last_->KeepLargest(rows, &numbers);
  std::vector<DumpedArray> arrays =
      last_->Describe(last, options_.counted, numbers);
  std::vector<LastArray> found;
  for (size_t i = 0; i < arrays.size(); ++i) {
    found.push_back({std::move(arrays[i]), last_->arrays[numbers[i]].origin});
  }
  return found;
}

PassParting PassParting::Of(const PassHistory& before,
                            const PassHistory& after) {
  absl::flat_hash_map<uint64_t, int64_t> last_after;
  for (size_t i = 0; i < after.prints_.size(); ++i) {
    last_after[after.prints_[i]] = i;
  }
  PassParting parting;
  for (int64_t i = before.prints_.size(); i-- > 0;) {
    const auto found = last_after.find(before.prints_[i]);
    if (found == last_after.end()) continue;
    parting.before_alike = i;
    parting.after_alike = found->second;
    break;
  }
  const auto next = [](int64_t alike, const std::vector<PassChange>& passes) {
    const int64_t size = passes.size();
    return alike + 1 < size ? alike + 1 : -1;
  };
  parting.before_next = next(parting.before_alike, before.passes_);
  parting.after_next = next(parting.after_alike, after.passes_);
  return parting;
}

}  // namespace tessera
