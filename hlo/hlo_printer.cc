#include "tessera/hlo/hlo_printer.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_attributes.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/reader/hlo_scanner.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace {

using hlo_internal::ByteIndex;
using hlo_internal::HloScanner;

// XLA's kAnnotationPrintInterval.
constexpr int64_t kInterval = 5;

// Literals of fewer dimensions have no comments.
constexpr size_t kLeastRank = 4;

const char* ShapeBegin(const HloScanner& scanner, HloInstruction instruction) {
  const char* p = instruction.text().data();
  if (instruction.is_root()) {
    p = scanner.PastBlanks(p + scanner.WordAt(p).size());
  }
  if (instruction.name().empty()) return p;
  p = scanner.PastBlanks(scanner.PastName(p));
  return scanner.PastBlanks(p + 1);
}

// Whether XLA printed the operands in a form that has comments. XLA prints "%"
// before all names or none.
bool HasLongNames(HloInstruction instruction) {
  for (const HloOperand operand : instruction.all_operands()) {
    const std::string_view name = operand.name();
    if (!name.empty()) return name.data()[-1] == '%';
  }
  return true;
}

// XLA prints `/*index=5*/` before every fifth element of a tuple's shape, of a
// tuple's sharding and of a list of operands. It numbers the arrays within a
// literal of four dimensions or more: `{ { /*i0=0*/ { /*i1=0*/ {1} } } }`.
// Texts that other programs printed do not have these comments, and neither do
// texts from a printer that omits comments.
struct PrintedComment {
  // The text after the comment.
  const char* at;
  // The dimension of `/*i1=0*/`; kOfList for `/*index=5*/`.
  int level;
  int64_t index;

  static constexpr int kOfList = -1;
};

class PrintedComments {
 public:
  // `scanner` is over the text of the dump.
  explicit PrintedComments(const HloScanner& scanner) : scanner_(scanner) {}

  // Each function sets comments() to those of one item. `/*index=N*/` comments
  // of the text are left out. Two kinds of lists keep the comments of the text:
  // lists in XLA's short form, whose operands do not have '%', and lists
  // without blanks after their commas.
  //
  // The comments of inline computations in the instruction are included.
  void Find(HloInstruction instruction) {
    comments_.clear();
    // Inline computations may be nested as deep as brackets.
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

  // The elements of the parentheses in `(x: f32[2]) -> f32[2]`, whose
  // parameters have no comments before them, or in `{(f32[2]{0})->f32[2]{0}}`,
  // whose parameters have; and of tuples in them.
  void FindInShapes(std::string_view text, bool has_counted_parameters) {
    comments_.clear();
    ConsumePrefix(&text, "{");
    const char* const end = text.data() + text.size();
    const char* p = text.data();
    bool is_counted = has_counted_parameters;
    while (true) {
      p = scanner_.Find<ByteIndex::kBracket>(p);
      if (p >= end) return;
      const bool is_tuple = *p == '(';
      p = AddOfList(p + 1, end, is_tuple && is_counted, is_tuple);
      is_counted = true;
    }
  }

  const std::vector<PrintedComment>& comments() const { return comments_; }

 private:
  struct Bracket {
    bool is_counted;
    bool is_parenthesis;
    int64_t index;
  };

  void Add(HloInstruction instruction) {
    const Shape* const shape = instruction.shape();
    // Few shapes are neither arrays nor tuples: outfeed, which has a sharding
    // of its operands.
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
      if (instruction.operand_count() > kInterval ||
          StrContains(operands, '(')) {
        AddOfList(operands.data(), operands.data() + operands.size(),
                  HasLongNames(instruction), /*within=*/true);
      }
    } else if (shape != nullptr && instruction.opcode() == "constant") {
      AddOfLiteral(*shape, operands);
    }
  }

  // Adds the elements of the list from `p`, after its bracket, to the closing
  // bracket or to `end`. If `within`, adds those of tuples in it, too. Returns
  // the place after the bracket.
  const char* AddOfList(const char* p, const char* end, bool is_counted,
                        bool within) {
    open_.assign(1, {is_counted, within, 0});
    while (p < end) {
      switch (*p) {
        case '(': {
          // Parentheses in braces are tiles. Those after an opcode open lists
          // of operands, and all others open tuples.
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

  void AddBefore(const char* p, const char* end, int64_t index) {
    if (index % kInterval != 0 || p == end ||
        !HloScanner::Is(HloScanner::kBlank, *p)) {
      return;
    }
    while (p != end && HloScanner::Is(HloScanner::kBlank, *p)) ++p;
    if (scanner_.PastIndexComment(p) != p) return;
    comments_.push_back(
        {scanner_.PastBlanks(p, end), PrintedComment::kOfList, index});
  }

  void AddOfLiteral(const Shape& shape, std::string_view text) {
    // The arrays in the literal. Each except scalars has its own braces.
    ranks_.clear();
    bool has_comments = false;
    ForEachLeafShape(shape, [&](const Shape& leaf, ShapeIndexView) {
      if (!leaf.IsArray() || leaf.dimensions().empty()) return;
      ranks_.push_back(leaf.dimensions().size());
      has_comments |= leaf.dimensions().size() >= kLeastRank;
    });
    if (!has_comments) return;
    const char* const end = text.data() + text.size();
    size_t arrays = 0;
    // For each open brace: the index of its array in the array around it.
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
        // The innermost arrays do not have comments, nor does the whole array.
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

  const HloScanner& scanner_;
  std::vector<PrintedComment> comments_;
  std::vector<Bracket> open_;
  std::vector<HloInstruction> waiting_;
  std::vector<int64_t> ranks_;
  std::vector<int64_t> indices_;
};

class Printer {
 public:
  Printer(std::string_view text, const HloPrintOptions& options,
          std::string* out)
      : scanner_(text), options_(options), out_(*out) {}

  void Print(HloModule module) {
    bool is_first = true;
    if (module.has_header()) {
      StrAppend(&out_, "HloModule ", module.name());
      const std::optional<std::string_view> layout =
          module.attribute("entry_computation_layout");
      comments_.FindInShapes(layout.value_or(""),
                             /*has_counted_parameters=*/true);
      PrintAttributes(module.attributes());
      out_.push_back('\n');
      is_first = false;
    }
    if (!module.frame_tables_text().empty()) {
      PrintFrameTables(module.frame_tables_text());
    }
    for (const HloComputation computation : module.computations()) {
      // The text of an attribute contains it.
      if (computation.is_inline()) continue;
      if (!is_first) out_.push_back('\n');
      is_first = false;
      Print(computation);
    }
  }

  void Print(HloComputation computation) {
    const bool has_braces = !computation.name().empty();
    if (has_braces) {
      if (computation.is_entry()) out_ += "ENTRY ";
      CopyName(computation.name());
      out_.push_back(' ');
      if (!computation.program_shape_text().empty()) {
        comments_.FindInShapes(computation.program_shape_text(),
                               /*has_counted_parameters=*/false);
        Copy(computation.program_shape_text());
        out_.push_back(' ');
      }
      out_ += "{\n";
    }
    for (const HloInstruction instruction : computation.instructions()) {
      if (has_braces) out_ += "  ";
      Print(instruction);
      out_.push_back('\n');
    }
    if (has_braces) {
      out_.push_back('}');
      PrintAttributes(computation.attributes());
      out_.push_back('\n');
    }
  }

  void Print(HloInstruction instruction) {
    comments_.Find(instruction);
    const std::string_view text = instruction.text();
    if (options_.print_metadata && options_.print_backend_config) {
      return Copy(text);
    }
    const std::string_view attributes = instruction.attributes_text();
    Copy(text.substr(0, text.size() - attributes.size()));
    PrintAttributes(instruction.attributes());
  }

 private:
  void PrintAttributes(const HloAttributes& attributes) {
    for (const HloAttribute& attribute : attributes) {
      if (attribute.key == "metadata" && !options_.print_metadata) continue;
      if (attribute.key == "backend_config" && !options_.print_backend_config) {
        continue;
      }
      StrAppend(&out_, ", ", attribute.key, "=");
      Copy(attribute.value);
    }
  }

  void PrintFrameTables(std::string_view tables) {
    const char* p = tables.data();
    const char* const end = p + tables.size();
    out_.push_back('\n');
    while (p != end) {
      const char* const stop = std::min(
          end,
          scanner_
              .FindWithin<ByteIndex::kQuote, ByteIndex::kBackslashOrLineBreak>(
                  end - p, p));
      const char* past = stop;
      if (scanner_.Sees(stop, '"')) {
        past = scanner_.PastString(stop);
        if (past == nullptr || past > end) past = end;
      } else if (stop != end) {
        ++past;
      }
      out_.append(p, past - p);
      if (past[-1] == '\n') {
        while (past != end && (*past == ' ' || *past == '\t')) ++past;
      }
      p = past;
    }
    out_.push_back('\n');
  }

  // Copies a part of the text with canonical white space, and with comments_
  // instead of its own comments.
  void Copy(std::string_view part) {
    const char* p = part.data();
    const char* const end = p + part.size();
    const auto& comments = comments_.comments();
    auto comment =
        std::lower_bound(comments.begin(), comments.end(), p,
                         [](const PrintedComment& comment, const char* place) {
                           return comment.at < place;
                         });
    for (; comment != comments.end() && comment->at < end; ++comment) {
      CopyBetweenComments(p, comment->at);
      PrintComment(*comment);
      p = comment->at;
    }
    CopyBetweenComments(p, end);
  }

  void CopyBetweenComments(const char* p, const char* end) {
    while (true) {
      const char* const stop = std::min(
          end,
          scanner_.FindWithin<ByteIndex::kQuote, ByteIndex::kApostropheOrSlash,
                              ByteIndex::kBackslashOrLineBreak>(end - p, p));
      out_.append(p, stop - p);
      if (stop == end) return;
      const char* past = stop + 1;
      switch (*stop) {
        case '"':
        case '\'':
          past = scanner_.PastString(stop);
          if (past == nullptr || past > end) past = end;
          out_.append(stop, past - stop);
          break;
        case '/': {
          const char* const past_blanks = scanner_.PastBlanks(stop, end);
          const std::string_view comment =
              HloScanner::Between(stop, past_blanks);
          if (past_blanks == stop) {
            out_.push_back('/');
          } else if (StartsWith(comment, "/*index=")) {
            past = stop + comment.find("*/") + 2;
            out_.append(stop, past - stop);
          } else {
            past = past_blanks;
          }
          break;
        }
        case '\n':
          while (!out_.empty() &&
                 HloScanner::Is(HloScanner::kBlank, out_.back())) {
            out_.pop_back();
          }
          out_.push_back(' ');
          while (past != end && HloScanner::Is(HloScanner::kBlank, *past)) {
            ++past;
          }
          break;
        default:
          out_.push_back(*stop);
      }
      p = past;
    }
  }

  void PrintComment(const PrintedComment& comment) {
    if (comment.level == PrintedComment::kOfList) {
      StrAppend(&out_, "/*index=", comment.index, "*/");
      return;
    }
    StrAppend(&out_, " /*i", comment.level, "=", comment.index, "*/");
    if (!HloScanner::Is(HloScanner::kBlank, *comment.at)) {
      out_.push_back(' ');
    }
  }

  // Copies the name, with a '%' before it if the text has one.
  void CopyName(std::string_view name) {
    if (name.data() != scanner_.begin() && name.data()[-1] == '%') {
      out_.push_back('%');
    }
    out_ += name;
  }

  const HloScanner scanner_;
  PrintedComments comments_{scanner_};
  const HloPrintOptions& options_;
  std::string& out_;
};

}  // namespace

std::string PrintHlo(const HloDump& dump, const HloPrintOptions& options) {
  std::string out;
  out.reserve(dump.text().size());
  Printer printer(dump.text(), options, &out);
  for (const HloModule module : dump.modules()) {
    if (!out.empty()) out.push_back('\n');
    printer.Print(module);
  }
  return out;
}

void AppendHlo(HloModule module, const HloPrintOptions& options,
               std::string* out) {
  Printer(module.dump_text(), options, out).Print(module);
}

void AppendHlo(HloComputation computation, const HloPrintOptions& options,
               std::string* out) {
  Printer(computation.dump_text(), options, out).Print(computation);
}

void AppendHlo(HloInstruction instruction, const HloPrintOptions& options,
               std::string* out) {
  Printer(instruction.dump_text(), options, out).Print(instruction);
}

}  // namespace tessera
