#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/hlo/origin_text.h"
#include "tessera/report/hlo/reserved_text.h"
#include "tessera/report/hlo/sorted_by_key.h"
#include "tessera/report/text/padding_text.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"

namespace tessera {
namespace {

constexpr int kWideEnoughForJax = 110;

// "HBM"; "memory" if the message does not name it.
std::string SpaceOfMessage(const MemoryStatement& message) {
  return message.memory_space().empty()
             ? "memory"
             : absl::AsciiStrToUpper(Printable(message.memory_space()));
}

// Returns a line with the memory that is too large, and its limit.
std::string Headline(const MemoryStatement& message, const Display& display) {
  const std::string space = SpaceOfMessage(message);
  const std::string needed = Paint(
      HumanBytesInHundredths(message.needed_bytes()), Color::kYellow, display);
  const std::string available =
      HumanBytesInHundredths(message.available_bytes());
  // GPU's list follows an allocation that failed.
  const bool is_request =
      message.kind() == "request" ||
      (message.kind() == "list" && message.target() == "gpu");
  std::string what;
  std::string there;
  bool has_excess = message.has_excess_bytes();
  if (message.kind() == "scoped") {
    what = message.has_needed_bytes()
               ? absl::StrCat("one instruction needs ", needed, " of scoped ",
                              space)
               : absl::StrCat("one instruction needs more scoped ", space,
                              " than its limit");
    there = absl::StrCat(", but its limit is ", available);
  } else if (message.kind() == "allocation") {
    what = message.has_needed_bytes()
               ? absl::StrCat("one allocation takes ", needed)
               : absl::StrCat("one allocation is larger than ", space);
    there = absl::StrCat(", but ", space, " has ", available);
  } else if (message.kind() == "load") {
    what = message.has_needed_bytes()
               ? absl::StrCat("there was no room for ", needed,
                              " when the program was loaded")
               : "there was no room for the program when it was loaded";
    there = absl::StrCat("; ", available, " of ", space, " was free");
    has_excess = false;
  } else if (is_request) {
    what = message.has_needed_bytes()
               ? absl::StrCat("an allocation of ", needed,
                              " failed while the program ran")
               : "an allocation failed while the program ran";
    there = absl::StrCat("; ", available, " of ", space, " was free");
    has_excess = false;
  } else {
    what =
        message.has_needed_bytes()
            ? absl::StrCat("the program needs ", needed, " of ", space)
            : absl::StrCat("the program needs more ", space, " than there is");
    there = absl::StrCat(", but may use only ", available);
  }
  return absl::StrCat(
      Paint(absl::StrCat(
                message.error_code().empty()
                    ? ""
                    : absl::StrCat(Printable(message.error_code()), ": "),
                "out of memory"),
            Color::kBold, display),
      ": ", what, message.has_available_bytes() ? there : "",
      has_excess
          ? absl::StrCat(": ", HumanBytesInHundredths(message.excess_bytes()),
                         " too much")
          : "",
      "\n",
      message.module().empty()
          ? ""
          : StrCat(kIndent, "module ", Printable(message.module()), "\n"));
}

std::string SumsText(const MemoryStatement& message, const Display& display) {
  if (message.sums().empty()) return "";
  Table table({{"bytes", Table::kRight}, {"what", Table::kLeft}});
  for (const StatedSum& sum : message.sums()) {
    table.AddRow({HumanBytes(sum.bytes()), Printable(sum.name())});
  }
  return absl::StrCat("\nThe message adds up:\n",
                      table.ToString(kIndent, display));
}

// Explains the stated size if it is not that of the shape.
std::string SizeNote(const AllocationStatement& allocation) {
  if (allocation.has_tiled_shape()) {
    const int64_t others = allocation.tilings() - 1;
    return absl::StrCat(
        "the message has no tiles; these give its size",
        others > 0 ? absl::StrCat(", and so do ", others, " other usual tiling",
                                  others == 1 ? "" : "s")
                   : "");
  }
  if (!allocation.has_padded_bytes() || allocation.copies() == 1) return "";
  if (allocation.copies() > 1) {
    return absl::StrCat("it has the size of ", allocation.copies(),
                        " such arrays");
  }
  return absl::StrCat("an array of this shape takes ",
                      HumanBytes(allocation.padded_bytes()));
}

std::string ShapeOf(const AllocationStatement& allocation) {
  return allocation.has_tiled_shape() ? allocation.tiled_shape()
                                      : Printable(allocation.shape());
}

std::string AllocationsText(const MemoryStatement& message,
                            const Display& display) {
  if (message.allocations().empty()) return "";
  const auto& allocations = message.allocations();
  const bool has_padding =
      std::any_of(allocations.begin(), allocations.end(),
                  [](const AllocationStatement& allocation) {
                    return allocation.has_most_padded();
                  });
  Table table({{"bytes", Table::kRight},
               {"unpadded", Table::kRight, has_padding},
               {"padded most", Table::kLeft, has_padding},
               {"shape", Table::kLeft}});
  for (const AllocationStatement& allocation : allocations) {
    const int64_t count = allocation.count();
    table.AddRow(
        {Paint(HumanBytes(allocation.bytes() * count), Color::kYellow, display),
         allocation.has_unpadded_bytes()
             ? HumanBytes(allocation.unpadded_bytes() *
                          std::max<int64_t>(allocation.copies(), 1) * count)
             : "",
         HumanBlame(allocation.most_padded(), Arrow(display)),
         absl::StrCat(
             count == 1
                 ? ""
                 : absl::StrCat(count, display.unicode ? " \u00d7 " : " x ",
                                HumanBytes(allocation.bytes()), " "),
             ShapeOf(allocation))});
    table.AddNote(JoinNotes(
        {SizeNote(allocation), Printable(allocation.type()),
         Printable(allocation.instruction()),
         allocation.has_window() ? "" : Printable(allocation.tag()),
         OriginText(allocation.source_line(), allocation.op_name(), display)}));
  }
  const bool is_one = message.kind() == "allocation";
  return absl::StrCat(
      "\n",
      is_one ? "The allocation:"
             : absl::StrCat(
                   HumanQuantity(message.allocation_count(), "allocation"),
                   " listed, ", HumanBytes(message.listed_bytes()),
                   " in all; equal ones share a row:"),
      "\n", table.ToString(kIndent, display));
}

// The size of an array in another order of dimensions, and the size up to which
// the most padded dimension can grow for free.
struct Hint {
  std::string shape;
  int64_t bytes;
  const google::protobuf::RepeatedField<int64_t>* order;
  int64_t better_bytes;
  const MostPadded* most_padded;
};

template <typename Statement>
Hint HintOf(const Statement& statement, std::string shape) {
  return {std::move(shape), statement.padded_bytes(),
          &statement.better_minor_to_major(), statement.better_bytes(),
          &statement.most_padded()};
}

// "dim 2 up to 128"
std::string RoomFor(const MostPadded& padded) {
  return padded.dimensions().size() == 1
             ? absl::StrCat("dim ", padded.dimensions(0), " up to ",
                            padded.padded())
             : "";
}

std::string HintsText(const std::vector<Hint>& hints, const Display& display) {
  const bool has_order =
      std::any_of(hints.begin(), hints.end(),
                  [](const Hint& hint) { return !hint.order->empty(); });
  const bool has_jax = has_order && display.columns >= kWideEnoughForJax;
  Table table({{"now", Table::kRight},
               {"then", Table::kRight, has_order},
               {"minor_to_major", Table::kLeft, has_order},
               {"in JAX", Table::kLeft, has_jax},
               {"grows for free", Table::kLeft},
               {"shape", Table::kLeft}});
  for (const Hint& hint : hints) {
    const std::string room = RoomFor(*hint.most_padded);
    if (hint.order->empty()) {
      if (!room.empty()) {
        table.AddRow({HumanBytes(hint.bytes), "", "", "", room, hint.shape});
      }
      continue;
    }
    const std::vector<int64_t> major_to_minor(hint.order->rbegin(),
                                              hint.order->rend());
    table.AddRow({HumanBytes(hint.bytes),
                  Paint(HumanBytes(hint.better_bytes), Color::kGreen, display),
                  absl::StrCat("{", absl::StrJoin(*hint.order, ","), "}"),
                  absl::StrCat("major_to_minor=(",
                               absl::StrJoin(major_to_minor, ", "), ")"),
                  room, hint.shape});
  }
  if (table.empty()) return "";
  return absl::StrCat(
      has_order
          ? "\nHints: a better order of dimensions for one array, same tiles; "
            "or a dimension that fills its tiles\n"
          : "\nHints: a dimension that fills its tiles takes no more\n",
      table.ToString(kIndent, display));
}

std::string WindowText(const WindowStatement& window, const Display& display) {
  std::string out =
      absl::StrCat("\nThe kernel's block ", Printable(window.window()),
                   " of the operand ", Printable(window.full()), " takes ",
                   HumanQuantity(window.buffers(), "buffer"), " of ",
                   HumanBytes(window.bytes()), ".\n");
  if (window.blocks().empty()) return out;
  Table table({{"limit", Table::kRight},
               {"block that fits", Table::kLeft},
               {"takes", Table::kRight},
               {"", Table::kLeft}});
  for (const BlockStatement& block : window.blocks()) {
    table.AddRow({HumanBytes(block.limit_bytes()), block.block(),
                  HumanBytes(block.bytes()), block.limit()});
  }
  return absl::StrCat(out, table.ToString(kIndent, display));
}

std::string KernelBlocksText(const MemoryStatement& message,
                             const Display& display) {
  if (message.blocks().empty()) return "";
  Table table({{"two take", Table::kRight},
               {"of", Table::kLeft},
               {"block", Table::kLeft}});
  int64_t sum = 0;
  for (const FittingKernelBlock& block : message.blocks()) {
    sum += block.bytes();
    table.AddRow({HumanBytes(block.bytes()),
                  block.name().empty() ? "result" : Printable(block.name()),
                  block.block()});
  }
  return absl::StrCat(
      "\nBlocks that fit, if the grid cuts these arrays: ", HumanBytes(sum),
      " of ", HumanBytes(message.available_bytes()),
      "; the rest is for the other needs of the kernel\n",
      table.ToString(kIndent, display));
}

std::string MoveText(const InstructionStatement& instruction) {
  if (!instruction.has_is_bitcast()) return "";
  if (instruction.is_bitcast()) {
    return StrCat(kIndent,
                  "nothing moves: every element already lies at its place\n");
  }
  return StrCat(
      kIndent, "the elements move",
      instruction.differences().empty()
          ? ""
          : absl::StrCat(": operand and result differ in ",
                         absl::StrJoin(instruction.differences(), " and ")),
      "\n");
}

std::string InstructionText(const InstructionStatement& instruction,
                            const Display& display) {
  std::string out =
      absl::StrCat(Paint(absl::StrCat(instruction.opcode(), " ",
                                      Printable(instruction.name())),
                         Color::kBold, display),
                   "\n");
  const std::string origin =
      OriginText(instruction.source_line(), instruction.op_name(), display);
  if (!origin.empty()) StrAppend(&out, kIndent, origin, "\n");
  absl::StrAppend(&out, MoveText(instruction));
  Table table({{"", Table::kLeft},
               {"bytes", Table::kRight},
               {"unpadded", Table::kRight},
               {"padded most", Table::kLeft},
               {"shape", Table::kLeft}});
  std::vector<Hint> hints;
  const auto add = [&](const char* what, const ArrayStatement& array) {
    table.AddRow(
        {JoinNotes({what, Printable(array.name())}),
         Paint(HumanBytes(array.padded_bytes()), Color::kYellow, display),
         HumanBytes(array.unpadded_bytes()),
         HumanBlame(array.most_padded(), Arrow(display)), array.shape()});
    hints.push_back(HintOf(array, array.shape()));
  };
  for (const ArrayStatement& array : instruction.results()) {
    add("result", array);
  }
  for (const ArrayStatement& array : instruction.operands()) {
    add("operand", array);
  }
  if (!table.empty()) out += table.ToString(kIndent, display);
  return out + HintsText(hints, display);
}

std::string MessageText(const MemoryStatement& message,
                        const Display& display) {
  std::string out =
      absl::StrCat(Headline(message, display), SumsText(message, display),
                   AllocationsText(message, display));
  std::vector<Hint> hints;
  for (const AllocationStatement& allocation : message.allocations()) {
    if (allocation.has_window()) {
      out += WindowText(allocation.window(), display);
    } else {
      hints.push_back(HintOf(allocation, ShapeOf(allocation)));
    }
  }
  out += HintsText(hints, display);
  if (message.has_instruction()) {
    absl::StrAppend(&out, "\n",
                    InstructionText(message.instruction(), display));
  }
  return out + KernelBlocksText(message, display);
}

std::string AssignedSpaceText(int64_t number,
                              const AssignedSpaceStatement& space,
                              const Display& display) {
  std::string out = StrCat(
      Paint(absl::StrCat("memory space ", number), Color::kBold, display),
      ": assigned ",
      Paint(HumanBytes(space.assigned_bytes()), Color::kYellow, display),
      " by XLA in ", HumanQuantity(space.allocation_count(), "allocation"),
      ReservedPartsText(space), "\n", kIndent);
  absl::StrAppend(
      &out,
      space.has_peak_bytes()
          ? absl::StrCat(
                "peak ",
                Paint(HumanBytes(space.peak_bytes()), Color::kYellow, display),
                " at step ", space.peak_position(),
                space.peak_instruction().empty() ? "" : ", ",
                Printable(space.peak_instruction()))
          : absl::StrCat("peak: at most ", HumanBytes(space.assigned_bytes())),
      "\n");
  if (space.values().empty()) return out;
  Table table({{"bytes", Table::kRight},
               {"allocation", Table::kRight},
               {"offset", Table::kRight},
               {"kind", Table::kLeft},
               {"steps", Table::kRight},
               {"value", Table::kLeft},
               {"padded most", Table::kLeft},
               {"shape", Table::kLeft}});
  for (const PlacedValue& value : space.values()) {
    table.AddRow(
        {HumanBytes(value.bytes()), absl::StrCat(value.allocation()),
         HumanBytes(value.offset()), value.kind(),
         value.has_first()
             ? absl::StrCat(value.first(), display.unicode ? "\u2013" : "-",
                            value.last())
             : "",
         Printable(value.name()),
         HumanBlame(value.most_padded(), Arrow(display)),
         Printable(value.shape())});
  }
  const bool is_cut = space.values_size() < space.value_count();
  StrAppend(
      &out, kIndent, HumanQuantity(space.value_count(), "value"),
      space.has_peak_bytes() ? " then" : "",
      is_cut ? absl::StrCat(", the ", space.values_size(), " largest") : "",
      "\n", table.ToString(kIndent, display));
  return out;
}

std::string AssignmentText(const AssignmentStatement& assignment,
                           const Display& display) {
  std::string out =
      "A buffer assignment without its module: the places of values, but not "
      "their source lines\n";
  for (const auto& [number, space] : SortedByKey(assignment.spaces())) {
    absl::StrAppend(&out, "\n", AssignedSpaceText(number, *space, display));
  }
  if (assignment.problem_count() > 0) {
    absl::StrAppend(&out, "\n",
                    HumanQuantity(assignment.problem_count(), "line"),
                    " could not be read\n");
  }
  return out;
}

std::string LayoutText(const JaxLayoutStatement& layout,
                       const Display& display) {
  if (!layout.has_array()) {
    return absl::StrCat("XLA writes ", layout.layout(), "\n");
  }
  const ArrayStatement& array = layout.array();
  std::string out =
      StrCat("XLA writes ", Paint(array.shape(), Color::kBold, display), "\n",
             kIndent, "bytes ",
             Paint(HumanBytes(array.padded_bytes()), Color::kYellow, display),
             ", ", HumanBytes(array.unpadded_bytes()), " without padding\n");
  const std::string blame = HumanBlame(array.most_padded(), Arrow(display));
  if (!blame.empty()) {
    StrAppend(&out, kIndent, "padded most ", blame, "\n");
  }
  return out + HintsText({HintOf(array, array.shape())}, display);
}

}  // namespace

std::string ExplanationToText(const ExplainTextResult& result,
                              const Display& display) {
  std::string out;
  if (result.has_message()) {
    out = MessageText(result.message(), display);
  } else if (result.has_assignment()) {
    out = AssignmentText(result.assignment(), display);
  } else if (result.has_instruction()) {
    out = InstructionText(result.instruction(), display);
  } else {
    out = LayoutText(result.layout(), display);
  }
  if (!result.advice().empty()) out += "\n";
  for (const std::string& advice : result.advice()) {
    absl::StrAppend(&out, advice, "\n");
  }
  for (const ExplainTextResult& other : result.other_messages()) {
    absl::StrAppend(&out, "\n", ExplanationToText(other, display));
  }
  return out;
}

}  // namespace tessera
