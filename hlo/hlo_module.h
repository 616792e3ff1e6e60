// The contents of an HLO dump, with all references resolved.
//
// A dump has modules, these have computations, and these have instructions.
// Every operand has the instruction that it names, and every call the
// computation that it names, or nullopt if the text lacks it. ParseHlo
// (hlo/parse_hlo.h) creates a dump.
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m
//       double {
//         p = f32[2,3]{1,0} parameter(0)
//         ROOT sum = f32[2,3]{1,0} add(p, p)
//       }
//       ENTRY main {
//         x = f32[2,3]{1,0} parameter(0)
//         ROOT y = f32[2,3]{1,0} fusion(x), kind=kLoop, calls=double
//       })");
//   HloModule module = dump->modules()[0];
//   HloInstruction y = *module.entry_computation()->root();
//   y.opcode();                             // "fusion"
//   y.shape()->ToString();                  // "f32[2,3]{1,0}"
//   y.operand(0).instruction()->name();     // "x"
//   y.attribute("kind");                    // "kLoop"
//   y.calls()[0].computation()->name();     // "double"
//   y.called(HloCallKind::kCalls)->root()->name();      // "sum"
//   y.called(HloCallKind::kToApply).has_value();        // false
//
// HloModule, HloComputation, HloInstruction, HloOperand and HloCall are handles
// of two words into the dump: pass them by value. They and every view are valid
// as long as the dump, which may be moved. Several threads may read a dump.
// Nothing is copied from the text: a dump takes less than twice the memory of
// its text. The model is read-only: it represents a text and cannot change
// programs.

#ifndef TESSERA_HLO_HLO_MODULE_H_
#define TESSERA_HLO_HLO_MODULE_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/hlo/hlo_attributes.h"
#include "tessera/hlo/hlo_call_kind.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/hlo/model/hlo_store.h"
#include "tessera/shape/shape.h"

namespace tessera {

class HloComputation;
class HloInstruction;
class HloModule;
class HloOperand;

// The base of every handle: a number in a dump. `kEntries` is the member of the
// store with the entries.
template <typename Derived, auto kEntries>
class HloHandle {
 public:
  HloHandle(const hlo_internal::HloStore* store, int64_t index)
      : store_(store), index_(index) {}

  // Counted over the whole dump, from 0, in the order of the text; the contents
  // of a computation written inline come after those of the surrounding one.
  int64_t index() const { return index_; }
  // The whole text that the dump was read from.
  std::string_view dump_text() const { return store_->text; }

  friend bool operator==(const Derived& a, const Derived& b) {
    return a.index_ == b.index_ && a.store_ == b.store_;
  }
  friend bool operator!=(const Derived& a, const Derived& b) {
    return !(a == b);
  }
  template <typename H>
  friend H AbslHashValue(H h, const Derived& handle) {
    return H::combine(std::move(h), handle.index_);
  }

 protected:
  const auto& entry() const { return (store_->*kEntries)[index_]; }

  const hlo_internal::HloStore* store_;
  int64_t index_;
};

// Consecutive handles.
template <typename Handle>
class HloRange {
 public:
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Handle;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Handle;

    // Creates an iterator of no dump, which C++20's ranges require.
    iterator() = default;
    iterator(const hlo_internal::HloStore* store, int64_t index)
        : store_(store), index_(index) {}
    Handle operator*() const { return Handle(store_, index_); }
    iterator& operator++() {
      ++index_;
      return *this;
    }
    iterator operator++(int) { return iterator(store_, index_++); }
    friend bool operator==(iterator a, iterator b) {
      return a.index_ == b.index_;
    }
    friend bool operator!=(iterator a, iterator b) { return !(a == b); }

   private:
    const hlo_internal::HloStore* store_ = nullptr;
    int64_t index_ = 0;
  };

  HloRange(const hlo_internal::HloStore* store, int64_t begin, int64_t size)
      : store_(store), begin_(begin), size_(size) {}

  iterator begin() const { return iterator(store_, begin_); }
  iterator end() const { return iterator(store_, begin_ + size_); }
  int64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Precondition: 0 <= i < size(). Check size() first: some texts lack a
  // module.
  Handle operator[](int64_t i) const { return Handle(store_, begin_ + i); }

 private:
  const hlo_internal::HloStore* store_;
  int64_t begin_;
  int64_t size_;
};

// The operands of an instruction, or those within a nested expression.
using HloOperands = absl::InlinedVector<HloOperand, 4>;

// One computation that an instruction calls.
class HloCall : public HloHandle<HloCall, &hlo_internal::HloStore::calls> {
 public:
  using HloHandle::HloHandle;

  HloCallKind kind() const { return entry().kind; }
  // The name in the attribute; empty for a computation written inline.
  std::string_view name() const;
  // nullopt if no computation of the module has that name.
  std::optional<HloComputation> computation() const;
  // The instruction that calls.
  HloInstruction instruction() const;
};

class HloInstruction
    : public HloHandle<HloInstruction, &hlo_internal::HloStore::instructions> {
 public:
  using HloHandle::HloHandle;

  HloComputation computation() const;
  // Its number among the instructions of its computation, from 0.
  int64_t index_in_computation() const;

  // The name, without '%'; empty in the canonical form,
  // `f32[2] add(f32[2], f32[2])`.
  std::string_view name() const {
    return Part(entry().name_begin, entry().name_size);
  }
  // Whether XLA accepts the name: it is not the name of a type, and begins with
  // two underscores only as "__xla_".
  bool has_legal_name() const { return entry().has_legal_name; }
  // Whether it is marked ROOT. HloComputation::root() is the last instruction
  // if none is marked.
  bool is_root() const { return entry().is_root; }

  // The shape of the result, valid as long as the dump; a missing layout is
  // filled in with the default. Null if neither the text nor the operands
  // determine it: the text may omit the shape if XLA infers it for the opcode.
  const Shape* shape() const {
    return has_shape() ? &store_->shapes.shape(entry().shape) : nullptr;
  }
  bool has_shape() const { return entry().shape >= 0; }
  // Whether the shape is not in the text but inferred from the operands.
  bool is_shape_inferred() const { return entry().is_shape_inferred; }
  // The index of the shape in HloDump::shapes(), or -1. Equal texts have equal
  // indices.
  int64_t shape_index() const { return entry().shape; }
  // The shape as written; the view points to its first occurrence in the dump.
  // Empty for an inferred shape.
  std::string_view shape_text() const {
    return has_shape() && !is_shape_inferred()
               ? store_->shapes.text(entry().shape)
               : std::string_view();
  }

  std::string_view opcode() const { return store_->opcodes[entry().opcode]; }
  // The index of the opcode in HloDump::opcodes().
  int64_t opcode_index() const { return entry().opcode; }

  // The text between the parentheses: operands, the number of a parameter, or
  // the literal of a constant.
  std::string_view operand_text() const {
    return Part(entry().operand_text_begin, entry().operand_text_size);
  }
  // The number of operands; 0 for parameter and constant.
  int64_t operand_count() const { return entry().operand_count; }
  HloOperands operands() const;
  // Precondition: 0 <= i < operand_count().
  HloOperand operand(int64_t i) const;
  // Its operands and those within nested expressions, each expression before
  // its contents.
  HloRange<HloOperand> all_operands() const;
  // The number in `parameter(3)`; nullopt for other opcodes and without a
  // number.
  std::optional<int64_t> parameter_number() const;
  // The literal in `constant({1, 2})`; nullopt for other opcodes.
  std::optional<std::string_view> literal_text() const {
    if (opcode() != "constant") return std::nullopt;
    return operand_text();
  }

  // The attributes in the order of the text, with raw values. Parses the text
  // at every call.
  HloAttributes attributes() const;
  // The value of the first attribute with this key; nullopt if there is none.
  std::optional<std::string_view> attribute(std::string_view key) const;
  // Whether two attributes have the same key.
  bool repeats_attribute() const { return entry().repeats_attribute; }
  // Whether the strict rules may object to an attribute that is there. They
  // never object to metadata=, backend_config= and sharding=.
  bool has_attribute_to_judge() const { return entry().has_attribute_to_judge; }
  // All attributes as one text, from the comma before the first.
  std::string_view attributes_text() const {
    return Part(entry().attributes_begin,
                entry().size - entry().attributes_begin);
  }

  // The computations that it calls, in the order of the text.
  HloRange<HloCall> calls() const {
    return {store_, entry().first_call, entry().call_count};
  }
  // The first computation that it calls in this role, if the dump has it.
  std::optional<HloComputation> called(HloCallKind kind) const;

  // The whole instruction, from ROOT or the name to the end of the last
  // attribute.
  std::string_view text() const { return Part(0, entry().size); }
  // Where text() begins, in bytes from the start of the dump.
  int64_t offset() const { return entry().begin; }
  // The line of the dump on which text() begins, from 1. The first call for a
  // dump counts all its lines. Each call then reads at most 4 KiB.
  int64_t line() const {
    return store_->lines->LineAt(store_->text, entry().begin);
  }

 private:
  std::string_view Part(uint32_t begin, uint32_t size) const {
    return store_->View(entry().begin + begin, size);
  }
  HloInlineEnds InlineEnds() const;
};

// One operand as written: the name of an instruction, or an expression.
class HloOperand
    : public HloHandle<HloOperand, &hlo_internal::HloStore::operands> {
 public:
  using HloHandle::HloHandle;

  // The whole operand: `f32[10] %p#0`.
  std::string_view text() const { return Part(entry().begin, entry().size); }
  // `f32[10]`; empty if the operand does not give a shape. With a tuple path it
  // is the shape of the selected element.
  std::string_view shape_text() const {
    return Part(entry().begin, entry().shape_size);
  }
  // `p`; empty for an expression.
  std::string_view name() const;
  // Whether it is only a name, without a shape and a tuple path.
  bool is_plain_name() const {
    return entry().kind == hlo_internal::HloStore::OperandKind::kName &&
           entry().shape_size == 0 &&
           entry().name_begin + entry().name_size ==
               entry().begin + entry().size;
  }
  // The instruction of that name; nullopt for an expression, and if no earlier
  // instruction has that name.
  std::optional<HloInstruction> instruction() const;
  // `#0#1` of a compact get-tuple-element; otherwise empty.
  std::string_view tuple_path() const;
  // The path as indices, {0, 1}; an index that exceeds int64_t is -1.
  absl::InlinedVector<int64_t, 2> tuple_indices() const;

  // `add` for a nested expression, `add(%a, %b)`; otherwise empty.
  std::string_view opcode() const;
  HloOperands operands() const;

 private:
  std::string_view Part(uint32_t begin, uint32_t size) const {
    return store_->View(store_->instructions[entry().owner].begin + begin,
                        size);
  }
};

class HloComputation
    : public HloHandle<HloComputation, &hlo_internal::HloStore::computations> {
 public:
  using HloHandle::HloHandle;

  HloModule module() const;
  // Empty for a computation written inline, and for instructions outside a
  // computation.
  std::string_view name() const { return entry().name; }
  // Whether it is marked ENTRY.
  bool is_entry() const { return entry().is_marked_entry; }
  // Whether it is written as the value of an attribute, to_apply={ ... }.
  bool is_inline() const { return entry().is_inline; }
  // Whether it has its closing brace. It is missing if the text ends inside the
  // computation.
  bool is_closed() const { return entry().attributes_text.data() != nullptr; }
  // The instruction in whose attribute it is written; nullopt if it is not
  // inline, or if that instruction could not be read.
  std::optional<HloInstruction> caller() const;
  // `(x: f32[2]) -> f32[2]`; empty if the header lacks it.
  std::string_view program_shape_text() const {
    return entry().program_shape_text;
  }
  // The attributes after its closing brace: execution_thread.
  HloAttributes attributes() const {
    return ReadHloAttributes(entry().attributes_text);
  }
  std::string_view attributes_text() const { return entry().attributes_text; }

  HloRange<HloInstruction> instructions() const {
    return {store_, entry().first_instruction, entry().instruction_count};
  }
  // The instruction marked ROOT, or the last; nullopt if there is none.
  std::optional<HloInstruction> root() const;
};

class HloModule
    : public HloHandle<HloModule, &hlo_internal::HloStore::modules> {
 public:
  using HloHandle::HloHandle;

  // Empty for text without an HloModule line.
  std::string_view name() const { return entry().name; }
  bool has_header() const { return entry().has_header; }
  // The attributes of the HloModule line, with raw values;
  // hlo/attributes/module_header.h decodes them.
  HloAttributes attributes() const {
    return ReadHloAttributes(entry().attributes_text);
  }
  std::optional<std::string_view> attribute(std::string_view key) const {
    return FindHloAttribute(entry().attributes_text, key);
  }
  // Whether it has is_scheduled=true: the text is in the order of execution.
  bool is_scheduled() const { return attribute("is_scheduled") == "true"; }
  // FileNames and the other tables, as written; empty if there are none.
  // hlo/attributes/frame_tables.h decodes them.
  std::string_view frame_tables_text() const {
    return entry().frame_tables_text;
  }

  // Computations written inline come after the one that contains them.
  HloRange<HloComputation> computations() const {
    return {store_, entry().first_computation, entry().computation_count};
  }
  // The computation marked ENTRY; nullopt if none is. XLA's parser then uses
  // the last one, which may be any computation if the dump breaks off.
  std::optional<HloComputation> entry_computation() const;
};

class HloDump {
 public:
  // For ParseHlo.
  explicit HloDump(std::unique_ptr<const hlo_internal::HloStore> store)
      : store_(std::move(store)) {}

  std::string_view text() const { return store_->text; }
  // Whether the text was generated from a proto.
  bool is_from_proto() const { return store_->is_from_proto; }
  // Whether the text is one instruction without a module and a computation: a
  // line out of a dump. Its operands, and the computations that it calls, may
  // be missing.
  bool is_one_instruction() const { return store_->is_one_instruction; }
  HloRange<HloModule> modules() const {
    return {store_.get(), 0, static_cast<int64_t>(store_->modules.size())};
  }
  HloRange<HloComputation> computations() const {
    return {store_.get(), 0, static_cast<int64_t>(store_->computations.size())};
  }
  HloRange<HloInstruction> instructions() const {
    return {store_.get(), 0, static_cast<int64_t>(store_->instructions.size())};
  }
  // Every distinct text of a result shape, and those of inferred shapes.
  const HloShapeTable& shapes() const { return store_->shapes; }
  // Every distinct opcode.
  absl::Span<const std::string_view> opcodes() const { return store_->opcodes; }
  const HloCounts& counts() const { return store_->counts; }

  // The parts that could not be read or resolved, in the order of the text: at
  // most HloParseOptions::diagnostic_limit of diagnostic_count(). Errors in a
  // proto have line 0 and an offset in the proto; the error about an empty text
  // has line 0, too.
  absl::Span<const Diagnostic> diagnostics() const {
    return store_->diagnostics;
  }
  int64_t diagnostic_count() const { return store_->diagnostic_count; }

 private:
  std::unique_ptr<const hlo_internal::HloStore> store_;
};

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_MODULE_H_
