#include "tessera/hlo/model/shape_inference.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_opcode.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace hlo_internal {
namespace {

class ShapeInference {
 public:
  explicit ShapeInference(HloStore* store)
      : store_(*store), work_left_(4 * store->text.size()) {}

  void Infer() && {
    const HloRange<HloInstruction> instructions(&store_, 0,
                                                store_.instructions.size());
    for (const HloInstruction instruction : instructions) {
      if (instruction.has_shape()) continue;
      const int64_t shape = ShapeOf(instruction);
      if (shape < 0) continue;
      HloStore::Instruction& entry = store_.instructions[instruction.index()];
      entry.shape = shape;
      entry.is_shape_inferred = true;
    }
  }

 private:
  // In the shape table; -1 where it is not known, as in all that follows.
  int64_t ShapeOf(HloInstruction instruction) {
    const std::string_view opcode = instruction.opcode();
    if (opcode == "tuple") return ShapeOfTuple(instruction);
    if (opcode == "get-tuple-element") return ShapeOfElement(instruction);
    if (opcode == "clamp" || opcode == "select") {
      return instruction.operand_count() == 3 ? Laid(instruction.operand(1))
                                              : -1;
    }
    const std::optional<HloOpcodeFacts> facts = FindHloOpcode(opcode);
    if (!facts.has_value() || !facts->has_shape_of_operands) return -1;
    int64_t shape = -1;
    for (const HloOperand operand : instruction.operands()) {
      const int64_t of_operand = Laid(operand);
      if (of_operand < 0 || (shape >= 0 && !AreEqual(shape, of_operand))) {
        return -1;
      }
      shape = of_operand;
    }
    return shape;
  }

  // One shape can be written in two ways.
  bool AreEqual(int64_t a, int64_t b) {
    if (a == b) return true;
    work_left_ -= store_.shapes.text(a).size();
    return work_left_ >= 0 && store_.shapes.shape(a) == store_.shapes.shape(b);
  }

  // The shape of an operand that is all of an instruction's result.
  int64_t Whole(HloOperand operand) const {
    const std::optional<HloInstruction> instruction = operand.instruction();
    if (!instruction.has_value() || !operand.tuple_path().empty()) return -1;
    return instruction->shape_index();
  }

  // The same, unless the compiler may put the result elsewhere.
  int64_t Laid(HloOperand operand) const {
    const int64_t shape = Whole(operand);
    if (shape < 0) return -1;
    const Shape& of_operand = store_.shapes.shape(shape);
    const bool is_elsewhere =
        of_operand.IsArray() && of_operand.layout().memory_space() != 0;
    return is_elsewhere ? -1 : shape;
  }

  int64_t ShapeOfTuple(HloInstruction tuple) {
    std::string text = "(";
    for (const HloOperand operand : tuple.operands()) {
      const int64_t shape = Whole(operand);
      if (shape < 0) return -1;
      absl::StrAppend(&text, text.size() > 1 ? ", " : "",
                      AbslView(store_.shapes.text(shape)));
      // Tuples of tuples can double with every line.
      if (static_cast<int64_t>(text.size()) > work_left_) return -1;
    }
    work_left_ -= text.size();
    return Intern(absl::StrCat(text, ")"));
  }

  int64_t ShapeOfElement(HloInstruction instruction) {
    int64_t index = -1;
    const std::optional<std::string_view> text = instruction.attribute("index");
    if (instruction.operand_count() != 1 || !text.has_value() ||
        !absl::SimpleAtoi(AbslView(*text), &index)) {
      return -1;
    }
    const int64_t tuple = Whole(instruction.operand(0));
    if (tuple < 0) return -1;
    const Shape& shape = store_.shapes.shape(tuple);
    if (!shape.IsTuple() || index < 0 ||
        index >= static_cast<int64_t>(shape.tuple_shapes().size())) {
      return -1;
    }
    const auto [known, is_new] = elements_.try_emplace({tuple, index}, -1);
    if (is_new) {
      std::string text = shape.tuple_shapes(index).ToString();
      work_left_ -= text.size();
      if (work_left_ >= 0) known->second = Intern(std::move(text));
    }
    return known->second;
  }

  int64_t Intern(std::string text) {
    const int64_t known = store_.shapes.Find(text);
    if (known >= 0) return known;
    store_.inferred_shape_texts.push_back(std::move(text));
    return store_.shapes.Intern(store_.inferred_shape_texts.back())
        .value_or(-1);
  }

  HloStore& store_;
  int64_t work_left_;  // in bytes of the texts of shapes
  // By tuple, in the shape table, and index.
  absl::flat_hash_map<std::pair<int64_t, int64_t>, int64_t> elements_;
};

}  // namespace

void InferShapes(HloStore* store) { ShapeInference(store).Infer(); }

}  // namespace hlo_internal
}  // namespace tessera
