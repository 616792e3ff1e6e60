#include "tessera/hlo/diff/instruction_matching.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/hash/hash.h"
#include "absl/types/span.h"
#include "tessera/hlo/dataflow/work_check.h"
#include "tessera/hlo/diff/instruction_graph.h"

namespace tessera {
namespace {

using Graph = InstructionGraph;
using Node = InstructionGraph::Node;
using Edge = InstructionGraph::Edge;
using Hash = InstructionGraph::Hash;

class Matcher {
 public:
  Matcher(const Graph& before, const Graph& after, const MatchOptions& options)
      : old_(before), new_(after), options_(options), check_(options.go_on) {}

  std::vector<NodeMatch> Match() {
    old_other_.assign(old_.nodes().size(), -1);
    new_matches_.resize(new_.nodes().size());
    old_partner_.assign(old_.computations().size(), -1);
    new_partner_.assign(new_.computations().size(), -1);
    if (options_.are_names_kept) {
      LookEverywhere();
      MatchBy(Name, DiffMatch::kName);
    }
    PairEntries();
    MatchPairs();
    PairByName();
    MatchPairs();
    MatchAnywhere();
    return std::move(new_matches_);
  }

 private:
  using KeyOf = absl::FunctionRef<Hash(const Node&)>;
  // Not a key: a node with this value is not matched.
  static constexpr Hash kNoKey = 0;

  static Hash Expression(const Node& node) { return node.expression; }
  static Hash OpcodeAndShape(const Node& node) {
    return absl::HashOf(node.opcode, node.bare_shape);
  }
  static Hash Opcode(const Node& node) { return node.opcode; }
  static Hash Signature(const Node& node) {
    return absl::HashOf(node.opcode, node.bare_shape, node.op_name);
  }
  static Hash NamedSignature(const Node& node) {
    return node.op_name == 0 ? kNoKey : Signature(node);
  }
  static Hash ParameterOpName(const Node& node) {
    return node.parameter_number >= 0 ? OpcodeAndOpName(node) : kNoKey;
  }
  static Hash Name(const Node& node) {
    return node.name == 0 ? kNoKey : absl::HashOf(node.opcode, node.name);
  }
  static Hash ParameterNumber(const Node& node) {
    return node.parameter_number >= 0 ? absl::HashOf(node.parameter_number)
                                      : kNoKey;
  }
  static Hash OpcodeAndOpName(const Node& node) {
    return node.op_name == 0 ? kNoKey : absl::HashOf(node.opcode, node.op_name);
  }
  static Hash ShapeAndOpName(const Node& node) {
    return node.op_name == 0 ? kNoKey
                             : absl::HashOf(node.bare_shape, node.op_name);
  }

  void PairEntries() {
    const auto entry_of = [](const Graph& graph) {
      const int64_t count = graph.computations().size();
      for (int64_t i = 0; i < count; ++i) {
        if (graph.computations()[i].is_entry) return i;
      }
      return int64_t{-1};
    };
    const int64_t old_entry = entry_of(old_), new_entry = entry_of(new_);
    if (old_entry >= 0 && new_entry >= 0) Pair(old_entry, new_entry);
  }

  void Pair(int64_t old_computation, int64_t new_computation) {
    old_partner_[old_computation] = new_computation;
    new_partner_[new_computation] = old_computation;
    pairs_.push_back({old_computation, new_computation});
  }

  void PairByName() {
    absl::flat_hash_map<Hash, int64_t> by_key;
    for (size_t i = 0; i < old_partner_.size(); ++i) {
      if (old_partner_[i] < 0) by_key.emplace(old_.computations()[i].key, i);
    }
    for (size_t i = 0; i < new_partner_.size(); ++i) {
      if (new_partner_[i] >= 0) continue;
      const auto found = by_key.find(new_.computations()[i].key);
      if (found == by_key.end()) continue;
      Pair(found->second, i);
      // A second computation of that name does not match.
      by_key.erase(found);
    }
  }

  // Matches the instructions of the current pairs, and of all pairs of called
  // computations.
  void MatchPairs() {
    while (!pairs_.empty() && check_.GoesOn()) {
      const Graph::Computation& old_computation =
          old_.computations()[pairs_.front().first];
      const Graph::Computation& new_computation =
          new_.computations()[pairs_.front().second];
      pairs_.pop_front();
      old_range_ = {old_computation.begin, old_computation.end};
      new_range_ = {new_computation.begin, new_computation.end};
      matched_.clear();
      for (int64_t i = old_range_.begin; i < old_range_.end; ++i) {
        if (old_other_[i] >= 0) matched_.push_back(i);
      }
      // The number of nodes whose neighbours of each kind have been tried.
      size_t of_same_op_name = 0, of_same_shape = 0, of_same_opcode = 0;
      MatchBy(Expression, DiffMatch::kStructure);
      MatchNeighbours(Signature, &of_same_op_name);
      MatchBy(ParameterOpName, DiffMatch::kSignature);
      MatchBy(ParameterNumber, DiffMatch::kStructure);
      MatchRoots(old_computation.root, new_computation.root);
      MatchNeighbours(Signature, &of_same_op_name);
      MatchBy(NamedSignature, DiffMatch::kSignature);
      MatchNeighbours(Signature, &of_same_op_name);
      MatchBy(OpcodeAndOpName, DiffMatch::kSignature);
      MatchNeighbours(Signature, &of_same_op_name);
      MatchNeighbours(OpcodeAndShape, &of_same_shape);
      MatchBy(Signature, DiffMatch::kSignature);
      MatchNeighbours(OpcodeAndShape, &of_same_shape);
      MatchBy(Name, DiffMatch::kName);
      MatchNeighbours(Opcode, &of_same_opcode);
      PairCalled();
    }
  }

  void LookEverywhere() {
    old_range_ = {0, static_cast<int64_t>(old_.nodes().size())};
    new_range_ = {0, static_cast<int64_t>(new_.nodes().size())};
  }

  void MatchAnywhere() {
    LookEverywhere();
    for (const auto key_of : {Signature, OpcodeAndOpName, ShapeAndOpName}) {
      MatchBy(key_of, DiffMatch::kSignature);
    }
    // A pass that inlines a call puts its op_name before those of the callee.
    if (options_.are_names_kept) {
      MatchBy(OpcodeAndShape, DiffMatch::kSignature);
    }
  }

  void Match(int64_t old_node, int64_t new_node, DiffMatch how) {
    old_other_[old_node] = new_node;
    new_matches_[new_node] = {old_node, how};
    matched_.push_back(old_node);
  }

  // Matches the remaining instructions in the ranges that have the same key.
  void MatchBy(KeyOf key_of, DiffMatch how) {
    const int64_t steps =
        old_range_.end - old_range_.begin + new_range_.end - new_range_.begin;
    if (!check_.GoesOn(steps)) return;
    old_candidates_.clear();
    for (int64_t i = old_range_.begin; i < old_range_.end; ++i) {
      AddOld(i, key_of(old_.nodes()[i]));
    }
    new_candidates_.clear();
    for (int64_t i = new_range_.begin; i < new_range_.end; ++i) {
      AddNew(i, key_of(new_.nodes()[i]));
    }
    MatchCandidates(how);
  }

  void MatchRoots(int64_t old_root, int64_t new_root) {
    if (old_root < 0 || new_root < 0) return;
    if (!IsOldMatched(old_root) && !IsNewMatched(new_root) &&
        old_.nodes()[old_root].opcode == new_.nodes()[new_root].opcode) {
      Match(old_root, new_root, DiffMatch::kStructure);
    }
  }

  // Matches the neighbours of matched instructions in the current computations,
  // and the neighbours of these.
  void MatchNeighbours(KeyOf key_of, size_t* next) {
    for (; *next < matched_.size(); ++*next) {
      const int64_t old_node = matched_[*next];
      const int64_t new_node = old_other_[old_node];
      const auto old_users = old_.users(old_node);
      const auto new_users = new_.users(new_node);
      if (!check_.GoesOn(1 + old_users.size() + new_users.size())) return;
      MatchEdges(old_.operands(old_node), new_.operands(new_node), key_of);
      MatchEdges(old_users, new_users, key_of);
    }
  }

  void MatchEdges(absl::Span<const Edge> old_edges,
                  absl::Span<const Edge> new_edges, KeyOf key_of) {
    const auto key = [key_of](const Graph& graph, const Edge& edge) {
      return absl::HashOf(key_of(graph.nodes()[edge.node]), edge.place);
    };
    old_candidates_.clear();
    for (const Edge& edge : old_edges) AddOld(edge.node, key(old_, edge));
    if (old_candidates_.empty()) return;
    new_candidates_.clear();
    for (const Edge& edge : new_edges) AddNew(edge.node, key(new_, edge));
    MatchCandidates(DiffMatch::kStructure);
  }

  struct Candidate {
    int64_t node;
    Hash key;
  };

  bool IsOldMatched(int64_t node) const { return old_other_[node] >= 0; }
  bool IsNewMatched(int64_t node) const { return new_matches_[node].node >= 0; }

  void AddOld(int64_t node, Hash key) {
    if (key != kNoKey && !IsOldMatched(node)) {
      old_candidates_.push_back({node, key});
    }
  }
  void AddNew(int64_t node, Hash key) {
    if (key != kNoKey && !IsNewMatched(node)) {
      new_candidates_.push_back({node, key});
    }
  }

  // Matches candidates of the same key: first those that also have the same
  // name, then those of the same op_name, then the others in order.
  void MatchCandidates(DiffMatch how) {
    const auto name = [](const Node& node) { return node.name; };
    const auto op_name = [](const Node& node) { return node.op_name; };
    const auto nothing = [](const Node&) { return Hash{0}; };
    for (const KeyOf preference :
         {KeyOf(name), KeyOf(op_name), KeyOf(nothing)}) {
      if (old_candidates_.empty() || new_candidates_.empty()) return;
      // The first old candidate of each key, and the next one of the same key.
      absl::flat_hash_map<Hash, size_t> first;
      std::vector<size_t> next(old_candidates_.size());
      for (size_t i = old_candidates_.size(); i-- > 0;) {
        const Candidate& candidate = old_candidates_[i];
        const auto [entry, is_new] = first.try_emplace(
            absl::HashOf(candidate.key,
                         preference(old_.nodes()[candidate.node])),
            next.size());
        next[i] = std::exchange(entry->second, i);
      }
      for (const Candidate& candidate : new_candidates_) {
        const auto found = first.find(absl::HashOf(
            candidate.key, preference(new_.nodes()[candidate.node])));
        if (found == first.end() || found->second == next.size()) continue;
        // An instruction may be a candidate twice, as an operand that another
        // instruction reads in two places.
        const int64_t old_node = old_candidates_[found->second].node;
        found->second = next[found->second];
        if (!IsOldMatched(old_node) && !IsNewMatched(candidate.node)) {
          Match(old_node, candidate.node, how);
        }
      }
      const auto drop = [](auto is_matched,
                           std::vector<Candidate>* candidates) {
        candidates->erase(
            std::remove_if(candidates->begin(), candidates->end(), is_matched),
            candidates->end());
      };
      drop([this](const Candidate& old) { return IsOldMatched(old.node); },
           &old_candidates_);
      drop([this](const Candidate& found) { return IsNewMatched(found.node); },
           &new_candidates_);
    }
  }

  void PairCalled() {
    for (const int64_t node : matched_) {
      const absl::Span<const int64_t> old_calls = old_.calls(node);
      const absl::Span<const int64_t> new_calls = new_.calls(old_other_[node]);
      const size_t count = std::min(old_calls.size(), new_calls.size());
      for (size_t i = 0; i < count; ++i) {
        const int64_t x = old_calls[i];
        const int64_t y = new_calls[i];
        if (x >= 0 && y >= 0 && old_partner_[x] < 0 && new_partner_[y] < 0) {
          Pair(x, y);
        }
      }
    }
  }

  struct Range {
    int64_t begin = 0;
    int64_t end = 0;
  };

  const Graph& old_;
  const Graph& new_;
  const MatchOptions& options_;
  hlo_internal::WorkCheck check_;
  // By old node: its partner, or -1.
  std::vector<int64_t> old_other_;
  std::vector<NodeMatch> new_matches_;
  // By computation: its partner in the other module, or -1.
  std::vector<int64_t> old_partner_, new_partner_;
  std::deque<std::pair<int64_t, int64_t>> pairs_;
  // The current instructions, and the matched ones of the old module.
  Range old_range_, new_range_;
  std::vector<int64_t> matched_;
  std::vector<Candidate> old_candidates_, new_candidates_;
};

}  // namespace

std::vector<NodeMatch> MatchGraphs(const InstructionGraph& before,
                                   const InstructionGraph& after,
                                   const MatchOptions& options) {
  return Matcher(before, after, options).Match();
}

std::vector<InstructionMatch> MatchInstructions(HloModule before,
                                                HloModule after,
                                                const MatchOptions& options) {
  const InstructionGraph old_graph(before), new_graph(after);
  const std::vector<NodeMatch> found =
      MatchGraphs(old_graph, new_graph, options);
  std::vector<InstructionMatch> matches;
  for (const HloComputation computation : before.computations()) {
    for (const HloInstruction instruction : computation.instructions()) {
      matches.emplace_back().before = instruction;
    }
  }
  size_t node = 0;
  for (const HloComputation computation : after.computations()) {
    for (const HloInstruction instruction : computation.instructions()) {
      const NodeMatch& match = found[node++];
      InstructionMatch& to =
          match.node < 0 ? matches.emplace_back() : matches[match.node];
      to.after = instruction;
      to.how = match.how;
    }
  }
  return matches;
}

}  // namespace tessera
