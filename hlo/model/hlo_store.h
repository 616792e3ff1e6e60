// The memory representation of the module model (hlo/hlo_module.h).
//
// A dump of a gigabyte has millions of instructions, so an entry has offsets in
// the text instead of views. Data that can be read again quickly, such as
// attributes, is not kept. Deques grow without copying.

#ifndef TESSERA_HLO_MODEL_HLO_STORE_H_
#define TESSERA_HLO_MODEL_HLO_STORE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/hlo/hlo_call_kind.h"
#include "tessera/hlo/hlo_counts.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/hlo/model/chunked_vector.h"

namespace tessera {
namespace hlo_internal {

// Finds the line of a byte in a text. It is called for every instruction of a
// large dump, so it must not count all earlier lines each time.
class LineTable {
 public:
  // Returns the number of the line, from 1, at this offset in `text`, which
  // must be the same in each call. Several threads may call it.
  // Precondition: 0 <= offset <= text.size().
  int64_t LineAt(std::string_view text, int64_t offset);

 private:
  std::once_flag is_counted_;
  // The line at the start of each block of the text.
  std::vector<int64_t> first_lines_;
};

struct HloStore {
  // The limits: numbers of instructions, operands and computations have 31
  // bits. Numbers of calls and the bytes of an instruction have 30.
  static constexpr size_t kMaxCount = std::numeric_limits<int32_t>::max();
  static constexpr size_t kMaxCalls = (size_t{1} << 30) - 1;
  static constexpr size_t kMaxLength = (size_t{1} << 30) - 1;

  // Offsets are in bytes from the start of the instruction.
  struct Instruction {
    int64_t begin;  // in the text
    uint32_t size : 30;
    uint32_t is_shape_inferred : 1;
    uint32_t has_attribute_to_judge : 1;
    uint32_t name_begin;  // without '%'
    uint32_t name_size : 30;
    // These two bits and has_attribute_to_judge save the strict rules from
    // reading the text again.
    uint32_t has_legal_name : 1;
    uint32_t repeats_attribute : 1;
    uint32_t operand_text_begin;
    uint32_t operand_text_size;
    uint32_t attributes_begin;
    uint32_t opcode;  // in `opcodes`
    int32_t shape;    // in `shapes`, or -1
    uint32_t computation;
    uint32_t first_operand;
    // The number of direct operands; each is followed by its descendants.
    uint32_t operand_count;
    uint32_t first_call;
    uint32_t call_count : 30;
    uint32_t has_nested_operands : 1;
    uint32_t is_root : 1;
  };

  enum class OperandKind : uint32_t {
    kName,
    kExpression,  // add(%a, %b)
    kOther,       // a shape, `...(+3)`
  };

  struct Operand {
    uint32_t owner;  // the instruction that contains it
    uint32_t begin;
    uint32_t size;
    uint32_t shape_size;  // of the shape at the start of the operand, if any
    uint32_t name_begin;  // or the opcode of a nested expression
    uint32_t name_size : 30;
    OperandKind kind : 2;
    uint32_t descendants;
    // Within the computation; -1 if no earlier instruction has the name.
    int32_t instruction;
  };

  struct Call {
    int64_t name_begin;  // in the text
    uint32_t name_size;  // 0 for a computation written inline
    uint32_t instruction;
    int32_t computation;  // -1: no computation has the name
    HloCallKind kind;
  };

  struct Computation {
    std::string_view name;
    std::string_view program_shape_text;
    // After its closing brace; an empty view there if it is written inline.
    std::string_view attributes_text;
    uint32_t module;
    uint32_t first_instruction = 0;
    uint32_t instruction_count = 0;
    int64_t root = -1;    // within the computation
    int64_t caller = -1;  // of a computation written inline
    bool is_marked_entry = false;
    bool is_inline = false;
  };

  struct Module {
    std::string_view name;
    std::string_view attributes_text;
    std::string_view frame_tables_text;
    uint32_t first_computation = 0;
    uint32_t computation_count = 0;
    bool has_header = false;
  };

  std::string_view View(int64_t begin, int64_t size) const {
    return text.substr(begin, size);
  }

  // Clears everything except the text.
  void Clear() {
    shapes.Clear();
    lacks_shapes = false;
    is_one_instruction = false;
    inferred_shape_texts.clear();
    opcodes.clear();
    instructions = {};
    operands = {};
    calls = {};
    computations.clear();
    modules.clear();
    counts = {};
    diagnostics.clear();
    diagnostic_count = 0;
  }

  bool is_from_proto = false;
  // Whether some instruction does not have a shape in the text.
  bool lacks_shapes = false;
  bool is_one_instruction = false;
  std::deque<std::string> inferred_shape_texts;
  FileBytes file;         // if the dump owns its text
  std::string_view text;  // of `file`, or of an owner that outlives the dump
  HloShapeTable shapes;
  std::vector<std::string_view> opcodes;
  ChunkedVector<Instruction> instructions;
  ChunkedVector<Operand> operands;
  ChunkedVector<Call> calls;  // by instruction
  std::deque<Computation> computations;
  std::vector<Module> modules;

  // Has a mutex, so a pointer to it keeps the store movable.
  std::unique_ptr<LineTable> lines = std::make_unique<LineTable>();

  HloCounts counts;
  std::vector<Diagnostic> diagnostics;
  int64_t diagnostic_count = 0;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_MODEL_HLO_STORE_H_
