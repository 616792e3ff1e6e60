#include "tessera/hlo/diff/instruction_matching.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/hash/hash.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/attributes/metadata.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

// What the features of an instruction are hashed to.
using Hash = uint64_t;

std::string_view OpName(HloInstruction instruction) {
  const std::optional<std::string_view> text =
      instruction.attribute("metadata");
  if (!text.has_value()) return std::string_view();
  const absl::StatusOr<OpMetadata> metadata = DecodeMetadata(*text);
  return metadata.ok() ? metadata->op_name.raw() : std::string_view();
}

// The modules' shapes without their layouts, numbered.
class BareShapes {
 public:
  // Shape numbers of a dump, and what they are here.
  using OfDump = absl::flat_hash_map<int64_t, int64_t>;

  // Returns -1 for an instruction without a shape.
  int64_t NumberOf(HloInstruction instruction, OfDump* of_dump) {
    if (!instruction.has_shape()) return -1;
    const auto [entry, is_new] =
        of_dump->try_emplace(instruction.shape_index(), 0);
    if (is_new) {
      entry->second =
          numbers_
              .try_emplace(instruction.shape()->ToString(/*with_layout=*/false),
                           numbers_.size())
              .first->second;
    }
    return entry->second;
  }

 private:
  TextMap<std::string, int64_t> numbers_;
};

// The features of one instruction.
struct Node {
  explicit Node(HloInstruction the_instruction)
      : instruction(the_instruction) {}

  HloInstruction instruction;
  int64_t computation = 0;  // within the module
  Hash opcode = 0;
  Hash bare_shape = 0;
  Hash op_name = 0;  // 0: there is none
  Hash expression = 0;
  int64_t other = -1;  // in the other module, once it is matched
  DiffMatch how = DiffMatch::kNone;
};

// One instruction reads another.
struct Edge {
  int64_t node;
  int64_t place;  // among the operands
};

// Where the edges of each node begin, and where the last ones end.
using EdgeBegins = std::vector<int64_t>;

class Graph {
 public:
  Graph(HloModule module, BareShapes* shapes)
      : computations_(module.computations()) {
    if (computations_.empty()) return;
    AddNodes(shapes);
    AddEdges();
    HashExpressions();
  }

  std::vector<Node>& nodes() { return nodes_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  int64_t computation_count() const { return computations_.size(); }
  HloComputation computation(int64_t i) const { return computations_[i]; }
  // The nodes of computation `i` are those in [begin(i), end(i)).
  int64_t begin(int64_t i) const { return begins_[i]; }
  int64_t end(int64_t i) const { return begins_[i + 1]; }

  absl::Span<const Edge> operands(int64_t node) const {
    return EdgesOf(operands_, operand_begins_, node);
  }
  absl::Span<const Edge> users(int64_t node) const {
    return EdgesOf(users_, user_begins_, node);
  }
  // Within the module; -1: it has no such computation.
  int64_t NumberOf(const std::optional<HloComputation>& called) const {
    return called.has_value() ? called->index() - computations_[0].index() : -1;
  }
  // The node of the computation's root; -1 if it has none.
  int64_t RootOf(int64_t computation) const {
    const std::optional<HloInstruction> root =
        computations_[computation].root();
    return root.has_value() ? begin(computation) + root->index_in_computation()
                            : -1;
  }

 private:
  static absl::Span<const Edge> EdgesOf(const std::vector<Edge>& edges,
                                        const EdgeBegins& begins,
                                        int64_t node) {
    return absl::MakeConstSpan(edges).subspan(begins[node],
                                              begins[node + 1] - begins[node]);
  }

  void AddNodes(BareShapes* shapes) {
    BareShapes::OfDump numbers;
    for (int64_t i = 0; i < computations_.size(); ++i) {
      begins_.push_back(nodes_.size());
      for (const HloInstruction instruction : computations_[i].instructions()) {
        Node node(instruction);
        node.computation = i;
        node.opcode = absl::HashOf(AbslView(instruction.opcode()));
        node.bare_shape = absl::HashOf(shapes->NumberOf(instruction, &numbers));
        const std::string_view op_name = OpName(instruction);
        if (!op_name.empty()) node.op_name = absl::HashOf(AbslView(op_name));
        nodes_.push_back(node);
      }
    }
    begins_.push_back(nodes_.size());
  }

  void AddEdges() {
    for (const Node& node : nodes_) {
      operand_begins_.push_back(operands_.size());
      int64_t place = 0;
      for (const HloOperand operand : node.instruction.all_operands()) {
        const std::optional<HloInstruction> read = operand.instruction();
        // Operands are instructions of the same computation.
        if (read.has_value()) {
          operands_.push_back(
              {begin(node.computation) + read->index_in_computation(), place});
        }
        ++place;
      }
    }
    operand_begins_.push_back(operands_.size());

    // The users, sorted by what they use, by counting.
    user_begins_.assign(nodes_.size() + 1, 0);
    for (const Edge& edge : operands_) ++user_begins_[edge.node + 1];
    for (size_t i = 1; i < user_begins_.size(); ++i) {
      user_begins_[i] += user_begins_[i - 1];
    }
    users_.resize(operands_.size());
    EdgeBegins next = user_begins_;
    for (int64_t node = 0; node < static_cast<int64_t>(nodes_.size()); ++node) {
      for (const Edge& edge : operands(node)) {
        users_[next[edge.node]++] = {node, edge.place};
      }
    }
  }

  // What an instruction calls stands before it in the text, except where it is
  // written inline: such computations follow the one round them.
  void HashExpressions() {
    for (int64_t i = 0; i < computations_.size();) {
      int64_t next = i + 1;
      while (next < computations_.size() && computations_[next].is_inline()) {
        ++next;
      }
      for (int64_t k = next; k-- > i;) {
        for (int64_t node = begin(k); node < end(k); ++node) {
          nodes_[node].expression = ExpressionOf(node);
        }
      }
      i = next;
    }
  }

  Hash ExpressionOf(int64_t number) const {
    const Node& node = nodes_[number];
    Hash hash = absl::HashOf(node.opcode, node.bare_shape, node.op_name);
    for (const Edge& edge : operands(number)) {
      hash = absl::HashOf(hash, edge.place, nodes_[edge.node].expression);
    }
    for (const HloCall call : node.instruction.calls()) {
      const int64_t called = NumberOf(call.computation());
      const int64_t root = called < 0 ? -1 : RootOf(called);
      hash = absl::HashOf(hash, root < 0 ? 0 : nodes_[root].expression);
    }
    const std::optional<std::string_view> literal =
        node.instruction.literal_text();
    return literal.has_value() ? absl::HashOf(hash, AbslView(*literal)) : hash;
  }

  HloRange<HloComputation> computations_;
  std::vector<Node> nodes_;
  std::vector<int64_t> begins_;
  std::vector<Edge> operands_, users_;
  EdgeBegins operand_begins_, user_begins_;
};

class Matcher {
 public:
  Matcher(HloModule before, HloModule after)
      : old_(before, &shapes_), new_(after, &shapes_) {}

  std::vector<InstructionMatch> Match() {
    old_partner_.assign(old_.computation_count(), -1);
    new_partner_.assign(new_.computation_count(), -1);
    PairEntries();
    MatchPairs();
    PairByName();
    MatchPairs();
    MatchAnywhere();
    return Matches();
  }

 private:
  // A feature that two instructions must share.
  using KeyOf = absl::FunctionRef<Hash(const Node&)>;
  // Not a key: such a node is left alone.
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
    return node.instruction.parameter_number().has_value()
               ? OpcodeAndOpName(node)
               : kNoKey;
  }
  static Hash Name(const Node& node) {
    const std::string_view name = node.instruction.name();
    return name.empty() ? kNoKey : absl::HashOf(node.opcode, AbslView(name));
  }
  static Hash ParameterNumber(const Node& node) {
    const std::optional<int64_t> number = node.instruction.parameter_number();
    return number.has_value() ? absl::HashOf(*number) : kNoKey;
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
      for (int64_t i = 0; i < graph.computation_count(); ++i) {
        if (graph.computation(i).is_entry()) return i;
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

  // What a computation goes by: its name or, if it is written inline, that of
  // the instruction that calls it.
  static std::pair<bool, std::string_view> KeyOfComputation(
      HloComputation computation) {
    if (!computation.is_inline()) return {false, computation.name()};
    const std::optional<HloInstruction> caller = computation.caller();
    return {true, caller.has_value() ? caller->name() : std::string_view()};
  }

  void PairByName() {
    absl::flat_hash_map<std::pair<bool, std::string_view>, int64_t> by_key;
    for (int64_t i = 0; i < old_.computation_count(); ++i) {
      if (old_partner_[i] < 0) {
        by_key.emplace(KeyOfComputation(old_.computation(i)), i);
      }
    }
    for (int64_t i = 0; i < new_.computation_count(); ++i) {
      if (new_partner_[i] >= 0) continue;
      const auto found = by_key.find(KeyOfComputation(new_.computation(i)));
      if (found == by_key.end()) continue;
      Pair(found->second, i);
      // A second computation of that name finds nothing.
      by_key.erase(found);
    }
  }

  // Matches the instructions of the pairs at hand, and of all that these call.
  void MatchPairs() {
    while (!pairs_.empty()) {
      const auto [old_computation, new_computation] = pairs_.front();
      pairs_.pop_front();
      old_range_ = {old_.begin(old_computation), old_.end(old_computation)};
      new_range_ = {new_.begin(new_computation), new_.end(new_computation)};
      matched_.clear();
      // Whose neighbours have been looked at for each kind of them.
      size_t of_same_op_name = 0, of_same_shape = 0, of_same_opcode = 0;
      MatchBy(Expression, DiffMatch::kStructure);
      MatchNeighbours(Signature, &of_same_op_name);
      MatchBy(ParameterOpName, DiffMatch::kSignature);
      MatchBy(ParameterNumber, DiffMatch::kStructure);
      MatchRoots(old_computation, new_computation);
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

  void MatchAnywhere() {
    old_range_ = {0, static_cast<int64_t>(old_.nodes().size())};
    new_range_ = {0, static_cast<int64_t>(new_.nodes().size())};
    for (const auto key_of : {Signature, OpcodeAndOpName, ShapeAndOpName}) {
      MatchBy(key_of, DiffMatch::kSignature);
    }
  }

  void Match(int64_t old_node, int64_t new_node, DiffMatch how) {
    Node& a = old_.nodes()[old_node];
    Node& b = new_.nodes()[new_node];
    a.how = b.how = how;
    a.other = new_node;
    b.other = old_node;
    matched_.push_back(old_node);
  }

  // Matches what has the same key of the instructions that are left in the
  // ranges.
  void MatchBy(KeyOf key_of, DiffMatch how) {
    const auto list = [&](Graph* graph, const Range& range,
                          std::vector<Candidate>* candidates) {
      candidates->clear();
      for (int64_t i = range.begin; i < range.end; ++i) {
        AddCandidate(*graph, i, key_of(graph->nodes()[i]), candidates);
      }
    };
    list(&old_, old_range_, &old_candidates_);
    list(&new_, new_range_, &new_candidates_);
    MatchCandidates(how);
  }

  void MatchRoots(int64_t old_computation, int64_t new_computation) {
    const int64_t old_root = old_.RootOf(old_computation);
    const int64_t new_root = new_.RootOf(new_computation);
    if (old_root < 0 || new_root < 0) return;
    const Node& a = old_.nodes()[old_root];
    const Node& b = new_.nodes()[new_root];
    if (a.other < 0 && b.other < 0 && a.opcode == b.opcode) {
      Match(old_root, new_root, DiffMatch::kStructure);
    }
  }

  // Matches the neighbours of what is matched in the computations at hand, and
  // theirs.
  void MatchNeighbours(KeyOf key_of, size_t* next) {
    for (; *next < matched_.size(); ++*next) {
      const int64_t old_node = matched_[*next];
      const int64_t new_node = old_.nodes()[old_node].other;
      MatchEdges(old_.operands(old_node), new_.operands(new_node), key_of);
      MatchEdges(old_.users(old_node), new_.users(new_node), key_of);
    }
  }

  void MatchEdges(absl::Span<const Edge> old_edges,
                  absl::Span<const Edge> new_edges, KeyOf key_of) {
    const auto list = [&](const Graph& graph, absl::Span<const Edge> edges,
                          std::vector<Candidate>* candidates) {
      candidates->clear();
      for (const Edge& edge : edges) {
        AddCandidate(graph, edge.node,
                     absl::HashOf(key_of(graph.nodes()[edge.node]), edge.place),
                     candidates);
      }
    };
    list(old_, old_edges, &old_candidates_);
    if (old_candidates_.empty()) return;
    list(new_, new_edges, &new_candidates_);
    MatchCandidates(DiffMatch::kStructure);
  }

  struct Candidate {
    int64_t node;
    Hash key;
  };

  static void AddCandidate(const Graph& graph, int64_t node, Hash key,
                           std::vector<Candidate>* candidates) {
    if (key != kNoKey && graph.nodes()[node].other < 0) {
      candidates->push_back({node, key});
    }
  }

  // Matches candidates of the same key: first those that have the same name as
  // well, then those of the same op_name, then the others in their order.
  void MatchCandidates(DiffMatch how) {
    const auto name = [](const Node& node) {
      return absl::HashOf(AbslView(node.instruction.name()));
    };
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
        // One instruction may be a candidate twice, as the operand of an
        // instruction that reads it in two places.
        const int64_t old_node = old_candidates_[found->second].node;
        found->second = next[found->second];
        if (old_.nodes()[old_node].other < 0 &&
            new_.nodes()[candidate.node].other < 0) {
          Match(old_node, candidate.node, how);
        }
      }
      DropMatched(old_, &old_candidates_);
      DropMatched(new_, &new_candidates_);
    }
  }

  static void DropMatched(const Graph& graph,
                          std::vector<Candidate>* candidates) {
    candidates->erase(
        std::remove_if(candidates->begin(), candidates->end(),
                       [&](const Candidate& candidate) {
                         return graph.nodes()[candidate.node].other >= 0;
                       }),
        candidates->end());
  }

  // Of matched instructions of the computations at hand.
  void PairCalled() {
    for (const int64_t node : matched_) {
      const Node& a = old_.nodes()[node];
      const Node& b = new_.nodes()[a.other];
      const HloRange<HloCall> old_calls = a.instruction.calls();
      const HloRange<HloCall> new_calls = b.instruction.calls();
      const int64_t count = std::min(old_calls.size(), new_calls.size());
      for (int64_t i = 0; i < count; ++i) {
        const int64_t x = old_.NumberOf(old_calls[i].computation());
        const int64_t y = new_.NumberOf(new_calls[i].computation());
        if (x >= 0 && y >= 0 && old_partner_[x] < 0 && new_partner_[y] < 0) {
          Pair(x, y);
        }
      }
    }
  }

  std::vector<InstructionMatch> Matches() const {
    std::vector<InstructionMatch> matches;
    for (const Node& node : old_.nodes()) {
      InstructionMatch match;
      match.before = node.instruction;
      match.how = node.how;
      if (node.other >= 0) match.after = new_.nodes()[node.other].instruction;
      matches.push_back(match);
    }
    for (const Node& node : new_.nodes()) {
      if (node.other >= 0) continue;
      InstructionMatch match;
      match.after = node.instruction;
      matches.push_back(match);
    }
    return matches;
  }

  struct Range {
    int64_t begin = 0;
    int64_t end = 0;
  };

  BareShapes shapes_;
  Graph old_, new_;
  // By computation: that of the other module that it is compared with, or -1.
  std::vector<int64_t> old_partner_, new_partner_;
  std::deque<std::pair<int64_t, int64_t>> pairs_;
  // The instructions at hand, and those of the old module that are matched.
  Range old_range_, new_range_;
  std::vector<int64_t> matched_;
  std::vector<Candidate> old_candidates_, new_candidates_;
};

}  // namespace

std::vector<InstructionMatch> MatchInstructions(HloModule before,
                                                HloModule after) {
  return Matcher(before, after).Match();
}

}  // namespace tessera
