// Finds the end of a bracket or of a shape, for the readers of HLO text. They
// need not interpret the text in most brackets: literals, attribute values of
// any kind, layouts.

#ifndef TESSERA_HLO_READER_BRACKET_READER_H_
#define TESSERA_HLO_READER_BRACKET_READER_H_

#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/hlo/reader/hlo_scanner.h"

namespace tessera {
namespace hlo_internal {

// The possible contents of braces.
enum class HloBraces {
  kTokens,
  // Tokens, or a computation: `{ ROOT x = ...`.
  kTokensOrComputation,
  // A dictionary in another language. Only its braces and double-quoted strings
  // are known.
  kDictionary,
  // Text that was read before and is known to be closed.
  kClosed,
  // Like kClosed, or a computation.
  kClosedOrComputation,
};

constexpr bool MayBeComputation(HloBraces braces) {
  return braces == HloBraces::kTokensOrComputation ||
         braces == HloBraces::kClosedOrComputation;
}
constexpr bool IsKnownClosed(HloBraces braces) {
  return braces == HloBraces::kClosed ||
         braces == HloBraces::kClosedOrComputation;
}

class BracketReader {
 public:
  enum class Result { kClosed, kComputation, kFailed };

  // XLA's limit on nesting.
  static constexpr size_t kNestingLimit = 8192;

  // Failures are described in `*failure`.
  BracketReader(const HloScanner& scanner, HloFailure* failure)
      : scanner_(scanner), failure_(failure) {}

  size_t depth() const { return open_.size(); }

  // Returns the place after the bracket at `bracket`, or nullptr if its
  // contents need a closer look. Nearly all brackets are plain.
  const char* PastPlainBracket(const char* bracket, HloBraces braces) const;

  // Opens the bracket at `*p`, one of ( [ {, and continues like Continue until
  // it is closed.
  Result Read(const char** p, HloBraces braces);

  // Moves `*p` from a bracket that holds only tokens past the closing one.
  // Returns false on failure.
  bool ReadClosed(const char** p) {
    return Read(p, HloBraces::kTokens) == Result::kClosed;
  }

  // Reads from `*p` until at most `depth` brackets are open. Moves `*p` past
  // the last of them, or to the first instruction of a computation if `braces`
  // allows one. Fails if a line begins with an instruction in any other place,
  // because then an earlier bracket is not closed.
  Result Continue(const char** p, size_t depth, HloBraces braces);

  // Moves `*p` from the start of a shape (HloScanner::StartsShape) past the
  // shape and its layout, if any. If `body_may_follow`, a brace is a layout
  // only if it begins like one, as in XLA. Returns false on failure.
  bool ReadShape(const char** p, bool body_may_follow);

  // Call this at the brace that closes the innermost open computation.
  void CloseComputation() { open_.pop_back(); }

  // Returns the failure for `p`, which would open one bracket too many.
  static HloFailure TooDeep(const char* p) {
    return {p, absl::StrCat("brackets nested deeper than ", kNestingLimit), p,
            nullptr};
  }

  // Forgets all but `depth` open brackets.
  void Abandon(size_t depth) { open_.resize(depth); }

 private:
  Result Fail(HloFailure failure);
  Result FailUnclosed(const char* open, const char* reached, const char* next);
  // Returns false only if no instruction can begin at `p`.
  bool MayStartInstruction(const char* p) const;
  // Opens the bracket at `*p` without looking for its end, except that it moves
  // past a whole dictionary.
  Result Open(const char** p, HloBraces braces);
  Result ReadDictionary(const char** p);
  // Returns the instruction at the start of `line`, or nullptr.
  const char* InstructionOnLine(const char* line) const;

  const HloScanner& scanner_;
  std::vector<const char*> open_;
  HloFailure* failure_;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_READER_BRACKET_READER_H_
