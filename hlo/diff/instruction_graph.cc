#include "tessera/hlo/diff/instruction_graph.h"

#include <numeric>
#include <optional>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "absl/status/statusor.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/attributes/metadata.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

std::string_view OpName(HloInstruction instruction) {
  const std::optional<std::string_view> text =
      instruction.attribute("metadata");
  if (!text.has_value()) return std::string_view();
  const absl::StatusOr<OpMetadata> metadata = DecodeMetadata(*text);
  return metadata.ok() ? metadata->op_name.raw() : std::string_view();
}

// Returns the name of a computation or, if it is written inline, that of the
// instruction that calls it.
uint64_t KeyOfComputation(HloComputation computation) {
  if (!computation.is_inline()) {
    return absl::HashOf(false, AbslView(computation.name()));
  }
  const std::optional<HloInstruction> caller = computation.caller();
  return absl::HashOf(
      true, AbslView(caller.has_value() ? caller->name() : std::string_view()));
}

}  // namespace

InstructionGraph::InstructionGraph(HloModule module) {
  if (module.computations().empty()) return;
  first_computation_ = module.computations()[0].index();
  AddNodes(module);
  AddUsers();
  HashExpressions(module);
}

int64_t InstructionGraph::NodeOf(HloInstruction instruction) const {
  return computations_[instruction.computation().index() - first_computation_]
             .begin +
         instruction.index_in_computation();
}

HloInstruction InstructionGraph::InstructionOf(int64_t node,
                                               HloModule module) const {
  const int64_t computation = nodes_[node].computation;
  return module.computations()[computation]
      .instructions()[node - computations_[computation].begin];
}

void InstructionGraph::AddNodes(HloModule module) {
  absl::flat_hash_map<int64_t, Hash> bare_shapes;  // by shape number
  for (const HloComputation computation : module.computations()) {
    Computation& added = computations_.emplace_back();
    added.begin = nodes_.size();
    if (computation.is_entry() && entry_ < 0) entry_ = computations_.size() - 1;
    added.is_inline = computation.is_inline();
    added.key = KeyOfComputation(computation);
    const std::optional<HloInstruction> root = computation.root();
    if (root.has_value()) {
      added.root = added.begin + root->index_in_computation();
    }
    for (const HloInstruction instruction : computation.instructions()) {
      Node& node = nodes_.emplace_back();
      node.computation = computations_.size() - 1;
      node.opcode = absl::HashOf(AbslView(instruction.opcode()));
      if (instruction.has_shape()) {
        const auto [shape, is_new] =
            bare_shapes.try_emplace(instruction.shape_index(), 0);
        if (is_new) {
          shape->second = absl::HashOf(
              instruction.shape()->ToString(/*with_layout=*/false));
        }
        node.bare_shape = shape->second;
      }
      const std::string_view op_name = OpName(instruction);
      if (!op_name.empty()) node.op_name = absl::HashOf(AbslView(op_name));
      const std::string_view name = instruction.name();
      if (!name.empty()) node.name = absl::HashOf(AbslView(name));
      node.parameter_number = instruction.parameter_number().value_or(-1);
      AddEdges(added.begin, instruction);
    }
    added.end = nodes_.size();
  }
}

// Operands are instructions of the same computation, whose first node is
// `first`.
void InstructionGraph::AddEdges(int64_t first, HloInstruction instruction) {
  int64_t place = 0;
  for (const HloOperand operand : instruction.all_operands()) {
    const std::optional<HloInstruction> read = operand.instruction();
    if (read.has_value()) {
      operands_.all.push_back({first + read->index_in_computation(), place});
    }
    ++place;
  }
  operands_.begins.push_back(operands_.all.size());
  for (const HloCall call : instruction.calls()) {
    const std::optional<HloComputation> called = call.computation();
    calls_.all.push_back(
        called.has_value() ? called->index() - first_computation_ : -1);
  }
  calls_.begins.push_back(calls_.all.size());
}

// Adds the users by a counting sort on the instructions that they use.
void InstructionGraph::AddUsers() {
  std::vector<int64_t>& begins = users_.begins;
  begins.assign(nodes_.size() + 1, 0);
  for (const Edge& edge : operands_.all) ++begins[edge.node + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  users_.all.resize(operands_.all.size());
  std::vector<int64_t> next = begins;
  for (int64_t node = 0; node < static_cast<int64_t>(nodes_.size()); ++node) {
    for (const Edge& edge : operands(node)) {
      users_.all[next[edge.node]++] = {node, edge.place};
    }
  }
}

// The computations that an instruction calls come before it in the text. Those
// written inline come after the one around them.
void InstructionGraph::HashExpressions(HloModule module) {
  const auto expression_of = [&](int64_t number) {
    const Node& node = nodes_[number];
    Hash hash = absl::HashOf(node.opcode, node.bare_shape, node.op_name);
    for (const Edge& edge : operands(number)) {
      hash = absl::HashOf(hash, edge.place, nodes_[edge.node].expression);
    }
    for (const int64_t called : calls(number)) {
      const int64_t root = called < 0 ? -1 : computations_[called].root;
      hash = absl::HashOf(hash, root < 0 ? 0 : nodes_[root].expression);
    }
    const std::optional<std::string_view> literal =
        InstructionOf(number, module).literal_text();
    return literal.has_value() ? absl::HashOf(hash, AbslView(*literal)) : hash;
  };
  const int64_t count = computations_.size();
  for (int64_t i = 0; i < count;) {
    int64_t next = i + 1;
    while (next < count && computations_[next].is_inline) ++next;
    for (int64_t k = next; k-- > i;) {
      const Computation& computation = computations_[k];
      for (int64_t node = computation.begin; node < computation.end; ++node) {
        nodes_[node].expression = expression_of(node);
      }
    }
    i = next;
  }
}

}  // namespace tessera
