// The properties of a module's instructions that matching needs. They are
// hashes and numbers, without text, so the dump need not outlive them.

#ifndef TESSERA_HLO_DIFF_INSTRUCTION_GRAPH_H_
#define TESSERA_HLO_DIFF_INSTRUCTION_GRAPH_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "tessera/hlo/diff/instruction_matching.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {

class InstructionGraph {
 public:
  // A hash of features of an instruction.
  using Hash = uint64_t;

  // The features of one instruction.
  struct Node {
    int64_t computation = 0;  // within the module
    Hash opcode = 0;
    Hash bare_shape = 0;  // without layouts
    Hash op_name = 0;     // 0: it has none
    Hash name = 0;        // 0: it has none
    Hash expression = 0;
    int64_t parameter_number = -1;
  };

  // One instruction reads another.
  struct Edge {
    int64_t node;
    int64_t place;  // among the operands
  };

  struct Computation {
    // Its nodes are those in [begin, end).
    int64_t begin = 0;
    int64_t end = 0;
    int64_t root = -1;  // -1: it has none
    bool is_inline = false;
    // Its name or, if it is written inline, that of the instruction that calls
    // it.
    Hash key = 0;
  };

  // The module need not outlive the graph. Takes linear time.
  explicit InstructionGraph(HloModule module);

  const std::vector<Computation>& computations() const { return computations_; }
  // The number of the computation marked ENTRY; -1 without one.
  int64_t entry() const { return entry_; }
  // In the order of the computations, then of their instructions.
  const std::vector<Node>& nodes() const { return nodes_; }

  absl::Span<const Edge> operands(int64_t node) const {
    return operands_[node];
  }
  absl::Span<const Edge> users(int64_t node) const { return users_[node]; }
  // The computations that it calls; -1 for one that the module does not have.
  absl::Span<const int64_t> calls(int64_t node) const { return calls_[node]; }

  // The node of an instruction of the module from which the graph was made.
  int64_t NodeOf(HloInstruction instruction) const;
  // The instruction of a node in that module.
  HloInstruction InstructionOf(int64_t node, HloModule module) const;

 private:
  // Lists of all nodes, one after another.
  template <typename T>
  struct Lists {
    absl::Span<const T> operator[](int64_t node) const {
      return absl::MakeConstSpan(all).subspan(begins[node],
                                              begins[node + 1] - begins[node]);
    }

    std::vector<T> all;
    // The beginning of each list, then the end of the last.
    std::vector<int64_t> begins = {0};
  };

  void AddNodes(HloModule module);
  void AddEdges(int64_t first, HloInstruction instruction);
  void AddUsers();
  void HashExpressions(HloModule module);

  // The number of the module's first computation in its dump.
  int64_t first_computation_ = 0;
  int64_t entry_ = -1;
  std::vector<Computation> computations_;
  std::vector<Node> nodes_;
  Lists<Edge> operands_, users_;
  Lists<int64_t> calls_;
};

// The partner of a node.
struct NodeMatch {
  int64_t node = -1;  // in the other graph; -1: it has none
  DiffMatch how = DiffMatch::kNone;
};

// Returns the partner of each node of `after`, by the rules of
// hlo/diff/instruction_matching.h. Takes linear time.
std::vector<NodeMatch> MatchGraphs(const InstructionGraph& before,
                                   const InstructionGraph& after,
                                   const MatchOptions& options);

}  // namespace tessera

#endif  // TESSERA_HLO_DIFF_INSTRUCTION_GRAPH_H_
