#include "tessera/hlo/hlo_opcode.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

constexpr int8_t kVariadic = HloOpcodeFacts::kVariadic;

// The flags of HloOpcodeFacts.
constexpr uint8_t kNeedsShape = 1;
constexpr uint8_t kElementwise = 2;
constexpr uint8_t kOperandShape = 4;

using OpcodeTable = TextMap<std::string_view, HloOpcodeFacts>;

OpcodeTable MakeOpcodeTable() {
  OpcodeTable table;
  const auto add = [&table](int8_t arity, uint8_t flags,
                            std::initializer_list<std::string_view> names) {
    HloOpcodeFacts facts;
    facts.arity = arity;
    facts.needs_shape = (flags & kNeedsShape) != 0;
    facts.is_elementwise = (flags & kElementwise) != 0;
    facts.has_shape_of_operands = (flags & kOperandShape) != 0;
    for (const std::string_view name : names) table.emplace(name, facts);
  };
  add(0, 0, {"partition-id", "replica-id"});
  add(0, kNeedsShape,
      {"constant", "iota", "parameter", "rng-get-and-update-state"});
  add(1, 0,
      {"atan", "broadcast", "cholesky", "domain", "fft", "get-dimension-size",
       "get-tuple-element", "reverse", "shuffle", "topk", "transpose"});
  add(1, kElementwise, {"abs", "imag", "is-finite", "real"});
  add(1, kElementwise | kOperandShape,
      {"acos", "acosh", "asin", "asinh", "atanh", "cosh", "cosine", "sine",
       "sinh", "tan", "tanh"});
  add(1, kElementwise | kOperandShape,
      {"cbrt", "erf", "exponential", "exponential-minus-one", "log",
       "log-plus-one", "logistic", "rsqrt", "sqrt"});
  add(1, kElementwise | kOperandShape,
      {"ceil", "copy", "count-leading-zeros", "floor", "negate", "not",
       "popcnt", "round-nearest-afz", "round-nearest-even", "sign"});
  add(1, kNeedsShape,
      {"all-gather-done", "all-reduce-done", "bitcast",
       "collective-permute-done", "copy-done", "copy-start", "infeed", "recv",
       "recv-done", "reshape", "send-done", "slice"});
  add(1, kNeedsShape | kElementwise, {"bitcast-convert", "convert"});
  add(1, kNeedsShape | kElementwise | kOperandShape, {"reduce-precision"});
  add(1, kOperandShape, {"opt-barrier", "while"});
  add(2, 0,
      {"add-dependency", "gather", "mulhi", "outfeed", "pad",
       "set-dimension-size", "triangular-solve"});
  add(2, kElementwise, {"compare", "complex"});
  add(2, kElementwise | kOperandShape,
      {"add", "and", "atan2", "divide", "maximum", "minimum", "multiply", "or",
       "power", "remainder", "shift-left", "shift-right-arithmetic",
       "shift-right-logical", "subtract", "xor"});
  add(2, kNeedsShape, {"send"});
  add(2, kNeedsShape | kElementwise, {"stochastic-convert"});
  add(3, 0, {"batch-norm-training", "ragged-dot", "select-and-scatter"});
  add(3, kElementwise, {"clamp", "select"});
  add(5, 0, {"batch-norm-grad", "batch-norm-inference"});
  add(kVariadic, 0,
      {"after-all", "call", "concatenate", "conditional", "convolution", "dot",
       "reduce", "reduce-window", "scaled-dot", "scan", "scatter", "sort",
       "tuple"});
  add(kVariadic, kElementwise, {"map"});
  add(kVariadic, kNeedsShape,
      {"all-gather", "all-gather-start", "all-reduce", "all-reduce-start",
       "all-to-all", "collective-broadcast", "collective-permute",
       "collective-permute-start", "collective-reduce", "ragged-all-to-all",
       "reduce-scatter"});
  add(kVariadic, kNeedsShape,
      {"async-done", "async-start", "async-update", "custom-call",
       "dynamic-reshape", "dynamic-slice", "dynamic-update-slice", "fusion",
       "rng", "rng-bit-generator"});
  return table;
}

}  // namespace

std::optional<HloOpcodeFacts> FindHloOpcode(std::string_view name) {
  static const auto& table = *new OpcodeTable(MakeOpcodeTable());
  if (const auto found = table.find(name); found != table.end()) {
    return found->second;
  }
  for (std::string_view suffix : {"-start", "-update", "-done"}) {
    std::string_view wrapped = name;
    // A copy and some collectives have their own asynchronous opcodes.
    if (ConsumeSuffix(&wrapped, suffix) && table.contains(wrapped) &&
        !table.contains(StrCat(wrapped, "-done"))) {
      HloOpcodeFacts facts;
      facts.needs_shape = true;
      facts.is_async_sugar = true;
      return facts;
    }
  }
  return std::nullopt;
}

}  // namespace tessera
