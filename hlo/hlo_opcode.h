// File: hlo/hlo_opcode.h
//
// Is this an opcode of XLA, what must its instructions say, and what does it do
// with the elements of its operands?
//
//   FindHloOpcode("add")->arity;                        // 2
//   FindHloOpcode("add")->is_elementwise;               // true
//   FindHloOpcode("all-reduce-start").has_value();      // true
//   FindHloOpcode("custom-call-start")->is_async_sugar; // true: async-start
//   FindHloOpcode("all-reduce-update").has_value();     // false
//
// To read a text, an opcode is any identifier.

#ifndef TESSERA_HLO_HLO_OPCODE_H_
#define TESSERA_HLO_HLO_OPCODE_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace tessera {

struct HloOpcodeFacts {
  static constexpr int8_t kVariadic = -1;
  // How many operands an instruction has. kVariadic where some version of XLA's
  // parser takes any number: of dot too, which may have metadata beside its
  // two.
  int8_t arity = kVariadic;
  // Whether its text must give the shape, which XLA does not infer.
  bool needs_shape = false;
  // Element i of the result depends on element i of each operand alone.
  bool is_elementwise = false;
  // The operands have one shape, and the result has it too: add, and copy, but
  // not compare, whose result is of another type.
  bool has_shape_of_operands = false;
  // `<op>-start`, `-update` and `-done`, short for async-start and its kin.
  bool is_async_sugar = false;
};

// Returns the facts of xla/hlo/ir/{hlo_opcode.h,hlo_instruction.cc}, as of
// August 2026, and of what xla/hlo/parser/hlo_parser.cc infers; nullopt for any
// other name.
absl::optional<HloOpcodeFacts> FindHloOpcode(absl::string_view name);

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_OPCODE_H_
