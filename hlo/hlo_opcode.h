// File: hlo/hlo_opcode.h
//
// Is this an opcode of XLA, and what must its instructions say?
//
//   FindHloOpcode("add")->arity;                        // 2
//   FindHloOpcode("all-reduce-start").has_value();      // true
//   FindHloOpcode("custom-call-start")->is_async_sugar; // true: async-start
//   FindHloOpcode("all-reduce-update").has_value();     // false
//
// Only who judges a text asks: to read one, an opcode is any identifier.

#ifndef TESSERA_HLO_HLO_OPCODE_H_
#define TESSERA_HLO_HLO_OPCODE_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace tessera {

struct HloOpcodeFacts {
  static constexpr int8_t kVariadic = -1;
  // How many operands an instruction has.
  int8_t arity = kVariadic;
  // Whether its text must give the shape, which XLA does not infer.
  bool needs_shape = false;
  // `<op>-start`, `-update` and `-done`, short for async-start and its kin.
  bool is_async_sugar = false;
};

// The facts of xla/hlo/ir/hlo_opcode.h, as of August 2026, and of what
// xla/hlo/parser/hlo_parser.cc infers; nullopt for any other name.
absl::optional<HloOpcodeFacts> FindHloOpcode(absl::string_view name);

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_OPCODE_H_
