// The opcodes of XLA: the requirements on their instructions, and how results
// depend on the elements of operands.
//
//   FindHloOpcode("add")->arity;                        // 2
//   FindHloOpcode("add")->is_elementwise;               // true
//   FindHloOpcode("all-reduce-start").has_value();      // true
//   FindHloOpcode("custom-call-start")->is_async_sugar; // true: async-start
//   FindHloOpcode("all-reduce-update").has_value();     // false
//
// The reader accepts any identifier as an opcode.

#ifndef TESSERA_HLO_HLO_OPCODE_H_
#define TESSERA_HLO_HLO_OPCODE_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

struct HloOpcodeFacts {
  static constexpr int8_t kVariadic = -1;
  // The number of operands of an instruction. kVariadic if some version of
  // XLA's parser accepts any number; this includes dot, which may have metadata
  // in addition to its two.
  int8_t arity = kVariadic;
  // Whether its text must give the shape, because XLA does not infer it.
  bool needs_shape = false;
  // Whether element i of the result depends only on element i of each operand.
  bool is_elementwise = false;
  // Whether the operands and the result all have the same shape: true for add
  // and copy, but not for compare, whose result has another type.
  bool has_shape_of_operands = false;
  // `<op>-start`, `-update` and `-done`, short for async-start and its kin.
  bool is_async_sugar = false;
};

// Returns the facts of xla/hlo/ir/{hlo_opcode.h,hlo_instruction.cc}, as of
// August 2026, and of the inference in xla/hlo/parser/hlo_parser.cc; nullopt
// for any other name.
std::optional<HloOpcodeFacts> FindHloOpcode(std::string_view name);

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_OPCODE_H_
