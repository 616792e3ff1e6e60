// Protos for tests, put together from their parts.
//
//   MadeInstruction x = Parameter("x", 1, 0);
//   MadeInstruction y = Op("y", "negate", 2, {1});
//   std::string proto = MadeHloProto({MadeComputation("main", 9, 2, {x, y})});

#ifndef TESSERA_TESTS_HLO_MADE_PROTO_H_
#define TESSERA_TESTS_HLO_MADE_PROTO_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proto/hlo.pb.h"
#include "proto/xla_data.pb.h"

namespace tessera {

using MadeInstruction = hlo_proto::HloInstructionProto;

// A field of bytes, as it is on the wire.
inline std::string MadeField(int number, std::string_view bytes) {
  std::string field;
  const auto varint = [&field](uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
      field.push_back(static_cast<char>(value | 0x80));
    }
    field.push_back(static_cast<char>(value));
  };
  varint(static_cast<uint64_t>(number) << 3 | 2);
  varint(bytes.size());
  field.append(bytes.data(), bytes.size());
  return field;
}

// An f32[2]{0}.
inline MadeInstruction Op(std::string_view name, std::string_view opcode,
                          int64_t id, const std::vector<int64_t>& operands) {
  MadeInstruction op;
  op.set_name(std::string(name));
  op.set_opcode(std::string(opcode));
  op.set_id(id);
  for (const int64_t operand : operands) op.add_operand_ids(operand);
  op.mutable_shape()->set_element_type(xla_data_proto::F32);
  op.mutable_shape()->add_dimensions(2);
  op.mutable_shape()->mutable_layout()->add_minor_to_major(0);
  return op;
}

inline MadeInstruction Parameter(std::string_view name, int64_t id,
                                 int64_t number) {
  MadeInstruction parameter = Op(name, "parameter", id, {});
  parameter.set_parameter_number(number);
  return parameter;
}

// A serialised HloComputationProto.
inline std::string MadeComputation(
    std::string_view name, int64_t id, int64_t root_id,
    const std::vector<MadeInstruction>& instructions) {
  hlo_proto::HloComputationProto computation;
  computation.set_name(std::string(name));
  computation.set_id(id);
  computation.set_root_id(root_id);
  std::string bytes = computation.SerializeAsString();
  for (const MadeInstruction& instruction : instructions) {
    bytes += MadeField(2, instruction.SerializeAsString());
  }
  return bytes;
}

// A serialised HloProto of a module 'm', whose last computation is its entry
// unless `module` says something else.
inline std::string MadeHloProto(const std::vector<std::string>& computations,
                                hlo_proto::HloModuleProto module = {}) {
  if (module.name().empty()) module.set_name("m");
  if (module.entry_computation_id() == 0) module.set_entry_computation_id(9);
  std::string bytes = module.SerializeAsString();
  for (const std::string& computation : computations) {
    bytes += MadeField(3, computation);
  }
  return MadeField(1, bytes);
}

}  // namespace tessera

#endif  // TESSERA_TESTS_HLO_MADE_PROTO_H_
