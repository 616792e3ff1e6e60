// File: hlo/proto/proto_module.h
//
// Resolves the ids in an HloModuleProto, and orders it for printing.
//
//   ProtoModule module(bytes, &problems);
//   for (const int64_t i : module.computation_order()) {
//     const ProtoComputation& computation = module.computations()[i];
//     for (const int64_t j : computation.order) {
//       computation.instructions[j].name;
//     }
//   }
//
// Instructions stay bytes but for their names: a proto of them takes many times
// its size, and each is needed once.

#ifndef TESSERA_HLO_PROTO_PROTO_MODULE_H_
#define TESSERA_HLO_PROTO_PROTO_MODULE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "proto/hlo.pb.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/proto/proto_problems.h"
#include "tessera/hlo/proto/proto_source.h"
#include "tessera/layout/primitive_type.h"

namespace tessera {
namespace hlo_internal {

// Reads an instruction; the literal is missing if the rest of it is longer than
// any. Returns what is wrong with it, or "".
std::string ReadInstruction(std::string_view bytes, int64_t offset,
                            hlo_proto::HloInstructionProto* proto);

struct ProtoInstruction {
  std::string_view bytes;
  int64_t offset = 0;  // in the file
  int64_t id = 0;
  // An identifier that no other instruction of the computation has.
  std::string name;
  PrimitiveType element_type = PRIMITIVE_TYPE_INVALID;
  // False for one that cannot be printed, which has been said.
  bool is_whole = false;
  // In the order of the text.
  int64_t position = -1;
};

struct ProtoComputation {
  // The instruction with this id; null if there is none.
  const ProtoInstruction* Find(int64_t id) const {
    const auto found = instruction_of_id.find(id);
    return found == instruction_of_id.end() ? nullptr
                                            : &instructions[found->second];
  }

  hlo_proto::HloComputationProto proto;
  int64_t offset = 0;
  // An identifier that no other computation of the module has.
  std::string name;
  bool is_entry = false;
  std::vector<ProtoInstruction> instructions;
  absl::flat_hash_map<int64_t, int64_t> instruction_of_id;
  std::vector<int64_t> order;
  // Ids, each once.
  std::vector<int64_t> called_ids;
};

class ProtoModule {
 public:
  // The bytes must outlive the module.
  ProtoModule(const ModuleBytes& module, ProtoProblems* problems);

  // All but the computations.
  const hlo_proto::HloModuleProto& proto() const { return proto_; }
  const std::string& name() const { return name_; }
  const std::vector<ProtoComputation>& computations() const {
    return computations_;
  }
  // Callees before their callers.
  const std::vector<int64_t>& computation_order() const { return order_; }
  // nullptr for an id that no computation has.
  const ProtoComputation* FindComputation(int64_t id) const;

  // Says `message` of the module, of a computation, of an instruction.
  void Report(std::string_view message) const;
  void Report(const ProtoComputation& computation,
              std::string_view message) const;
  void Report(const ProtoComputation& computation,
              const ProtoInstruction& instruction,
              std::string_view message) const;

 private:
  struct Names {
    TextSet<std::string> taken;
    // Behind names that are taken already. It only grows, so that trying takes
    // linear time altogether.
    int64_t next_suffix = 1;
  };

  void ReadFields(const ModuleBytes& module);
  void AddComputation(std::string_view bytes, int64_t offset);
  void AddInstruction(std::string_view bytes, int64_t offset, Names* names,
                      absl::flat_hash_set<int64_t>* called,
                      ProtoComputation* computation);
  void FindEntry();
  void OrderInstructions();
  void FollowSchedule(
      const hlo_proto::HloScheduleProto::InstructionSequence& sequence,
      ProtoComputation* computation);
  void OrderComputations();
  // Returns a name that is legal and not taken, and takes it; tells `report` if
  // it had to be changed.
  static std::string LegalName(
      std::string_view name, Names* names,
      absl::FunctionRef<void(std::string_view)> report);

  // The instruction being read; a message for each would take longer.
  hlo_proto::HloInstructionProto instruction_;
  ProtoProblems* problems_;
  const std::string label_;
  const int64_t offset_;
  hlo_proto::HloModuleProto proto_;
  std::string name_;
  std::vector<ProtoComputation> computations_;
  absl::flat_hash_map<int64_t, int64_t> computation_of_id_;
  Names computation_names_;
  std::vector<int64_t> order_;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_PROTO_PROTO_MODULE_H_
