#include "tessera/hlo/printed_comments.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/reader/hlo_scanner.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace hlo_internal {
namespace {

// XLA's kAnnotationPrintInterval.
constexpr int64_t kInterval = 5;

// Literals of fewer dimensions have no comments.
constexpr size_t kLeastRank = 4;

// Where the shape of the instruction stands, if it has one.
const char* ShapeBegin(const HloScanner& scanner, HloInstruction instruction) {
  const char* p = instruction.text().data();
  if (instruction.is_root()) {
    p = scanner.PastBlanks(p + scanner.WordAt(p).size());
  }
  if (instruction.name().empty()) return p;
  p = scanner.PastBlanks(scanner.PastName(p));
  return scanner.PastBlanks(p + 1);
}

// Whether XLA, which prints "%" before all names or none, printed the operands
// in a form that has comments.
bool HasLongNames(HloInstruction instruction) {
  for (const HloOperand operand : instruction.all_operands()) {
    const std::string_view name = operand.name();
    if (!name.empty()) return name.data()[-1] == '%';
  }
  return true;
}

}  // namespace

void PrintedComments::Find(HloInstruction instruction) {
  comments_.clear();
  // Computations written inline may be nested as deep as brackets.
  waiting_.assign(1, instruction);
  while (!waiting_.empty()) {
    const HloInstruction next = waiting_.back();
    waiting_.pop_back();
    Add(next);
    for (const HloCall call : next.calls()) {
      if (!call.name().empty() || !call.computation().has_value()) continue;
      for (const HloInstruction within : call.computation()->instructions()) {
        waiting_.push_back(within);
      }
    }
  }
  const auto stands_before = [](const PrintedComment& a,
                                const PrintedComment& b) {
    return a.at < b.at;
  };
  if (!std::is_sorted(comments_.begin(), comments_.end(), stands_before)) {
    std::sort(comments_.begin(), comments_.end(), stands_before);
  }
}

void PrintedComments::FindInProgramShape(std::string_view text) {
  comments_.clear();
  AddOfShapes(text, /*first_is_counted=*/false);
}

void PrintedComments::FindInEntryLayout(std::string_view text) {
  comments_.clear();
  if (StartsWith(text, "{")) text.remove_prefix(1);
  AddOfShapes(text, /*first_is_counted=*/true);
}

void PrintedComments::Add(HloInstruction instruction) {
  const Shape* const shape = instruction.shape();
  // Few are neither arrays nor tuples: outfeed, which has a sharding of what it
  // feeds.
  if (shape != nullptr && !shape->IsArray()) {
    const char* const begin = ShapeBegin(scanner_, instruction);
    const std::string_view text = instruction.text();
    if (scanner_.Sees(begin, '(')) {
      AddOfList(begin + 1, text.data() + text.size(), /*is_counted=*/true,
                /*within=*/true);
    }
    const std::optional<std::string_view> sharding =
        instruction.attribute("sharding");
    if (sharding.has_value() && StartsWith(*sharding, "{{")) {
      AddOfList(sharding->data() + 1, sharding->data() + sharding->size(),
                /*is_counted=*/true, /*within=*/false);
    }
  }
  const std::string_view operands = instruction.operand_text();
  if (instruction.operand_count() > 0) {
    if (instruction.operand_count() > kInterval || StrContains(operands, '(')) {
      AddOfList(operands.data(), operands.data() + operands.size(),
                HasLongNames(instruction), /*within=*/true);
    }
  } else if (shape != nullptr && instruction.opcode() == "constant") {
    AddOfLiteral(*shape, operands);
  }
}

void PrintedComments::AddOfShapes(std::string_view text,
                                  bool first_is_counted) {
  const char* const end = text.data() + text.size();
  const char* p = text.data();
  bool is_counted = first_is_counted;
  while (true) {
    p = scanner_.Find<ByteIndex::kBracket>(p);
    if (p >= end) return;
    const bool is_tuple = *p == '(';
    p = AddOfList(p + 1, end, is_tuple && is_counted, is_tuple);
    is_counted = true;
  }
}

const char* PrintedComments::AddOfList(const char* p, const char* end,
                                       bool is_counted, bool within) {
  open_.assign(1, {is_counted, within, 0});
  while (p < end) {
    switch (*p) {
      case '(': {
        // Those in braces are tiles. Those behind an opcode open lists of
        // operands, all others tuples.
        const bool is_list = open_.back().is_parenthesis;
        const bool is_tuple = !HloScanner::Is(HloScanner::kIdentifier, p[-1]);
        open_.push_back({is_list && (is_counted || is_tuple), is_list, 0});
        break;
      }
      case '[':
      case '{':
        open_.push_back({false, false, 0});
        break;
      case ')':
      case ']':
      case '}':
        open_.pop_back();
        if (open_.empty()) return p + 1;
        break;
      case ',':
        if (open_.back().is_counted) {
          AddBefore(p + 1, end, ++open_.back().index);
        }
        break;
      case '"':
      case '\'': {
        const char* const past = scanner_.PastString(p);
        if (past == nullptr) return end;
        p = past;
        continue;
      }
      case '/': {
        const char* const past = scanner_.PastBlanks(p, end);
        if (past == p) break;
        p = past;
        continue;
      }
      default:
        break;
    }
    ++p;
  }
  return end;
}

void PrintedComments::AddBefore(const char* p, const char* end, int64_t index) {
  if (index % kInterval != 0 || p == end ||
      !HloScanner::Is(HloScanner::kBlank, *p)) {
    return;
  }
  while (p != end && HloScanner::Is(HloScanner::kBlank, *p)) ++p;
  if (scanner_.PastIndexComment(p) != p) return;
  comments_.push_back(
      {scanner_.PastBlanks(p, end), PrintedComment::kOfList, index});
}

void PrintedComments::AddOfLiteral(const Shape& shape, std::string_view text) {
  // The arrays in it, of which each but scalars has braces of its own.
  ranks_.clear();
  bool has_comments = false;
  shapes_.assign(1, &shape);
  while (!shapes_.empty()) {
    const Shape& next = *shapes_.back();
    shapes_.pop_back();
    if (next.IsTuple()) {
      for (size_t i = next.tuple_shapes().size(); i > 0; --i) {
        shapes_.push_back(&next.tuple_shapes()[i - 1]);
      }
    } else if (next.IsArray() && !next.dimensions().empty()) {
      ranks_.push_back(next.dimensions().size());
      has_comments |= next.dimensions().size() >= kLeastRank;
    }
  }
  if (!has_comments) return;
  const char* const end = text.data() + text.size();
  size_t arrays = 0;
  // Of the array that each open brace has opened, in the one round it.
  indices_.clear();
  size_t depth = 0;
  for (const char* p = text.data(); p < end; ++p) {
    if (*p == '{') {
      if (depth == 0) {
        if (arrays == ranks_.size()) return;
        ++arrays;
        indices_.assign(ranks_[arrays - 1] + 1, 0);
      }
      const size_t rank = ranks_[arrays - 1];
      if (depth == rank) return;
      // The innermost have none, nor has that of the whole array.
      if (rank >= kLeastRank && depth > 0 && depth + 1 < rank) {
        comments_.push_back(
            {p + 1, static_cast<int>(depth) - 1, indices_[depth]});
      }
      ++indices_[depth];
      ++depth;
      indices_[depth] = 0;
    } else if (*p == '}') {
      if (depth == 0) return;
      --depth;
    } else if (*p == '/') {
      p = std::max(p, scanner_.PastBlanks(p, end) - 1);
    }
  }
}

}  // namespace hlo_internal
}  // namespace tessera
