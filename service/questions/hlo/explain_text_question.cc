#include "tessera/service/questions/hlo/explain_text_question.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/base/text/human_bytes.h"
#include "tessera/hlo/buffer_assignment/assigned_memory.h"
#include "tessera/hlo/buffer_assignment/assigned_peak.h"
#include "tessera/hlo/buffer_assignment/assignment_text.h"
#include "tessera/hlo/hlo_file_kind.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/instruction_origin.h"
#include "tessera/hlo/message/allocation_shape.h"
#include "tessera/hlo/message/jax_layout.h"
#include "tessera/hlo/message/memory_message.h"
#include "tessera/hlo/tpu_generation.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/index_util/bitcast.h"
#include "tessera/index_util/padding.h"
#include "tessera/layout/foreign_type_name.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/parser/parser.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/hlo/hlo_texts.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace {

// Returns whether the layout of the array can be analyzed at little cost.
bool IsModest(const Shape& array) {
  constexpr int64_t kMostDimensions = 64;
  return array.IsArray() && array.rank() <= kMostDimensions;
}

// Fills in the padding of an array, and a better order if there is one. The
// statement is an AllocationStatement or an ArrayStatement.
template <typename Statement>
void FillPadding(const Shape& array, const ArraySizes& sizes,
                 Statement* statement) {
  statement->set_unpadded_bytes(sizes.unpadded_bytes);
  statement->set_padded_bytes(sizes.padded_bytes);
  FillMostPadded(sizes, statement);
  if (!statement->has_most_padded()) return;
  const absl::StatusOr<BestOrder> best = FindBestOrder(array);
  if (!best.ok() || best->padded_bytes >= sizes.padded_bytes) return;
  SetNumbers(best->minor_to_major, statement->mutable_better_minor_to_major());
  statement->set_better_bytes(best->padded_bytes);
}

// Fills in the size of an array, or only the shape if the size is not known.
void FillArray(const Shape& array, ArrayStatement* statement) {
  statement->set_shape(array.ToString());
  if (!IsModest(array)) return;
  const absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(array);
  if (sizes.ok()) FillPadding(array, *sizes, statement);
}

// Adds a statement for each of the arrays in a shape.
void AddArrayStatements(
    std::string_view name, const Shape& shape, int64_t rows,
    google::protobuf::RepeatedPtrField<ArrayStatement>* arrays) {
  ForEachLeafShape(shape, [&](const Shape& leaf, ShapeIndexView index) {
    if (!leaf.IsArray() || arrays->size() >= rows) return;
    ArrayStatement& statement = *arrays->Add();
    statement.set_name(StrCat(name, index.empty()
                                        ? ""
                                        : ShapeIndexToString(ShapeIndex(
                                              index.begin(), index.end()))));
    FillArray(leaf, &statement);
  });
}

// Returns the numbers in "{0,2,1}"; empty for other texts.
std::vector<int64_t> NumbersInBraces(std::string_view text) {
  std::vector<int64_t> numbers;
  for (const std::string_view part :
       SplitViews(StripSuffix(StripPrefix(text, "{"), "}"), ',')) {
    int64_t number = 0;
    if (!absl::SimpleAtoi(AbslView(part), &number)) return {};
    numbers.push_back(number);
  }
  return numbers;
}

// Returns whether an instruction that converts `from` to `to`, such as a copy
// or transpose, does not have to move anything.
std::optional<bool> IsFree(HloInstruction instruction, const Shape& from,
                           const Shape& to) {
  const std::string_view opcode = instruction.opcode();
  BitcastOptions options;
  if (opcode == "transpose") {
    options.dimensions =
        NumbersInBraces(instruction.attribute("dimensions").value_or(""));
  }
  const absl::StatusOr<Bitcasts> bitcasts = FindBitcasts(from, to, options);
  if (!bitcasts.ok()) return std::nullopt;
  const bool keeps_order = opcode == "copy" || opcode == "reshape";
  if (!keeps_order) return bitcasts->is_bitcast;
  return bitcasts->obstacle.empty() ? bitcasts->as_reshape
                                    : std::optional<bool>(false);
}

// Returns the differences between the buffers of a copy.
std::vector<std::string> DifferencesOf(const Shape& from, const Shape& to) {
  std::vector<std::string> differences;
  const Layout& a = from.layout();
  const Layout& b = to.layout();
  if (a.parts().minor_to_major != b.parts().minor_to_major) {
    differences.push_back("the order of dimensions");
  }
  if (a.parts().tiles != b.parts().tiles) differences.push_back("tiles");
  if (a.memory_space() != b.memory_space()) {
    differences.push_back("memory space");
  }
  if (a.element_size_in_bits() != b.element_size_in_bits()) {
    differences.push_back("the size of elements");
  }
  return differences;
}

void FillMove(HloInstruction instruction, const Shape& from, const Shape& to,
              InstructionStatement* statement) {
  constexpr std::string_view kMoves[] = {"copy", "transpose", "reshape",
                                         "bitcast"};
  const bool is_move = std::find(std::begin(kMoves), std::end(kMoves),
                                 instruction.opcode()) != std::end(kMoves);
  if (!is_move || !IsModest(from) || !IsModest(to)) return;
  const std::optional<bool> is_free = IsFree(instruction, from, to);
  if (!is_free.has_value()) return;
  statement->set_is_bitcast(*is_free);
  if (*is_free || from.dimensions() != to.dimensions()) return;
  for (std::string& difference : DifferencesOf(from, to)) {
    statement->add_differences(std::move(difference));
  }
}

// Returns the shapes that a kernel requires for its operands, as a tuple;
// nullopt if the instruction does not have them.
std::optional<Shape> OperandShapesOf(HloInstruction instruction) {
  const std::string_view constraints =
      instruction.attribute("operand_layout_constraints").value_or("");
  if (constraints.size() < 2) return std::nullopt;
  absl::StatusOr<Shape> shapes = ReadShapeOfHlo(
      StrCat("(", constraints.substr(1, constraints.size() - 2), ")"));
  if (!shapes.ok() || !shapes->IsTuple()) return std::nullopt;
  return *std::move(shapes);
}

// Returns an instruction that XLA's list of allocations cuts off,
// "fusion(f32[8]{0} %p, f32[4...", up to its last whole operand. Returns any
// other text unchanged.
std::string WholePartOf(std::string_view text) {
  constexpr std::string_view kCut = "...";
  text = StripTrailingAsciiWhitespace(text);
  if (!EndsWith(text, kCut)) return std::string(text);
  text.remove_suffix(kCut.size());
  // The brackets around operands are the first ones after an opcode, and not
  // around a tuple or in a layout.
  int64_t depth = 0;
  size_t open = text.npos;
  size_t comma = text.npos;
  for (size_t i = text.find(" = "); i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{') {
      if (depth == 0 && c == '(' && absl::ascii_isalnum(text[i - 1])) open = i;
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
      // All operands are present, and only attributes are cut.
      if (depth == 0 && open != text.npos) {
        return std::string(text.substr(0, i + 1));
      }
    } else if (c == ',' && depth == 1 && open != text.npos) {
      comma = i;
    }
  }
  if (open == text.npos) return std::string(text);
  return StrCat(text.substr(0, comma == text.npos ? open + 1 : comma), ")");
}

absl::Status FillInstruction(const ServiceOptions& options,
                             std::string_view text, int64_t rows,
                             InstructionStatement* statement) {
  const std::string whole = WholePartOf(text);
  TESSERA_ASSIGN_OR_RETURN(
      const HloDump dump,
      HloTexts(options).Parse("text", whole, /*strict=*/false));
  if (dump.instructions().empty()) {
    return InField(
        "text", dump.diagnostics().empty()
                    ? absl::InvalidArgumentError("the text has no instruction")
                    : DiagnosticStatus(dump.diagnostics()[0]));
  }
  const HloInstruction instruction = dump.instructions()[0];
  statement->set_name(std::string(instruction.name()));
  statement->set_opcode(std::string(instruction.opcode()));
  InstructionOrigin origin =
      InstructionOrigins(dump.modules()[0]).Of(instruction);
  statement->set_op_name(std::move(origin.op_name));
  statement->set_source_line(std::move(origin.source_line));
  const Shape* const result = instruction.shape();
  if (result != nullptr) {
    AddArrayStatements("", *result, rows, statement->mutable_results());
  }
  std::vector<Shape> operands;
  for (const HloOperand operand : instruction.operands()) {
    const absl::StatusOr<Shape> shape = ReadShapeOfHlo(operand.shape_text());
    if (!shape.ok()) continue;
    AddArrayStatements(operand.name(), *shape, rows,
                       statement->mutable_operands());
    operands.push_back(*shape);
  }
  // A kernel's operands do not have shapes.
  const std::optional<Shape> shapes = OperandShapesOf(instruction);
  if (operands.empty() && shapes.has_value()) {
    const HloOperands named = instruction.operands();
    for (size_t i = 0; i < shapes->tuple_shapes().size(); ++i) {
      AddArrayStatements(i < named.size() ? named[i].name() : "",
                         shapes->tuple_shapes(i), rows,
                         statement->mutable_operands());
    }
  }
  if (result != nullptr && operands.size() == 1) {
    FillMove(instruction, operands[0], *result, statement);
  }
  return absl::OkStatus();
}

const char* StatementKindOf(MemoryMessage::Kind kind) {
  switch (kind) {
    case MemoryMessage::Kind::kTotals:
      return "totals";
    case MemoryMessage::Kind::kScoped:
      return "scoped";
    case MemoryMessage::Kind::kAllocation:
      return "allocation";
    case MemoryMessage::Kind::kTpuList:
    case MemoryMessage::Kind::kGpuList:
      return "list";
    case MemoryMessage::Kind::kLoad:
      return "load";
    case MemoryMessage::Kind::kRequest:
      return "request";
  }
  return "";
}

// Returns the target of a message; "" if the message does not determine it.
std::string TargetOfMessage(const MemoryMessage& message) {
  switch (message.kind) {
    case MemoryMessage::Kind::kGpuList:
      return "gpu";
    case MemoryMessage::Kind::kLoad:
    case MemoryMessage::Kind::kRequest:
      return message.memory_space.empty() ? "" : "tpu";
    default:
      return "tpu";
  }
}

// Equal allocations, in the order of the list.
struct AlikeAllocations {
  const StatedAllocation* first = nullptr;
  int64_t count = 0;

  int64_t bytes() const {
    bool is_saturated = false;
    return SaturatingMultiply(first->size.bytes, count, &is_saturated);
  }
};

std::vector<AlikeAllocations> GroupAllocations(
    const std::vector<StatedAllocation>& allocations) {
  std::map<std::string, size_t> by_key;
  std::vector<AlikeAllocations> groups;
  for (const StatedAllocation& allocation : allocations) {
    // A label that does not name its own instruction distinguishes them, too.
    const std::string key = absl::StrJoin(
        {allocation.shape_text, allocation.op_name, allocation.type,
         allocation.tag, absl::StrCat(allocation.size.bytes),
         allocation.shape_text.empty() ? allocation.instruction : ""},
        "\n");
    const auto [entry, is_new] = by_key.try_emplace(key, groups.size());
    if (is_new) groups.push_back({&allocation, 0});
    ++groups[entry->second].count;
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const AlikeAllocations& a, const AlikeAllocations& b) {
                     return a.bytes() > b.bytes();
                   });
  return groups;
}

// Returns the limits that may apply to a window, with their names: all of the
// memory, and the part that a kernel gets by default.
std::vector<std::pair<int64_t, std::string>> LimitsOf(int64_t memory) {
  std::map<int64_t, std::vector<std::string_view>> of_generations;
  std::map<int64_t, std::vector<std::string_view>> of_those_with_memory;
  for (const TpuGeneration generation :
       {TpuGeneration::kV4, TpuGeneration::kV5e, TpuGeneration::kV5p,
        TpuGeneration::kV6e, TpuGeneration::kV7x}) {
    const TpuMemory sizes = TpuMemoryOf(generation);
    const std::string_view name = TpuGenerationName(generation);
    of_generations[sizes.scoped_vmem_limit].push_back(name);
    if (sizes.vmem == memory) {
      of_those_with_memory[sizes.scoped_vmem_limit].push_back(name);
    }
  }
  std::vector<std::pair<int64_t, std::string>> limits = {
      {memory, "all of the memory"}};
  for (const auto& [limit, names] :
       of_those_with_memory.empty() ? of_generations : of_those_with_memory) {
    if (limit >= memory) continue;
    limits.emplace_back(
        limit, absl::StrCat("the default of ", JoinViews(names, " and ")));
  }
  std::sort(limits.rbegin(), limits.rend());
  return limits;
}

void FillWindow(const StatedAllocation& allocation, int64_t memory,
                WindowStatement* statement) {
  statement->set_window(allocation.window_text);
  statement->set_full(allocation.full_text);
  statement->set_buffers(allocation.buffers);
  statement->set_bytes(allocation.size.bytes / allocation.buffers);
  const absl::StatusOr<Shape> window = ReadShapeOfHlo(allocation.window_text);
  if (!window.ok() || !IsModest(*window) || window->has_unbounded_dimension() ||
      window->rank() == 0) {
    return;
  }
  absl::StatusOr<Shape> full = ReadShapeOfHlo(allocation.full_text);
  const bool is_of_window = full.ok() && full->IsArray() &&
                            full->rank() == window->rank() &&
                            !full->has_unbounded_dimension();
  const Shape& operand = is_of_window ? *full : *window;
  for (const auto& [limit, name] : LimitsOf(memory)) {
    const std::optional<FittingBlock> fit =
        FindFittingBlock(*window, operand, allocation.buffers, limit);
    if (!fit.has_value()) continue;
    BlockStatement& block = *statement->add_blocks();
    block.set_limit_bytes(limit);
    block.set_limit(name);
    block.set_block(fit->block.ToString(/*with_layout=*/false));
    block.set_bytes(fit->bytes);
  }
}

void FillAllocation(const AlikeAllocations& group, const MemoryMessage& message,
                    bool is_tpu, AllocationStatement* statement) {
  const StatedAllocation& allocation = *group.first;
  statement->set_count(group.count);
  statement->set_bytes(allocation.size.bytes);
  statement->set_shape(allocation.shape_text);
  statement->set_op_name(allocation.op_name);
  statement->set_source_line(allocation.source_line);
  statement->set_instruction(allocation.instruction);
  statement->set_type(allocation.type);
  statement->set_tag(allocation.tag);
  if (!allocation.window_text.empty()) {
    const int64_t memory =
        message.available.has_value() ? message.available->bytes : 0;
    FillWindow(allocation, memory, statement->mutable_window());
    // The shape is that of raw bytes.
    return;
  }
  const absl::StatusOr<AllocationShape> shape =
      ReadAllocationShape(allocation.shape_text, allocation.size, is_tpu);
  if (!shape.ok()) return;
  if (shape->are_tiles_found) {
    statement->set_tiled_shape(shape->shape.ToString());
  }
  statement->set_tilings(shape->tilings);
  statement->set_copies(shape->copies);
  FillPadding(shape->shape, shape->sizes, statement);
}

// Adds blocks of the kernel's operands and results that fit into its limit.
void FillKernelBlocks(MemoryStatement* message) {
  std::vector<Shape> arrays;
  std::vector<std::string> names;
  int64_t whole_bytes = 0;
  bool is_saturated = false;
  const auto add = [&](const ArrayStatement& statement) {
    const absl::StatusOr<Shape> array = ReadShapeOfHlo(statement.shape());
    // An array that lies in VMEM or SMEM as a whole does not have blocks there.
    if (!array.ok() || !IsModest(*array) || array->rank() == 0 ||
        array->has_unbounded_dimension() ||
        array->layout().memory_space() != 0) {
      return;
    }
    SaturatingAdd(statement.padded_bytes(), &whole_bytes, &is_saturated);
    arrays.push_back(*array);
    names.push_back(statement.name());
  };
  const InstructionStatement& kernel = message->instruction();
  std::for_each(kernel.results().begin(), kernel.results().end(), add);
  std::for_each(kernel.operands().begin(), kernel.operands().end(), add);
  // A kernel without a grid has its whole arrays in VMEM, and the rest is its
  // own. For a kernel with a grid, the message does not have blocks, and some
  // memory is left for the rest.
  const int64_t needed = message->needed_bytes();
  const int64_t limit = message->available_bytes();
  const bool is_whole = whole_bytes <= needed;
  const std::vector<FittingBlock> blocks =
      FindFittingBlocks(arrays, is_whole ? needed - whole_bytes : 0,
                        is_whole ? limit : limit - limit / 8);
  for (size_t i = 0; i < blocks.size(); ++i) {
    FittingKernelBlock& block = *message->add_blocks();
    block.set_name(names[i]);
    block.set_block(blocks[i].block.ToString(/*with_layout=*/false));
    block.set_bytes(blocks[i].bytes);
  }
}

// Adds advice about how to get the arrays that the message leaves out.
void AddDumpAdvice(const MemoryMessage& read, std::string_view text,
                   ExplainTextResult* result) {
  if (read.kind == MemoryMessage::Kind::kRequest) {
    result->add_advice(
        "The program was compiled, and one allocation failed while it ran. "
        "XLA_FLAGS=--xla_dump_to=DIR writes its module, and 'tessera hlo peak "
        "DIR' shows how much memory the program itself takes.");
    result->add_advice(
        "Other arrays on the device count, too: in JAX, jax.live_arrays() "
        "lists them.");
    return;
  }
  if (read.kind == MemoryMessage::Kind::kLoad) {
    result->add_advice(
        "The program was compiled, but there was no room for it when it was "
        "loaded: arrays and other programs fill the rest of the device. In "
        "JAX, jax.live_arrays() lists the arrays.");
    result->add_advice(
        "XLA_FLAGS=--xla_dump_to=DIR writes its module, and 'tessera hlo peak "
        "DIR' shows how much memory the program itself takes.");
    return;
  }
  if (StrContains(text, "HLO temporaries")) {
    result->add_advice(
        "The 'HLO temporaries' of this message include arguments and "
        "results.");
  }
  result->add_advice(
      "The message does not list the arrays. Run the program again with "
      "XLA_FLAGS=--xla_dump_to=DIR: XLA writes the module to DIR, although it "
      "does not fit.");
  result->add_advice(
      "Then 'tessera hlo peak DIR' shows which arrays are live at the peak, "
      "how much of them is padding, and which lines of the program made them.");
}

void AddScopedAdvice(const MemoryStatement& message,
                     ExplainTextResult* result) {
  const bool is_kernel = !message.has_instruction() ||
                         message.instruction().opcode() == "custom-call";
  if (!is_kernel) {
    result->add_advice(
        "XLA made this instruction, and it has no blocks to choose. "
        "LIBTPU_INIT_ARGS=--xla_tpu_scoped_vmem_limit_kib=N gives every "
        "instruction more VMEM, and leaves less for the arrays in VMEM.");
    return;
  }
  if (message.memory_space() != "vmem") {
    result->add_advice(
        "A kernel's scalar operands, scalar-prefetch operands and scratch in "
        "SMEM count. Pass less data to it in SMEM.");
    return;
  }
  if (!message.blocks().empty()) {
    std::string command = "tessera hlo vmem";
    for (const FittingKernelBlock& block : message.blocks()) {
      absl::StrAppend(&command, " --block '", block.block(), "'");
    }
    result->add_advice(absl::StrCat(
        "To try other blocks before you compile, change them in: ", command));
  } else if (message.needed_bytes() > 0 && message.available_bytes() > 0) {
    int64_t parts = 1;
    while (parts < message.needed_bytes() &&
           message.needed_bytes() / parts > message.available_bytes()) {
      parts *= 2;
    }
    result->add_advice(absl::StrCat(
        "Make the kernel's blocks 1/", parts,
        " as large. If its scratch shrinks with them, the kernel needs ",
        HumanBytes(message.needed_bytes() / parts), " of ",
        HumanBytes(message.available_bytes()), "."));
  }
  result->add_advice(
      "A block has two buffers, unless its index never changes.");
  result->add_advice(
      "Or allow this kernel more VMEM: "
      "pltpu.CompilerParams(vmem_limit_bytes=...).");
}

void AddMessageAdvice(const MemoryMessage& read, std::string_view text,
                      ExplainTextResult* result) {
  const MemoryStatement& message = result->message();
  const bool is_list = message.allocation_count() > 0;
  switch (read.kind) {
    case MemoryMessage::Kind::kScoped:
      AddScopedAdvice(message, result);
      return;
    case MemoryMessage::Kind::kAllocation:
      if (message.allocation_count() > 0 &&
          message.allocations(0).has_window()) {
        result->add_advice(
            "Beyond the default, the kernel needs "
            "pltpu.CompilerParams(vmem_limit_bytes=...). Its other blocks "
            "count against the same limit.");
      }
      return;
    case MemoryMessage::Kind::kTotals:
    case MemoryMessage::Kind::kTpuList:
    case MemoryMessage::Kind::kGpuList:
    case MemoryMessage::Kind::kLoad:
    case MemoryMessage::Kind::kRequest:
      break;
  }
  if (is_list) {
    if (message.memory_space() != "vmem") {
      result->add_advice(
          "The message lists only the largest arrays. "
          "XLA_FLAGS=--xla_dump_to=DIR writes the module, and 'tessera hlo "
          "peak DIR' lists all of them.");
    }
    return;
  }
  AddDumpAdvice(read, text, result);
}

absl::Status FillMessage(const ServiceOptions& options,
                         const MemoryMessage& read, std::string_view text,
                         int64_t rows, AnswerBytes* bytes,
                         ExplainTextResult* result) {
  result->set_kind(std::string(HloFileKindName(HloFileKind::kMemoryMessage)));
  MemoryStatement& message = *result->mutable_message();
  message.set_kind(StatementKindOf(read.kind));
  message.set_target(TargetOfMessage(read));
  message.set_error_code(read.error_code);
  message.set_memory_space(read.memory_space);
  message.set_module(read.module);
  if (read.needed.has_value()) message.set_needed_bytes(read.needed->bytes);
  if (read.available.has_value()) {
    message.set_available_bytes(read.available->bytes);
  }
  if (read.excess.has_value()) {
    message.set_excess_bytes(read.excess->bytes);
  } else if (message.has_needed_bytes() && message.has_available_bytes() &&
             message.needed_bytes() > message.available_bytes()) {
    message.set_excess_bytes(message.needed_bytes() -
                             message.available_bytes());
  }
  // Few, unless the text is not a message at all.
  const int64_t sums =
      std::min<int64_t>(read.parts.size(), std::max(rows, kUsualHloRows));
  for (int64_t i = 0; i < sums; ++i) {
    StatedSum& sum = *message.add_sums();
    sum.set_name(read.parts[i].name);
    sum.set_bytes(read.parts[i].bytes.bytes);
  }
  int64_t listed = 0;
  bool is_saturated = false;
  for (const StatedAllocation& allocation : read.allocations) {
    SaturatingAdd(allocation.size.bytes, &listed, &is_saturated);
  }
  message.set_allocation_count(read.allocations.size());
  message.set_listed_bytes(listed);
  const std::vector<AlikeAllocations> groups =
      GroupAllocations(read.allocations);
  const int64_t count = std::min<int64_t>(groups.size(), rows);
  for (int64_t i = 0; i < count; ++i) {
    AllocationStatement& statement = *message.add_allocations();
    FillAllocation(groups[i], read, message.target() == "tpu", &statement);
    TESSERA_RETURN_IF_ERROR(bytes->Add(statement.ByteSizeLong()));
  }
  if (!read.instruction_text.empty()) {
    // Unreadable parts are not mistakes of the user who pastes the message.
    FillInstruction(options, read.instruction_text, rows,
                    message.mutable_instruction())
        .IgnoreError();
    if (message.instruction().opcode().empty()) message.clear_instruction();
    if (message.instruction().opcode() == "custom-call") {
      FillKernelBlocks(&message);
    }
  }
  AddMessageAdvice(read, text, result);
  return absl::OkStatus();
}

absl::Status FillMessages(const ServiceOptions& options, std::string_view text,
                          int64_t rows, ExplainTextResult* result) {
  const std::vector<MemoryMessage> messages = ReadMemoryMessages(text);
  if (messages.empty()) {
    return InvalidField("text", "the text has no message about memory");
  }
  AnswerBytes bytes(options);
  TESSERA_RETURN_IF_ERROR(
      FillMessage(options, messages[0], text, rows, &bytes, result));
  const int64_t count = messages.size();
  const int64_t explained = std::min(count, std::max<int64_t>(rows, 1));
  if (explained < count) {
    result->add_advice(
        absl::StrCat("The text has more messages than the first ", explained,
                     ", which are explained."));
  }
  for (int64_t i = 1; i < explained; ++i) {
    ExplainTextResult& other = *result->add_other_messages();
    TESSERA_RETURN_IF_ERROR(
        FillMessage(options, messages[i], text, rows, &bytes, &other));
    TESSERA_RETURN_IF_ERROR(bytes.Add(other.ByteSizeLong()));
  }
  return absl::OkStatus();
}

void FillPlacedValue(const BufferAssignment& assignment,
                     const ValuePlace& place, PlacedValue* filled) {
  const BufferAssignment::Allocation& allocation =
      assignment.allocations[place.allocation];
  const BufferAssignment::Tenant& tenant = assignment.tenants[place.tenant];
  const BufferAssignment::Value& value = assignment.values[tenant.value];
  filled->set_name(StrCat(
      value.instruction,
      value.shape_index.empty() ? "" : ShapeIndexToString(value.shape_index)));
  filled->set_shape(std::string(value.shape_text));
  filled->set_bytes(tenant.bytes);
  filled->set_allocation(allocation.index);
  filled->set_kind(std::string(AllocationKindName(allocation.kind)));
  filled->set_offset(tenant.offset);
  if (value.first >= 0) {
    filled->set_first(value.first);
    filled->set_last(value.last);
  }
  const absl::StatusOr<Shape> shape = ReadShapeOfHlo(value.shape_text);
  if (!shape.ok() || !IsModest(*shape)) return;
  FillMostPadded(ComputeArraySizes(*shape), filled);
}

absl::Status FillLoneAssignment(const ServiceOptions& options,
                                const ExplainTextRequest& question,
                                int64_t rows, ExplainTextResult* result) {
  AssignmentTextOptions reading;
  reading.problem_limit = rows;
  reading.values_text = question.values();
  reading.live_range_text = question.live_ranges();
  const BufferAssignment assignment =
      ReadBufferAssignmentText(question.text(), reading);
  AssignmentStatement& statement = *result->mutable_assignment();
  statement.set_problem_count(assignment.problem_count);
  for (const Diagnostic& problem : assignment.problems) {
    *statement.add_problems() = ToTextNote(problem);
  }
  AnswerBytes bytes(options);
  const std::map<int64_t, AssignedPeak> peaks = FindAssignedPeaks(assignment);
  for (const auto& [number, space] : FindAssignedMemory(assignment)) {
    AssignedSpaceStatement& filled = (*statement.mutable_spaces())[number];
    filled.set_assigned_bytes(space.assigned_bytes);
    filled.set_parameter_bytes(space.parameter_bytes);
    filled.set_constant_bytes(space.constant_bytes);
    filled.set_output_bytes(space.output_bytes);
    filled.set_temporary_bytes(space.temporary_bytes);
    filled.set_allocation_count(space.allocation_count);
    std::optional<int64_t> step;
    if (const auto peak = peaks.find(number); peak != peaks.end()) {
      step = peak->second.step;
      filled.set_peak_bytes(peak->second.bytes);
      filled.set_peak_position(*step);
      filled.set_peak_instruction(std::string(assignment.steps[*step]));
    }
    const std::vector<ValuePlace> places = PlacesAt(assignment, number, step);
    filled.set_value_count(places.size());
    const int64_t count = std::min<int64_t>(places.size(), rows);
    for (int64_t i = 0; i < count; ++i) {
      PlacedValue& value = *filled.add_values();
      FillPlacedValue(assignment, places[i], &value);
      TESSERA_RETURN_IF_ERROR(bytes.Add(value.ByteSizeLong()));
    }
  }
  if (peaks.empty()) {
    result->add_advice(
        "No live ranges were written, so the peak is not known. "
        "XLA_FLAGS=--xla_dump_to=DIR "
        "--xla_dump_buffer_assignment_analysis=true writes them.");
  }
  result->add_advice(
      "The module's own file has more: the purpose of each array, and the line "
      "of the program that made it. 'tessera hlo peak' reads it.");
  return absl::OkStatus();
}

// "bf16[9,130]" of a type, as NumPy and XLA name it, and "9, 130".
std::string ShapeText(std::string_view type, std::string_view bounds) {
  const std::optional<PrimitiveType> named = PrimitiveTypeFromForeignName(type);
  return StrCat(
      named.has_value() ? PrimitiveTypeName(*named) : type, "[",

      StripSuffix(absl::StrReplaceAll(AbslView(bounds), {{" ", ""}}), ","),
      "]");
}

// Returns the shape next to a JAX layout: "bf16[9,130]", or "shape=(9, 130),
// dtype=bfloat16"; empty if there is none.
std::string ShapeTextIn(std::string_view text) {
  constexpr std::string_view kBounds = "0123456789, ";
  constexpr std::string_view kShape = "shape=(";
  constexpr std::string_view kType = "dtype=";
  const size_t shape = text.find(kShape);
  const size_t type = text.find(kType);
  if (shape != text.npos && type != text.npos) {
    const std::string_view list = text.substr(shape + kShape.size());
    const std::string_view name = text.substr(type + kType.size());
    return ShapeText(
        name.substr(0, std::min(name.find_first_of(",) \n["), name.size())),
        list.substr(0, list.find_first_not_of(kBounds)));
  }
  for (size_t open = text.find('['); open != text.npos;
       open = text.find('[', open + 1)) {
    size_t begin = open;
    while (begin > 0 && absl::ascii_isalnum(text[begin - 1])) --begin;
    const size_t close = text.find_first_not_of(kBounds, open + 1);
    if (begin < open && close != text.npos && text[close] == ']') {
      return ShapeText(text.substr(begin, open - begin),
                       text.substr(open + 1, close - open - 1));
    }
  }
  return "";
}

absl::Status FillJaxLayout(const ServiceOptions& options, std::string_view text,
                           ExplainTextResult* result) {
  const absl::StatusOr<Layout> layout = ReadJaxLayout(text);
  if (!layout.ok()) return InField("text", layout.status());
  int64_t axes = layout->rank();
  for (const Tile& tile : layout->tiles()) axes += tile.dimensions().size();
  TESSERA_RETURN_IF_ERROR(CheckAxes(options, axes));
  JaxLayoutStatement& statement = *result->mutable_layout();
  statement.set_layout(layout->ToString());
  const std::string_view written = JaxLayoutText(text);
  const size_t begin = written.data() - text.data();
  const std::string beside = ShapeTextIn(
      StrCat(text.substr(0, begin), " ", text.substr(begin + written.size())));
  if (beside.empty()) {
    result->add_advice(
        "With a shape next to it, as in \"bf16[9,130] Layout(...)\", the "
        "answer has the bytes and the padding of the array.");
    return absl::OkStatus();
  }
  TESSERA_RETURN_IF_ERROR(CheckTextBytes(options, beside));
  const absl::StatusOr<Shape> read = ParseShape(beside);
  // Its place is in a text that the user did not write.
  if (!read.ok()) {
    return InField("text", DiagnosticError(text, 0,
                                           absl::StrCat("the shape ", beside,
                                                        " cannot be read")));
  }
  const Shape& shape = *read;
  if (shape.rank() != layout->rank()) {
    return InField(
        "text",
        DiagnosticError(
            text, begin,
            absl::StrCat("the layout has ", layout->rank(), " dimensions, but ",
                         shape.ToString(/*with_layout=*/false), " has ",
                         shape.rank())));
  }
  FillArray(shape.WithLayout(*layout), statement.mutable_array());
  return absl::OkStatus();
}

// The beginning of a text, for an error.
std::string BeginningOf(std::string_view text) {
  constexpr size_t kMost = 40;
  text = StripAsciiWhitespace(text);
  text = text.substr(0, text.find('\n'));
  return StrCat(text.substr(0, kMost), text.size() > kMost ? "..." : "");
}

// Returns the reason why a text is not explained.
absl::Status NotExplained(HloFileKind kind, std::string_view text) {
  switch (kind) {
    case HloFileKind::kText:
    case HloFileKind::kProto:
    case HloFileKind::kProfile:
      return InvalidArgumentError(
          "this is ", HloFileKindName(kind),
          "; 'tessera hlo peak' shows how much memory it takes");
    case HloFileKind::kOther:
      break;
    default:
      return CheckIsHlo(kind);
  }
  if (StripAsciiWhitespace(text).empty()) {
    return absl::InvalidArgumentError("the text is empty");
  }
  return InvalidArgumentError(
      "expected a message about memory, a buffer assignment, an HLO "
      "instruction or Layout(major_to_minor=...), found '",
      BeginningOf(text), "'",
      ReadShapeOfHlo(text.substr(0, text.find('\n'))).ok()
          ? "; 'tessera describe' reads shapes"
          : "");
}

// A message may follow more lines of a log than the detection of file kinds
// reads.
HloFileKind KindOfPasted(std::string_view text) {
  const HloFileKind kind = HloFileKindOf(text);
  return kind == HloFileKind::kOther && IsMemoryMessage(text)
             ? HloFileKind::kMemoryMessage
             : kind;
}

}  // namespace

absl::Status AnswerExplainText(const ServiceOptions& options,
                               const ExplainTextRequest& question,
                               ExplainTextResult* result) {
  const absl::StatusOr<int64_t> rows =
      RowsToAnswer(options, question.rows(), kUsualHloRows);
  if (!rows.ok()) return InField("rows", rows.status());
  const int64_t size = question.text().size() + question.values().size() +
                       question.live_ranges().size();
  const absl::Status limit =
      CheckLimit("hlo_bytes", "bytes", size, options.hlo_bytes);
  if (!limit.ok()) return InField("text", limit);
  const HloFileKind kind = KindOfPasted(question.text());
  result->set_kind(std::string(HloFileKindName(kind)));
  switch (kind) {
    case HloFileKind::kMemoryMessage:
      return FillMessages(options, question.text(), *rows, result);
    case HloFileKind::kBufferAssignment:
      return FillLoneAssignment(options, question, *rows, result);
    case HloFileKind::kInstruction:
      return FillInstruction(options, question.text(), *rows,
                             result->mutable_instruction());
    case HloFileKind::kJaxLayout:
      return FillJaxLayout(options, question.text(), result);
    default:
      return InField("text", NotExplained(kind, question.text()));
  }
}

absl::Status RefusalOfLayout(std::string_view text, absl::Status refusal) {
  if (!absl::IsInvalidArgument(refusal)) return refusal;
  const HloFileKind kind = HloFileKindOf(text);
  std::string_view advice = ", not a layout; 'tessera hlo explain' reads it";
  switch (kind) {
    case HloFileKind::kText:
    case HloFileKind::kProto:
    case HloFileKind::kProfile:
      advice = ", not a layout; 'tessera hlo' reads it";
      break;
    case HloFileKind::kJaxLayout:
      advice = "; 'tessera hlo explain' shows how XLA writes it";
      break;
    case HloFileKind::kMemoryMessage:
    case HloFileKind::kInstruction:
    case HloFileKind::kBufferAssignment:
      break;
    default:
      // MLIR may be a module of Tenstorrent's.
      return refusal;
  }
  return DiagnosticError(text, 0,
                         StrCat("this is ", HloFileKindName(kind), advice));
}

}  // namespace tessera
