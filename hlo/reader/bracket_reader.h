// Where does this bracket close, and where does this shape end? For the readers
// of HLO text, which need not know what stands between most brackets: literals,
// attribute values of any kind, layouts.

#ifndef TESSERA_HLO_READER_BRACKET_READER_H_
#define TESSERA_HLO_READER_BRACKET_READER_H_

#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/hlo/reader/hlo_scanner.h"

namespace tessera {
namespace hlo_internal {

// What braces may hold.
enum class HloBraces {
  kTokens,
  // Tokens, or a computation: `{ ROOT x = ...`.
  kTokensOrComputation,
  // A dictionary in some other language, of which braces and double-quoted
  // strings are all that is known.
  kDictionary,
  // Whatever was read before and is known to be closed.
  kClosed,
  // The same, or a computation.
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

  // What fails is described in `*failure`.
  BracketReader(const HloScanner& scanner, HloFailure* failure)
      : scanner_(scanner), failure_(failure) {}

  size_t depth() const { return open_.size(); }

  // Past the bracket at `bracket`, or nullptr where something stands within it
  // that takes a closer look. Nearly all brackets are plain.
  const char* PastPlainBracket(const char* bracket, HloBraces braces) const;

  // Opens the bracket at `*p`, one of ( [ {, and goes on as Continue does until
  // it is closed.
  Result Read(const char** p, HloBraces braces);

  // Moves `*p`, at a bracket that holds only tokens, past what it opens.
  // Returns false on failure.
  bool ReadClosed(const char** p) {
    return Read(p, HloBraces::kTokens) == Result::kClosed;
  }

  // Reads from `*p` until no more than `depth` brackets are open and moves `*p`
  // past the last of them, or to the first instruction of a computation where
  // `braces` allows one. A line that begins with an instruction where none can
  // stand means that a bracket before it is not closed: that fails.
  Result Continue(const char** p, size_t depth, HloBraces braces);

  // Moves `*p`, where a shape begins (HloScanner::StartsShape), past it and
  // past its layout if it has one. Where `body_may_follow`, a brace is a layout
  // only if it begins as one, as in XLA. False on failure.
  bool ReadShape(const char** p, bool body_may_follow);

  // The caller has met the brace that closes the innermost open computation.
  void CloseComputation() { open_.pop_back(); }

  // `p` would open one bracket too many.
  static HloFailure TooDeep(const char* p) {
    return {p, absl::StrCat("brackets nested deeper than ", kNestingLimit), p,
            nullptr};
  }

  // Forgets all but `depth` open brackets.
  void Abandon(size_t depth) { open_.resize(depth); }

 private:
  Result Fail(HloFailure failure);
  Result FailUnclosed(const char* open, const char* reached, const char* next);
  // False only where no instruction can begin at `p`.
  bool MayStartInstruction(const char* p) const;
  // Opens the bracket at `*p` without looking for its end, save that of a
  // dictionary, which it passes.
  Result Open(const char** p, HloBraces braces);
  Result ReadDictionary(const char** p);
  // The instruction that the line at `line` begins with, or nullptr.
  const char* InstructionOnLine(const char* line) const;

  const HloScanner& scanner_;
  std::vector<const char*> open_;
  HloFailure* failure_;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_READER_BRACKET_READER_H_
