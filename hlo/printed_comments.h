// File: hlo/printed_comments.h
//
// Finds the comments that XLA prints in an instruction. For hlo/hlo_printer.h.
//
// Before every fifth element of a tuple's shape, of a tuple's sharding and of a
// list of operands stands `/*index=5*/`, and the arrays within a literal of
// four dimensions or more are numbered: `{ { /*i0=0*/ { /*i1=0*/ {1} } } }`.
// Texts that XLA did not print lack them, as do those that came through a
// printer which leaves comments out.
//
//   absl::StatusOr<HloDump> dump = ParseHlo(
//       "c = s32[1,2,1,1] constant({{{{1}},{{2}}}})");
//   const HloScanner scanner(dump->text());
//   PrintedComments comments(scanner);
//   comments.Find(dump->instructions()[0]);
//   comments.comments().size();             // 3
//   comments.comments()[1].at;              // "{1}},{{2}}}})"
//   comments.comments()[1].level;           // 1
//   comments.comments()[1].index;           // 0

#ifndef TESSERA_HLO_PRINTED_COMMENTS_H_
#define TESSERA_HLO_PRINTED_COMMENTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/reader/hlo_scanner.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace hlo_internal {

struct PrintedComment {
  // What it stands before.
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

  // Each sets comments() to those of one thing. A `/*index=N*/` that the text
  // has is left out. Lists that XLA prints in short form, whose operands have
  // no
  // '%', and those without blanks after their commas have as many as the text
  // says.
  //
  // Those of computations written inline in the instruction are among them.
  void Find(HloInstruction instruction);
  // `(x: f32[2]) -> f32[2]`, of whose parameters none has a comment before it.
  void FindInProgramShape(std::string_view text);
  // `{(f32[2]{0})->f32[2]{0}}`.
  void FindInEntryLayout(std::string_view text);

  // In the order of the text.
  const std::vector<PrintedComment>& comments() const { return comments_; }

 private:
  struct Bracket {
    bool is_counted;
    bool is_parenthesis;
    int64_t index;
  };

  void Add(HloInstruction instruction);
  // The elements of the list from `p`, after its bracket, to the bracket that
  // closes it, or to `end`; and, where `within`, those of tuples in it. Returns
  // the place after the bracket.
  const char* AddOfList(const char* p, const char* end, bool is_counted,
                        bool within);
  void AddBefore(const char* p, const char* end, int64_t index);
  // The parentheses in `text`, and tuples in them.
  void AddOfShapes(std::string_view text, bool first_is_counted);
  void AddOfLiteral(const Shape& shape, std::string_view text);

  const HloScanner& scanner_;
  std::vector<PrintedComment> comments_;
  std::vector<Bracket> open_;
  std::vector<HloInstruction> waiting_;
  std::vector<const Shape*> shapes_;
  std::vector<int64_t> ranks_;
  std::vector<int64_t> indices_;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_PRINTED_COMMENTS_H_
