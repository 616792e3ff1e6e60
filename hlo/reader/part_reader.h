// Finds the ends of brackets, shapes and attributes, for the readers of HLO
// text. They need not interpret the text in most brackets: literals, attribute
// values of any kind, layouts.
//
// HLO does not mark the end of an unbracketed value: `direction=LT` ends before
// any text that cannot belong to it. A value ends, outside brackets and
// strings, before a comma that another `key=` follows; before a closing brace;
// before a word such as ROOT or ENTRY; before `name =`, the next instruction;
// and before `name {` and `name (x: ...`, the next computation. Nevertheless,
// `mesh[..], device_ids=(..)` is one value, and so is `[8]T(1,0)`.

#ifndef TESSERA_HLO_READER_PART_READER_H_
#define TESSERA_HLO_READER_PART_READER_H_

#include <string_view>
#include <utility>
#include <vector>

#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/reader/hlo_scanner.h"

namespace tessera {
namespace hlo_internal {

// What is known of braces. By default, they hold only tokens.
struct HloBraces {
  // They may hold a computation: `{ ROOT x = ...`.
  bool may_be_computation = false;
  // They were read before, and are closed.
  bool are_closed = false;
  // They hold a dictionary in another language. Only its braces and
  // double-quoted strings are known.
  bool are_dictionary = false;
};

class PartReader {
 public:
  enum class Result { kClosed, kComputation, kFailed };

  // A list of attributes that is being read.
  struct List {
    // The number of brackets that were open before it.
    size_t depth = 0;
    // The braces around values. The values of backend_config and similar keys
    // are dictionaries nevertheless.
    HloBraces braces;
    // The key of the value being read; empty between attributes.
    std::string_view key;
    // The first token of that value; null before it.
    const char* value_begin = nullptr;
    // The comma at the end of a value, and the next key after it, which is then
    // not searched again. Null if it was not found.
    const char* comma = nullptr;
    std::string_view next_key;
  };

  // `scanner` must outlive the reader.
  explicit PartReader(const HloScanner& scanner) : scanner_(scanner) {}

  // The last failure.
  const HloFailure& failure() const { return failure_; }
  Result Fail(HloFailure failure) {
    failure_ = std::move(failure);
    return Result::kFailed;
  }
  // Fails at `p`, where `what` was expected. Returns false.
  bool Expected(std::string_view what, const char* p) {
    Fail(scanner_.Expected(what, p));
    return false;
  }
  // Returns whether another bracket, with `others` more around it, may open at
  // `p`. XLA limits the nesting; fails at the limit.
  bool MayNest(const char* p, size_t others = 0);

  size_t depth() const { return open_.size(); }

  // Returns the place after the bracket at `bracket`, or nullptr if its
  // contents need a closer look. Nearly all brackets are plain.
  const char* PastPlainBracket(const char* bracket, HloBraces braces) const;

  // Moves `*p` from a bracket that holds only tokens past the closing one.
  // Returns false on failure.
  bool ReadBracket(const char** p) {
    return ReadBracket(p, HloBraces()) == Result::kClosed;
  }

  // Moves `*p` from the start of a shape (HloScanner::StartsShape) past the
  // shape and its layout, if any. If `body_may_follow`, a brace is a layout
  // only if it begins like one, as in XLA. Returns false on failure.
  bool ReadShape(const char** p, bool body_may_follow);

  // Reads each `, key=value` at `*p`, appends it to `attributes`, and moves
  // `*p` past the last. On kComputation, `*p` is at the first instruction of a
  // computation written inline; call this again, with `*p` past its closing
  // brace.
  Result ReadAttributes(const char** p, List* list,
                        std::vector<HloAttribute>* attributes);

  // Like ReadAttributes, but only for the next attribute. If there is none,
  // returns kClosed, and the key of `*attribute` is empty.
  Result ReadAttribute(const char** p, List* list, HloAttribute* attribute);

  // Call this at the brace that closes the innermost open computation.
  void CloseComputation() { open_.pop_back(); }

  // Forgets all but `depth` open brackets.
  void Abandon(size_t depth) { open_.resize(depth); }

 private:
  Result FailUnclosed(const char* open, const char* reached, const char* next);
  // Opens the bracket at `*p`, one of ( [ {, and continues like Continue until
  // it is closed.
  Result ReadBracket(const char** p, HloBraces braces);
  // Opens the bracket at `*p` without looking for its end, except that it moves
  // past a whole dictionary.
  Result Open(const char** p, HloBraces braces);
  Result ReadDictionary(const char** p);
  // Reads from `*p` until at most `depth` brackets are open. Moves `*p` past
  // the last of them, or to the first instruction of a computation if `braces`
  // allows one. Fails if a line begins with an instruction in any other place,
  // because then an earlier bracket is not closed.
  Result Continue(const char** p, size_t depth, HloBraces braces);
  // Returns false only if no instruction can begin at `p`.
  bool MayStartInstruction(const char* p) const;
  // Returns the instruction at the start of `line`, or nullptr.
  const char* InstructionOnLine(const char* line) const;

  // Precondition: `*p` is past the comma.
  Result ReadKey(const char** p, List* list);
  Result ReadValue(const char** p, List* list);
  bool ValueGoesOnAfterComma(const char* comma, List* list) const;
  // Whether the name at `p` belongs to the text after the value.
  bool NameEndsValue(const char* p, const char* past_name,
                     const List& list) const;

  const HloScanner& scanner_;
  std::vector<const char*> open_;
  HloFailure failure_;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_READER_PART_READER_H_
