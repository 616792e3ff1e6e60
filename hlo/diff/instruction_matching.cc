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

using KeyOf = absl::FunctionRef<Hash(const Node&)>;

// Not a key: a node with this value is not matched.
constexpr Hash kNoKey = 0;

// One of the two modules.
struct MatchedSide {
  struct Candidate {
    int64_t node;
    Hash key;
  };

  explicit MatchedSide(const Graph& graph)
      : graph(graph),
        matches(graph.nodes().size()),
        partners(graph.computations().size(), -1) {}

  const Node& node(int64_t i) const { return graph.nodes()[i]; }
  bool IsMatched(int64_t node) const { return matches[node].node >= 0; }

  void LookAt(int64_t first, int64_t past_last) {
    begin = first;
    end = past_last;
  }

  // Both make the unmatched nodes that have a key the candidates.
  void TakeRange(KeyOf key_of) {
    candidates.clear();
    for (int64_t i = begin; i < end; ++i) Add(i, key_of(graph.nodes()[i]));
  }
  void TakeEdges(absl::Span<const Edge> edges, KeyOf key_of) {
    candidates.clear();
    for (const Edge& edge : edges) {
      Add(edge.node,
          absl::HashOf(key_of(graph.nodes()[edge.node]), edge.place));
    }
  }
  void Add(int64_t node, Hash key) {
    if (key != kNoKey && !IsMatched(node)) candidates.push_back({node, key});
  }

  void DropMatched() {
    candidates.erase(std::remove_if(candidates.begin(), candidates.end(),
                                    [this](const Candidate& candidate) {
                                      return IsMatched(candidate.node);
                                    }),
                     candidates.end());
  }

  const Graph& graph;
  // By node, and by computation: the partner in the other module, or -1.
  std::vector<NodeMatch> matches;
  std::vector<int64_t> partners;
  // The current nodes.
  int64_t begin = 0;
  int64_t end = 0;
  std::vector<Candidate> candidates;
};

class Matcher {
 public:
  Matcher(const Graph& before, const Graph& after, const MatchOptions& options)
      : old_(before), new_(after), options_(options), check_(options.go_on) {}

  std::vector<NodeMatch> Match() {
    if (options_.are_names_kept) {
      LookEverywhere();
      MatchBy(Name, DiffMatch::kName);
    }
    PairEntries();
    MatchPairs();
    PairByName();
    MatchPairs();
    MatchAnywhere();
    return std::move(new_.matches);
  }

 private:
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
    const int64_t old_entry = old_.graph.entry();
    const int64_t new_entry = new_.graph.entry();
    if (old_entry >= 0 && new_entry >= 0) Pair(old_entry, new_entry);
  }

  void Pair(int64_t old_computation, int64_t new_computation) {
    old_.partners[old_computation] = new_computation;
    new_.partners[new_computation] = old_computation;
    pairs_.push_back({old_computation, new_computation});
  }

  void PairByName() {
    absl::flat_hash_map<Hash, int64_t> by_key;
    for (size_t i = 0; i < old_.partners.size(); ++i) {
      const Hash key = old_.graph.computations()[i].key;
      if (old_.partners[i] < 0) by_key.emplace(key, i);
    }
    for (size_t i = 0; i < new_.partners.size(); ++i) {
      if (new_.partners[i] >= 0) continue;
      const auto found = by_key.find(new_.graph.computations()[i].key);
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
          old_.graph.computations()[pairs_.front().first];
      const Graph::Computation& new_computation =
          new_.graph.computations()[pairs_.front().second];
      pairs_.pop_front();
      old_.LookAt(old_computation.begin, old_computation.end);
      new_.LookAt(new_computation.begin, new_computation.end);
      matched_.clear();
      for (int64_t i = old_.begin; i < old_.end; ++i) {
        if (old_.IsMatched(i)) matched_.push_back(i);
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
    old_.LookAt(0, old_.graph.nodes().size());
    new_.LookAt(0, new_.graph.nodes().size());
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
    old_.matches[old_node] = {new_node, how};
    new_.matches[new_node] = {old_node, how};
    matched_.push_back(old_node);
  }

  // Matches the remaining instructions in the ranges that have the same key.
  void MatchBy(KeyOf key_of, DiffMatch how) {
    if (!check_.GoesOn(old_.end - old_.begin + new_.end - new_.begin)) return;
    old_.TakeRange(key_of);
    new_.TakeRange(key_of);
    MatchCandidates(how);
  }

  void MatchRoots(int64_t old_root, int64_t new_root) {
    if (old_root < 0 || new_root < 0) return;
    if (!old_.IsMatched(old_root) && !new_.IsMatched(new_root) &&
        old_.node(old_root).opcode == new_.node(new_root).opcode) {
      Match(old_root, new_root, DiffMatch::kStructure);
    }
  }

  // Matches the neighbours of matched instructions in the current computations,
  // and the neighbours of these.
  void MatchNeighbours(KeyOf key_of, size_t* next) {
    for (; *next < matched_.size(); ++*next) {
      const int64_t old_node = matched_[*next];
      const int64_t new_node = old_.matches[old_node].node;
      const auto old_users = old_.graph.users(old_node);
      const auto new_users = new_.graph.users(new_node);
      if (!check_.GoesOn(1 + old_users.size() + new_users.size())) return;
      MatchEdges(old_.graph.operands(old_node), new_.graph.operands(new_node),
                 key_of);
      MatchEdges(old_users, new_users, key_of);
    }
  }

  void MatchEdges(absl::Span<const Edge> old_edges,
                  absl::Span<const Edge> new_edges, KeyOf key_of) {
    old_.TakeEdges(old_edges, key_of);
    if (old_.candidates.empty()) return;
    new_.TakeEdges(new_edges, key_of);
    MatchCandidates(DiffMatch::kStructure);
  }

  // Matches candidates of the same key: first those that also have the same
  // name, then those of the same op_name, then the others in order.
  void MatchCandidates(DiffMatch how) {
    const auto name = [](const Node& node) { return node.name; };
    const auto op_name = [](const Node& node) { return node.op_name; };
    const auto nothing = [](const Node&) { return Hash{0}; };
    for (const KeyOf preference :
         {KeyOf(name), KeyOf(op_name), KeyOf(nothing)}) {
      if (old_.candidates.empty() || new_.candidates.empty()) return;
      // The first old candidate of each key, and the next one of the same key.
      absl::flat_hash_map<Hash, size_t> first;
      std::vector<size_t> next(old_.candidates.size());
      for (size_t i = old_.candidates.size(); i-- > 0;) {
        const MatchedSide::Candidate& candidate = old_.candidates[i];
        const auto [entry, is_new] = first.try_emplace(
            absl::HashOf(candidate.key, preference(old_.node(candidate.node))),
            next.size());
        next[i] = std::exchange(entry->second, i);
      }
      for (const MatchedSide::Candidate& candidate : new_.candidates) {
        const auto found = first.find(
            absl::HashOf(candidate.key, preference(new_.node(candidate.node))));
        if (found == first.end() || found->second == next.size()) continue;
        // An instruction may be a candidate twice, as an operand that another
        // instruction reads in two places.
        const int64_t old_node = old_.candidates[found->second].node;
        found->second = next[found->second];
        if (!old_.IsMatched(old_node) && !new_.IsMatched(candidate.node)) {
          Match(old_node, candidate.node, how);
        }
      }
      old_.DropMatched();
      new_.DropMatched();
    }
  }

  void PairCalled() {
    for (const int64_t node : matched_) {
      const auto old_calls = old_.graph.calls(node);
      const auto new_calls = new_.graph.calls(old_.matches[node].node);
      const size_t count = std::min(old_calls.size(), new_calls.size());
      for (size_t i = 0; i < count; ++i) {
        const int64_t x = old_calls[i];
        const int64_t y = new_calls[i];
        if (x >= 0 && y >= 0 && old_.partners[x] < 0 && new_.partners[y] < 0) {
          Pair(x, y);
        }
      }
    }
  }

  MatchedSide old_, new_;
  const MatchOptions& options_;
  hlo_internal::WorkCheck check_;
  // Pairs of computations whose instructions are yet to be matched.
  std::deque<std::pair<int64_t, int64_t>> pairs_;
  // The matched instructions among the current ones of the old module.
  std::vector<int64_t> matched_;
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
  for (size_t i = 0; i < old_graph.nodes().size(); ++i) {
    matches.emplace_back().before = old_graph.InstructionOf(i, before);
  }
  for (size_t i = 0; i < found.size(); ++i) {
    InstructionMatch& to =
        found[i].node < 0 ? matches.emplace_back() : matches[found[i].node];
    to.after = new_graph.InstructionOf(i, after);
    to.how = found[i].how;
  }
  return matches;
}

}  // namespace tessera
