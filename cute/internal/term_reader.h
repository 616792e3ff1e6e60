// Reads CuTe's layouts, tilers and int tuples by their grammar.
//
// All three are read in the same way, into flat arrays, since only the ':'
// after a tuple shows that it was the shape of a layout:
//
//   term    = layout | tiler | integer | '_'
//   layout  = shape ':' stride         nested alike
//           | 'Layout' '<' shape [',' stride] '>'
//           | 'make_layout' '(' shape [',' stride | ',' major] ')'
//   tiler   = '(' term, term ... ')' | '[' term; term ... ']'
//           | '<' term, term ... '>' | tuple
//   tuple   = ('Shape' | 'Stride' | 'tuple' | ...) '<' term, term ... '>'
//           | ('make_shape' | 'make_stride' | ...) '(' term, term ... ')'
//   integer = ['_'] ['-'] digits | '_m' digits | 'Int' '<' integer '>'
//           | 'C' '<' integer '>' | 'integral_constant' '<' type, integer '>'
//   stride  = integer ('@' integer)* | '(' stride, stride ... ')'
//           | 'E' '<' integer, integer ... '>'
//   major   = 'LayoutLeft' | 'LayoutRight' | 'GenColMajor' | 'GenRowMajor'
//
// with a trailing comma wherever there are commas; `cute::` or `cute.` before
// any word, and `{}` after any type. The words are those of C++ source and
// compiler messages, and of Python source. Reading functions return false after
// the first error, which status() returns.

#ifndef TESSERA_CUTE_INTERNAL_TERM_READER_H_
#define TESSERA_CUTE_INTERNAL_TERM_READER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "tessera/base/text/cursor.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/internal/profile.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/swizzle.h"
#include "tessera/cute/tiler.h"

namespace tessera::cute {

class TermReader {
 public:
  // Creates a reader at byte `position` of `text`, which must outlive it.
  TermReader(std::string_view text, size_t position)
      : text_(text), cursor_(text.substr(position)) {}

  // The status of the first error.
  const absl::Status& status() const { return status_; }
  // Whether the error is at a name or an operator, which is valid in an
  // expression of the calculator but not in a term.
  bool stopped_at_expression() const { return stopped_at_expression_; }
  const char* position() const { return cursor_.position(); }

  // Reads a layout, a tiler or an int tuple. May be called again after each
  // Take.
  bool ReadNested();

  // Reads a multiple of a basis element, such as 2@0, as the stride of a layout
  // of size 1.
  bool ReadBasis();

  // The kind of the value that was read.
  bool is_layout() const {
    return !layouts_.empty() && layouts_.back().begin == 0;
  }
  bool is_int_tuple() const { return no_shape_before_ == 0; }
  // Precondition: is_layout(). Every error was already reported at its place.
  absl::StatusOr<Layout> TakeLayout();
  // Precondition: is_int_tuple().
  IntTuple TakeIntTuple();
  // Any term is a tiler.
  bool TakeTiler(Tiler* tiler);
  // Takes a layout; for a bare shape, if it is allowed, its column-major
  // layout.
  absl::StatusOr<Layout> TakeLayoutOrShape(bool allow_bare_shape);

  // Reads "<2,0,3>" after the name Sw, S or Swizzle; SW_2_0_3 is a single name.
  bool ReadSwizzle(Swizzle* swizzle);
  bool AtSwizzle();

  // Reads the offset of a composed layout. kUnderscore, which is -2^63, is not
  // a valid offset.
  bool ReadOffset(int64_t* offset);
  // Moves past "ComposedLayout<" or "make_composed_layout(" and returns the
  // bracket that closes it; '\0' if neither comes next.
  char TakeComposedWord();
  // Moves past a comma, or past a bracket and the braces after it.
  bool TakeMark(char mark);
  // Moves past the word `o`.
  bool TakeCompositionSign();
  // Fails unless only white space and comments are left.
  bool ReadEnd(std::string_view what);
  // Fails with "expected ..., found ..." at the next token.
  bool FailExpected(std::string_view what);
  bool Fail(const char* at, std::string_view message,
            absl::StatusCode code = absl::StatusCode::kInvalidArgument);

 private:
  // A bracket that opens a tuple, or the shape and stride of a layout. Packed
  // into one number, because small structs passed through memory cause stalls.
  class Opening {
   public:
    // Creates an opening without a bracket.
    Opening() = default;
    explicit Opening(char close, bool is_word = false, bool is_layout = false)
        : packed_(static_cast<uint8_t>(close) | (is_word ? kWord : 0) |
                  (is_layout ? kLayout : 0)) {}

    // The closing bracket; '\0' if there is no bracket.
    char close() const { return static_cast<char>(packed_ & 0xff); }
    // Whether it follows a word: it is then a tuple, whatever the bracket.
    bool is_word() const { return (packed_ & kWord) != 0; }
    // Whether it opens a layout, whose shape comes first.
    bool is_layout() const { return (packed_ & kLayout) != 0; }

   private:
    static constexpr uint32_t kWord = 0x100;
    static constexpr uint32_t kLayout = 0x200;

    uint32_t packed_ = 0;
  };
  // A tuple or layout that is still open.
  struct Open {
    size_t node;
    size_t leaf;
    const char* begin;
    Opening opening;
    uint32_t arity;
  };
  // The nodes of a layout.
  struct NodeRange {
    size_t begin;
    size_t end;
  };
  // A leaf that is not a valid size, but may be a coordinate.
  struct NoSize {
    size_t leaf;
    const char* begin;
  };

  void Clear();
  // Continues at `ahead`. Copies only its position, because a copy of the whole
  // cursor waits until the position is stored.
  void GoTo(const Cursor& ahead) {
    const char* const position = ahead.position();
    cursor_ = Cursor(
        std::string_view(position, text_.data() + text_.size() - position));
  }
  // Returns the last component of a name, such as Layout of cute::Layout; "" if
  // none comes next.
  static std::string_view TakeWord(Cursor* cursor);
  // Moves past `{}`, which makes a value of a type, or `()`.
  static void TakeBraces(Cursor* cursor);
  // Takes 4, 4u or (int)4.
  bool TakeTemplateInteger(Cursor* cursor, int64_t* value) const;
  bool TakeKeyword(std::string_view keyword);
  // Inline, so that the result stays in registers.
  Opening TakeOpening() {
    const char next = Peek();
    const char close = next == '('   ? ')'
                       : next == '[' ? ']'
                       : next == '<' ? '>'
                                     : '\0';
    if (close == '\0') return next == '_' ? Opening() : TakeOpeningWord();
    cursor_.Take(next);
    return Opening(close);
  }
  Opening TakeOpeningWord();
  // Moves past the end of a bracket.
  bool TakeClosing(const Opening& opening) {
    if (!cursor_.Take(opening.close())) return false;
    if (opening.is_word() &&
        (cursor_.NextByteIs('{') || cursor_.NextByteIs('('))) {
      TakeBraces(&cursor_);
    }
    return true;
  }
  // Fills in strides that are not written: those of a compact order of the
  // leaves from `leaf` on, from the left or from the right.
  void FillCompactStrides(size_t leaf, bool from_right);
  // Reads the stride and bracket after the shape of `Layout<`.
  bool ReadRestOfLayout(const Open& layout);
  // Reads E<0,1>{} or ScaledBasis<C<2>,0,1>.
  bool ReadBasisWord(Layout::Leaf* leaf, bool* is_basis);
  bool AddBasisMode(int64_t mode, const char* begin, Layout::Leaf* leaf);
  // Reads an integer with or without `_` before it. Returns false, without an
  // error, if none comes next.
  bool ReadInteger(int64_t* value) {
    const char next = Peek();
    const bool is_word = next == '_' || absl::ascii_isalpha(next);
    return is_word ? ReadMarkedInteger(value) : cursor_.TakeInteger(value);
  }
  // Returns the first byte of the next token; '\0' at the end.
  char Peek() {
    cursor_.SkipBlanks();
    const char* position = cursor_.position();
    return position == text_.data() + text_.size() ? '\0' : *position;
  }
  bool ReadMarkedInteger(int64_t* value);
  // Takes an integer such as _4, the most common form.
  bool TakePlainMarkedInteger(int64_t* value);
  // Fails like FailExpected, or because the integer there does not fit.
  bool FailInteger(std::string_view what);
  bool ReadLeaf();
  // Reads the stride of the shape that begins at `node`, `leaf` and `begin`.
  bool ReadStride(size_t node, size_t leaf, const char* begin);
  bool CheckShape(size_t node, size_t leaf, const char* begin);
  // Checks that the leaves from `leaf` on, whose text begins at `begin`, are
  // sizes.
  bool CheckSizes(size_t leaf, const char* begin);
  bool FailNoSize(const NoSize& no_size);
  // Returns the place of the `leaf`-th integer of the shape at `begin`. Reads
  // the shape again, so that reading without an error does not keep positions.
  const char* LeafPosition(const char* begin, size_t leaf) const;
  bool ReadStrideLeaf(size_t leaf, int64_t* cosize);

  std::string_view text_;
  Cursor cursor_;
  absl::Status status_;

  Profile::Nodes nodes_;
  // A size without a stride has the stride of a tiler; '_' is the size
  // kUnderscore.
  Layout::Leaves leaves_;
  absl::InlinedVector<NodeRange, 4> layouts_;
  // A tuple that begins before this node contains a layout or a tiler.
  size_t no_shape_before_ = 0;
  absl::InlinedVector<NoSize, 4> no_sizes_;
  bool stopped_at_expression_ = false;
  bool has_empty_tuple_ = false;
  bool has_basis_ = false;
};

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_INTERNAL_TERM_READER_H_
